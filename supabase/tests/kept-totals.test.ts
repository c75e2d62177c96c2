import { afterAll, describe, expect, test } from 'vitest';
import { asService, closeSql, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  must,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  withSettings,
} from './support/world.ts';

afterAll(closeSql);

const COUNTS = [
  'members',
  'verified_startups',
  'published_campaigns',
  'submissions',
  'approved_submissions',
  'active_budgets',
  'collected_emails',
] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

async function kept(): Promise<Counts> {
  const { rows } = await sql().query<Record<string, string>>('select (private.platform_count()).*');
  return Object.fromEntries(COUNTS.map((name) => [name, Number(rows[0]?.[name])])) as Counts;
}

/** What `run` adds to the counts, those it leaves alone left out. */
async function added(run: () => Promise<unknown>): Promise<Partial<Counts>> {
  const before = await kept();
  await run();
  const after = await kept();
  return Object.fromEntries(
    COUNTS.flatMap((name) => (after[name] === before[name] ? [] : [[name, after[name] - before[name]]])),
  );
}

/** The books, kept totals included, are what a recount gives. */
const expectNoDrift = async () => expect(await ledgerProblems()).toEqual([]);

describe('ADMIN-02 DATA-06 counts of the platform', () => {
  test('follow members, projects and quests, from the first day to the last', async () => {
    expect(await added(() => newMember())).toEqual({ members: 1 });
    const owner = await newVerifiedOwner();
    expect(await added(() => newVerifiedOwner())).toEqual({ members: 1, verified_startups: 1 });
    expect(await added(() => newOwner('waiting'))).toMatchObject({ members: 1 });
    const moved = await newVerifiedOwner();
    await sql().query(
      'update public.startup_profiles set industry = (select i from unnest(private.industries()) i where i <> industry limit 1) where id = $1',
      [moved.startup.id],
    );
    await expectNoDrift();

    const { campaign, taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const member = await newMember();
    const proof = { p_task_id: taskId, p_text: 'x', p_email: 'kept@example.com' };
    expect(await added(() => must(member.client.rpc('submit_proof', proof)))).toEqual({
      submissions: 1,
      approved_submissions: 1,
      active_budgets: campaign.budget_points,
      collected_emails: 1,
    });
    expect(await added(() => must(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id })))).toEqual({
      published_campaigns: -1,
    });
    await expectNoDrift();
  });

  test('count a proof when it is sent, an approval when it is decided, nothing when it is refused', async () => {
    await withSettings({ beta_mode: false }, async () => {
      const [owner, one, other] = [await newVerifiedOwner(), await newMember(), await newMember()];
      const { campaign, taskId } = await newQuest(owner);
      const send = async (who: typeof one) =>
        (await must(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }))).id;
      const review = (id: string, decision: 'approve' | 'reject') =>
        must(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_note: 'Seen' }));
      const [first, second] = [await send(one), await send(other)];
      expect(await added(() => review(first, 'reject'))).toEqual({});
      expect(await added(() => review(second, 'approve'))).toEqual({
        approved_submissions: 1,
        active_budgets: campaign.budget_points,
      });
      // Sent again on the same row.
      expect(await added(() => send(one))).toEqual({});
    });
    await expectNoDrift();
  });

  test('stay what they are while many rows become one, and while others add to them', async () => {
    const rows = async () => Number((await sql().query('select from private.platform_counts')).rowCount);
    await sql().query(`
      insert into private.platform_counts (members, submissions) select n % 2, 0 from generate_series(1, 150) n;
      insert into private.platform_counts (members) values (-75)`);
    const before = await kept();
    await Promise.all([
      ...Array.from({ length: 4 }, () => sql().query('select private.fold_platform_counts()')),
      ...Array.from({ length: 8 }, () => newMember()),
    ]);
    expect(await rows()).toBeLessThan(100);
    expect(await kept()).toEqual({ ...before, members: before.members + 8 });
    await expectNoDrift();
  });
});

describe('TRUST-01 sums of the ledger', () => {
  test('leave the last minute to the ledger itself, and count no row twice', async () => {
    const member = await newMember();
    const credit = () =>
      must(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 5, p_description: 'Sum' }));
    const held = async () => {
      const { rows } = await sql().query<{ kept: string; all: string; balances: string }>(`
        select (select coalesce(sum(d.entries), 0) from private.ledger_days d) as kept,
          (select sum(l.entries) from private.ledger_sums() l) as all,
          (select sum(case l.type when 'credit' then l.points else -l.points end) from private.ledger_sums() l where l.account <> 'system')
            = (select sum(w.points) from public.wallets w) as balances`);
      return rows[0];
    };
    await credit();
    await sql().query('select private.advance_ledger_days()');
    const before = await held();
    await credit();
    await Promise.all(Array.from({ length: 4 }, () => sql().query('select private.advance_ledger_days()')));
    const after = await held();
    expect(after).toEqual({ kept: before?.kept, all: String(Number(before?.all) + 2), balances: true });
  });
});
