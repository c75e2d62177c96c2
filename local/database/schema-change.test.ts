import { describe, expect, it } from 'vitest';
import { readMigrations } from './migrations.ts';
import { findSchemaChange } from './schema-change.ts';
import { readSchemaFiles } from './schema-files.ts';

/** The change for edited schema files; `edits`: text in one of them → its replacement. */
async function changeOf(edits: [string, string][]) {
  const files = readSchemaFiles();
  for (const [before, after] of edits) {
    const file = files.find(({ sql }) => sql.includes(before));
    if (!file) throw new Error(`No schema file says: ${before}`);
    file.sql = file.sql.replace(before, () => after);
  }
  return findSchemaChange(readMigrations(), files);
}

describe('npm run db:change', () => {
  it('migrates columns, enum values, functions, policies, grants, indexes and comments', async () => {
    const { steps, destructive, rest } = await changeOf([
      ['handled_by text,\n', "handled_by text check (handled_by <> ''),\n"],
      ["'follow', 'custom', 'others')", "'follow', 'custom', 'others', 'vote')"],
      ["interval '1 hour') $$", "interval '2 hours') $$"],
      ["with check (bucket_id = 'site' and", "with check (bucket_id = 'site' and name <> '' and"],
      ['public.get_admin_todo() to authenticated, service_role', 'public.get_admin_todo() to authenticated'],
      ['project_feedback (user_id);', 'project_feedback (user_id, id);'],
      ["'Tasks of a quest (DB-06).'", "'The tasks of a quest (DB-06).'"],
    ]);
    expect(rest).toEqual([]);
    expect(destructive).toEqual([]);
    // The new enum value has to be committed before anything can use it.
    expect(steps).toHaveLength(2);
    expect(steps[0]).toContain("ADD VALUE 'vote'");
  });

  it('reports data loss, and what it cannot migrate: changed rows, a column that is not last', async () => {
    const { steps, destructive, rest } = await changeOf([
      ['  cash_cents bigint not null default 0,\n', ''],
      ['leaderboard_points, cash_cents, held_points', 'leaderboard_points, held_points'],
      ['true, 52428800,', 'true, 1000,'],
      ['  order_index integer', '  hint text,\n  order_index integer'],
    ]);
    expect(destructive).toEqual([expect.stringContaining('DROP COLUMN "cash_cents"')]);
    expect(steps.join('')).toContain('ADD COLUMN "hint"');
    expect(rest).toContainEqual(expect.stringContaining('~ rows of storage.buckets'));
    expect(rest).toContainEqual(expect.stringMatching(/^~ column public.tasks.hint: position/));
    expect(rest.filter((difference) => !/storage.buckets|public.tasks/.test(difference))).toEqual([]);
  });
});
