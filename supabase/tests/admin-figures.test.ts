import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import type { Json, Tables } from '../../src/types/database.ts';
import { type Member, refusal, unwrap } from './support/factories.ts';
import { makeLoadData } from './support/load-data.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { allRows, dayOf, daysOf, perDay, sum } from './support/rows.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

let admin: Member;
let rows: {
  profiles: Tables<'user_profiles'>[];
  startups: Tables<'startup_profiles'>[];
  campaigns: Tables<'campaigns'>[];
  submissions: Tables<'submissions'>[];
  transactions: Tables<'transactions'>[];
};

beforeAll(async () => {
  admin = await makeLoadData();
  // What comes from no session makes none together.
  const events = "('Probe', now() - interval '5 hours'), ('Probe', now())";
  await sql().query(`insert into public.metrics_events (type, created_at) values ${events}`);
  rows = {
    profiles: await allRows('user_profiles'),
    startups: await allRows('startup_profiles'),
    campaigns: await allRows('campaigns'),
    submissions: await allRows('submissions'),
    transactions: await allRows('transactions'),
  };
}, 120_000);

type Figures = { [name: string]: number };
type PlatformFigures = {
  period_days: number;
  totals: Figures;
  period: Figures;
  days: Figures[];
  top_campaigns: Json[];
  top_industries: Json[];
  health: Figures;
};

const asRecord = (value: Json) => value as { [name: string]: Json };
const stats = async (days: number) =>
  (await unwrap(admin.client.rpc('get_platform_stats', { p_days: days }))) as PlatformFigures;

const earning = new Set(['task_completion', 'referral_bonus', 'welcome_bonus', 'reversal']);
const redeeming = new Set(['redemption', 'refund']);
const signed = ({ type, points }: Tables<'transactions'>) => (type === 'credit' ? points : -points);
const ofMembers = (kinds: Set<string>) =>
  rows.transactions.filter((row) => row.user_id !== null && kinds.has(row.kind));
const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;
const since = (days: number) => daysOf(days, new Date())[0] ?? '';
const isSince = (days: number) => (time: string | null) => time !== null && dayOf(time) >= since(days);

/** Paid plans and point packs that have not been refunded. */
const paid = async () => [
  ...(await allRows('subscriptions')).filter(({ status }) => status === 'active' || status === 'expired'),
  ...(await allRows('point_purchases')).filter(({ status }) => status === 'paid'),
];

