import { describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { FUNCTION_ACCESS } from './access/declared-functions.ts';
import { executableFunctions } from './access/executable.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const names = async (query: string): Promise<string[]> =>
  (await sql().query<{ name: string }>(query)).rows.map((row) => row.name);

/** Functions of our schemas; extensions have their own. */
const OURS = `pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private')`;
const NAME = `n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ') ' as name`;

describe('procedures', () => {
  test('TRUST-03 SEC-15 DB-24 DB-25 DB-26 DB-27 each is declared, and executable by exactly the declared roles', async () => {
    const { anyone, signedIn, admins, serviceRole } = FUNCTION_ACCESS;
    expect(await executableFunctions(sql())).toEqual({
      anyone,
      signedIn: [...signedIn, ...admins].sort(),
      serviceRole,
    });
  });

  test('C-13 every security definer function pins search_path to nothing', async () => {
    expect(
      await names(
        `select ${NAME} from ${OURS} and p.prosecdef and not coalesce('search_path=""' = any (p.proconfig), false)`,
      ),
    ).toEqual([]);
  });

  test('every other function pins it as well', async () => {
    expect(
      await names(`select ${NAME} from ${OURS} and not coalesce('search_path=""' = any (p.proconfig), false)`),
    ).toEqual([]);
  });

  test('C-64 none is executable by public', async () => {
    expect(
      await names(`select ${NAME} from ${OURS} and exists (
        select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0 and a.privilege_type = 'EXECUTE')`),
    ).toEqual([]);
  });

  test('each has a comment', async () => {
    expect(await names(`select ${NAME} from ${OURS} and obj_description(p.oid, 'pg_proc') is null`)).toEqual([]);
  });

  test('BEY-13 a procedure that refuses filters answers with a single value: a request may fail by the number of rows', async () => {
    expect(await names(`select ${NAME} from ${OURS} and p.prosrc like '%require_plain_call%' and p.proretset`)).toEqual(
      [],
    );
  });

  test('none is overloaded', async () => {
    expect(
      await names(`select n.nspname || '.' || p.proname as name from ${OURS} group by 1 having count(*) > 1`),
    ).toEqual([]);
  });

  test('SEC-13 a procedure that takes a user id and is open to members checks it against the caller', async () => {
    const open = await sql().query<{ name: string; body: string }>(`
      select p.proname as name, p.prosrc as body from ${OURS} and n.nspname = 'public'
        and 'p_user_id' = any (p.proargnames) and has_function_privilege('authenticated', p.oid, 'execute')`);
    expect(open.rows.length).toBeGreaterThan(3);
    for (const { name, body } of open.rows) {
      expect(body, name).toMatch(/require_self\(p_user_id\)|p_user_id is distinct from v_user|require_admin\(\)/);
    }
  });

  test("C-12 none uses auth.uid(), which fails on the provider's ids", async () => {
    expect(await names(`select ${NAME} from ${OURS} and p.prosrc like '%auth.uid(%'`)).toEqual([]);
  });

  test('the procedures that screens poll are stable, so that they can be called by GET', async () => {
    const polled = [
      'get_leaderboard',
      'get_site_stats',
      'get_quest_completion_stats',
      'get_task_completion_counts',
      'list_published_quests',
      'get_page_facts',
      'count_public_pages',
      'list_public_pages',
      'list_own_quests',
      'list_review_submissions',
      'get_review_counts',
      'get_project_points',
      'get_project_payouts',
      'list_project_transactions',
      'get_own_quest_states',
      'list_my_quests',
      'list_suggested_quests',
      'list_saved_quests',
      'list_followed_projects',
    ];
    const { rows } = await sql().query(
      "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and proname = any ($1) and provolatile = 's'",
      [polled],
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(polled.toSorted());
  });
});

describe('tables and policies', () => {
  test('C-64 every table of the schema public has row level security', async () => {
    expect(
      await names(
        "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity",
      ),
    ).toEqual([]);
  });

  test('every table has a comment, and every public one a policy that says what it is for', async () => {
    expect(
      await names(`select c.relname as name from pg_class c where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
        and c.relkind in ('r', 'p') and obj_description(c.oid, 'pg_class') is null`),
    ).toEqual([]);
    expect(
      await names(`select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and not exists (select 1 from pg_policy p where p.polrelid = c.oid)`),
    ).toEqual([]);
    expect(
      await names(`select c.relname || '.' || p.polname as name from pg_policy p join pg_class c on c.oid = p.polrelid
        where c.relnamespace = 'public'::regnamespace and obj_description(p.oid, 'pg_policy') is null`),
    ).toEqual([]);
  });

  test('no policy is for public, or for all verbs at once', async () => {
    expect(
      await names(
        "select tablename || '.' || policyname as name from pg_policies where schemaname in ('public', 'storage') and ('public' = any (roles) or cmd = 'ALL')",
      ),
    ).toEqual([]);
  });

  test('no policy calls a function of the caller once per row', async () => {
    // Wrapped in a select, such a call runs once per statement. Calls that take the row's columns cannot be wrapped.
    const perRow = [
      'private.has_participated(id)',
      'private.is_allowed_type(bucket_id, metadata)',
      'private.is_proof_referenced(name)',
      "private.may_delete_upload('proofs'::text, name)",
      "private.may_delete_upload('project-logos'::text, name)",
      'storage.foldername(name)',
    ];
    const { rows } = await sql().query<{ name: string; text: string }>(`
      select schemaname || '.' || tablename || '.' || policyname as name, coalesce(qual, '') || ' ' || coalesce(with_check, '') as text
      from pg_policies where schemaname in ('public', 'storage')`);
    for (const { name, text } of rows) {
      let rest = text.replace(/\( SELECT (private\.)?\w+\(('[\w.-]+'::text(, true)?)?\) AS \w+\)/g, '');
      rest = rest
        .replace(/\( SELECT private\.\w+\(\) AS \w+\)/g, '')
        .replace(/ARRAY\( SELECT private\.\w+\(\) AS \w+\)/g, '');
      for (const call of perRow) rest = rest.replaceAll(call, '');
      expect(
        rest
          .match(/\b(private|public|auth)?\.?\w+\([^)]*\)/g)
          ?.filter((call) => /\w\(/.test(call) && !/^(EXISTS|AND|OR|NOT|ANY)\b/i.test(call)) ?? [],
        name,
      ).toEqual([]);
    }
  });

  test('every column that a policy compares, and every foreign key, leads an index or is the condition of one', async () => {
    expect(
      await names(`
        with keys as (
          select c.conrelid as table_id, c.conkey[1] as attnum from pg_constraint c join pg_class t on t.oid = c.conrelid
          where c.contype = 'f' and t.relnamespace = 'public'::regnamespace
          union
          select d.refobjid, d.refobjsubid from pg_depend d join pg_policy p on p.oid = d.objid and d.classid = 'pg_policy'::regclass
          join pg_class t on t.oid = d.refobjid
          where d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0 and t.relnamespace = 'public'::regnamespace and p.polrelid = d.refobjid and p.polcmd <> 'a'
        )
        select t.relname || '.' || a.attname as name from keys k join pg_class t on t.oid = k.table_id
        join pg_attribute a on a.attrelid = k.table_id and a.attnum = k.attnum
        where not exists (select 1 from pg_index i where i.indrelid = k.table_id
          and (i.indkey[0] = k.attnum or pg_get_expr(i.indpred, i.indrelid) ~ ('\\m' || a.attname || '\\M'))) order by 1`),
    ).toEqual([]);
  });
});
