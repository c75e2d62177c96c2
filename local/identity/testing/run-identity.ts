import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { createIdentity, type Identity, type IdentityOptions, type Mail } from '../index.ts';
import { Browser } from './browser.ts';

export interface RunningIdentity {
  identity: Identity;
  url: string;
  dataDir: string;
  mails: Mail[];
  /** A separate browser, without cookies. */
  browser(): Browser;
  /** The code of the newest mail to this address. */
  lastCode(to: string): string;
  stop(options?: { keepData?: boolean }): Promise<void>;
}

/** Serves an emulator on a free port; `dataDir` continues an earlier one. */
export async function runIdentity(options: Partial<IdentityOptions> = {}): Promise<RunningIdentity> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'questboard-identity-')));
  const mails: Mail[] = [];
  const identity = await createIdentity({
    ...options,
    dataDir,
    sendMail: (mail) => {
      mails.push(mail);
    },
  });
  const { server, port } = await new Promise<{ server: ReturnType<typeof serve>; port: number }>((resolve) => {
    const listening = serve({ fetch: identity.app.fetch, port: 0, hostname: '127.0.0.1' }, (info) =>
      resolve({ server: listening, port: info.port }),
    );
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    identity,
    url,
    dataDir,
    mails,
    browser: () => new Browser(url),
    lastCode(to) {
      const mail = mails.findLast((candidate) => candidate.to === to);
      if (!mail) throw new Error(`No mail went to ${to}.`);
      return mail.code;
    },
    async stop({ keepData = false } = {}) {
      await new Promise((resolve) => server.close(resolve));
      await identity.close();
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A code that is certainly not this one. */
export function anotherCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
