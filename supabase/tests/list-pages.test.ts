import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { asUser, sql, type TestClient, testEnv } from '../../local/testing/clients.ts';

type Reader = 'admin' | 'startup' | 'member';
type Args = Record<string, unknown>;
type Row = Record<string, unknown> & { cursor: string };

const SORTS = [{ p_sort: 'newest' }, { p_sort: 'oldest' }];

/** Every list that continues at a cursor: the demo account that reads it, its views and orders, and what it is a list of. */
const LISTS: Record<string, { who: Reader; variants?: Args[]; of?: [argument: string, query: string] }> = {
  admin_list_appeals: { who: 'admin' },
  admin_list_audit: { who: 'admin' },
  admin_list_campaigns: { who: 'admin', variants: SORTS },
  admin_list_feedback: { who: 'admin', variants: SORTS },
  admin_list_outbox: { who: 'admin' },
  admin_list_redemptions: { who: 'admin', variants: [{}, { p_status: 'pending' }, { p_status: 'fulfilled' }] },
  admin_list_returned_payments: { who: 'admin' },
  admin_list_startups: { who: 'admin', variants: SORTS },
  admin_list_submissions: { who: 'admin', variants: SORTS },
  admin_list_subscribers: { who: 'admin', variants: SORTS },
  admin_list_users: { who: 'admin', variants: SORTS },
  list_collected_emails: {
    who: 'startup',
    of: ['p_campaign_id', "select campaign_id from public.campaign_email_collections where user_id = 'user_page_1'"],
  },
  list_followed_projects: { who: 'member' },
  list_my_quests: { who: 'member' },
  list_notifications: { who: 'member' },
  list_own_payments: { who: 'startup' },
  list_own_quests: { who: 'startup' },
  list_own_transactions: { who: 'member', variants: [{}, { p_view: 'quests' }] },
  list_project_feedback: {
    who: 'member',
    of: ['p_project_id', 'select project_id from public.project_feedback group by 1 order by count(*) desc'],
  },
  list_project_transactions: { who: 'startup', variants: [{}, { p_view: 'payouts' }] },
  list_published_quests: {
    who: 'member',
    variants: [{ p_sort: 'new' }, { p_sort: 'trending' }, { p_sort: 'reward' }, { p_search: 'the', p_sort: 'match' }],
  },
  list_review_submissions: { who: 'startup', variants: SORTS },
  list_saved_quests: { who: 'member' },
  list_transactions: {
    who: 'member',
    of: ['p_wallet_id', "select id from public.wallets where user_id = 'user_demo_member'"],
  },
};

/** Rows of what the demo data lacks, and times that many rows share: a page may end between two of them. */
const PREPARE = `
  insert into public.appeals (user_id, kind, against_at, words)
    select 'user_appeal_' || n, 'suspension', now(), 'Please look again' from generate_series(1, 5) n;
  insert into public.point_purchases (owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points)
    select 'user_demo_startup', 'points_small', 10, 900, 'pi_page_' || n, 'refunded', 5 from generate_series(1, 5) n;
  insert into public.campaign_email_collections (campaign_id, user_id, email, submission_id)
    select c.id, 'user_page_' || n, 'page-' || n || '@example.com', gen_random_uuid() from generate_series(1, 5) n,
      (select c.id from public.campaigns c join public.startup_profiles s on s.id = c.startup_id
       where s.owner_user_id = 'user_demo_startup' limit 1) c;
  insert into public.campaigns (startup_id, title, summary)
    select s.id, 'Page ' || n, 'Draft' from generate_series(1, 5) n, public.startup_profiles s
    where s.owner_user_id = 'user_demo_startup';
  insert into public.saved_quests (user_id, campaign_id)
    select 'user_demo_member', c.id from public.campaigns c where c.status = 'published' limit 5;
  insert into public.followed_projects (user_id, startup_id)
    select 'user_demo_member', s.id from public.startup_profiles s where s.is_public limit 5;
  update public.campaigns set published_at = date_trunc('month', published_at) where published_at is not null;`;

const clients = {} as Record<Reader, TestClient>;

beforeAll(async () => {
  for (const who of ['admin', 'startup', 'member'] as const)
    clients[who] = await asUser(`user_demo_${who}`, who === 'admin' ? { public_metadata: { role: 'admin' } } : {});
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    // Without triggers: the lists, and not the rules, are the subject.
    await client.query(`set session_replication_role = replica; ${PREPARE}`);
    const { rows } = await client.query<{ change: string }>(
      `select format('update %s set %I = date_trunc(''month'', %2$I) where %2$I is not null', a.attrelid::regclass, a.attname) as change
       from pg_attribute a join pg_class t on t.oid = a.attrelid
       where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and a.attname in ('created_at', 'submitted_at', 'reviewed_at', 'collected_at')
         and t.relname <> 'transfers' and not a.attisdropped`,
    );
    for (const { change } of rows) await client.query(change);
  } finally {
    await client.end();
  }
});

async function readPage(client: TestClient, name: string, args: Args): Promise<Row[]> {
  type Answer = { data: unknown; error: { message: string } | null };
  // Deliberately untyped: the types know only literal names.
  const rpc: (name: never, args: never) => PromiseLike<Answer> = client.rpc.bind(client);
  const { data, error } = await rpc(name as never, args as never);
  if (error) throw new Error(`${name}: ${error.message}`);
  return data as Row[];
}

test('every list that continues at a cursor is read below', async () => {
  const { rows } = await sql().query<{ name: string }>(
    `select p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and 'p_cursor' = any (p.proargnames)
       and has_function_privilege('authenticated', p.oid, 'execute') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(LISTS).sort());
});

const cases = Object.entries(LISTS).flatMap(([name, { who, of, variants = [{}] }]) =>
  variants.map((variant) => ({ name, who, of, variant })),
);

test.each(cases)('$name $variant, read two rows at a time, gives what one page gives, once each', async (list) => {
  const args: Args = { ...list.variant };
  if (list.of) args[list.of[0]] = Object.values((await sql().query(list.of[1])).rows[0])[0];
  const client = clients[list.who];
  const whole = await readPage(client, list.name, { ...args, p_limit: 30 });
  expect(whole.length, 'the demo data has too few rows').toBeGreaterThan(4);

  const read: Row[] = [];
  while (read.length < whole.length) {
    const page = await readPage(client, list.name, { ...args, p_limit: 2, p_cursor: read.at(-1)?.cursor });
    expect(page.length).toBeGreaterThan(0);
    expect(page.length).toBeLessThan(3);
    read.push(...page);
  }
  expect(read.slice(0, whole.length)).toEqual(whole);
});
