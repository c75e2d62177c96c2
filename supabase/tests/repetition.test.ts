import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { changesNothing, rawCall } from './support/raw.ts';
import { newReward } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const questArguments = ({ startup }: Owner, key?: string) => ({
  p_startup_id: startup.id,
  p_campaign: { title: 'Try our app' },
  p_task: { title: 'Try it', instructions_md: 'Sign up.', reward_points: 10, max_completions: 5 },
  ...(key && { p_idempotency_key: key }),
});

describe('TRUST-20 a price that has changed since it was shown', () => {
  test('of a reward is refused with the new one, and nothing is paid; the price shown is paid', async () => {
    const [member, reward] = [
      await newMemberWithPoints(1000),
      await newReward({ points_cost: 700, stock_quantity: 5 }),
    ];
    const redeem = (expected: number, key: string = randomUUID()) =>
      rawCall(member, 'redeem_reward_safe', {
        p_reward_id: reward,
        p_idempotency_key: key,
        p_expected_cost: expected,
      });
    const answer = await changesNothing(() => redeem(10));
    expect(answer).toMatchObject({
      status: 409,
      hint: 'PRICE_CHANGED',
      message: 'This has changed since you looked: it is now 700 points.',
    });
    expect(JSON.parse((answer.body as { details: string }).details)).toEqual({ points: 700 });
    const key = randomUUID();
    const paid = await redeem(700, key);
    expect(paid.status).toBe(200);
    // Repeated after a price change: the first result, whatever it costs now.
    await sql().query('update public.rewards set points_cost = 5 where id = $1', [reward]);
    expect((await redeem(700, key)).body).toEqual(paid.body);
    expect(await walletOf(member.id)).toEqual({ points: 300, lifetime: 1000 });
  });

  test('while a reward is being redeemed is reported as such, not as "out of stock"', async () => {
    const [member, reward] = [await newMemberWithPoints(1000), await newReward({ points_cost: 10, stock_quantity: 5 })];
    const other = await sql().connect();
    try {
      await other.query('begin');
      await other.query('update public.rewards set points_cost = 11 where id = $1', [reward]);
      const redeeming = refusal(
        member.client.rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key: randomUUID() }),
      );
      // It has read the old price once it waits for the row lock.
      await untilWaiting();
      await other.query('commit');
      expect(await redeeming).toEqual({
        status: 409,
        code: 'PRICE_CHANGED',
        message: 'This has changed since you looked: it is now 11 points.',
      });
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect(await walletOf(member.id)).toEqual({ points: 1000, lifetime: 1000 });
  });

  test('neither is a reward that is withdrawn while it is being redeemed handed out', async () => {
    const [member, reward] = [await newMemberWithPoints(10), await newReward({ points_cost: 10, stock_quantity: 5 })];
    const other = await sql().connect();
    try {
      await other.query('begin');
      await other.query('update public.rewards set is_active = false where id = $1', [reward]);
      const redeeming = refusal(
        member.client.rpc('redeem_reward_safe', { p_reward_id: reward, p_idempotency_key: randomUUID() }),
      );
      await untilWaiting();
      await other.query('commit');
      expect(await redeeming).toMatchObject({ status: 404, code: 'REWARD_NOT_FOUND' });
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect((await walletOf(member.id)).points).toBe(10);
  });

  test('of a task is refused with the new one, and no slot is taken', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId } = await newQuest(owner);
    const submit = (expected: number) =>
      member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done', p_expected_reward: expected });
    expect(await changesNothing(() => refusal(submit(500)))).toEqual({
      status: 409,
      code: 'PRICE_CHANGED',
      message: 'This has changed since you looked: it is now 10 points.',
    });
    expect((await unwrap(submit(10))).reward_points).toBe(10);
  });

  test('of the plan is refused before a slot is held', async () => {
    const owner = await newOwner();
    const reserve = (cents: number) =>
      asService().rpc('reserve_checkout_slot', {
        p_user_id: owner.id,
        p_startup_id: owner.startup.id,
        p_plan_id: 'og_lifetime',
        p_expected_cents: cents,
      });
    expect(await changesNothing(() => refusal(reserve(4900)))).toEqual({
      status: 409,
      code: 'PRICE_CHANGED',
      message: 'This has changed since you looked: it is now $99.',
    });
    expect(await unwrap(reserve(9900))).toMatchObject({ price_cents: 9900 });
  });
});