describe('get_platform_stats matches a recount', () => {
  test('DATA-03 DATA-06 C-52 the totals, with the specified formulas for conversion, engagement and points distributed', async () => {
    const { totals } = await stats(30);
    const { profiles, startups, campaigns, submissions } = rows;
    const published = campaigns.filter(({ status }) => status === 'published').length;
    const approved = submissions.filter(({ status }) => status === 'approved');
    const worked = new Set(approved.map(({ campaign_id }) => campaign_id));
    expect(totals).toEqual({
      users: profiles.length,
      verified_startups: startups.filter(({ status }) => status === 'verified').length,
      published_campaigns: published,
      submissions: submissions.length,
      completed_tasks: approved.length,
      points_awarded: sum(ofMembers(earning).map(signed)),
      points_distributed: sum(campaigns.filter(({ id }) => worked.has(id)).map((row) => row.budget_points)),
      conversion_rate: round((100 * published) / profiles.length, 1),
      engagement: round(submissions.length / profiles.length, 2),
      revenue_cents: sum((await paid()).map((row) => row.amount_cents)),
    });
  });

  test.each([7, 30, 90])(
    'DATA-01 DATA-07 C-52 the figures of %i days, session time and revenue measured',
    async (days) => {
      const { period, period_days } = await stats(days);
      const isIn = isSince(days);
      const inPeriod = (kinds: Set<string>) => ofMembers(kinds).filter((row) => isIn(row.created_at));
      expect(period_days).toBe(days);
      expect(period).toEqual({
        users: rows.profiles.filter((row) => isIn(row.created_at)).length,
        verified_startups: rows.startups.filter((row) => row.status === 'verified' && isIn(row.reviewed_at)).length,
        published_campaigns: rows.campaigns.filter((row) => row.status === 'published' && isIn(row.published_at))
          .length,
        submissions: rows.submissions.filter((row) => isIn(row.submitted_at)).length,
        completed_tasks: rows.submissions.filter((row) => row.status === 'approved' && isIn(row.reviewed_at)).length,
        points_awarded: sum(inPeriod(earning).map(signed)),
        points_redeemed: -sum(inPeriod(redeeming).map(signed)),
        revenue_cents: sum((await paid()).filter((row) => isIn(row.created_at)).map((row) => row.amount_cents)),
        average_session_minutes: await averageSession(isIn),
      });
    },
  );

  test.each([7, 30, 90])(
    'ADMIN-11 the days of a chart over %i days, which add up to the figures of the period',
    async (count) => {
      const { days, period } = await stats(count);
      const names = daysOf(count, new Date());
      const approved = rows.submissions.filter(({ status }) => status === 'approved');
      const of = (key: string) => days.map((day) => day[key] ?? Number.NaN);
      expect(days.map(({ day }) => day)).toEqual(names);
      expect(of('new_users')).toEqual(perDay(rows.profiles, names, (row) => row.created_at));
      expect(of('submissions')).toEqual(perDay(rows.submissions, names, (row) => row.submitted_at));
      expect(of('completions')).toEqual(perDay(approved, names, (row) => row.reviewed_at));
      expect(of('points_issued')).toEqual(perDay(ofMembers(earning), names, (row) => row.created_at, signed));
      expect(of('points_redeemed')).toEqual(
        perDay(
          ofMembers(redeeming),
          names,
          (row) => row.created_at,
          (row) => -signed(row),
        ),
      );
      expect([sum(of('completions')), sum(of('points_issued')), sum(of('points_redeemed'))]).toEqual([
        period.completed_tasks,
        period.points_awarded,
        period.points_redeemed,
      ]);
    },
  );

  test('DATA-04 the five quests with the most approved submissions, with approved / all × 100', async () => {
    const { top_campaigns } = await stats(90);
    const isIn = isSince(90);
    const counted = rows.campaigns
      .map(({ id, title }) => {
        const all = rows.submissions.filter((row) => row.campaign_id === id && isIn(row.submitted_at));
        const approved = all.filter(({ status }) => status === 'approved').length;
        return { id, title, approved, submissions: all.length };
      })
      .filter(({ submissions }) => submissions > 0)
      .sort((one, other) => other.approved - one.approved || (one.id < other.id ? -1 : 1))
      .slice(0, 5);
    expect(top_campaigns).toMatchObject(
      counted.map(({ id, title, approved, submissions }) => ({
        campaign_id: id,
        title,
        approved,
        submissions,
        completion_rate: round((100 * approved) / submissions, 1),
      })),
    );
  });

  test('ADMIN-11 the top five industries and platform health', async () => {
    const { top_industries, health } = await stats(30);
    const counts = Map.groupBy(rows.startups, ({ industry }) => industry);
    const industries = [...counts]
      .map(([industry, startups]) => ({ industry, startups: startups.length }))
      .sort((one, other) => other.startups - one.startups || (one.industry < other.industry ? -1 : 1));
    expect(top_industries).toEqual(industries.slice(0, 5));
    expect(health).toEqual({
      active_campaigns: rows.campaigns.filter(({ status }) => status === 'published').length,
      pending_reviews: rows.submissions.filter(({ status }) => status === 'pending').length,
      pending_startups: rows.startups.filter(({ status }) => status === 'pending').length,
      verified_startups: rows.startups.filter(({ status }) => status === 'verified').length,
      collected_emails: (await allRows('campaign_email_collections')).length,
    });
  });

  test('refuses an unknown period', async () => {
    for (const days of [0, -1, 367, null as never]) {
      expect(await refusal(admin.client.rpc('get_platform_stats', { p_days: days }))).toEqual({
        status: 400,
        code: 'INVALID_PERIOD',
        message: 'Please choose 1 to 366 days',
      });
    }
  });
});

async function averageSession(isIn: (time: string) => boolean): Promise<number | null> {
  const events = (await allRows('metrics_events')).filter((row) => isIn(row.created_at));
  const sessions = Map.groupBy(events, ({ data }) => asRecord(data).session_id as string | undefined);
  const lengths = [...sessions].flatMap(([session, visit]) => {
    const at = visit.map((row) => Date.parse(row.created_at));
    return session && visit.length > 1 ? [(Math.max(...at) - Math.min(...at)) / 60_000] : [];
  });
  return lengths.length > 0 ? round(sum(lengths) / lengths.length, 1) : null;
}

