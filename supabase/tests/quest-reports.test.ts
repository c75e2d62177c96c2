import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asUser, sql } from '../../local/testing/clients.ts';
import { withinOneDay } from '../../local/testing/one-day.ts';
import {
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  refusal,
  submitProof,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { fillQuest } from './support/many-submissions.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

test('DB-23 only tasks with a free slot of published quests that have begun and not ended are offered before the first quest', async () => {
  const [member, earlier] = [await newMember(), await newMember()];
  const changed = async (change: string) => {
    const { campaign, taskId } = await newQuest(await newOwner());
    await sql().query(`update public.campaigns set ${change} where id = $1`, [campaign.id]);
    return taskId;
  };
  // Another task keeps the quest open when this one is full.
  const newOpenQuest = async (owner: Owner, max_completions: number) => {
    const quest = await newQuest(owner, { task: { max_completions } });
    await fillQuest(quest.campaign.id, { tasks: 1, rows: 0 });
    return quest;
  };
  const begun = async (max_completions: number) => {
    const { taskId } = await newOpenQuest(await newOwner(), max_completions);
    await unwrap(submitProof(earlier, taskId));
    return taskId;
  };
  const waiting = async (max_completions: number, isRejected = false) => {
    const owner = await newOwner();
    const { taskId } = await newOpenQuest(owner, max_completions);
    const { id } = await withSettings({ beta_mode: false }, () => unwrap(submitProof(earlier, taskId)));
    const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
    if (isRejected) await unwrap(owner.client.rpc('review_submission', rejection));
    return taskId;
  };
  const offered = [
    await changed("starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'"),
    await begun(2),
    await waiting(2),
  ];
  const left = [
    await changed("starts_at = now() + interval '1 hour'"),
    await changed("ends_at = now() - interval '1 hour'"),
    await begun(1),
    await waiting(1),
    // The slot of a rejected proof is kept.
    await waiting(1, true),
  ];
  const owner = await newOwner();
  const { campaign, taskId } = await newQuest(owner);
  await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
  left.push(taskId);
  const args = { p_user_id: member.id, p_limit: 100 };
  const rows = await unwrap(member.client.rpc('get_available_quests_for_new_user', args));
  const ids = rows.map((row) => row.task_id);
  // An admin who helps the member sees the same.
  const seen = await unwrap((await newAdmin()).client.rpc('get_available_quests_for_new_user', args));
  expect(seen.map((row) => row.task_id)).toEqual(ids);
  // The quest published last comes first.
  expect(ids.filter((id) => offered.includes(id))).toEqual(offered.toReversed());
  const quest = rows.find(({ task_id }) => task_id === offered[2])?.campaign_id;
  expect(rows.filter(({ campaign_id }) => campaign_id === quest).map(({ title }) => title)).toEqual([
    'Try the product',
    'Extra task 1',
  ]);
  const first = await unwrap(member.client.rpc('get_available_quests_for_new_user', { ...args, p_limit: 2 }));
  expect(first).toEqual(rows.slice(0, 2));
  expect(left.filter((id) => ids.includes(id))).toEqual([]);
});

test("DB-26 a quest's figures are its own, and those of one without proofs are zero", async () => {
  const [busy, other, idle] = [await newOwner(), await newOwner(), await newOwner()];
  const reviewedAfter = async (owner: Owner, ...waits: number[]) => {
    const { campaign, taskId } = await newQuest(owner);
    for (const seconds of waits) {
      const { id } = await unwrap(submitProof(await newMember(), taskId));
      const review =
        'update public.submissions set reviewed_at = submitted_at + make_interval(secs => $2) where id = $1';
      await sql().query(review, [id, seconds]);
    }
    return () => owner.client.rpc('get_campaign_performance_stats', { p_campaign_id: campaign.id });
  };
  const figures = await reviewedAfter(busy, 100, 300);
  await reviewedAfter(other, 5_000);
  expect(await unwrap(figures())).toMatchObject({ median_review_seconds: 200, completion_rate: 100 });
  const none = await reviewedAfter(idle);
  expect(await unwrap(none())).toMatchObject({ median_review_seconds: null, completion_rate: 0, days: [] });
  const unknown = { p_campaign_id: randomUUID() };
  expect(await refusal(idle.client.rpc('get_campaign_performance_stats', unknown))).toMatchObject({
    status: 404,
    code: 'CAMPAIGN_NOT_FOUND',
  });
});

test("an owner's list counts a quest's proofs by their day in UTC, of the last fourteen days", async () => {
  await withinOneDay(20);
  const owner = await newOwner();
  const { campaign, taskId } = await newQuest(owner);
  const days = ["interval '0'", "interval '1 microsecond'", "interval '13 days'", "interval '13 days 1 microsecond'"];
  for (const before of days) {
    const { id } = await unwrap(submitProof(await newMember(), taskId));
    const moved = `update public.submissions set submitted_at = date_trunc('day', now(), 'UTC') - ${before} where id = $1`;
    await sql().query(moved, [id]);
  }
  const [row] = await unwrap(owner.client.rpc('list_own_quests'));
  expect(row).toMatchObject({
    ...{ id: campaign.id, daily_submissions: [1, ...Array(11).fill(0), 1, 1] },
    ...{ email_count: 0, points_distributed: 40, reserved_points: 10 },
  });
});

test('the twenty quests completed last are listed, latest first; those only begun are counted as attempted', async () => {
  const member = await newMember();
  const done: string[] = [];
  await withSettings({ submissions_per_minute: 30 }, async () => {
    for (let number = 1; number <= 21; number += 1) {
      const { taskId } = await newQuest(await newOwner(), { campaign: { title: `Number ${number}` } });
      const { id } = await unwrap(submitProof(member, taskId));
      // Decided in another order than submitted.
      const moved = 'update public.submissions set reviewed_at = now() - make_interval(hours => $2) where id = $1';
      await sql().query(moved, [id, number]);
      done.push(`Number ${number}`);
    }
  });
  const begun = await newQuest(await newOwner(), { campaign: { title: 'Only begun' } });
  await withSettings({ beta_mode: false, submissions_per_minute: 30 }, () => unwrap(submitProof(member, begun.taskId)));
  const { rows } = await sql().query('select private.quest_completion($1) as found', [member.id]);
  const { quest_details, ...counts } = rows[0].found;
  expect(counts).toEqual({
    has_completed_quests: true,
    completed_quests_count: 21,
    total_quests_attempted: 22,
    can_create_campaigns: true,
  });
  expect(quest_details.map((row: { campaign_title: string }) => row.campaign_title)).toEqual(done.slice(0, 20));
  const other = await newMember();
  await withSettings({ beta_mode: false }, () => unwrap(submitProof(other, begun.taskId)));
  const none = await sql().query('select private.quest_completion($1) as found', [other.id]);
  expect(none.rows[0].found).toMatchObject({
    has_completed_quests: false,
    can_create_campaigns: false,
    quest_details: [],
  });
});

test('DB-23 a rejected proof adds neither points nor time to a completed quest; its task can be done again, its slot is kept', () =>
  withSettings({ beta_mode: false }, async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { campaign, tasks } = await newQuest(owner, { task: { max_completions: 2 } });
    const second = { title: 'Tell others', instructions_md: 'Tell.', reward_points: 20, max_completions: 2 };
    const saved = { title: campaign.title, summary: campaign.summary, budget_points: 60 };
    const quest = { p_campaign_id: campaign.id, p_campaign: saved, p_tasks: [...tasks, second] };
    await unwrap(owner.client.rpc('update_campaign', quest));
    const figures = async () => {
      const stats = await unwrap(owner.client.rpc('get_campaign_performance_stats', { p_campaign_id: campaign.id }));
      return (stats as { tasks: { task_id: string; rejected: number; remaining_slots: number }[] }).tasks;
    };
    const [done = '', failed = ''] = (await figures()).map(({ task_id }) => task_id);
    const decide = async (taskId: string, decision: object) => {
      const { id } = await unwrap(submitProof(member, taskId));
      return unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve', ...decision }));
    };
    const approved = await decide(done, {});
    await decide(failed, { p_decision: 'reject', p_reason: 'incomplete' });
    const { rows } = await sql().query("select private.quest_completion($1) -> 'quest_details' as details", [
      member.id,
    ]);
    expect(rows[0].details).toMatchObject([{ reward_points: 10, completed_at: approved.reviewed_at }]);
    expect(await figures()).toMatchObject([
      { task_id: done, rejected: 0, remaining_slots: 1 },
      { task_id: failed, rejected: 1, remaining_slots: 1 },
    ]);
    const args = { p_user_id: member.id, p_limit: 100 };
    const offered = await unwrap(member.client.rpc('get_available_quests_for_new_user', args));
    expect(offered.filter((row) => row.campaign_id === campaign.id).map((row) => row.task_id)).toEqual([failed]);
  }));

test('QNEW-05 somebody who has not signed in here yet counts as a member', async () => {
  const id = `user_new_${randomUUID()}`;
  const eligibility = await unwrap((await asUser(id)).rpc('validate_campaign_creation_eligibility', { p_user_id: id }));
  expect(eligibility).toMatchObject({ user_role: 'community', is_eligible: false });
});