describe('TRUST-21 C-99 an idempotency key', () => {
  test('creates one quest, also in twenty concurrent calls, and finds it again', () =>
    withSettings({ trial_quest_limit: 50 }, async () => {
      const [owner, key] = [await newOwner(), randomUUID()];
      const create = () => owner.client.rpc('create_quest', questArguments(owner, key));
      const find = (who: Member) => unwrap(who.client.rpc('get_quest_by_key', { p_idempotency_key: key }));
      expect(await find(owner)).toEqual([]);
      const made = await Promise.all(Array.from({ length: 20 }, () => unwrap(create())));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect((await find(owner)).map(({ id }) => id)).toEqual([made[0]?.id]);
      expect(await projectPoints(owner.startup.id, made[0]?.id)).toEqual({ free: 450, reserved: 50 });
      expect(await unwrap(owner.client.from('campaigns').select('id').eq('startup_id', owner.startup.id))).toHaveLength(
        1,
      );

      // The key is scoped to its owner: another owner's call finds nothing and creates a quest.
      const other = await newOwner();
      expect(await find(other)).toEqual([]);
      const theirs = await unwrap(other.client.rpc('create_quest', questArguments(other, key)));
      expect(theirs.id).not.toBe(made[0]?.id);
      expect((await unwrap(other.client.rpc('create_quest', questArguments(other, key)))).id).toBe(theirs.id);

      // Repeating the call does not restore a deleted quest.
      await owner.client.rpc('delete_campaign', { p_campaign_id: made[0]?.id ?? '' }).throwOnError();
      expect(await refusal(create())).toMatchObject({ status: 404, code: 'CAMPAIGN_NOT_FOUND' });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('copies one quest, finds it among others, and does not bring back a copy that was deleted', () =>
    withSettings({ trial_quest_limit: 50 }, async () => {
      const owner = await newOwner();
      // The same key for the original is another one.
      const original = await unwrap(owner.client.rpc('create_quest', questArguments(owner, 'key 2')));
      const copy = (p_idempotency_key = 'key 2') =>
        owner.client.rpc('duplicate_campaign', { p_campaign_id: original.id, p_idempotency_key });
      const first = await unwrap(copy('key 1'));
      const { id } = await unwrap(copy());
      expect((await unwrap(copy())).id).toBe(id);
      const find = { p_idempotency_key: 'key 1' };
      expect(await unwrap(owner.client.rpc('get_quest_by_key', find))).toMatchObject([{ id: first.id }]);
      await owner.client.rpc('delete_campaign', { p_campaign_id: id }).throwOnError();
      expect(await changesNothing(() => refusal(copy()))).toMatchObject({ status: 404, code: 'CAMPAIGN_NOT_FOUND' });
    }));

  test('is remembered for thirty days', () =>
    withSettings({ trial_quest_limit: 50 }, async () => {
      const [owner, key] = [await newOwner(), randomUUID()];
      const create = async () => (await unwrap(owner.client.rpc('create_quest', questArguments(owner, key)))).id;
      const letPass = (time: string) =>
        sql().query('update private.idempotency_keys set created_at = created_at - $2::interval where user_id = $1', [
          owner.id,
          time,
        ]);
      const first = await create();
      await letPass('29 days 23 hours');
      expect(await create()).toBe(first);
      await letPass('1 hour');
      expect(await create()).not.toBe(first);
    }));

  test('can be reused after a refused call; one that is too long is refused', async () => {
    const [owner, key] = [await newOwner(), 'x'.repeat(100)];
    const refused = { ...questArguments(owner, key), p_campaign: { title: '' } };
    expect(await refusal(owner.client.rpc('create_quest', refused))).toMatchObject({ code: 'QUEST_TITLE_REQUIRED' });
    expect((await unwrap(owner.client.rpc('create_quest', questArguments(owner, key)))).status).toBe('published');
    const long = questArguments(owner, `${key}x`);
    expect(await refusal(owner.client.rpc('create_quest', long))).toEqual({
      status: 400,
      code: 'INVALID_IDEMPOTENCY_KEY',
      message: 'An idempotency key has at most 100 characters',
    });
  });

  test('saves a quest once: a new task sent twice is one task, and its submissions remain', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { campaign } = await newQuest(owner);
    const save = () =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Saved', summary: 'S', budget_points: 500 },
        p_tasks: [{ title: 'New', type: 'visit', instructions_md: 'Look', reward_points: 10, max_completions: 10 }],
        p_idempotency_key: 'the-form',
      });
    await unwrap(save());
    const tasks = () => unwrap(owner.client.from('tasks').select('id').eq('campaign_id', campaign.id));
    const [task] = await tasks();
    await unwrap(member.client.rpc('submit_proof', { p_task_id: task?.id ?? '', p_text: 'Done' }));
    const before = await projectPoints(owner.startup.id, campaign.id);
    await unwrap(save());
    expect(await tasks()).toEqual([task]);
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual(before);
    expect(await unwrap(member.client.from('submissions').select('status'))).toEqual([{ status: 'approved' }]);
  });

  test('of a save is refused for another quest, instead of reporting it as saved', () =>
    withSettings({ trial_quest_limit: 2 }, async () => {
      const owner = await newOwner();
      const [one, other] = [await newQuest(owner), await newQuest(owner)];
      const save = ({ campaign, taskId }: Quest) =>
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: 'Saved', summary: 'S', budget_points: 50 },
          p_tasks: [
            { id: taskId, title: 'Try it', instructions_md: 'Sign up.', reward_points: 10, max_completions: 5 },
          ],
          p_idempotency_key: 'the-form',
        });
      await unwrap(save(one));
      expect(await changesNothing(() => refusal(save(other)))).toEqual({
        status: 409,
        code: 'QUEST_KEY_REUSED',
        message: 'This idempotency key was used for another quest',
      });
    }));
});

