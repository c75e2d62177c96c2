import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const replacesModules = (file: string) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8'));

it('a component test that mocks or reloads modules has a name that gives it its own process', () => {
  const files = globSync('src/**/*.test.tsx').filter(replacesModules);
  expect(files).not.toEqual([]);
  expect(files.filter((file) => !file.endsWith('.isolated.test.tsx'))).toEqual([]);
});
