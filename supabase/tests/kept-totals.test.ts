import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { newAdmin, newMember, newQuest, newVerifiedOwner, unwrap, withSettings } from './support/factories.ts';
import { runPeriodicJobs } from './support/periodic-jobs.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

type Counts = Record<string, number>;

async function kept(): Promise<Counts> {
  const { rows } = await sql().query<{ counts: Counts }>('select private.counters() as counts');
  return rows[0]?.counts ?? {};
}

/** What `run` adds to the counts; unchanged ones are left out. */
async function added(run: () => Promise<unknown>): Promise<Counts> {
  const before = await kept();
  await run();
  const after = await kept();
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const change = (after[name] ?? 0) - (before[name] ?? 0);
      return change === 0 ? [] : [[name, change]];
    }),
  );
}

/** The books, cached totals included, match a recount. */
const expectNoDrift = async () => expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);

const NEW_MEMBER = { members: 1, codes: 1, active_codes: 1 };

describe('ADMIN-02 DATA-06 platform counts', () => {
  test('follow members, projects and quests, from creation to deletion', async () => {
    expect(await added(() => newMember())).toEqual(NEW_MEMBER);
    const owner = await newVerifiedOwner();
    const industry = `industry:${owner.startup.industry}`;
    expect(await added(() => newVerifiedOwner())).toEqual({ ...NEW_MEMBER, verified_startups: 1, [industry]: 1 });
    expect(
      await added(() =>
        sql().query(
          'update public.startup_profiles set industry = (select i from unnest(private.industries()) i where i <> industry limit 1) where id = $1',
          [owner.startup.id],
        ),
      ),
    ).toMatchObject({ [industry]: -1 });

    const { campaign, taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const member = await newMember();
    const proof = { p_task_id: taskId, p_text: 'x', p_email: member.email };
    expect(await added(() => unwrap(member.client.rpc('submit_proof', proof)))).toEqual({
      submissions: 1,
      approved_submissions: 1,
      active_budgets: campaign.budget_points,
      collected_emails: 1,
    });
    expect(
      await added(() =>
        sql().query('update public.campaigns set budget_points = budget_points + 20 where id = $1', [campaign.id]),
      ),
    ).toEqual({ active_budgets: 20 });
    expect(await added(() => unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id })))).toEqual({
      published_campaigns: -1,
      open_campaigns: -1,
    });
    const leaving = await newVerifiedOwner();
    const gone = { p_startup_id: leaving.startup.id };
    expect(await added(async () => leaving.client.rpc('delete_startup_profile', gone).throwOnError())).toEqual({
      verified_startups: -1,
      [`industry:${leaving.startup.industry}`]: -1,
    });
    await expectNoDrift();
  });

  test('count a proof when it is sent, an approval when it is decided, and nothing when it is refused', async () => {
    await withSettings({ beta_mode: false }, async () => {
      const [owner, one, other] = [await newVerifiedOwner(), await newMember(), await newMember()];
      const { campaign, taskId } = await newQuest(owner);
      const send = async (who: typeof one) =>
        (await unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }))).id;
      const review = (id: string, decision: 'approve' | 'reject') =>
        unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_note: 'Seen' }));
      const [first, second] = [await send(one), await send(other)];
      expect(await added(() => review(first, 'reject'))).toEqual({});
      expect(await added(() => review(second, 'approve'))).toEqual({
        approved_submissions: 1,
        active_budgets: campaign.budget_points,
      });
      // Resubmitted on the same row.
      expect(await added(() => send(one))).toEqual({});
    });
    await expectNoDrift();
  });

  test('are unchanged by compacting rows, also while others add to them', async () => {
    const rows = async () => Number((await sql().query('select from private.counter_deltas')).rowCount);
    await sql().query(
      "insert into private.counter_deltas (name, change) select 'members', 1 - n % 2 * 2 from generate_series(1, 600) n",
    );
    const before = await kept();
    await Promise.all([
      ...Array.from({ length: 4 }, () => sql().query('select private.compact_counter_deltas()')),
      ...Array.from({ length: 8 }, () => newMember()),
    ]);
    expect(await rows()).toBeLessThan(500);
    expect((await kept()).members).toBe((before.members ?? 0) + 8);
    await expectNoDrift();
  });

  test('are compacted when there are more than 500 rows, and nothing is kept of what adds up to nothing', async () => {
    const left = (rows: number) =>
      rolledBack(async (client) => {
        await client.query('delete from private.counter_deltas where true');
        await client.query(
          "insert into private.counter_deltas (name, change) select 'members', 1 - n % 2 * 2 from generate_series(2, $1) n",
          [rows],
        );
        await client.query("insert into private.counter_deltas (name, change) values ('industry:SaaS', 1)");
        const { rows: counted } = await client.query('select private.counters() as counts');
        expect(counted).toEqual([{ counts: { 'industry:SaaS': 1, ...(rows % 2 === 0 && { members: 1 }) } }]);
        await client.query('select private.compact_counter_deltas()');
        return (await client.query('select name, change::integer from private.counter_deltas limit 3')).rows;
      });
    expect(await left(500)).toHaveLength(3);
    expect(await left(501)).toEqual([{ name: 'industry:SaaS', change: 1 }]);
  });

  test('are rolled up by the worker that delivers events', async () => {
    await sql().query(`
      insert into private.counter_deltas (name, change) select 'members', 1 - n % 2 * 2 from generate_series(1, 600) n;
      update private.site_stats_cache set counted_at = now() - interval '1 hour'`);
    await runPeriodicJobs();
    const { rows } = await sql().query('select count(*)::int as changes from private.counter_deltas');
    expect(rows[0]?.changes).toBeLessThan(500);
    await expectNoDrift();
    // Not again within half a minute.
    const countedAt = async (age: string) => {
      const cached = `update private.site_stats_cache set counted_at = date_trunc('second', now()) - interval '${age}' returning counted_at`;
      const before = (await sql().query(cached)).rows[0]?.counted_at;
      await sql().query('select private.roll_up_figures()');
      const after = (await sql().query('select counted_at from private.site_stats_cache')).rows[0]?.counted_at;
      return after - before;
    };
    expect(await countedAt('20 seconds')).toBe(0);
    expect(await countedAt('31 seconds')).toBeGreaterThan(30_000);
  });

  test('ADMIN-07 ADMIN-09 DB-16 follow the mailing list, codes, referrals and feedback', async () => {
    const [referrer, friend] = [await newMember(), await newMember('friend')];
    const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
    expect(await added(() => unwrap(asAnon().rpc('track_referral_click', { p_code: code })))).toEqual({
      code_clicks: 1,
    });
    expect(
      await added(() => unwrap(friend.client.rpc('process_referral_signup', { p_user_id: friend.id, p_code: code }))),
    ).toMatchObject({ referrals: 1, code_referrals: 1, referral_points: expect.any(Number) });
    const switchedOff = { p_code: code, p_is_active: false };
    const admin = await newAdmin();
    expect(await added(() => unwrap(admin.client.rpc('set_referral_code_active', switchedOff)))).toEqual({
      active_codes: -1,
    });

    const email = `${randomUUID()}@example.com`;
    const list = async (source: string) => {
      await unwrap(asAnon().rpc('subscribe_to_mailing_list', { p_email: email, p_source: source }));
      await sql().query('update public.mailing_list set is_active = true where email = $1', [email]);
    };
    expect(await added(() => list('campaign'))).toEqual({ 'subscribers:campaign': 1, campaign_subscribers: 1 });
    await expectNoDrift();
    expect(
      await added(() => sql().query('update public.mailing_list set is_active = false where email = $1', [email])),
    ).toEqual({ 'subscribers:campaign': -1, campaign_subscribers: -1 });
    await expectNoDrift();
    const { campaign } = await newQuest(await newVerifiedOwner());
    const elsewhere = [randomUUID(), campaign.id];
    expect(
      await added(() =>
        sql().query(
          "insert into public.mailing_list (email, campaign_id, is_active) values ($1 || '@example.com', $2, true)",
          elsewhere,
        ),
      ),
    ).toMatchObject({ 'subscribers:website': 1, campaign_subscribers: 1 });
    await expectNoDrift();
    expect(await added(() => sql().query('delete from public.mailing_list where email = $1', [email]))).toEqual({});

    const feedback = { p_type: 'bug', p_description: 'It counts', p_rating: 4 };
    expect(await added(() => unwrap(asAnon().rpc('submit_beta_feedback', feedback)))).toEqual({
      'feedback:bug': 1,
      feedback_ratings: 1,
      feedback_stars: 4,
    });
    await expectNoDrift();
  });
});

