import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import {
  grantPoints,
  type Member,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Owner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
} from './support/factories.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();
beforeAll(() => sql().query('update public.app_settings set beta_mode = false, trial_quest_limit = 100'));

type Options = { p_view?: string; p_campaign_id?: string; p_limit?: number; p_cursor?: string };
const list = (who: Member, options: Options = {}) => who.client.rpc('list_project_transactions', options);
const points = async (who: Member) => (await unwrap(who.client.rpc('get_project_points')))[0];
const payouts = (who: Member) => unwrap(who.client.rpc('get_project_payouts'));

/**
 * A founder who has bought points, paid three proofs in two quests, reversed one and closed one quest. The points that they have as a member
 * are not the project's.
 */
async function scene() {
  const [owner, admin] = await Promise.all([newVerifiedOwner(), newMember('admin')]);
  await grantPoints(owner, 7);
  await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [admin.id]);
  await sql().query(
    `select private.transfer(null, w.id, 1000, 'purchase', 'Bought 1,000 points') from public.wallets w where w.startup_id = $1`,
    [owner.startup.id],
  );
  const quests = [
    await newQuest(owner),
    await newQuest(owner, { task: { reward_points: 25, title: 'Draw a map' } }),
  ] as const;
  const members = [await newMember(), await newMember()] as const;
  const submissions: string[] = [];
  for (const [member, quest] of [
    [members[0], quests[0]],
    [members[1], quests[0]],
    [members[0], quests[1]],
  ] as const) {
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'done' }));
    await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    submissions.push(id);
  }
  await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: submissions[1] ?? '', p_note: 'By mistake' }));
  await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: quests[0].campaign.id }));
  return { owner, quests, members, submissions };
}

/** What the database contains for the project, computed without the procedures under test. */
async function recount(owner: Owner) {
  const { rows } = await sql().query<{ kind: string; points: number }>(
    "select kind, sum(points)::integer as points from public.wallets where owner_user_id = $1 and kind <> 'user' group by kind",
    [owner.id],
  );
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.points ?? 0;
  return { free: of('startup'), reserved: of('reserve') };
}