describe('the other reports match a recount', () => {
  test('ADMIN-07 the mailing list: active, last 7 days, from campaigns, by source', async () => {
    const active = (await allRows('mailing_list')).filter((row) => row.is_active);
    const bySource = Object.fromEntries(
      [...Map.groupBy(active, ({ source }) => source)].map(([source, list]) => [source, list.length]),
    );
    const week = Date.now() - 7 * 86_400_000;
    expect(await unwrap(admin.client.rpc('get_mailing_list_stats'))).toEqual({
      total_subscribers: active.length,
      recent_subscribers: active.filter((row) => Date.parse(row.subscribed_at) > week).length,
      campaign_subscribers: active.filter((row) => row.campaign_id !== null || row.source === 'campaign').length,
      subscribers_by_source: { website: 0, ...bySource },
    });
  });

  test('DB-16 feedback: count, average to one decimal, by type', async () => {
    const feedback = await allRows('beta_feedback');
    const ratings = feedback.flatMap(({ rating }) => (rating === null ? [] : [rating]));
    const byType = (type: string) => feedback.filter((row) => row.type === type).length;
    expect(await unwrap(admin.client.rpc('get_beta_feedback_stats'))).toEqual({
      total: feedback.length,
      average_rating: ratings.length > 0 ? round(sum(ratings) / ratings.length, 1) : 0,
      by_type: Object.fromEntries(['bug', 'feature', 'rating', 'general', 'other'].map((type) => [type, byType(type)])),
    });
  });

  test('DB-26 points: transfers by kind, and the balances of members, projects and reserves', async () => {
    const received = (await allRows('transactions')).filter(({ type }) => type === 'credit');
    const wallets = await allRows('wallets');
    const held = (kind: string) => sum(wallets.filter((row) => row.kind === kind).map((row) => row.points));
    const kinds = [...Map.groupBy(received, ({ kind }) => kind)].map(([kind, list]) => ({
      kind,
      transfers: list.length,
      points: sum(list.map(({ points }) => points)),
    }));
    // Asked twice: the second call uses what the first one has rolled up.
    for (const _call of ['sums', 'keeps']) {
      const answer = asRecord(await unwrap(admin.client.rpc('get_points_transfer_stats')));
      expect(answer).toMatchObject({
        total_transfers: received.length,
        total_points: sum(received.map(({ points }) => points)),
        balances: { members: held('user'), startups: held('startup'), reserves: held('reserve') },
      });
      expect(new Set(answer.by_kind as Json[])).toEqual(new Set(kinds));
      expect(Date.parse(String(answer.last_transfer_at))).toBe(
        Math.max(...received.map((row) => Date.parse(row.created_at))),
      );
      const kept = await sql().query('select from private.ledger_daily where entries > 0');
      expect(kept.rowCount).toBeGreaterThan(0);
    }
  });

  test('DB-26 points: zeros before the first transfer', () =>
    rolledBack(async (client) => {
      await client.query('delete from private.ledger_daily');
      await client.query(
        'update private.ledger_daily_watermark set last_id = (select max(id) from public.transactions)',
      );
      await actAs(client, admin);
      const { rows } = await client.query('select public.get_points_transfer_stats() as stats');
      expect(rows[0].stats).toEqual({
        ...{ total_transfers: 0, total_points: 0, last_transfer_at: null, by_kind: [] },
        balances: { members: 0, startups: 0, reserves: 0 },
      });
    }));

  test('ADMIN-02 pending admin tasks, and the latest 3 projects, 3 quests and 4 submissions', async () => {
    const [feedback, redemptions, events] = [
      await allRows('beta_feedback'),
      await allRows('redemptions'),
      await allRows('outbox_events'),
    ];
    expect(await unwrap(admin.client.rpc('get_admin_todo'))).toEqual({
      pending_startups: rows.startups.filter(({ status }) => status === 'pending').length,
      pending_submissions: rows.submissions.filter(({ status }) => status === 'pending').length,
      pending_redemptions: redemptions.filter(({ status }) => status === 'pending').length,
      new_feedback: feedback.filter(({ status }) => status === 'new').length,
      held_campaigns: rows.campaigns.filter((row) => row.held_at !== null).length,
      failed_mails: events.filter((row) => row.failed_at !== null).length,
      changed_startups: rows.startups.filter((row) => row.changed_at !== null).length,
      open_appeals: (await allRows('appeals')).filter(({ status }) => status === 'open').length,
      returned_payments: (await allRows('point_purchases')).filter(
        (row) => row.status !== 'paid' && row.credited_points > 0 && row.written_off_at === null,
      ).length,
      overdue_reviews: (await allRows('submissions')).filter(
        ({ status, review_due_at }) => status === 'pending' && review_due_at && Date.parse(review_due_at) <= Date.now(),
      ).length,
    });
    const latest = <Row extends { id: string }>(list: Row[], count: number, timeOf: (row: Row) => string) =>
      list
        .toSorted((one, other) => Date.parse(timeOf(other)) - Date.parse(timeOf(one)) || (one.id < other.id ? 1 : -1))
        .slice(0, count)
        .map(({ id }) => id);
    const activity = await unwrap(admin.client.rpc('get_recent_activity', { p_days: 366 }));
    const of = (kind: string) => activity.filter((row) => row.kind === kind).map(({ id }) => id);
    expect(of('startup')).toEqual(latest(rows.startups, 3, (row) => row.created_at));
    expect(of('campaign')).toEqual(latest(rows.campaigns, 3, (row) => row.created_at));
    expect(of('submission')).toEqual(latest(rows.submissions, 4, (row) => row.submitted_at));
    expect(activity.map(({ at }) => Date.parse(at))).toEqual(
      activity.map(({ at }) => Date.parse(at)).toSorted((one, other) => other - one),
    );
  });

  test('ADMIN-02 a renamed project and spent points of a refunded payment wait, what is decided does not, and a quest that went back to draft is paused', async () => {
    const before = asRecord(await unwrap(admin.client.rpc('get_admin_todo')));
    await rolledBack(async (client) => {
      await client.query('set local session_replication_role = replica');
      await client.query(`
        update public.startup_profiles set changed_at = now(), changed_from = '{}'
        where id = (select s.id from public.startup_profiles s where s.changed_at is null limit 1);
        update public.campaigns c
        set status = n.status::public.campaign_status, published_at = n.published_at, created_at = now() + n.later
        from (values (1, 'draft', now(), interval '3 hours'), (2, 'draft', null, '2 hours'), (3, 'published', now(), '1 hour'))
            n (number, status, published_at, later),
          (select o.id, row_number() over (order by o.id) as number from public.campaigns o) o
        where o.number = n.number and c.id = o.id;
        update public.submissions set review_due_at = '2020-01-01'
        where id = (select s.id from public.submissions s where s.status = 'approved' limit 1);
        insert into public.appeals (user_id, kind, against_at, words, status, decision_note, decided_by, decided_at)
        values ('x', 'suspension', now(), 'x', 'upheld', 'x', 'x', now());
        insert into public.point_purchases
          (owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points, written_off_at)
        values ('x', 'points_small', 9, 1, 'open', 'refunded', 4, null), ('x', 'points_small', 9, 1, 'back', 'refunded', 0, null),
          ('x', 'points_small', 9, 1, 'given up', 'refunded', 4, now())`);
      await actAs(client, admin);
      const { rows } = await client.query('select public.get_admin_todo() as todo');
      expect(rows[0].todo).toEqual({
        ...before,
        changed_startups: Number(before.changed_startups) + 1,
        returned_payments: Number(before.returned_payments) + 1,
      });
      const latest = (await client.query('select kind, status from public.get_recent_activity() limit 3')).rows;
      expect(latest).toEqual(['paused', 'draft', 'published'].map((status) => ({ kind: 'campaign', status })));
    });
  });

  test('ADMIN-02 ADMIN-11 the latest activity and the figures of a period begin with its first moment', async () => {
    const { kinds, stats: figures } = await rolledBack(async (client) => {
      await client.query('set local session_replication_role = replica');
      const midnight = "date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'";
      for (const [table, column, which] of [
        ['startup_profiles', 'created_at', 'true'],
        ['campaigns', 'created_at', 'true'],
        ['submissions', 'submitted_at', 'true'],
        ['user_profiles', 'created_at', 'true'],
        ['startup_profiles', 'reviewed_at', "status = 'verified'"],
        ['campaigns', 'published_at', "status = 'published'"],
        ['submissions', 'reviewed_at', "status = 'approved'"],
        ['subscriptions', 'created_at', 'false'],
        ['point_purchases', 'created_at', 'false'],
        ['metrics_events', 'created_at', 'false'],
      ]) {
        // One row at midnight, if any, and all others just before it.
        await client.query(
          `update public.${table} t set ${column} = ${midnight} - (t.id is distinct from (
             select o.id from public.${table} o where ${which} order by o.id limit 1
           ))::integer * interval '1 microsecond' where t.${column} is not null`,
        );
      }
      await client.query(`
        insert into public.subscriptions (owner_user_id, plan_id, payment_ref, amount_cents, status, created_at)
        values ('x', 'og_lifetime', 'first', 5, 'active', ${midnight});
        insert into public.point_purchases (owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points, created_at)
        values ('x', 'points_small', 9, 3, 'first', 'paid', 9, ${midnight});
        insert into public.metrics_events (type, data, created_at)
        select 'Probe', '{"session_id": "first"}', ${midnight} + m * interval '1 minute' from unnest(array[0, 12]) m`);
      await actAs(client, admin);
      const { rows } = await client.query(
        'select array(select kind from public.get_recent_activity(1) order by kind) as kinds, public.get_platform_stats(1) as stats',
      );
      return rows[0] as { kinds: string[]; stats: PlatformFigures };
    });
    expect(kinds).toEqual(['campaign', 'startup', 'submission']);
    expect(figures.period).toMatchObject({
      ...{ users: 1, verified_startups: 1, published_campaigns: 1, submissions: 1, completed_tasks: 1 },
      ...{ revenue_cents: 8, average_session_minutes: 12 },
    });
    expect(figures.top_campaigns).toMatchObject([{ submissions: 1 }]);
  });
});
