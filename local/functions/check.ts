import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DENO_BINARY, denoEnvironment, FUNCTIONS_DIRECTORY, OFFLINE_FLAGS, PROJECT_ROOT } from './deno-process.ts';
import { functionNames } from './function-names.ts';

/** Type-checks each edge function with Deno's own types and its own deno.json, without network. Exit code tells. */
const cacheDir = join(PROJECT_ROOT, 'node_modules/.cache/deno');
let failed = false;
for (const name of functionNames(FUNCTIONS_DIRECTORY)) {
  const config = join(FUNCTIONS_DIRECTORY, name, 'deno.json');
  const entry = join(FUNCTIONS_DIRECTORY, name, 'index.ts');
  const { status } = spawnSync(DENO_BINARY, ['check', ...OFFLINE_FLAGS, `--config=${config}`, entry], {
    stdio: 'inherit',
    env: { ...process.env, ...denoEnvironment(cacheDir) },
  });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
