import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { newMember } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

test('a planned count tells a member nothing of the addresses and names of others', async () => {
  const member = await newMember();
  await sql().query(
    `insert into public.user_profiles (user_id, username, email)
    select 'counted' || i, chr(97 + i % 26) || i, chr(97 + i % 26) || i || '@counted.example' from generate_series(1, 2000) i`,
  );
  await sql().query('analyze public.user_profiles');
  for (const column of ['email', 'username'] as const) {
    const below = async (text: string) =>
      (await member.client.from('user_profiles').select('*', { count: 'planned', head: true }).lt(column, text)).count;
    const [few, most] = [await below('b'), await below('z')];
    expect(few).toBeGreaterThan(0);
    expect([column, few]).toEqual([column, most]);
  }
});

/** Ids, kinds and states, which estimates need: who is meant by them, and what was written, they do not say. */
const IDS_AND_KINDS = [
  '(^|_)id$|^idempotency_key$|_by$',
  '^(type|kind|action|reason|status|priority|source|badge|industry|currency|system_account|release_reason|subject_type)$',
].join('|');

test('no statistics are kept of what was written, in tables of which people may read some rows', async () => {
  const { rows } = await sql().query<{ column: string }>(
    `select a.attrelid::regclass || '.' || a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
      -- Of JSON and of lists the planner looks at none for somebody who is under policies: their operators could tell what they compare.
      and a.atttypid = 'text'::regtype and a.attname !~ $1
      and (has_column_privilege('authenticated', c.oid, a.attnum, 'select') or has_column_privilege('anon', c.oid, a.attnum, 'select'))
      and a.attstattarget is distinct from 0 order by 1`,
    [IDS_AND_KINDS],
  );
  expect(rows.map(({ column }) => column)).toEqual([]);
});
