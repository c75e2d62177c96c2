import { describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  ledgerProblems,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  outsideBeta,
  refusal,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { ownedQuest, task, update } from './support/quest-updates.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('update_campaign: C-75 promised terms can only be improved', () => {
  const terms = {
    custom_reward_title: 'A mug',
    custom_reward_description: 'By post',
    collect_emails: true,
    email_collection_purpose: 'Beta invitations',
  };

  /** A quest with these terms; `submit` sends its first proof. */
  async function promised(values: Record<string, Json> = terms) {
    const quest = await ownedQuest();
    const member = await newMember();
    await unwrap(update(quest.owner, quest.id, [task({ id: quest.taskId })], values));
    const save = (changes: Record<string, Json>, of: Record<string, Json> = {}) =>
      update(quest.owner, quest.id, [task({ id: quest.taskId, ...of })], changes);
    const submit = () =>
      unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'done', p_email: member.email }));
    return { ...quest, save, submit };
  }

  test('before the first proof everything may change', async () => {
    const { owner, id, save } = await promised();
    const changed = { custom_reward_title: 'A pin', email_collection_purpose: 'Marketing' };
    expect(await unwrap(save(changed, { reward_points: 10 }))).toMatchObject(changed);
    expect(await unwrap(owner.client.from('tasks').select('reward_points').eq('campaign_id', id))).toEqual([
      { reward_points: 10 },
    ]);
  });

  test('the points of a task may be raised, not lowered, also of a task without proofs and of a draft', async () => {
    const { owner, id, taskId, submit } = await promised({});
    const both = [task({ id: taskId }), task({ title: 'Second' })];
    await unwrap(update(owner, id, both));
    const [, second] = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', id).order('order_index'));
    await submit();
    const save = (first: number, other: number) =>
      update(owner, id, [
        task({ id: taskId, reward_points: first }),
        task({ id: second?.id ?? '', reward_points: other }),
      ]);
    const promise = (place: number) => ({
      status: 409,
      code: 'REWARD_PROMISED',
      message: `Members have taken part for the 50 points of Task ${place}. You can raise them, not lower them.`,
    });
    expect(await changesNothing(() => refusal(save(49, 50)))).toEqual(promise(1));
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: id }));
    expect(await changesNothing(() => refusal(save(50, 49)))).toEqual(promise(2));
    await unwrap(save(51, 50));
    expect(await ledgerProblems()).toEqual([]);
  });

  test('the custom reward can be extended, but not changed or removed', async () => {
    const { save, submit } = await promised();
    await submit();
    const kept = 'Members have taken part for the custom reward. You can add to its words, not change or remove them.';
    const changes: Record<string, Json>[] = [
      { custom_reward_title: 'A pin' },
      { custom_reward_description: 'Fetch it' },
      { custom_reward_title: null, custom_reward_description: null },
    ];
    for (const change of changes) {
      expect(await changesNothing(() => refusal(save(change))), JSON.stringify(change)).toEqual({
        status: 409,
        code: 'CUSTOM_REWARD_PROMISED',
        message: kept,
      });
    }
    const longer = { custom_reward_title: 'A mug and a pin', custom_reward_description: 'By post, in a box' };
    expect(await unwrap(save(longer))).toMatchObject(longer);
  });

  test('a custom reward may be added for members who took part without one', async () => {
    const { save, submit } = await promised({});
    await submit();
    const added = { custom_reward_title: 'A mug', custom_reward_description: 'By post' };
    expect(await unwrap(save(added))).toMatchObject(added);
  });

  test('BEY-10 e-mail collection can be switched off, but neither repurposed nor switched on after proofs without it', async () => {
    const changed = {
      status: 409,
      code: 'EMAIL_PURPOSE_PROMISED',
      message:
        'Members have taken part. You can stop collecting e-mails, but not start, and not change what they are for.',
    };
    const { save, submit } = await promised();
    await submit();
    for (const email_collection_purpose of ['Marketing', null]) {
      expect(await changesNothing(() => refusal(save({ email_collection_purpose })))).toEqual(changed);
    }
    await unwrap(save({ collect_emails: false }));
    expect(await changesNothing(() => refusal(save({ collect_emails: true })))).toEqual(changed);
  });
});

test('C-75 more slots than a task may have by now may stay or become fewer, but not more', async () => {
  const { owner, id, taskId } = await ownedQuest();
  const mug = { custom_reward_title: 'A mug', custom_reward_description: 'By post' };
  const save = (max_completions: number) =>
    update(owner, id, [task({ id: taskId, reward_points: 0, max_completions })], mug);
  await unwrap(save(1));
  await sql().query('update public.tasks set max_completions = 2000 where id = $1', [taskId]);
  expect(await refusal(save(2001))).toMatchObject({
    code: 'TASK_COMPLETIONS_MAX',
    message: 'Must allow at most 2000 completions',
  });
  for (const slots of [2000, 1999]) expect((await unwrap(save(slots))).total_slots).toBe(slots);
});

test('BEY-23 a proof is judged by what its member has read: the admin of an appeal sees it, however often it is rewritten', () =>
  outsideBeta(async () => {
    const [owner, member, admin] = [await newVerifiedOwner(), await newMember(), await newAdmin()];
    const { campaign, taskId } = await newQuest(owner);
    await unwrap(update(owner, campaign.id, [task({ id: taskId }), task({ title: 'Another' })]));
    const tasks = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', campaign.id));
    const ask = (what: string) =>
      update(
        owner,
        campaign.id,
        tasks.map(({ id }) => task({ id, instructions_md: `Write ${what} about ${id}.` })),
      ).throwOnError();
    await ask('a line');
    const proofs = [];
    for (const { id } of tasks) proofs.push(await unwrap(submitProof(member, id)));
    await ask('a page');
    const late = await newMember();
    const second = await unwrap(submitProof(late, tasks[0]?.id ?? ''));
    for (const [who, { id }] of [...proofs.map((proof) => [member, proof] as const), [late, second] as const]) {
      const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', rejection));
      const appeal = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: id };
      await unwrap(who.client.rpc('submit_appeal', appeal));
    }
    await ask('a book');
    const open = await unwrap(admin.client.rpc('admin_list_appeals', { p_status: 'open' }));
    for (const { id, task_id } of [...proofs, second]) {
      expect(open.find(({ submission_id }) => submission_id === id)).toMatchObject({
        earlier_instructions_md: `Write ${id === second.id ? 'a page' : 'a line'} about ${task_id}.`,
        instructions_md: `Write a book about ${task_id}.`,
      });
    }
  }));
