import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders = ['src', 'supabase', 'e2e', 'local', 'bench', 'vite'];
const isSource = (path: string) => /\.(?:tsx?|mjs|sql|toml|css|md)$/.test(path);

/** Resembles a requirement id but is not one. */
const standards = ['SHA-256'];

const document = readFileSync(join(root, 'docs/requirements.md'), 'utf8');
const defined = document.split('\n').flatMap((line) => /^\| ([A-Z]+-\d+) \|/.exec(line)?.[1] ?? []);

/** Ids in a text; for a range like HEAD-03..09 both ends. */
function mentions(text: string): string[] {
  return [...text.matchAll(/\b([A-Z]+)-(\d{2,3})(?:\.\.(\d{2,3}))?\b/g)].flatMap(([, area, first, last]) =>
    [first, last].flatMap((number) => (number ? `${area}-${number}` : [])),
  );
}

it('docs/requirements.md defines every id once', () => {
  expect(defined.length).toBeGreaterThan(400);
  expect(defined.filter((id, index) => defined.indexOf(id) !== index)).toEqual([]);
});

it('docs/requirements.md has a row for every id that it mentions', () => {
  expect(mentions(document).filter((id) => !defined.includes(id))).toEqual([]);
});

it.each(folders)('every requirement named in %s has its row in docs/requirements.md', (folder) => {
  const known = new Set([...defined, ...standards]);
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (path) => isSource(path) && !path.includes('node_modules'),
  );
  const unknown = paths.flatMap((path) =>
    mentions(readFileSync(join(root, folder, path), 'utf8'))
      .filter((id) => !known.has(id))
      .map((id) => `${folder}/${path}: ${id}`),
  );
  expect(paths.length).toBeGreaterThan(0);
  expect(unknown).toEqual([]);
});
