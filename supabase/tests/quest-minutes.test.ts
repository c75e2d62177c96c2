import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  outsideBeta,
  type Quest,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { runPeriodicJobs } from './support/periodic-jobs.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const open = (who: Member, id: string) => who.client.rpc('record_quest_view', { p_campaign_id: id });
const submit = async (who: Member, taskId: string) =>
  (await unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: `By ${who.name}` }))).id;
const viewsOf = async (who: Member) =>
  (
    await sql().query<{ campaign_id: string; viewed_at: Date }>(
      'select campaign_id, viewed_at from private.quest_views where user_id = $1',
      [who.id],
    )
  ).rows;
/** Backdates a member's first view of the quest by this many minutes from the first proof of their last task. */
const plant = (who: Member, { campaign }: Quest, minutes: number) =>
  sql().query(
    `update private.quest_views v set viewed_at = (
       select max(s.created_at) from public.submissions s where s.campaign_id = $1 and s.user_id = $2
     ) - make_interval(secs => $3::double precision * 60) where v.campaign_id = $1 and v.user_id = $2`,
    [campaign.id, who.id, minutes],
  );
/** A new member opens the quest and completes it this many minutes later. */
const take = async (quest: Quest, minutes: number) => {
  const member = await newMember();
  await unwrap(open(member, quest.campaign.id));
  for (const { id } of quest.tasks) await submit(member, id);
  await plant(member, quest, minutes);
  return member;
};
/** Skips an hour. */
const measure = async () => {
  await sql().query("delete from private.write_windows where action = 'measure_quests'");
  await runPeriodicJobs();
};
const minutesOf = async ({ campaign }: Quest) => {
  const rows = await unwrap(asAnon().rpc('list_published_quests', { p_startup_id: campaign.startup_id }));
  return rows.find(({ id }) => id === campaign.id)?.median_minutes;
};
const ROOMY = { task: { reward_points: 1, max_completions: 20 } };

