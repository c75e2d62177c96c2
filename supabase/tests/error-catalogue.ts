import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTypeScript } from '../../local/types-file.ts';

/**
 * One error code of the database: its HTTP statuses, its sentences (`…` where a value goes) and the procedures that
 * raise it.
 */
export interface CatalogueEntry {
  code: string;
  statuses: string[];
  sentences: string[];
  raisedBy: string[];
}

/** What helpers add to the code or sentence that their callers pass. */
const HELPERS: Readonly<Record<string, { code?: string; status?: string; sentence?: string }>> = {
  'private.require_owned_startup': { code: 'FORBIDDEN', status: '403' },
  'private.normalize_image_url': { sentence: 'Please enter a valid image URL' },
};

const CODE = /^'([A-Z]+(?:_[A-Z]+)*)'$/;
const SCHEMAS = join(import.meta.dirname, '../schemas');

/** All schema files as one text, in the order in which they apply. Strings continued on the next line are joined. */
export function readSchema(): string {
  const files = readdirSync(SCHEMAS).filter((name) => name.endsWith('.sql'));
  return files
    .sort()
    .map((name) => readFileSync(join(SCHEMAS, name), 'utf8'))
    .join('\n')
    .replace(/'\n\s*'/g, '');
}

/** The catalogue as the schema has it: every call of `private.raise_error`, and of the helpers that are handed a code. */
export function readCatalogue(sql: string): CatalogueEntry[] {
  const entries = new Map<string, { statuses: Set<string>; sentences: Set<string>; raisedBy: Set<string> }>();
  for (const { name, body } of functionsIn(sql)) {
    for (const call of callsIn(body)) {
      const at = call.args.findIndex((arg) => CODE.test(arg));
      const helper = HELPERS[call.name];
      const code = CODE.exec(call.args[at] ?? '')?.[1] ?? helper?.code;
      if (!code) continue;
      const entry = entries.get(code) ?? { statuses: new Set(), sentences: new Set(), raisedBy: new Set() };
      const rest = call.args.slice(at + 1);
      entry.statuses.add(rest.find((arg) => /^[45]\d\d$/.test(arg)) ?? helper?.status ?? '400');
      for (const sentence of rest.flatMap(sentencesIn)) entry.sentences.add(sentence);
      if (helper?.sentence) entry.sentences.add(helper.sentence);
      entry.raisedBy.add(name);
      entries.set(code, entry);
    }
  }
  return [...entries]
    .map(([code, { statuses, sentences, raisedBy }]) => ({
      code,
      statuses: [...statuses].sort(),
      sentences: [...sentences].sort(),
      raisedBy: [...raisedBy].sort(),
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Every function that the schema creates, with its body. */
export function functionsIn(sql: string): { name: string; body: string }[] {
  return [...sql.matchAll(/create function ((?:public|private)\.\w+)\(.*?\nas \$\$(.*?)\$\$;/gs)].map(
    ([, name = '', body = '']) => ({ name: name.replace('public.', ''), body: body.replace(/--.*$/gm, '') }),
  );
}

/**
 * Calls that raise: `private.raise_error`, `private.normalize_…`, `private.validate_…` and the helpers above, with their arguments as
 * written.
 */
function callsIn(body: string): { name: string; args: string[] }[] {
  return [
    ...body.matchAll(/(private\.(?:raise_error|normalize_\w+|validate_\w+|require_text|require_owned_startup))\(/g),
  ].map((match) => ({
    name: match[1] ?? '',
    args: argumentsFrom(body, match.index + match[0].length),
  }));
}

/**
 * Splits what follows an opening parenthesis at its top-level commas, up to the closing one. Strings may contain
 * either.
 */
function argumentsFrom(text: string, start: number): string[] {
  const args: string[] = [];
  let depth = 0;
  let current = '';
  for (const token of text.slice(start).match(/'(?:[^']|'')*'|[\s\S]/g) ?? []) {
    if (token === ')' && depth === 0) break;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) {
      args.push(current.trim());
      current = '';
    } else {
      current += token;
    }
  }
  return [...args, current.trim()];
}

/** The sentences in an argument: its literals, only the template of a `format`; details contain none. */
function sentencesIn(arg: string): string[] {
  if (arg.startsWith('jsonb_build_object(')) return [];
  const literals = [...arg.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text.replaceAll("''", "'"));
  const sentences = arg.startsWith('format(') ? literals.slice(0, 1) : literals;
  return sentences.filter((text) => text !== '').map((text) => text.replaceAll('%s', '…'));
}

/** The database section of docs/errors.md. */
export function toMarkdown(entries: readonly CatalogueEntry[]): string {
  const rows = entries.map(
    ({ code, statuses, sentences, raisedBy }) =>
      `| \`${code}\` | ${statuses.join(', ')} | ${sentences.join('<br>')} | ${raisedBy.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return `# Errors

Written from the sources: after a change run \`npx vitest run --project database supabase/tests/errors.test.ts -u\`.

## Of the database

Every refusal is raised by \`private.raise_error(code, sentence, status)\`. Through the API it arrives with the HTTP status, the
sentence as \`message\` and the code as \`hint\`; the sentence may be shown as it is, the code never changes its meaning.
\`src/lib/errors.ts\` decides what people see.

\`…\` stands for a value. A helper's codes (\`private.…\`) reach every procedure that calls it; each procedure's comment
lists its own.

| code | status | sentence | raised by |
| ---- | ------ | -------- | --------- |
${rows.join('\n')}
`;
}

/** The same for the app: the sentence of each code. */
export function toTypeScript(entries: readonly CatalogueEntry[]): string {
  const sentences = entries.map(
    ({ code, sentences: [sentence = ''] }) => `export const ${code} = ${JSON.stringify(sentence)};`,
  );
  return formatTypeScript(`/**
 * The sentence of every code that a stored procedure raises through \`private.raise_error\` (docs/errors.md); \`…\` stands for a
 * value. Import them as \`databaseSentences\`: a page comes with those alone that it says. Generated, never edited: run
 * \`npx vitest run --project database supabase/tests/errors.test.ts -u\`.
 */

${sentences.join('\n')}
`);
}
