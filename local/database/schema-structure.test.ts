import { expect, it } from 'vitest';
import { schemaProblems } from '../testing/schema-structure.ts';
import { readSchemaFiles, type SchemaFile } from './schema-files.ts';

it('each table is in one file with everything that belongs to it, and no file refers forward or changes an earlier one', () => {
  expect(schemaProblems(readSchemaFiles())).toEqual([]);
});

/** Problems that the real files have with `sql` appended to one of them. */
function problemsWith(file: string, sql: string): string[] {
  const files: SchemaFile[] = readSchemaFiles();
  const target = files.find((candidate) => candidate.file === file);
  if (!target) throw new Error(`There is no ${file}.`);
  target.sql += sql;
  return schemaProblems(files);
}

const body = (text: string) =>
  `create function private.x() returns void language plpgsql as $$ begin ${text} end $$;\n`;

it.each([
  [
    'an index away from its table',
    '51_public_reads.sql',
    'create index x on public.tasks (title);',
    'belongs into 30_quests.sql',
  ],
  [
    'a unique index',
    '51_public_reads.sql',
    'create unique index x on public.tasks (title);',
    'belongs into 30_quests.sql',
  ],
  [
    'a trigger',
    '52_metrics.sql',
    'create trigger x before update of title\n  on public.tasks for each row execute function private.touch_updated_at();',
    'belongs into 30_quests.sql',
  ],
  [
    'a policy',
    '51_public_reads.sql',
    'create policy x on public.tasks for select to anon using (true);',
    'belongs into 30_quests.sql',
  ],
  ['a grant', '51_public_reads.sql', 'grant select (title) on public.tasks to anon;', 'belongs into 30_quests.sql'],
  [
    'a function grant',
    '51_public_reads.sql',
    'grant execute on function private.is_admin() to anon;',
    'belongs into 02_identity.sql',
  ],
  ['a comment', '51_public_reads.sql', "comment on column public.tasks.title is 'x';", 'belongs into 30_quests.sql'],
  [
    'a call of a later function in a body',
    '10_accounts.sql',
    body('perform private.is_on_trial(null);'),
    'refers forward to private.is_on_trial in 20_projects.sql',
  ],
  [
    'a later table in a body',
    '10_accounts.sql',
    body('delete from public.tasks;'),
    'refers forward to public.tasks in 30_quests.sql',
  ],
  [
    'a later table in dynamic SQL',
    '10_accounts.sql',
    body("execute 'delete from public.tasks';"),
    'refers forward to public.tasks in 30_quests.sql',
  ],
  [
    'an unknown name in a body',
    '70_deletion.sql',
    body('perform private.nowhere();'),
    'private.nowhere is declared nowhere',
  ],
  [
    'a second declaration',
    '70_deletion.sql',
    'create table public.tasks (id integer);',
    'public.tasks is declared twice',
  ],
  [
    'a replaced function',
    '70_deletion.sql',
    'create or replace function private.is_admin() returns boolean language sql as $$ select true $$;',
    'not a declaration',
  ],
  ['a changed table', '30_quests.sql', 'alter table public.tasks add column x integer;', 'not a declaration'],
  ['a dropped trigger', '30_quests.sql', 'drop trigger campaigns_count_row on public.campaigns;', 'not a declaration'],
  [
    'a comment on a platform object',
    '50_storage.sql',
    "comment on policy proofs_read on storage.objects is 'x';",
    'the platform refuses',
  ],
  [
    'a grant on a platform object',
    '50_storage.sql',
    'grant select on storage.objects to anon;',
    'the platform refuses',
  ],
  [
    'a trigger on a platform object',
    '50_storage.sql',
    'create trigger x after insert on storage.objects for each row execute function private.touch_updated_at();',
    'the platform refuses',
  ],
  [
    'an index on a platform object',
    '50_storage.sql',
    'create index x on storage.objects (name);',
    'the platform refuses',
  ],
  [
    'a comment on a platform object inside a function',
    '50_storage.sql',
    body("comment on policy x on realtime.messages is 'x';"),
    'the platform refuses',
  ],
  [
    'a row of a platform table',
    '50_storage.sql',
    "insert into storage.objects (name) values ('x');",
    'the platform refuses',
  ],
  [
    'a day that may have 23 hours',
    '33_held_points.sql',
    body("perform now() + interval '7 days';"),
    'not a length in hours',
  ],
  ['a long line', '30_quests.sql', `-- ${'x'.repeat(140)}`, 'more than 140 characters'],
  ['a long file', '30_quests.sql', '--\n'.repeat(400), 'more than 400 lines'],
])('%s is a problem', (_, file, sql, expected) => {
  expect(problemsWith(file, sql)).toContainEqual(expect.stringContaining(expected));
});

it('comments may mention later objects', () => {
  expect(
    problemsWith(
      '10_accounts.sql',
      "-- public.tasks\ncomment on table public.user_profiles is 'See'\n  ' public.tasks; it''s later.';\n",
    ),
  ).toEqual([]);
});
