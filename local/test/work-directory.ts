import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuardian } from '../process/guardian.ts';
import { endOrphans, ProcessRecords } from '../process/orphans.ts';
import { processIdentity } from '../process/process-identity.ts';

const NAME = /^questboard-test-(\d+)-/;

export interface WorkDirectory {
  path: string;
  /** TMPDIR of the programs that the steps run. */
  records: ProcessRecords;
  remove(): void;
}

/**
 * A directory for all temporary files of one `npm test`; its programs get it as TMPDIR, so that whatever they leave goes
 * with it. Also removes those of earlier runs whose guardian was ended too.
 */
export async function makeWorkDirectory(): Promise<WorkDirectory> {
  for (const name of readdirSync(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || processIdentity(Number(pid)) !== undefined) continue;
    await endOrphans(join(tmpdir(), name));
    removeAll(join(tmpdir(), name));
  }
  const path = mkdtempSync(join(tmpdir(), `questboard-test-${process.pid}-`));
  // Database servers of the tests run as another user when we are root.
  chmodSync(path, 0o711);
  const dismissGuardian = startGuardian({ directory: path, isEphemeral: true });
  return {
    path,
    records: new ProcessRecords(path),
    remove: () => {
      dismissGuardian();
      removeAll(path);
    },
  };
}

const removeAll = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
