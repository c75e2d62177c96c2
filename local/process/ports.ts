import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { UserError } from './user-error.ts';

const portsSchema = z.object({
  app: z.number(),
  gateway: z.number(),
  database: z.number(),
  rest: z.number(),
  restAdmin: z.number(),
  identity: z.number(),
  mail: z.number(),
  stripe: z.number(),
});

/** One port on 127.0.0.1 for each part. */
export type Ports = z.infer<typeof portsSchema>;
type Part = keyof Ports;

/** The ports that a first start tries; the API and database are where `supabase start` has them. */
const WISHES: Partial<Ports> = { app: 5173, gateway: 54321, database: 54322, mail: 54324 };

/** Environment variables with which a developer can require a port. */
const VARIABLES: Partial<Record<Part, string>> = {
  app: 'QUESTBOARD_APP_PORT',
  gateway: 'QUESTBOARD_API_PORT',
  database: 'QUESTBOARD_DATABASE_PORT',
  mail: 'QUESTBOARD_MAIL_PORT',
};

const PARTS = portsSchema.keyof().options;

/** The previous ports where they are still free, so that bookmarks survive a restart; the others are chosen again. */
export async function rememberedPorts(directory: string): Promise<Ports> {
  const file = join(directory, 'ports.json');
  const ports = await choosePorts({ ...WISHES, ...readJsonFile(file, portsSchema) }, demandedPort);
  writeJsonFile(file, ports);
  return ports;
}

/** Any free ports, for a throw-away stack. */
export const freePorts = (): Promise<Ports> => choosePorts({}, () => undefined);

async function choosePorts(wishes: Partial<Ports>, demand: (part: Part) => number | undefined): Promise<Ports> {
  const chosen = new Map<Part, number>();
  for (const part of PARTS) {
    const taken = new Set(chosen.values());
    const demanded = demand(part);
    chosen.set(part, demanded === undefined ? await freePort(wishes[part], taken) : await insist(part, demanded));
  }
  return portsSchema.parse(Object.fromEntries(chosen));
}

function demandedPort(part: Part): number | undefined {
  const value = process.env[VARIABLES[part] ?? ''];
  if (!value) return undefined;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`${VARIABLES[part]} must be a port from 1 to 65535, not "${value}".`);
  }
  return port;
}

async function insist(part: Part, port: number): Promise<number> {
  if (await isFree(port)) return port;
  throw new UserError(
    `Port ${port} (${VARIABLES[part]}) is taken by another program; stop that program or choose another port.`,
  );
}

/** Below the ports that systems use for outgoing connections (from 32768), which could take a port between choice and use. */
const CHOICE = { from: 20_000, to: 32_000 };

async function freePort(wish: number | undefined, taken: Set<number>): Promise<number> {
  if (wish !== undefined && !taken.has(wish) && (reserved.has(wish) || (await reserve(wish))) && (await isFree(wish))) {
    return wish;
  }
  const port = randomInt(CHOICE.from, CHOICE.to);
  return !taken.has(port) && (await reserve(port)) && (await isFree(port)) ? port : freePort(undefined, taken);
}

/** What this process has reserved; it may ask for a port again. */
const reserved = new Set<number>();

/**
 * Reserves a port against other runs of these tools until this process ends, because two that choose at the same moment would both find it
 * free. UDP ports are separate: holding one does not block anything that is started here.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      reserved.add(port);
      resolve(true);
    });
  });
}

const isFree = async (port: number): Promise<boolean> => (await probe(port)) !== undefined;

/** Listens for a moment; resolves to the port, or undefined when it is not available. */
function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

/** One free port for a server with a shorter life than a stack. */
export const probeFreePort = (): Promise<number> => freePort(undefined, new Set());