describe('BEY-18 how long a quest takes', () => {
  test('is the median of at least five members; four give no value, and members who took over four hours or were rejected do not count', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const quest = await newQuest(owner, ROOMY);
      for (const minutes of [2, 4, 9, 30, 241]) await take(quest, minutes);
      const twice = await take(quest, 5.5);
      const mine = await unwrap(
        twice.client.from('submissions').select('id').eq('campaign_id', quest.campaign.id).single(),
      );
      const decision = { p_submission_id: mine.id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', decision));
      await measure();
      expect(await minutesOf(quest)).toBeNull();

      // A resubmission two hours later counts, once and with its first time: 2, 4, 5.5, 9, 30.
      await sql().query(
        "update public.submissions set created_at = created_at - interval '2 hours' where user_id = $1",
        [twice.id],
      );
      await plant(twice, quest, 5.5);
      await submit(twice, quest.taskId);
      await measure();
      expect(await minutesOf(quest)).toBe(6);
      const row = asAnon().from('campaigns').select('median_minutes').eq('id', quest.campaign.id).single();
      expect(await unwrap(row)).toEqual({ median_minutes: 6 });
    }));

  test('ranges from one minute to four hours', async () => {
    for (const [minutes, expected] of [
      [240, 240],
      [0.1, 1],
    ] as const) {
      const quest = await newQuest(await newOwner(), ROOMY);
      for (let n = 0; n < 5; n += 1) await take(quest, minutes);
      await measure();
      expect(await minutesOf(quest)).toBe(expected);
    }
  });

  test('ends with the first proof of the last task', async () => {
    const quest = await newQuest(await newOwner(), ROOMY);
    await sql().query(
      `insert into public.tasks (campaign_id, title, type, instructions_md, reward_points, max_completions)
       values ($1, 'Second task', 'visit', 'Look', 0, 20)`,
      [quest.campaign.id],
    );
    await sql().query('select private.recount_tasks($1)', [quest.campaign.id]);
    const tasks = await unwrap(asAnon().from('tasks').select().eq('campaign_id', quest.campaign.id));
    const second = tasks.find(({ id }) => id !== quest.taskId)?.id ?? '';
    const members = await Promise.all(Array.from({ length: 5 }, () => newMember()));
    for (const member of members) {
      await unwrap(open(member, quest.campaign.id));
      await submit(member, quest.taskId);
      await plant(member, quest, 3);
    }
    await measure();
    expect(await minutesOf(quest)).toBeNull();
    for (const member of members) {
      await submit(member, second);
      await sql().query(
        "update public.submissions set created_at = created_at - interval '9 minutes' where user_id = $1 and task_id = $2",
        [member.id, quest.taskId],
      );
      await plant(member, quest, 12);
    }
    await measure();
    expect(await minutesOf(quest)).toBe(12);
  });

  test('begins with the view of this quest, not of another one', async () => {
    const [quest, other] = [await newQuest(await newOwner(), ROOMY), await newQuest(await newOwner(), ROOMY)];
    for (let n = 0; n < 5; n += 1) {
      const member = await take(quest, 7);
      await unwrap(open(member, other.campaign.id));
      await sql().query(
        "update private.quest_views set viewed_at = now() - interval '1 hour' where user_id = $1 and campaign_id = $2",
        [member.id, other.campaign.id],
      );
    }
    await measure();
    expect(await minutesOf(quest)).toBe(7);
  });

  test('is measured on the latest 200 proofs, and stays as it is until there is a new one', async () => {
    const [quest, other] = [await newQuest(await newOwner(), ROOMY), await newQuest(await newOwner(), ROOMY)];
    for (let n = 0; n < 5; n += 1) await take(quest, 7);
    const measuredIn = async (client: PoolClient) => {
      await client.query("delete from private.write_windows where action = 'measure_quests'");
      await client.query('select private.measure_quests()');
      const measured = 'select median_minutes from public.campaigns where id = $1';
      return (await client.query<{ median_minutes: number | null }>(measured, [quest.campaign.id])).rows[0]
        ?.median_minutes;
    };
    /** Without triggers, the rules of paying and counting are left out. */
    const beforeAndAfter = (change: string, values: unknown[]) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        const before = await measuredIn(client);
        await client.query(change, values);
        return [before, await measuredIn(client)];
      });
    /** So many members whose views are not known send a proof, and one of them to another quest, too. */
    const afterProofs = (count: number) =>
      beforeAndAfter(
        `insert into public.submissions (task_id, campaign_id, user_id, proof_text, reward_points)
         select t.id, t.campaign_id, 'pool-' || n, 'done', 0 from public.tasks t, generate_series(1, $3) n
         where t.id = $1 or t.id = $2 and n = 1`,
        [quest.taskId, other.taskId, count],
      );
    expect([await afterProofs(195), await afterProofs(196)]).toEqual([
      [7, 7],
      [7, null],
    ]);
    // Views are forgotten one day, and then there is nothing to measure.
    const forgotten = `with gone as (delete from private.quest_views where campaign_id = $1)
      update public.submissions set submitted_at = submitted_at - interval '2 hours' where campaign_id = $1`;
    expect(await beforeAndAfter(forgotten, [quest.campaign.id])).toEqual([7, 7]);
  });

  test('is measured once an hour, without waiting for concurrent writers to the quest', async () => {
    const quest = await newQuest(await newOwner(), ROOMY);
    for (let n = 0; n < 5; n += 1) await take(quest, 7);
    const writer = await sql().connect();
    try {
      await writer.query('begin');
      await writer.query('select 1 from public.campaigns where id = $1 for no key update', [quest.campaign.id]);
      await measure();
    } finally {
      await writer.query('rollback');
      writer.release();
    }
    await runPeriodicJobs();
    expect(await minutesOf(quest)).toBeNull();
    await measure();
    expect(await minutesOf(quest)).toBe(7);
  });
});

