import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
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
import { creditPurchase, newBuyer, newPayment } from './support/purchases.ts';
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
      'a completion code',
      200,
      async () => {
        const { taskId } = await newQuest(await newOwner(), { task: { verification: 'code', shared_code: 'LANTERN' } });
        const { client } = await newMember();
        return (p_code) => client.rpc('submit_completion_code', { p_task_id: taskId, p_code });
      },
    ],
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

describe('the longest text of another kind that is taken', () => {
  test.each<[string, number, string, () => Promise<(text: string) => Call>]>([
    ['a search', 100, 'SEARCH_TOO_LONG', async () => (p_search) => asAnon().rpc('list_published_quests', { p_search })],
    [
      'an idempotency key',
      100,
      'INVALID_IDEMPOTENCY_KEY',
      async () => {
        const [member, reward] = [await newMemberWithPoints(100), await newReward()];
        return (p_idempotency_key) =>
          member.client.rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key });
      },
    ],
    [
      'a rating of a project',
      2000,
      'FEEDBACK_TOO_LONG',
      async () => {
        const [{ startup }, { client }] = [await newOwner(), await newMember()];
        return (p_feedback_text) =>
          client.rpc('submit_project_feedback', { p_project_id: startup.id, p_rating: 4, p_feedback_text });
      },
    ],
    [
      'a code of a reward',
      200,
      'INVALID_CODE',
      async () => {
        const [{ client }, reward] = [await newAdmin(), await newReward({ delivery: 'code' })];
        return (code) => client.rpc('add_reward_codes', { p_reward_id: reward, p_codes: [code] });
      },
    ],
  ])('%s: %i characters', async (_, most, code, prepare) => {
    const call = await prepare();
    expect(await refusal(call('x'.repeat(most + 1)))).toMatchObject({ status: 400, code });
    expect((await call('x'.repeat(most))).error).toBeNull();
  });
});

describe('the longest text that is kept of what is cut', () => {
  const LONG = 'x'.repeat(600);

  test('120 characters of a name, 80 of a username and of the name in a welcome', async () => {
    const { client, id } = await newMember(LONG.slice(0, 60), {
      name: LONG,
      email: `${LONG.slice(0, 100)}@example.com`,
    });
    const profile = await unwrap(client.from('user_profiles').select('username, display_name').single());
    expect([profile.username.length, profile.display_name?.length]).toEqual([80, 120]);
    const welcome = { p_user_id: id, p_first_name: LONG, p_is_startup: false };
    const { rows } = await sql().query(
      "select length(payload ->> 'first_name') as length from public.outbox_events where id = $1",
      [await unwrap(asService().rpc('request_welcome_email', welcome))],
    );
    expect(rows).toEqual([{ length: 80 }]);
  });

  test("200 characters of a copy's title, 500 of why a quest collects addresses, and 500 of what a transfer is about", async () => {
    const { owner } = await newBuyer();
    const { campaign } = await newQuest(owner, {
      campaign: { title: LONG.slice(0, 200), collect_emails: true, email_collection_purpose: LONG },
    });
    expect(campaign.email_collection_purpose).toHaveLength(500);
    const copy = await unwrap(owner.client.rpc('duplicate_campaign', { p_campaign_id: campaign.id }));
    expect(copy.title).toBe(`Copy of ${LONG}`.slice(0, 200));
    const { rows: posted } = await sql().query(
      "select private.transfer(null, w.id, 5, 'adjustment', $2) as id from public.wallets w where w.startup_id = $1",
      [owner.startup.id, LONG],
    );
    const { rows } = await sql().query('select length(description) as length from public.transfers where id = $1', [
      posted[0].id,
    ]);
    expect(rows).toEqual([{ length: 500 }]);
  });

  test('200 characters of the page that a content security report names', async () => {
    const report = { p_address: '203.0.113.9', p_directive: 'img-src', p_blocked: 'inline', p_page: LONG };
    await unwrap(asService().rpc('record_csp_report', report));
    const { rows } = await sql().query(
      "select length(page) as length from private.csp_reports where directive = 'img-src'",
    );
    expect(rows).toEqual([{ length: 200 }]);
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
      'codes of a reward at a time',
      [1, 1000],
      'CODES_RANGE',
      async () => {
        const [{ client }, reward] = [await newAdmin(), await newReward({ delivery: 'code' })];
        return (count) =>
          client.rpc('add_reward_codes', {
            p_reward_id: reward,
            p_codes: Array.from({ length: count }, () => randomUUID()),
          });
      },
    ],
    [
      'points of a purchase',
      [1, 1_000_000],
      'INVALID_POINTS',
      async () => {
        const owner = await newOwner();
        return (p_points) => creditPurchase(owner, newPayment(), { p_points });
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

  test('1,000 points for a task, for those who have bought that many', async () => {
    const { owner } = await newBuyer();
    const create = (reward_points: number) => createQuest(owner, {}, { reward_points, max_completions: 1 });
    expect(await refusal(create(1001))).toMatchObject({ status: 400, code: 'TASK_POINTS_RANGE' });
    expect((await create(1000)).error).toBeNull();
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
