import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTIONS_DIRECTORY, program } from '../paths.ts';
import { DENO_CACHE, DENO_ENVIRONMENT, OFFLINE_FLAGS } from './deno-process.ts';
import { functionNames } from './function-names.ts';

/**
 * Type-checks the edge functions with Deno's own types, offline; the exit code gives the result. All functions are checked in one program
 * with all their packages, because most of the time is spent on shared types; an import that a function's own deno.json lacks fails when it
 * starts.
 */
const names = functionNames();
const importsOf = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(FUNCTIONS_DIRECTORY, name, 'deno.json'), 'utf8')).imports;

// Not a config: beside it Deno would not find package.json, and with it the types of Node's modules.
const importMap = join(DENO_CACHE, 'check.json');
mkdirSync(DENO_CACHE, { recursive: true });
writeFileSync(importMap, JSON.stringify({ imports: Object.assign({}, ...names.map(importsOf)) }));

const entries = names.map((name) => join(FUNCTIONS_DIRECTORY, name, 'index.ts'));
const { status } = spawnSync(program('deno'), ['check', ...OFFLINE_FLAGS, `--import-map=${importMap}`, ...entries], {
  stdio: 'inherit',
  env: { ...process.env, ...DENO_ENVIRONMENT },
});
process.exitCode = status === 0 ? 0 : 1;
