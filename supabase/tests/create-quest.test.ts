import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const TASK = { title: 'Try it', type: 'signup', instructions_md: 'Do it', reward_points: 10, max_completions: 5 };

const create = (who: Member, startupId: string, campaign: Record<string, Json> = {}, task: Record<string, Json> = {}) =>
  who.client.rpc('create_quest', {
    p_startup_id: startupId,
    p_campaign: { title: 'A quest', ...campaign },
    p_task: { ...TASK, ...task },
  });

async function subscribe(owner: Owner): Promise<void> {
  await sql().query(
    "insert into public.subscriptions (startup_id, owner_user_id, plan_id, payment_ref, amount_cents) values ($1, $2, 'og_lifetime', $3, 9900)",
    [owner.startup.id, owner.id, `pay_${randomUUID()}`],
  );
}

describe('create_quest', () => {
  test('QNEW-19 RULE-09 C-01 creates quest and task, publishes, and moves the points into the reserve', async () => {
    const owner = await newOwner();
    const { campaign, tasks } = await newQuest(owner, {
      campaign: { custom_reward_title: 'Mug', custom_reward_description: 'A mug', collect_emails: true },
      task: { reward_points: 20, max_completions: 25, auto_verify: true },
    });
    expect(campaign).toMatchObject({
      startup_id: owner.startup.id,
      status: 'published',
      budget_points: 500,
      custom_reward_title: 'Mug',
      collect_emails: true,
      task_count: 1,
      total_slots: 25,
      open_reward_points: 20,
    });
    expect(campaign.published_at).not.toBeNull();
    expect(tasks).toMatchObject([{ reward_points: 20, max_completions: 25, order_index: 0, auto_verify: true }]);
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 500 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('QNEW-14 QNEW-15 QNEW-16 QNEW-17 refuses bad input with the exact sentence and changes nothing', async () => {
    const owner = await newOwner();
    const long = 'This text is too long';
    const cases: [Record<string, Json>, Record<string, Json>, string, string][] = [
      [{ title: ' ' }, {}, 'QUEST_TITLE_REQUIRED', 'Please enter a quest title'],
      [{ title: null }, {}, 'QUEST_TITLE_REQUIRED', 'Please enter a quest title'],
      [{ title: 'x'.repeat(2001) }, {}, 'TEXT_TOO_LONG', long],
      [{ summary: 'x'.repeat(2001) }, {}, 'TEXT_TOO_LONG', long],
      [{ details_md: 'x'.repeat(10001) }, {}, 'TEXT_TOO_LONG', long],
      [{ custom_reward_title: '' }, {}, 'CUSTOM_REWARD_TITLE_REQUIRED', 'Please enter a custom reward title'],
      [
        { custom_reward_title: 'Mug' },
        {},
        'CUSTOM_REWARD_DESCRIPTION_REQUIRED',
        'Please enter a custom reward description',
      ],
      [{}, { title: 'x'.repeat(2001) }, 'TEXT_TOO_LONG', long],
      [{}, { instructions_md: '' }, 'TASK_INSTRUCTIONS_REQUIRED', 'Please enter instructions for Task 1.'],
      [{}, { type: 'mine' }, 'INVALID_TASK', 'Unknown task or proof type'],
      [{}, { proof_type: "link'; --" }, 'INVALID_TASK', 'Unknown task or proof type'],
    ];
    for (const points of [null, 0, -5, '', 'ten', 1e300, [], {}]) {
      cases.push([{}, { reward_points: points }, 'REWARD_MIN', 'Please enter a valid reward amount (minimum 1 point)']);
    }
    for (const max of [null, 0, -1, 'many', 2 ** 40]) {
      cases.push([
        {},
        { max_completions: max },
        'PARTICIPANTS_MIN',
        'Please enter a valid number of participants (minimum 1)',
      ]);
    }
    cases.push([{}, { max_completions: 1001 }, 'PARTICIPANTS_MAX', 'Please enter at most 1000 participants']);
    cases.push([{}, { reward_points: 501 }, 'REWARD_MAX', 'Beta limit: maximum 500 points per quest']);
    await changesNothing(async () => {
      for (const [campaign, task, code, message] of cases) {
        const got = await refusal(create(owner, owner.startup.id, campaign, task));
        expect(got, JSON.stringify([campaign, task]).slice(0, 200)).toEqual({ status: 400, code, message });
      }
    });
  });

  test('QNEW-15 C-36 a custom reward alone stores 0 points and needs none', async () => {
    const owner = await newOwner();
    const custom = { custom_reward_title: '<b>Mug</b>', custom_reward_description: "'; drop table x; --" };
    const quest = await unwrap(create(owner, owner.startup.id, custom, { reward_points: 0 }));
    expect(quest).toMatchObject({ budget_points: 0, custom_reward_title: '<b>Mug</b>' });
    expect(await projectPoints(owner.startup.id, quest.id)).toEqual({ free: 500, reserved: 0 });
  });

  test('QNEW-15 QNEW-16 from one point for one participant to all of the trial, and a thousand participants', async () => {
    const mug = { custom_reward_title: 'Mug', custom_reward_description: 'A mug' };
    for (const [campaign, reward_points, max_completions] of [
      [{}, 1, 1],
      [{}, 500, 1],
      [mug, 0, 1000],
    ] as const) {
      const owner = await newOwner();
      const quest = await unwrap(create(owner, owner.startup.id, campaign, { reward_points, max_completions }));
      expect(quest).toMatchObject({ total_slots: max_completions, collect_emails: false });
      const task = owner.client.from('tasks').select('reward_points, requires_proof').eq('campaign_id', quest.id);
      // A proof is asked for unless the owner says otherwise.
      expect(await unwrap(task.single())).toEqual({ reward_points, requires_proof: true });
    }
  });

  test('SEC-09 SEC-13 only the owner of the project: not strangers, other owners, admins, visitors or suspended owners', async () => {
    const [owner, other, stranger, admin] = [await newOwner(), await newOwner(), await newMember(), await newAdmin()];
    await changesNothing(async () => {
      for (const who of [other, stranger, admin]) {
        expect(await refusal(create(who, owner.startup.id))).toEqual(FORBIDDEN);
      }
      expect(
        await refusal(asAnon().rpc('create_quest', { p_startup_id: owner.startup.id, p_campaign: {}, p_task: {} })),
      ).toMatchObject({ status: 401 });
      const missing = randomUUID();
      expect(await refusal(create(owner, missing))).toEqual({
        status: 404,
        code: 'STARTUP_ID_NOT_FOUND',
        message: `Startup with ID ${missing} not found`,
      });
    });
    await suspend(owner);
    expect(await changesNothing(() => refusal(create(owner, owner.startup.id)))).toEqual(SUSPENDED);
  });

  test('SEC-12 an unverified project creates no quest', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newOwner();
      expect(await changesNothing(() => refusal(create(owner, owner.startup.id)))).toEqual({
        status: 403,
        code: 'STARTUP_NOT_VERIFIED',
        message: 'Your project must be verified before you can create quests.',
      });
    }));
});

