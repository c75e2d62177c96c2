import type { SchemaFile } from '../database/schema-files.ts';

const LONGEST_LINE = 140;
const LONGEST_FILE = 400;

/** Statements allowed in schema files: declarations only, no alterations. */
const DECLARATIONS = [
  /^create (schema|table|type|sequence|function|view|extension|trigger|(unique )?index|policy) (?!or replace)/,
  // What `create table` has no words for.
  /^alter table \S+ (?:(?:, )?(?:enable row level security|alter \w+ set statistics \d+))+$/,
  /^alter default privileges /,
  /^(comment on|grant|revoke|insert into) /,
];

/** `create table public.x`, and so on: the objects that other files may reference. */
const OBJECT = /^create (?:table|type|sequence|function|view) ((?:public|private)\.\w+)/;

/** Statements that belong to an object and must be in its file. */
const ATTACHMENTS = [
  /^create (?:unique )?index \w+ on ([\w.]+)/,
  /^create trigger \w+ .*? on ([\w.]+)/,
  /^(?:create|comment on) policy \w+ on ([\w.]+)/,
  /^alter table ([\w.]+)/,
  /^comment on column (\w+\.\w+)/,
  /^comment on (?:table|type|sequence|function|view) ([\w.]+)/,
  /^grant .*? on (?:table |function |sequence )?((?:public|private)\.\w+)/,
];

/**
 * What the hosted platform lets us do in its own schemas: rows of buckets, policies on files. There the role postgres owns none of their
 * tables, while the embedded stack has to give it their owner’s rights, because there is no other way to allow policies.
 */
const ON_THE_PLATFORM =
  /^(?:create|alter|comment on|grant|revoke)\b.*?\b(?:storage|auth|realtime|vault|extensions|cron|net)\.\w+/;
const ALLOWED_THERE =
  /^create (?:policy \w+ on storage\.objects|function|view|trigger|table|type|(?:unique )?index \w+ on (?:public|private)\.)/;
/** The same inside a function, which would fail only when it is called. */
const CHANGED_THERE =
  /\b(?:comment on policy \w+ on|alter (?:table|policy \w+ on)|create (?:unique )?index \w+ on|grant [\w, ]+ on|truncate) (?:storage|auth|realtime|vault|cron|net)\.\w+/g;
const INSERTED = /^insert into (?!storage\.buckets|public\.|private\.)/;
/** A duration whose length depends on the time zone of the session, which callers choose. */
const CALENDAR_INTERVAL = /\binterval '[^']*\b(?:day|week|month|year)s?\b[^']*'/g;

/**
 * Where the schema files break the rules of CONTRIBUTING.md: a table with everything that belongs to it in one file, no
 * mention of what a later file declares (the database itself does not check PL/pgSQL bodies), nothing redefined, days of
 * 24 hours, lines and files within their limits.
 */
export function schemaProblems(files: SchemaFile[]): string[] {
  const parsed = files.map(({ file, sql }) => ({
    file,
    sql,
    code: withoutComments(sql),
    statements: statementsOf(sql),
  }));
  const problems: string[] = [];
  const fileOf = new Map<string, string>();
  for (const { file, statements } of parsed) {
    for (const statement of statements) {
      const object = OBJECT.exec(statement)?.[1];
      if (!object) continue;
      if (fileOf.has(object)) problems.push(`${file}: ${object} is declared twice`);
      fileOf.set(object, file);
    }
  }

  for (const { file, sql, code, statements } of parsed) {
    const lines = sql.trimEnd().split('\n');
    if (lines.length > LONGEST_FILE) problems.push(`${file}: more than ${LONGEST_FILE} lines`);
    lines.forEach((line, index) => {
      if (line.length > LONGEST_LINE) problems.push(`${file}:${index + 1}: more than ${LONGEST_LINE} characters`);
    });

    for (const statement of statements) {
      if (!DECLARATIONS.some((pattern) => pattern.test(statement))) {
        problems.push(`${file}: not a declaration: ${statement.slice(0, 80)}`);
      }
      const isRefused = ON_THE_PLATFORM.test(statement) && !ALLOWED_THERE.test(statement);
      const target = /^create (?:table|function|view|trigger \w+ .*? on) (?:storage|auth|realtime|vault|cron|net)\./;
      if (isRefused || INSERTED.test(statement) || target.test(statement)) {
        problems.push(`${file}: the platform refuses: ${statement.slice(0, 80)}`);
      }
      const owner = ATTACHMENTS.map((pattern) => pattern.exec(statement)?.[1]).find((name) => name !== undefined);
      const home = owner === undefined ? file : fileOf.get(owner);
      if (home !== undefined && home !== file)
        problems.push(`${file}: belongs into ${home}: ${statement.slice(0, 80)}`);
    }

    for (const words of code.match(CHANGED_THERE) ?? []) problems.push(`${file}: the platform refuses: ${words}`);
    for (const words of code.match(CALENDAR_INTERVAL) ?? []) problems.push(`${file}: not a length in hours: ${words}`);

    for (const name of new Set(code.match(/\b(?:public|private)\.[a-z]\w*/g))) {
      const home = fileOf.get(name);
      if (home === undefined) problems.push(`${file}: ${name} is declared nowhere`);
      else if (home > file) problems.push(`${file}: refers forward to ${name} in ${home}`);
    }
  }
  return problems;
}

/** The code alone, without `--` comments and the texts of `comment on`. */
function withoutComments(sql: string): string {
  return sql.replace(/--.*$/gm, '').replace(/^(comment on [^']*? is)\s+(?:'(?:[^']|'')*'\s*)+;/gm, '$1;');
}

/** The statements, each on one line, without the bodies of functions. */
function statementsOf(sql: string): string[] {
  return withoutComments(sql)
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}
