import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import { newMember, newOwner, newQuest, outsideBeta, refusal, submitProof, unwrap } from './support/factories.ts';
import { answerAfter, lockOf, waitsWith } from './support/locks.ts';
import { task, update } from './support/quest-updates.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

interface Terms {
  campaign?: Record<string, Json>;
  task?: Record<string, Json>;
}

/** A quest with these terms whose owner is saving others, and a member who sends a proof before that is committed. */
async function proofDuringEdit(before: Terms, after: Terms) {
  const [owner, member] = [await newOwner(), await newMember()];
  const quest = await newQuest(owner, before);
  const campaign = { title: 'Edited', summary: 'Better', budget_points: 500, ...after.campaign };
  const tasks = [task({ id: quest.taskId, reward_points: 10, ...before.task, ...after.task })];
  const during = <T>(second: () => PromiseLike<T>) =>
    answerAfter(
      owner,
      'update_campaign($1, $2, $3)',
      [quest.campaign.id, JSON.stringify(campaign), JSON.stringify(tasks)],
      second,
    );
  return { member, quest, during };
}

const ITSELF = { verification: 'automatic', requires_proof: false, proof_type: null };

test('nothing is paid by itself once the task asks for a code', async () => {
  const coded = { verification: 'code', shared_code: 'MAPLE42' };
  const { member, quest, during } = await proofDuringEdit({ task: ITSELF }, { task: coded });
  await outsideBeta(async () => {
    const answer = await during(() => refusal(submitProof(member, quest.taskId)));
    expect(answer).toMatchObject({ status: 409, code: 'WRONG_VERIFICATION' });
  });
});

test('nothing is paid by itself once the task asks for a proof that somebody looks at', async () => {
  const { member, quest, during } = await proofDuringEdit({ task: ITSELF }, { task: task({ verification: 'review' }) });
  await outsideBeta(async () => {
    const answer = await during(() => refusal(submitProof(member, quest.taskId)));
    expect(answer).toMatchObject({ status: 409, code: 'WRONG_VERIFICATION' });
  });
});

test('no proof counts before the start that was set meanwhile', async () => {
  const start = new Date(Date.now() + 86_400_000).toISOString();
  const { member, quest, during } = await proofDuringEdit({}, { campaign: { starts_at: start } });
  const answer = await during(() => refusal(submitProof(member, quest.taskId)));
  expect(answer).toMatchObject({ status: 409, code: 'QUEST_NOT_STARTED' });
});

test('a quest that has stopped collecting addresses gets none', async () => {
  const collecting = { collect_emails: true, email_collection_purpose: 'Beta invitations' };
  const { member, quest, during } = await proofDuringEdit(
    { campaign: collecting },
    { campaign: { collect_emails: false } },
  );
  const proof = { p_task_id: quest.taskId, p_text: 'done', p_email: member.email };
  await during(() => unwrap(member.client.rpc('submit_proof', proof)));
  const kept = 'select email from public.campaign_email_collections where campaign_id = $1';
  expect((await sql().query(kept, [quest.campaign.id])).rows).toEqual([]);
  const own = member.client.from('submissions').select('participant_email').eq('task_id', quest.taskId);
  expect(await unwrap(own)).toEqual([{ participant_email: null }]);
});

test('saving a quest locks the proofs that go with a task, then its tasks, then the quest, and nothing of what stays', async () => {
  const [owner, other, member] = [await newOwner(), await newOwner(), await newMember()];
  const [{ campaign, taskId: kept }, foreign] = [await newQuest(owner), await newQuest(other)];
  const changed = [task({ id: kept, reward_points: 10, max_completions: 5 })];
  await unwrap(update(owner, campaign.id, [...changed, task()]));
  const tasks = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', campaign.id).neq('id', kept));
  const proofTo = async (taskId: string) =>
    lockOf('public.submissions', (await unwrap(submitProof(member, taskId))).id);
  const [leaving, staying, elsewhere] = [
    await proofTo(tasks[0]?.id ?? ''),
    await proofTo(kept),
    await proofTo(foreign.taskId),
  ];
  const [itsTask, itself] = [lockOf('public.tasks', kept), lockOf('public.campaigns', campaign.id)];
  for (const [first, later] of [
    [leaving, itsTask],
    [itsTask, itself],
    [itself, staying],
    [itself, elsewhere],
    [itself, lockOf('public.tasks', foreign.taskId)],
  ] as const)
    await waitsWith(first, () => update(owner, campaign.id, changed), later);
});
