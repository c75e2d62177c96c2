import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the edge functions: directories with an `index.ts`; `_shared` and the like are not functions. */
export function functionNames(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map((entry) => entry.name)
    .filter((name) => existsSync(join(directory, name, 'index.ts')))
    .sort();
}
