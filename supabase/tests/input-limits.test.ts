import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  newQuest,
  type Owner,
  refusal,
  suspend,
  unwrap,
} from './support/factories.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

type Call = Parameters<typeof refusal>[0];

const TOO_LONG = { status: 400, code: 'TEXT_TOO_LONG', message: 'This text is too long' };
const CUSTOM = { custom_reward_title: 'Mug', custom_reward_description: 'A mug' };
const ADDRESS = { name: 'Robin Reed', street: '1 Lantern Street', city: 'Brookhaven', country: 'IE' };

const createQuest = ({ client, startup }: Owner, campaign: object, task: object) =>
  client.rpc('create_quest', {
    p_startup_id: startup.id,
    p_campaign: { title: 'Quest', ...campaign },
    p_task: { title: 'Task', instructions_md: 'Try it.', reward_points: 10, max_completions: 5, ...task },
  });

/** An owner's edits of one draft without proofs, which may be repeated. */
async function editing(): Promise<(campaign: object, task?: object) => Call> {
  const owner = await newOwner();
  const { campaign, taskId } = await newQuest(owner);
  return (values, task = {}) =>
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title: 'Quest', summary: 'Try it', budget_points: 50, ...values },
      p_tasks: [
        { id: taskId, title: 'Task', instructions_md: 'Try it.', reward_points: 10, max_completions: 5, ...task },
      ],
    });
}

/** What prepares a call that takes any text, and may be repeated. */
const creating = (values: (text: string) => [campaign: object, task?: object]) => async () => {
  const owner = await newOwner();
  return (text: string) => {
    const [campaign, task = {}] = values(text);
    return createQuest(owner, campaign, task);
  };
};
const editingTo = (values: (text: string) => [campaign: object, task?: object]) => async () => {
  const edit = await editing();
  return (text: string) => edit(...values(text));
};
const savingReward = (values: (text: string) => Record<string, Json>) => async () => {
  const { client } = await newAdmin();
  return (text: string) => client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 30, ...values(text) } });
};
const sendingTo = (field: string) => async () => {
  const [member, reward] = [await newMemberWithPoints(100), await newReward({ delivery: 'post' })];
  return (text: string) => redeem(member, reward, { ...ADDRESS, [field]: text });
};

describe('the longest text that is taken', () => {
  test.each<[string, number, () => Promise<(text: string) => Call>]>([
    ["a new quest's title", 200, creating((title) => [{ title }])],
    ["a new quest's summary", 500, creating((summary) => [{ summary }])],
    ["a new quest's details", 10_000, creating((details_md) => [{ details_md }])],
    ['the title of its own reward', 200, creating((title) => [{ ...CUSTOM, custom_reward_title: title }])],
    ['the description of its own reward', 2000, creating((text) => [{ ...CUSTOM, custom_reward_description: text }])],
    ["a new task's title", 200, creating((title) => [{}, { title }])],
    ["a new task's instructions", 5000, creating((instructions_md) => [{}, { instructions_md }])],
    ["an edited quest's title", 200, editingTo((title) => [{ title }])],
    ["an edited quest's summary", 500, editingTo((summary) => [{ summary }])],
    ["an edited quest's details", 10_000, editingTo((details_md) => [{ details_md }])],
    ["an edited task's title", 200, editingTo((title) => [{}, { title }])],
    ["an edited task's instructions", 5000, editingTo((instructions_md) => [{}, { instructions_md }])],
    ["a reward's title", 200, savingReward((title) => ({ title }))],
    ["a reward's description", 2000, savingReward((description) => ({ description }))],
    ['the name on a parcel', 120, sendingTo('name')],
    ['the street of a parcel', 200, sendingTo('street')],
    ['the second line of a parcel', 200, sendingTo('extra')],
    ['the postal code of a parcel', 20, sendingTo('postal_code')],
    ['the city of a parcel', 120, sendingTo('city')],
    ['the region of a parcel', 120, sendingTo('region')],
    [
      'an appeal',
      2000,
      async () => {
        const { client } = await suspend(await newMember());
        return (words) => client.rpc('submit_appeal', { p_kind: 'suspension', p_words: words });
      },
    ],
    [
      'the reason of a correction',
      400,
      async () => {
        const [{ client }, member] = [await newAdmin(), await newMember()];
        const wallet = (await unwrap(member.client.from('wallets').select('id').single())).id;
        return (p_reason) =>
          client.rpc('adjust_points', {
            p_wallet_id: wallet,
            p_points: 5,
            p_reason,
            p_idempotency_key: randomUUID(),
          });
      },
    ],
    [
      'feedback',
      5000,
      async () => (p_description) => asAnon().rpc('submit_beta_feedback', { p_type: 'bug', p_description }),
    ],
    [
      "feedback's title",
      200,
      async () => (p_title) =>
        asAnon().rpc('submit_beta_feedback', { p_type: 'bug', p_description: randomUUID(), p_title }),
    ],
    [
      "an admin's notes about feedback",
      2000,
      async () => {
        const { client } = await newAdmin();
        const report = { p_type: 'bug', p_description: randomUUID() };
        const p_feedback_id = await unwrap(asAnon().rpc('submit_beta_feedback', report));
        return (p_admin_notes) =>
          client.rpc('update_beta_feedback', { p_feedback_id, p_status: 'reviewed', p_admin_notes });
      },
    ],
  ])('%s: %i characters', async (_, most, prepare) => {
    const call = await prepare();
    expect(await refusal(call('x'.repeat(most + 1)))).toEqual(TOO_LONG);
    expect((await call('x'.repeat(most))).error).toBeNull();
  });
});

describe('the least and the most that is taken', () => {
  test.each<[string, [number, number], string, () => Promise<(value: number) => Call>]>([
    [
      'hours for a review',
      [24, 504],
      'REVIEW_TIME_RANGE',
      async () => {
        const edit = await editing();
        return (review_hours) => edit({ review_hours });
      },
    ],
    [
      "a reward's cost",
      [1, 10_000_000],
      'REWARD_COST_RANGE',
      async () => {
        const { client } = await newAdmin();
        return (points_cost) => client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost } });
      },
    ],
    [
      'days of a report',
      [1, 366],
      'INVALID_PERIOD',
      async () => {
        const { client } = await newAdmin();
        return (p_days) => client.rpc('get_platform_stats', { p_days });
      },
    ],
  ])('%s: %s', async (_, [least, most], code, prepare) => {
    const call = await prepare();
    for (const value of [least - 1, most + 1]) expect(await refusal(call(value))).toMatchObject({ status: 400, code });
    for (const value of [least, most]) expect((await call(value)).error, `${value}`).toBeNull();
  });

  test('200 ids, and 100 decisions', async () => {
    const [owner, ids] = [await newOwner(), (length: number) => Array.from({ length }, () => randomUUID())];
    const stats = (length: number) => asAnon().rpc('get_quest_completion_stats', { p_campaign_ids: ids(length) });
    expect((await stats(200)).error).toBeNull();
    expect(await refusal(stats(201))).toMatchObject({ status: 400, code: 'TOO_MANY_IDS' });
    const decide = (length: number) =>
      owner.client.rpc('review_submissions', { p_submission_ids: ids(length), p_decision: 'approve' });
    expect(await unwrap(decide(100))).toHaveLength(100);
    expect(await refusal(decide(101))).toMatchObject({ status: 400, code: 'TOO_MANY_DECISIONS' });
  });
});
