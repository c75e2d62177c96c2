import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FUNCTIONS_DIRECTORY, PROJECT_ROOT } from '../paths.ts';

const STAMP_FILE = '_shared/release.ts';

/** Release in health checks of functions that were not stamped, as on the embedded stack. */
export const UNSTAMPED = 'unstamped';

/** Hash of the functions' sources. */
export function functionsRelease(directory = FUNCTIONS_DIRECTORY): string {
  const files = globSync('**/*.{ts,json}', {
    cwd: directory,
    exclude: ['**/*.test.ts', '_testing/**', '**/node_modules/**'],
  });
  const hash = createHash('sha256');
  for (const file of files.filter((name) => name !== STAMP_FILE).sort()) {
    hash.update(`${file}\0${readFileSync(join(directory, file), 'utf8')}\0`);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * A copy of `supabase/` with the functions stamped with their release, for the official CLI to deploy. The caller
 * removes it.
 */
export function stampedCopy(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-functions-'));
  const functions = join(directory, 'supabase/functions');
  // Without .env: an interrupted deployment leaves the copy, and secrets are set by `secrets set` alone.
  cpSync(FUNCTIONS_DIRECTORY, functions, { recursive: true, filter: (path) => !basename(path).startsWith('.env') });
  // The types of the database, which the functions share with the app; they are gone when the code runs.
  cpSync(join(PROJECT_ROOT, 'src/types'), join(directory, 'src/types'), { recursive: true });
  // With .temp, the link to the project.
  for (const name of ['config.toml', '.temp']) {
    const source = join(PROJECT_ROOT, 'supabase', name);
    if (existsSync(source)) cpSync(source, join(directory, 'supabase', name), { recursive: true });
  }
  writeFileSync(join(functions, STAMP_FILE), `export const RELEASE = '${functionsRelease()}';\n`);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
