import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

const ROUNDS = 400;
const ROUND_MS = 4;

/** Claims one directory a round, at the same moments as the other; prints those that it got, and lives until its input ends. */
const PROGRAM = `
  import { claimDirectory } from ${JSON.stringify(new URL('./claim.ts', import.meta.url).href)};
  const [parent, start] = process.argv.slice(1);
  const got = [];
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    while (Date.now() < Number(start) + round * ${ROUND_MS}) ;
    await claimDirectory(parent + '/' + round).then(() => got.push(round), () => undefined);
  }
  console.log(JSON.stringify(got));
  process.stdin.resume();
`;

it('two starts at the same moment never both get a directory, whether it is new or was left by a kill', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'questboard-claims-'));
  for (let round = 0; round < ROUNDS; round += 2) {
    mkdirSync(join(parent, String(round)));
    writeFileSync(join(parent, String(round), 'running.json'), '{"pid": 1, "identity": "ended long ago"}');
  }
  const args = ['--input-type=module', '--eval', PROGRAM, parent, String(Date.now() + 2_000)];
  const starts = [1, 2].map(() => spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
  const got = await Promise.all(
    starts.map(async ({ stdout }) => {
      const [line] = await once(createInterface({ input: stdout }), 'line');
      const rounds: number[] = JSON.parse(line);
      return rounds;
    }),
  );
  for (const { stdin } of starts) stdin.end();
  rmSync(parent, { recursive: true });
  expect(got.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: ROUNDS }, (_, round) => round));
});