describe('BEY-18 the first view of a quest', () => {
  test('is stored once per member and quest, and is never overwritten', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const { campaign } = await newQuest(await newOwner());
    await unwrap(open(member, campaign.id));
    const [first] = await viewsOf(member);
    expect(first?.campaign_id).toBe(campaign.id);
    await Promise.all([1, 2, 3].map(() => unwrap(open(member, campaign.id))));
    expect(await viewsOf(member)).toEqual([first]);
    expect(await viewsOf(other)).toEqual([]);
    expect(await unwrap(member.client.rpc('get_own_data'))).toMatchObject({
      quest_views: [{ campaign_id: campaign.id, quest: campaign.title, viewed_at: expect.any(String) }],
    });
    expect(await unwrap(other.client.rpc('get_own_data'))).toMatchObject({ quest_views: [] });
  });

  test("is not stored for one's own quest, a draft, a started quest or an unknown one", async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    const [begun, drafter] = [await newQuest(owner), await newOwner()];
    const draft = await newQuest(drafter);
    await submit(member, begun.taskId);
    await unwrap(drafter.client.rpc('unpublish_campaign', { p_campaign_id: draft.campaign.id }));
    for (const id of [begun.campaign.id, draft.campaign.id, randomUUID()]) await unwrap(open(member, id));
    expect(await viewsOf(member)).toEqual([]);
    await unwrap(open(owner, begun.campaign.id));
    expect(await viewsOf(owner)).toEqual([]);
  });

  test('SEC-04 is refused to visitors and suspended members, and nobody can access the table', async () => {
    const member = await suspend(await newMember());
    const { campaign } = await newQuest(await newOwner());
    const visit = asAnon().rpc('record_quest_view', { p_campaign_id: campaign.id });
    expect((await refusal(visit)).status).toBe(401);
    expect(await refusal(open(member, campaign.id))).toEqual(SUSPENDED);
    const { rows } = await sql().query(
      `select r.name from unnest(array['anon', 'authenticated', 'service_role']) r (name)
       where has_table_privilege(r.name, 'private.quest_views', 'select, insert, update, delete')`,
    );
    expect(rows).toEqual([]);
  });

  test('TRUST-24 is dropped without an error beyond sixty a minute; opening the same quest again uses up nothing', async () => {
    const member = await newMember();
    const quests = [
      await newQuest(await newOwner()),
      await newQuest(await newOwner()),
      await newQuest(await newOwner()),
    ];
    const [first, second, third] = quests.map(({ campaign }) => campaign.id) as [string, string, string];
    const spend = (p_cost: number) =>
      unwrap(
        asService().rpc('take_rate_limit', {
          p_subject: `user:${member.id}`,
          p_action: 'quest_view',
          p_limit: 60,
          p_window_seconds: 60,
          p_cost,
        }),
      );
    expect(await spend(58)).toBe(true);
    await unwrap(open(member, first));
    await submit(member, quests[0]?.taskId ?? '');
    for (const id of [first, second, third]) await unwrap(open(member, id));
    expect((await viewsOf(member)).map(({ campaign_id }) => campaign_id).toSorted()).toEqual(
      [first, second].toSorted(),
    );
  });

  test('TRUST-28 is not stored for an account that is being erased concurrently', async () => {
    const member = await newMember();
    const { campaign } = await newQuest(await newOwner());
    const eraser = await sql().connect();
    try {
      await eraser.query('begin');
      await eraser.query('select public.anonymise_user($1)', [member.id]);
      const opening = refusal(open(member, campaign.id));
      await untilWaiting();
      await eraser.query('commit');
      expect((await opening).code).toBe('UNAUTHENTICATED');
      expect(await viewsOf(member)).toEqual([]);
    } finally {
      await eraser.query('rollback');
      eraser.release();
    }
  });
});