describe('TRUST-01 ledger sums', () => {
  test('leave the last minute to the ledger itself, and count no row twice', async () => {
    const member = await newMember();
    const credit = () =>
      unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 5, p_description: 'Sum' }));
    const held = async () => {
      const { rows } = await sql().query<{ all: string; balances: boolean; until: string }>(`
        select (select sum(l.entries) from private.ledger_sums() l) as all,
          (select sum(case l.type when 'credit' then l.points else -l.points end) from private.ledger_sums() l where l.account <> 'system')
            = (select sum(w.points) from public.wallets w) as balances,
          (select u.last_id from private.ledger_daily_watermark u) as until`);
      return { ...rows[0], all: Number(rows[0]?.all), until: Number(rows[0]?.until) };
    };
    await credit();
    const before = await held();
    await credit();
    // All from the first row on, concurrently: each row is summed by exactly one of them.
    await sql().query(
      'delete from private.ledger_daily; delete from private.member_weeks; update private.ledger_daily_watermark set last_id = 0',
    );
    await Promise.all(Array.from({ length: 4 }, () => sql().query('select private.roll_up_ledger_daily()')));
    const after = await held();
    expect(after).toMatchObject({ all: before.all + 2, balances: true });
    expect(after.until).toBeGreaterThan(0);
    const own = await unwrap(member.client.from('transactions').select('id').order('id').limit(1));
    expect(after.until).toBeLessThan(own[0]?.id ?? 0);
    expect(await keptEntries()).toBe(await entriesUntil(after.until));
    await expectNoDrift();
  });

  test('leave out the last minute, in which a transfer with a smaller id may still be committed', async () => {
    const member = await newMember();
    const until = (age: string) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        await client.query("update public.transfers set created_at = now() - interval '1 hour' where true");
        const { rows } = await client.query('select max(id) as last from public.transactions');
        await client.query(
          'update public.transfers set created_at = now() - $1::interval where id * 2 >= $2::bigint - 1',
          [age, rows[0].last],
        );
        await client.query('select private.roll_up_ledger_daily()');
        const kept = await client.query('select last_id = $1 as "isAll" from private.ledger_daily_watermark', [
          rows[0].last,
        ]);
        return kept.rows[0].isAll;
      });
    await unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 1, p_description: 'Grant' }));
    expect([await until('59 seconds'), await until('61 seconds')]).toEqual([false, true]);
  });

  test('are recalculated when a transfer was committed too late to be included', async () => {
    await newMember();
    await sql().query('select private.roll_up_ledger_daily()');
    // As if the newest stored entry had not been visible when its range was summed.
    await sql().query(`
      with missed as (select t.* from public.transactions t
        where t.id <= (select u.last_id from private.ledger_daily_watermark u) order by t.id desc limit 1)
      update private.ledger_daily d set entries = d.entries - 1, points = d.points - m.points
      from missed m where d.day = (m.created_at at time zone 'UTC')::date and d.kind = m.kind and d.type = m.type`);
    const problems = async () => (await sql().query('select distinct problem from public.reconcile_ledger()')).rows;
    expect(await problems()).toEqual([{ problem: 'ledger_day' }]);
    await sql().query('select private.rebuild_ledger_daily()');
    expect(await problems()).toEqual([]);
    const { rows } = await sql().query('select last_id::integer from private.ledger_daily_watermark');
    expect(await keptEntries()).toBe(await entriesUntil(rows[0]?.last_id));
  });
});

