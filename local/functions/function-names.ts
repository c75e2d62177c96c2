import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTIONS_DIRECTORY } from '../paths.ts';

/** Names of the edge functions: directories with an `index.ts`; `_shared` and the like are not functions. */
export const functionNames = (): string[] =>
  readdirSync(FUNCTIONS_DIRECTORY)
    .filter((name) => !name.startsWith('_') && existsSync(join(FUNCTIONS_DIRECTORY, name, 'index.ts')))
    .sort();
