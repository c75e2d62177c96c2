import { beforeAll, describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import type { Database } from '../../src/types/database.ts';
import {
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

type Table = keyof Database['public']['Tables'];

/**
 * The fields that the specification names for each table: name, type (with a question mark if nullable) and default. Enum types are listed
 * with their values.
 */
const FIELDS: [row: string, table: Table, fields: string][] = [
  [
    'DB-03',
    'campaigns',
    `id uuid = generated, startup_id uuid, title text, summary text = '', details_md text = '', budget_points integer = 0,
     budget_cash_cents integer = 0, status (draft|published|closed) = draft, created_at timestamptz = now, updated_at timestamptz = now,
     published_at timestamptz?, closed_at timestamptz?, custom_reward_title text?, custom_reward_description text?,
     collect_emails boolean = false, email_collection_purpose text?`,
  ],
  [
    'DB-06',
    'tasks',
    `id uuid = generated, campaign_id uuid, title text, type (visit|signup|share|follow|custom|others), instructions_md text = '',
     reward_points integer, max_completions integer, requires_proof boolean = true, proof_type (screenshot|link|text) = text,
     order_index integer = 0, created_at timestamptz = now`,
  ],
  [
    'DB-08',
    'submissions',
    `id uuid = generated, task_id uuid, campaign_id uuid, user_id text, proof_url text?, proof_text text?,
     status (pending|approved|rejected) = pending, reviewed_by text?, review_note text?, created_at timestamptz = now,
     reviewed_at timestamptz?, participant_email text?, reward_points integer`,
  ],
  [
    'DB-10',
    'campaign_email_collections',
    'id uuid = generated, campaign_id uuid, user_id text, email text, submission_id uuid, collected_at timestamptz = now',
  ],
  [
    'DB-11',
    'startup_profiles',
    `id uuid = generated, owner_user_id text, name text, logo_url text?, website text?, description text?, industry text,
     status (pending|verified|rejected) = pending, owner_email text?, reviewed_by text?, review_note text?, reviewed_at timestamptz?,
     created_at timestamptz = now, updated_at timestamptz = now`,
  ],
  [
    'DB-12',
    'user_profiles',
    `id uuid = generated, user_id text, role (community|startup_unverified|startup_verified|admin) = community, username text,
     avatar_url text?, og_badge boolean = false, verified_socials jsonb = {}, email text?, display_name text?,
     created_at timestamptz = now, updated_at timestamptz = now`,
  ],
  [
    'DB-13',
    'wallets',
    'user_id text?, points bigint = 0, lifetime_points bigint = 0, cash_cents bigint = 0, updated_at timestamptz = now',
  ],
  ['DB-13', 'entries', 'user_id text?, type (credit|debit)'],
  [
    'DB-13',
    'transfers',
    'id bigint = generated, points bigint, description text, metadata jsonb = {}, created_at timestamptz = now',
  ],
  [
    'DB-14',
    'rewards',
    `id uuid = generated, title text, description text = '', points_cost integer, cash_value_cents integer?, image_url text?,
     is_active boolean = true, stock_quantity integer?, created_at timestamptz = now`,
  ],
  [
    'DB-14',
    'redemptions',
    `id uuid = generated, user_id text, reward_id uuid, points_cost integer, status (pending|fulfilled|cancelled) = pending,
     created_at timestamptz = now, fulfilled_at timestamptz?`,
  ],
  [
    'DB-15',
    'project_feedback',
    `id uuid = generated, project_id uuid, user_id text, rating smallint, feedback_text text, created_at timestamptz = now,
     updated_at timestamptz = now`,
  ],
  [
    'DB-16',
    'beta_feedback',
    `id uuid = generated, user_id text?, email text?, type text, title text, description text, rating smallint?, status text = new,
     priority text = medium, admin_notes text?, created_at timestamptz = now, updated_at timestamptz = now`,
  ],
  [
    'DB-17',
    'mailing_list',
    `id uuid = generated, email text, source text = website, campaign_id uuid?, user_id text?, subscribed_at timestamptz = now,
     is_active boolean = false, metadata jsonb = {}`,
  ],
  [
    'DB-18',
    'referral_codes',
    `code text, user_id text, clicks integer = 0, successful_referrals integer = 0, total_rewards_earned integer = 0,
     is_active boolean = true`,
  ],
  [
    'DB-18',
    'referrals',
    `id uuid = generated, referrer_user_id text, referred_user_id text, referral_code text, status (pending|completed) = pending,
     referrer_reward_points integer = 0, referred_reward_points integer = 0, completed_at timestamptz?, rewarded_at timestamptz?,
     created_at timestamptz = now, updated_at timestamptz = now`,
  ],
  [
    'DB-20',
    'subscriptions',
    `id uuid = generated, startup_id uuid?, status (active|refunded|disputed|cancelled|expired) = active, plan_id text,
     current_period_end timestamptz?, created_at timestamptz = now`,
  ],
  ['ANA-04', 'metrics_events', 'type text, user_id text?, data jsonb = {}'],
];

/** The fields of a table from the system catalogue, in the notation above. */
async function fieldsOf(table: Table): Promise<string[]> {
  const { rows } = await sql().query<{ field: string }>(
    `select a.attname || ' ' || coalesce(e.labels, case format_type(a.atttypid, null) when 'timestamp with time zone' then 'timestamptz' else format_type(a.atttypid, null) end)
       || case when a.attnotnull then '' else '?' end
       || case when a.attidentity <> '' or d.text in ('gen_random_uuid()', 'private.uuidv7()') then ' = generated' when d.text = 'now()' then ' = now'
         when d.text = $$''::text$$ then $$ = ''$$ when a.attgenerated = '' and d.text is not null then ' = ' || replace(split_part(d.text, '::', 1), $$'$$, '') else '' end as field
     from pg_attribute a
     left join lateral (select pg_get_expr(x.adbin, x.adrelid) as text from pg_attrdef x where x.adrelid = a.attrelid and x.adnum = a.attnum) d on true
     left join lateral (
       select '(' || string_agg(x.enumlabel, '|' order by x.enumsortorder) || ')' as labels from pg_enum x where x.enumtypid = a.atttypid) e on true
     where a.attrelid = format('public.%I', $1::text)::regclass and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  return rows.map(({ field }) => field);
}

let admin: Member;
beforeAll(async () => {
  admin = await newAdmin();
});
setUpDatabase();

describe('specified tables and fields', () => {
  test('DB-01 an admin reads every table by its name, and every row of it', async () => {
    for (const [, table, fields] of FIELDS) {
      const [first = ''] = fields.split(' ');
      const { count, error } = await admin.client.from(table).select(first, { count: 'exact' }).limit(0);
      expect(error, table).toBeNull();
      const { rows } = await sql().query<{ rows: number }>(`select count(*)::integer as rows from public.${table}`);
      expect(count, table).toBe(rows[0]?.rows);
    }
  });

  test.each(FIELDS)(
    '%s %s has its fields, with their types and what they are when nobody says',
    async (_row, table, fields) => {
      const named = fields.split(/,\s+/).map((field) => field.trim());
      expect(await fieldsOf(table)).toEqual(expect.arrayContaining(named));
    },
  );

  test('DB-01 DB-13 the fields of a transaction are readable by name, and match its entry and its transfer', async () => {
    const fields = 'id, user_id, type, points, description, metadata, created_at';
    const { data, count, error } = await admin.client
      .from('transactions')
      .select(fields, { count: 'exact' })
      .order('id', { ascending: false })
      .limit(3);
    expect(error).toBeNull();
    const { rows } = await sql().query(`
      select e.id::integer, e.user_id, e.type, t.points::integer, t.description, t.metadata
      from public.entries e join public.transfers t on t.id = e.transfer_id order by e.id desc limit 3`);
    expect(data).toMatchObject(rows);
    expect(count).toBe((await sql().query('select 1 from public.entries')).rowCount);
  });

  test("DB-11 a project stores its owner's address and its reviewer, which no client may select", async () => {
    const owner = await newOwner();
    expect(owner.startup).toMatchObject({ owner_email: owner.email, reviewed_by: 'beta' });
    for (const column of ['owner_email', 'reviewed_by']) {
      const { error } = await admin.client.from('startup_profiles').select(column).limit(1);
      expect(error?.code).toBe('42501');
    }
  });
});

test('private.uuidv7 returns unique version 7 ids that start with the millisecond', async () => {
  const before = Date.now();
  const { rows } = await sql().query<{ id: string; version: number }>(
    'select id, uuid_extract_version(id) as version from (select private.uuidv7() as id from generate_series(1, 1000)) made',
  );
  const after = Date.now();
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1000);
  expect(new Set(rows.map(({ version }) => version))).toEqual(new Set([7]));
  for (const { id } of rows) {
    const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(milliseconds).toBeGreaterThanOrEqual(before);
    expect(milliseconds).toBeLessThanOrEqual(after);
  }
});

describe('specified operations', () => {
  test('RULE-01 in beta nobody is charged: a quest only sets trial points aside, and a member gets the full reward', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const payments = async () => {
      const { rows } = await sql().query(
        `select (select count(*) from public.subscriptions) as plans, (select count(*) from private.payment_events) as payments,
           (select count(*) from private.checkout_holds) as checkouts, (select sum(cash_cents) from public.wallets) as cash`,
      );
      return rows[0];
    };
    const before = await payments();
    const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 25, max_completions: 4 } });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 400, reserved: 100 });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    expect(await walletOf(member.id)).toEqual({ points: 25, lifetime: 25 });
    await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
    expect(await projectPoints(owner.startup.id)).toEqual({ free: 475, reserved: 0 });
    expect(await payments()).toEqual(before);
  });

  test('DB-05 DB-07 creating, publishing, unpublishing and deleting a quest work by id', async () => {
    const owner = await newOwner();
    const quest = await newQuest(owner, {
      campaign: {
        collect_emails: true,
        email_collection_purpose: 'News',
        custom_reward_title: 'Mug',
        custom_reward_description: 'By post',
      },
    });
    expect(quest.campaign).toMatchObject({
      startup_id: owner.startup.id,
      title: `Quest of ${owner.name}`,
      summary: 'Try it',
      details_md: 'Details',
      status: 'published',
      collect_emails: true,
      email_collection_purpose: 'News',
      custom_reward_title: 'Mug',
      custom_reward_description: 'By post',
    });
    expect(quest.tasks).toMatchObject([
      {
        title: 'Try the product',
        type: 'signup',
        instructions_md: 'Sign up and tell us what you saw.',
        reward_points: 10,
        max_completions: 5,
        requires_proof: true,
        proof_type: 'link',
        order_index: 0,
      },
    ]);
    const id = { p_campaign_id: quest.campaign.id };
    expect((await unwrap(owner.client.rpc('unpublish_campaign', id))).status).toBe('draft');
    expect((await unwrap(owner.client.rpc('publish_campaign', id))).status).toBe('published');
    await owner.client.rpc('delete_campaign', id).throwOnError();
    expect(await unwrap(owner.client.from('campaigns').select('id').eq('startup_id', owner.startup.id))).toEqual([]);
  });

  test("DB-09 DB-22 submissions are read by task, member and status, paged, counted as approved, reviewed with a note; the quest's slots follow, BEY-23 with a rejected one's kept", () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const members = [await newMember(), await newMember(), await newMember()];
      const { taskId, campaign } = await newQuest(owner);
      const ids: string[] = [];
      for (const { client } of members) {
        ids.push((await unwrap(client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }))).id);
      }
      const review = (id: string, decision: string) =>
        owner.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_note: `${decision} it` });
      await unwrap(review(ids[0] ?? '', 'approve'));
      await unwrap(review(ids[1] ?? '', 'reject'));

      const read = (who: Member) =>
        who.client.from('submissions').select('id, status, review_note').eq('task_id', taskId);
      const ofMember = read(owner)
        .eq('user_id', members[0]?.id ?? '')
        .eq('status', 'approved');
      expect(await unwrap(ofMember)).toEqual([{ id: ids[0], status: 'approved', review_note: 'approve it' }]);
      const inOrder = (who: Member) => read(who).order('submitted_at');
      expect((await unwrap(inOrder(owner).range(1, 2))).map(({ id }) => id)).toEqual(ids.slice(1));
      expect((await unwrap(inOrder(admin).limit(1000))).map(({ status }) => status)).toEqual([
        'approved',
        'rejected',
        'pending',
      ]);
      expect(await unwrap(asAnon().rpc('get_task_completion_counts', { p_task_ids: [taskId] }))).toEqual([
        { task_id: taskId, completions: 1, pending: 1, kept: 1, remaining_slots: 2 },
      ]);
      const stats = await unwrap(admin.client.rpc('get_quest_completion_stats', { p_campaign_ids: [campaign.id] }));
      expect(stats).toEqual([
        { campaign_id: campaign.id, total_slots: 5, available_slots: 2, completed_slots: 1, is_quest_full: false },
      ]);
    }));

  test('ERR-01 missing records are refused with the specified sentences', async () => {
    const owner = await newOwner();
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: nowhere }))).toEqual({
      status: 404,
      code: 'CAMPAIGN_NOT_FOUND',
      message: 'Campaign not found',
    });
    expect(await refusal(owner.client.rpc('delete_startup_profile', { p_startup_id: nowhere }))).toEqual({
      status: 404,
      code: 'STARTUP_NOT_FOUND',
      message: 'Startup profile not found',
    });
  });

  test('SEC-08 a member submits, sees progress, wallet and profile, and redeems', async () => {
    const [owner, member] = await Promise.all([newCheckedOwner(), newMember()]);
    const { taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    expect(await unwrap(member.client.from('submissions').select('status').eq('task_id', taskId))).toEqual([
      { status: 'approved' },
    ]);
    expect(await unwrap(member.client.from('wallets').select('points').eq('user_id', member.id))).toEqual([
      { points: 100 },
    ]);
    expect(await unwrap(member.client.from('user_profiles').select('user_id'))).toEqual([{ user_id: member.id }]);
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Sticker', points_cost: 60 } }));
    const redemption = await unwrap(
      member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: 'once' }),
    );
    expect(redemption.status).toBe('pending');
    expect(await unwrap(member.client.from('wallets').select('points').eq('user_id', member.id))).toEqual([
      { points: 40 },
    ]);
  });
});
