import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../process/listen.ts';
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
  const { url, close } = await listen(identity.app, 0);
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
      await close();
      await identity.close();
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A code that is certainly not this one. */
export function anotherCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}