describe('BEY-06 the project wallet', () => {
  test('every movement is a line, and their changes add up to the balance', async () => {
    const { owner } = await scene();
    const rows = await unwrap(list(owner));
    const { free, reserved } = await recount(owner);
    const sum = (column: 'change' | 'free_change' | 'reserved_change') =>
      rows.reduce((total, row) => total + row[column], 0);
    expect({ free: sum('free_change'), reserved: sum('reserved_change'), all: sum('change') }).toEqual({
      free,
      reserved,
      all: free + reserved,
    });
    expect(rows[0]).toMatchObject({ free_after: free, reserved_after: reserved });
    // Each line starts from the balance of the line below it.
    for (const [index, row] of rows.entries()) {
      const before = rows[index + 1];
      expect(row.free_after - row.free_change).toBe(before?.free_after ?? 0);
      expect(row.reserved_after - row.reserved_change).toBe(before?.reserved_after ?? 0);
    }
    expect(rows.map(({ kind }) => kind)).toContain('reversal');
    // Page by page it is the same, also where one credit follows another.
    const paged: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const [row] = await unwrap(list(owner, { p_limit: 1, p_cursor: cursor }));
      if (!row) break;
      paged.push(row.cursor);
      cursor = row.cursor;
    }
    expect(paged).toEqual(rows.map(({ cursor }) => cursor));
  });

  test('a payout names quest, task, member and decision, including payouts from a reserve', async () => {
    const { owner, quests, members, submissions } = await scene();
    await sql().query("update public.user_profiles set display_name = 'Ada Lovelace' where user_id = $1", [
      members[0].id,
    ]);
    await sql().query('update public.user_profiles set display_name = null where user_id = $1', [members[1].id]);
    const rows = await unwrap(list(owner, { p_view: 'payouts' }));
    expect(rows.map(({ kind, change }) => [kind, change])).toEqual([
      ['reversal', 10],
      ['task_completion', -25],
      ['task_completion', -10],
      ['task_completion', -10],
    ]);
    expect(rows[1]).toMatchObject({
      change: -25,
      free_change: 0,
      reserved_change: -25,
      campaign_id: quests[1].campaign.id,
      campaign_title: quests[1].campaign.title,
      submission_id: submissions[2],
      task_title: 'Draw a map',
      member_name: 'Ada Lovelace',
      submission_status: 'approved',
      reviewed_by: 'project',
    });
    expect(rows[2]?.member_name).toMatch(/\*/);
  });

  test('filters by view and by quest, page by page, with the true balance on each line', async () => {
    const { owner, quests } = await scene();
    const all = await unwrap(list(owner));
    const byId = new Map(all.map((row) => [row.id, row]));
    const kinds = async (options: Options) => [
      ...new Set((await unwrap(list(owner, options))).map(({ kind }) => kind)),
    ];
    expect(await kinds({ p_view: 'received' })).toEqual(['purchase', 'trial_budget']);
    expect((await kinds({ p_view: 'reserves' })).toSorted()).toEqual(['release', 'reserve']);
    const ofQuest = await unwrap(list(owner, { p_campaign_id: quests[1].campaign.id }));
    expect(ofQuest.map(({ kind }) => kind)).toEqual(['task_completion', 'reserve']);
    expect(ofQuest[1]?.description).toBe(`Reserved for quest "${quests[1].campaign.title}"`);
    for (const row of ofQuest) expect(row).toEqual(byId.get(row.id));
    const pages: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await unwrap(list(owner, { p_limit: 2, p_cursor: cursor }));
      pages.push(...page.map(({ id }) => id));
      cursor = page.length === 2 ? page[1]?.cursor : undefined;
    } while (cursor);
    expect(pages).toEqual(all.map(({ id }) => id));
  });

  test('the figures account for every point', async () => {
    const { owner } = await scene();
    const { free, reserved } = await recount(owner);
    expect(await points(owner)).toEqual({ free, reserved, paid: 35, bought: 1000, granted: 500, other: 0 });
    expect(free + reserved + 35).toBe(1500);
  });

  test('payouts are summed by UTC day, over the last 30 days with empty ones', async () => {
    const [{ owner, members, submissions }, stranger] = await Promise.all([scene(), newVerifiedOwner()]);
    await unwrap(
      members[1].client.rpc('submit_proof', { p_task_id: (await newQuest(stranger)).taskId, p_text: 'done' }),
    );
    /** Payouts if the three proofs had been paid at these times, in SQL. */
    const paidAt = (...times: [string, string, string]) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        for (const [index, time] of times.entries()) {
          await client.query(
            `update public.transfers set created_at = ${time} where submission_id = $1 and kind = 'task_completion'`,
            [submissions[index]],
          );
        }
        await actAs(client, owner);
        const { rows } = await client.query<{ ago: number; points: number }>(
          `select (now() at time zone 'UTC')::date - day as ago, points::integer from public.get_project_payouts()`,
        );
        return rows;
      });
    const midnight = "(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC')";
    const recent = await paidAt(midnight, `${midnight} - interval '1 microsecond'`, 'now()');
    expect(recent.map(({ ago }) => ago)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    expect(recent.filter(({ points }) => points !== 0)).toEqual([
      { ago: 1, points: 10 },
      { ago: 0, points: 35 },
    ]);
    const first = `${midnight} - interval '29 days'`;
    const old = await paidAt(first, `${first} - interval '1 microsecond'`, first);
    expect(old.filter(({ points }) => points !== 0)).toEqual([{ ago: 29, points: 35 }]);
  });

  test('is for its owner only', async () => {
    const { owner, quests } = await scene();
    const [stranger, member] = await Promise.all([newVerifiedOwner(), newMember()]);
    expect((await unwrap(list(stranger))).map(({ kind }) => kind)).toEqual(['trial_budget']);
    expect(await unwrap(list(stranger, { p_campaign_id: quests[0].campaign.id }))).toEqual([]);
    expect(await unwrap(list(member))).toEqual([]);
    expect((await payouts(member)).filter(({ points }) => points > 0)).toEqual([]);
    expect(await points(member)).toEqual({ free: 0, reserved: 0, paid: 0, bought: 0, granted: 0, other: 0 });
    expect(await refusal(list(owner, { p_view: 'everything' }))).toMatchObject({ status: 400, code: 'INVALID_VIEW' });
    expect(await refusal(list(owner, { p_cursor: 'x' }))).toMatchObject({ code: 'INVALID_CURSOR' });
    await suspend(owner);
    expect(await refusal(list(owner))).toEqual(SUSPENDED);
    expect(await refusal(owner.client.rpc('get_project_points'))).toEqual(SUSPENDED);
    expect(await refusal(owner.client.rpc('get_project_payouts'))).toEqual(SUSPENDED);
  });
});
