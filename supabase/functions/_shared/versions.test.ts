import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { functionNames } from '../../../local/functions/function-names.ts';
import { FUNCTIONS_DIRECTORY, PROJECT_ROOT } from '../../../local/paths.ts';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

it.each(functionNames())('%s imports the installed and tested package versions', (name) => {
  const { dependencies, devDependencies } = readJson(join(PROJECT_ROOT, 'package.json'));
  const versions = { ...dependencies, ...devDependencies };
  const { imports } = readJson(join(FUNCTIONS_DIRECTORY, name, 'deno.json')) as { imports: Record<string, string> };
  for (const [bareName, target] of Object.entries(imports)) {
    expect(target).toBe(`npm:${bareName}@${versions[bareName]}`);
  }
});
