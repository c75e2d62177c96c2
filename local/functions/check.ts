import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DENO_BINARY, denoEnvironment, FUNCTIONS_DIRECTORY, OFFLINE_FLAGS, PROJECT_ROOT } from './deno-process.ts';
import { functionNames } from './function-names.ts';

/**
 * Type-checks the edge functions with Deno's own types, offline; the exit code gives the result. All functions are checked in one program
 * with all their packages, because most of the time is spent on shared types; an import that a function's own deno.json lacks fails when it
 * starts.
 */
const names = functionNames(FUNCTIONS_DIRECTORY);
const importsOf = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(FUNCTIONS_DIRECTORY, name, 'deno.json'), 'utf8')).imports;

const cacheDir = join(PROJECT_ROOT, 'node_modules/.cache/deno');
const config = join(cacheDir, 'check.json');
mkdirSync(cacheDir, { recursive: true });
writeFileSync(config, JSON.stringify({ imports: Object.assign({}, ...names.map(importsOf)) }));

const entries = names.map((name) => join(FUNCTIONS_DIRECTORY, name, 'index.ts'));
const { status } = spawnSync(DENO_BINARY, ['check', ...OFFLINE_FLAGS, `--config=${config}`, ...entries], {
  stdio: 'inherit',
  env: { ...process.env, ...denoEnvironment(cacheDir) },
});
process.exitCode = status === 0 ? 0 : 1;
