import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { newMember, newOwner, newQuest, type Owner, refusal, submitProof, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

test('DB-23 only tasks with a free slot of published quests that have begun and not ended are offered before the first quest', async () => {
  const [member, earlier] = [await newMember(), await newMember()];
  const changed = async (change: string) => {
    const { campaign, taskId } = await newQuest(await newOwner());
    await sql().query(`update public.campaigns set ${change} where id = $1`, [campaign.id]);
    return taskId;
  };
  const begun = async (max_completions: number) => {
    const { taskId } = await newQuest(await newOwner(), { task: { max_completions } });
    await unwrap(submitProof(earlier, taskId));
    return taskId;
  };
  const offered = [
    await changed("starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'"),
    await begun(2),
  ];
  const left = [
    await changed("starts_at = now() + interval '1 hour'"),
    await changed("ends_at = now() - interval '1 hour'"),
    await begun(1),
  ];
  const owner = await newOwner();
  const { campaign, taskId } = await newQuest(owner);
  await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
  left.push(taskId);
  const args = { p_user_id: member.id, p_limit: 100 };
  const ids = (await unwrap(member.client.rpc('get_available_quests_for_new_user', args))).map((row) => row.task_id);
  expect(offered.filter((id) => !ids.includes(id))).toEqual([]);
  expect(left.filter((id) => ids.includes(id))).toEqual([]);
});

test("DB-26 a quest's figures are its own, and those of one without proofs are zero", async () => {
  const [busy, other, idle] = [await newOwner(), await newOwner(), await newOwner()];
  const member = await newMember();
  const reviewedAfter = async (owner: Owner, seconds?: number) => {
    const { campaign, taskId } = await newQuest(owner);
    if (seconds !== undefined) {
      const { id } = await unwrap(submitProof(member, taskId));
      const review =
        'update public.submissions set reviewed_at = submitted_at + make_interval(secs => $2) where id = $1';
      await sql().query(review, [id, seconds]);
    }
    return () => owner.client.rpc('get_campaign_performance_stats', { p_campaign_id: campaign.id });
  };
  const figures = await reviewedAfter(busy, 100);
  await reviewedAfter(other, 5_000);
  expect(await unwrap(figures())).toMatchObject({ median_review_seconds: 100, completion_rate: 100 });
  const none = await reviewedAfter(idle);
  expect(await unwrap(none())).toMatchObject({ median_review_seconds: null, completion_rate: 0, days: [] });
  const unknown = { p_campaign_id: randomUUID() };
  expect(await refusal(idle.client.rpc('get_campaign_performance_stats', unknown))).toMatchObject({
    status: 404,
    code: 'CAMPAIGN_NOT_FOUND',
  });
});
