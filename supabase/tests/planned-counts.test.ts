import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { newMember } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

test('a planned count tells a member nothing of the addresses of others', async () => {
  const member = await newMember();
  await sql().query(
    `insert into public.user_profiles (user_id, username, email)
    select 'counted' || i, 'counted' || i, chr(97 + i % 26) || i || '@counted.example' from generate_series(1, 2000) i`,
  );
  await sql().query('analyze public.user_profiles');
  const below = async (email: string) =>
    (await member.client.from('user_profiles').select('*', { count: 'planned', head: true }).lt('email', email)).count;
  const [few, most] = [await below('b'), await below('z')];
  expect(few).toBeGreaterThan(0);
  expect(few).toBe(most);
});

test('no statistics are kept of addresses and proofs in tables of which members may read some rows', async () => {
  const { rows } = await sql().query<{ column: string }>(
    `select a.attrelid::regclass || '.' || a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
      and a.attname ~ '(^|_)email$|^proof_(url|text)$' and has_column_privilege('authenticated', c.oid, a.attnum, 'select')
      and a.attstattarget is distinct from 0`,
  );
  expect(rows).toEqual([]);
});
