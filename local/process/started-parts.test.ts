import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ProcessRecords } from './orphans.ts';
import { StartedParts } from './started-parts.ts';

it('ends what another process of the directory has recorded and left running', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-parts-'));
  const parts = new StartedParts(directory, { isEphemeral: false });
  const left = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  await once(left, 'spawn');
  new ProcessRecords(directory, 'a-test-file').add('PostgREST', left.pid ?? 0);
  const ended = once(left, 'exit');
  await parts.stop();
  await ended;
  expect(left.signalCode).toBe('SIGINT');
  rmSync(directory, { recursive: true });
});