describe('after a pause of the worker', () => {
  test('the ledger is added up piece by piece, and the site figures follow when nothing is left', async () => {
    const worker = await sql().connect();
    try {
      await worker.query('begin');
      await worker.query('delete from private.site_stats_cache');
      await worker.query(`
        with moved as (
          insert into public.transfers (kind, points, description, created_at)
          select 'adjustment', 1, 'x', now() - interval '2 minutes' from generate_series(1, 15000) returning id
        )
        insert into public.entries (transfer_id, system_account, type)
        select m.id, s.account, s.type::public.transaction_type
        from moved m, (values ('issuance', 'debit'), ('redemption', 'credit')) s (account, type)`);
      const tick = async () => {
        await worker.query("select private.roll_up_figures('0 seconds', '0 seconds')");
        const { rows } = await worker.query<{ waiting: number; is_kept: boolean; figures: number }>(`
          select ((select max(e.id) from public.entries e) - w.last_id)::integer as waiting,
            (select sum(d.entries) from private.ledger_daily d) = (select count(*) from public.entries e where e.id <= w.last_id) as is_kept,
            (select count(*)::integer from private.site_stats_cache) as figures
          from private.ledger_daily_watermark w`);
        return rows[0];
      };
      const first = await tick();
      expect(first).toMatchObject({ is_kept: true, figures: 0 });
      expect(first?.waiting).toBeGreaterThanOrEqual(10_000);
      while ((await tick())?.waiting);
      expect(await tick()).toEqual({ waiting: 0, is_kept: true, figures: 1 });
    } finally {
      await worker.query('rollback');
      worker.release();
    }
  });
});

const keptEntries = async () => countOf('select coalesce(sum(entries), 0) as count from private.ledger_daily');
const entriesUntil = async (id: number) =>
  countOf('select count(*) as count from public.transactions where id <= $1', [id]);

async function countOf(query: string, values: number[] = []): Promise<number> {
  const { rows } = await sql().query<{ count: string }>(query, values);
  return Number(rows[0]?.count);
}