describe('TRUST-21 actions without a key are idempotent: repeating them changes nothing', () => {
  test('suspending or holding again for the same reason changes nothing and tells nobody; for another one it does', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { id } = (await newQuest(owner)).campaign;
    const suspendFor = (p_reason: string): Promise<object> =>
      unwrap(admin.client.rpc('suspend_user', { p_user_id: owner.id, p_reason }));
    const holdFor = (p_reason: string): Promise<object> =>
      unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: id, p_reason }));
    for (const act of [holdFor, suspendFor]) {
      const first = await act('Asks for passwords');
      expect(await changesNothing(() => act(' Asks for passwords '))).toEqual(first);
      expect(await act('Asks for passwords and money')).not.toEqual(first);
    }
  });

  async function pending() {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    const submission = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
    return { owner, member, campaign, taskId, submission };
  }
  /** An action that moves points or money, which can be called any number of times. */
  const ACTIONS: Record<string, () => Promise<() => PromiseLike<unknown>>> = {
    submit_proof: async () => {
      const [{ taskId }, member] = [await pending(), await newMember()];
      return () => member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' });
    },
    'review_submission, approve': async () => {
      const { owner, submission } = await pending();
      return () => owner.client.rpc('review_submission', { p_submission_id: submission.id, p_decision: 'approve' });
    },
    'review_submission, reject': async () => {
      const { owner, submission } = await pending();
      const call = { p_submission_id: submission.id, p_decision: 'reject', p_reason: 'incomplete' };
      return () => owner.client.rpc('review_submission', call);
    },
    reverse_submission: async () => {
      const { owner, submission } = await pending();
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: submission.id, p_decision: 'approve' }));
      const admin = await newAdmin();
      return () => admin.client.rpc('reverse_submission', { p_submission_id: submission.id, p_note: 'Copied' });
    },
    'set_redemption_status, cancelled': async () => {
      const [member, admin] = [await newMemberWithPoints(1000), await newAdmin()];
      const call = {
        p_reward_id: await newReward({ points_cost: 10, stock_quantity: 5 }),
        p_idempotency_key: randomUUID(),
      };
      const { id } = await unwrap(member.client.rpc('redeem_reward_safe', call));
      return () => admin.client.rpc('set_redemption_status', { p_redemption_id: id, p_status: 'cancelled' });
    },
    publish_campaign: async () => {
      const { owner, campaign } = await pending();
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      return () => owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id });
    },
    unpublish_campaign: async () => {
      const { owner, campaign } = await pending();
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      return () => owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id });
    },
    close_campaign: async () => {
      const { owner, campaign } = await pending();
      return () => owner.client.rpc('close_campaign', { p_campaign_id: campaign.id });
    },
    'delete_campaign with waiting proofs': async () => {
      const { owner, campaign } = await pending();
      return () => owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id, p_approve_waiting: true });
    },
  };

  test.each(Object.entries(ACTIONS))('%s', (_, prepare) =>
    withSettings({ beta_mode: false }, async () => {
      const send = await prepare();
      const before = await fingerprintOfPoints();
      await send();
      const after = await fingerprintOfPoints();
      expect(after).not.toEqual(before);
      await Promise.all(Array.from({ length: 5 }, send));
      expect(await fingerprintOfPoints()).toEqual(after);
    }),
  );

  test('reserve_checkout_slot: one hold, for the latest page', async () => {
    const owner = await newOwner();
    const call = { p_user_id: owner.id, p_startup_id: owner.startup.id, p_plan_id: 'og_lifetime' };
    await Promise.all(Array.from({ length: 5 }, () => unwrap(asService().rpc('reserve_checkout_slot', call))));
    const { rows } = await sql().query('select 1 from private.checkout_holds where owner_user_id = $1', [owner.id]);
    expect(rows).toHaveLength(1);
  });
});

/** Everything that records who has how many points, and what was decided. */
async function fingerprintOfPoints(): Promise<unknown> {
  const { rows } = await sql().query(`
    select (select count(*) from public.transfers), (select count(*) from public.submission_history),
      (select md5(string_agg(w.id::text || w.points, ',' order by w.id)) from public.wallets w) as wallets,
      (select md5(string_agg(c.id::text || c.status || c.pending_count || c.approved_count, ',' order by c.id)) from public.campaigns c) as quests,
      (select md5(string_agg(s.id::text || s.status, ',' order by s.id)) from public.submissions s) as submissions,
      (select md5(string_agg(r.id::text || r.status, ',' order by r.id)) from public.redemptions r) as redemptions`);
  return rows[0];
}
