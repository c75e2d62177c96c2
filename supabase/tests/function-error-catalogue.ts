import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTION_ERRORS } from '../functions/_shared/errors.ts';

const FUNCTIONS = join(import.meta.dirname, '../functions');

/** One error code of the edge functions, with the sources that raise it. */
export interface FunctionErrorEntry {
  code: string;
  status: number;
  sentence: string;
  raisedIn: string[];
}

/** The catalogue of `_shared/errors.ts`, with the sources that raise each code. */
export function readFunctionErrors(): FunctionErrorEntry[] {
  const raised = codesRaised();
  return Object.entries(FUNCTION_ERRORS)
    .map(([code, { status, message }]) => ({ code, status, sentence: message, raisedIn: raised.get(code) ?? [] }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Codes that the functions' sources raise, whether in the catalogue or not, with the files. */
export function codesRaised(): Map<string, string[]> {
  const raised = new Map<string, string[]>();
  const files = globSync('**/*.ts', { cwd: FUNCTIONS, exclude: ['_testing/**', '**/*.test.ts'] });
  for (const file of files.sort()) {
    const source = readFileSync(join(FUNCTIONS, file), 'utf8');
    for (const [, code = ''] of source.matchAll(/(?:new FunctionError|super)\(\s*'([A-Z_]+)'/g)) {
      const known = raised.get(code) ?? [];
      if (!known.includes(file)) raised.set(code, [...known, file]);
    }
  }
  return raised;
}

/** The edge function section of docs/errors.md. */
export function functionErrorsMarkdown(entries: readonly FunctionErrorEntry[]): string {
  const rows = entries.map(
    ({ code, status, sentence, raisedIn }) =>
      `| \`${code}\` | ${status} | ${sentence} | ${raisedIn.map((file) => `\`${file}\``).join(', ')} |`,
  );
  return `## Of the edge functions

A function answers \`{ "ok": false, "code", "message", "details"?, "requestId" }\` with the HTTP status. A refusal of the database
passes through with the code and sentence above. Everything else is one of these, from
\`supabase/functions/_shared/errors.ts\`; \`details\` name fields or variables, never their values.

| code | status | sentence | raised in |
| ---- | ------ | -------- | --------- |
${rows.join('\n')}
`;
}
