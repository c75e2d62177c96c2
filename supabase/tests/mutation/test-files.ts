import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../local/paths.ts';

/** Tests that judge the text of the database instead of what it does: they would notice any change, also a harmless one. */
const TEXTUAL = ['function-audit', 'errors', 'plans', 'cli'].map((name) => `supabase/tests/${name}.test.ts`);

/** The test files that mutants are shown to, each with the hash of its text. */
export function testFiles(): Map<string, string> {
  const files = globSync('supabase/tests/*.test.ts', { cwd: PROJECT_ROOT }).filter((file) => !TEXTUAL.includes(file));
  return new Map(files.sort().map((file) => [file, hashOf(readFileSync(join(PROJECT_ROOT, file), 'utf8'))]));
}

export const hashOf = (...texts: string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 24);
