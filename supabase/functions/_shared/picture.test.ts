import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DENO_ENVIRONMENT, OFFLINE_FLAGS } from '../../../local/functions/deno-process.ts';
import { FUNCTIONS_DIRECTORY, program } from '../../../local/paths.ts';
import { picture } from '../../../local/testing/pictures.ts';

it('keeps the pixels of no picture that it has inspected: one of 2,000 a side takes 16 MB', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-picture-'));
  try {
    const file = join(directory, 'picture');
    writeFileSync(file, await picture(1, { type: 'jpeg', width: 2_000, height: 2_000 }));
    const script = `
      import { inspectPicture } from '${new URL('picture.ts', import.meta.url)}';
      const bytes = await Deno.readFile('${file}');
      for (let time = 0; time < 5; time += 1) await inspectPicture(bytes);
      console.log(Deno.memoryUsage().external);`;
    const config = `--config=${join(FUNCTIONS_DIRECTORY, 'verify-upload/deno.json')}`;
    const env = { ...process.env, ...DENO_ENVIRONMENT };
    const output = execFileSync(program('deno'), ['eval', ...OFFLINE_FLAGS, config, script], { env, encoding: 'utf8' });
    expect(Number(output)).toBeLessThan(16_000_000);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