describe('trial limits', () => {
  const QUEST_LIMIT = {
    status: 409,
    code: 'QUEST_LIMIT',
    message:
      'Beta limit reached: You can only create 1 quest during the beta period. Please wait for the full launch to create more quests.',
  };

  const TRIAL_QUEST_LIMIT = {
    status: 409,
    code: 'TRIAL_QUEST_LIMIT',
    message: 'Your trial has room for 1 quest, drafts included.',
  };

  test.each([
    [true, 'create 2 quests during the beta'],
    [false, 'room for 2 quests, drafts'],
  ])('RULE-04 C-23 the refusal says how many quests there may be, with beta mode %s', (beta_mode, words) =>
    withSettings({ beta_mode, trial_quest_limit: 2 }, async () => {
      const owner = await newVerifiedOwner();
      for (let count = 0; count < 2; count += 1) await newQuest(owner);
      expect((await refusal(create(owner, owner.startup.id))).message).toContain(words);
    }),
  );

  test('RULE-04 C-23 a second quest is refused, whatever the status of the first; deleting frees the slot', async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect(await changesNothing(() => refusal(create(owner, owner.startup.id)))).toEqual(QUEST_LIMIT);
    await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id });
    expect((await create(owner, owner.startup.id)).error).toBeNull();
  });

  test('RULE-04 RULE-05 ten concurrent creations make one quest', async () => {
    const owner = await newOwner();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(owner, owner.startup.id)));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
    for (const answer of answers.filter(({ error }) => error)) {
      expect({ status: answer.status, code: answer.error?.hint, message: answer.error?.message }).toEqual(QUEST_LIMIT);
    }
    expect(await ledgerProblems()).toEqual([]);
  });

  test('RULE-05 QNEW-17 the server keeps the sum of budgets within 500', () =>
    withSettings({ trial_quest_limit: 3 }, async () => {
      const owner = await newOwner();
      const over = { status: 409, code: 'BUDGET_LIMIT', message: 'Total budget exceeds trial limit of 500 points' };
      expect(await refusal(create(owner, owner.startup.id, {}, { reward_points: 25, max_completions: 21 }))).toEqual(
        over,
      );
      await unwrap(create(owner, owner.startup.id, {}, { reward_points: 30, max_completions: 10 }));
      expect(await refusal(create(owner, owner.startup.id, {}, { reward_points: 201, max_completions: 1 }))).toEqual(
        over,
      );
      await unwrap(create(owner, owner.startup.id, {}, { reward_points: 200, max_completions: 1 }));
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('RULE-18 C-22 C-03 after beta an active og_lifetime plan lifts the limits; in beta it changes nothing', async () => {
    const owner = await newVerifiedOwner();
    await subscribe(owner);
    await unwrap(create(owner, owner.startup.id));
    expect(await refusal(create(owner, owner.startup.id))).toEqual(QUEST_LIMIT);
    await withSettings({ beta_mode: false }, async () => {
      await unwrap(create(owner, owner.startup.id));
      await sql().query('select public.credit_points_safe($1, 1, $2)', [owner.id, 'unrelated']);
      // Points are still needed: 500 - 50 - 50 are left; the one that the owner has as a member does not count.
      expect(await refusal(create(owner, owner.startup.id, {}, { reward_points: 401, max_completions: 1 }))).toEqual({
        status: 409,
        code: 'INSUFFICIENT_POINTS',
        message: 'Insufficient points balance',
      });
      for (const points of [1001, 2_147_483_647]) {
        expect(
          await refusal(create(owner, owner.startup.id, {}, { reward_points: points, max_completions: 1000 })),
        ).toEqual({ status: 400, code: 'TASK_POINTS_RANGE', message: 'Points must be between 0 and 1000' });
      }
      await sql().query("update public.subscriptions set status = 'refunded' where startup_id = $1", [
        owner.startup.id,
      ]);
      expect(await refusal(create(owner, owner.startup.id))).toEqual(TRIAL_QUEST_LIMIT);
    });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-69 C-22 after the beta a refusal speaks of the trial', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      expect(await refusal(create(owner, owner.startup.id, {}, { reward_points: 501, max_completions: 1 }))).toEqual({
        status: 400,
        code: 'TRIAL_REWARD_MAX',
        message: 'Your trial allows at most 500 points per quest',
      });
      const { campaign } = await newQuest(owner, { task: { reward_points: 500, max_completions: 1 } });
      expect(await refusal(create(owner, owner.startup.id))).toEqual(TRIAL_QUEST_LIMIT);
      expect(await refusal(owner.client.rpc('duplicate_campaign', { p_campaign_id: campaign.id }))).toEqual(
        TRIAL_QUEST_LIMIT,
      );
    }));
});
