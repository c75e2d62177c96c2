import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  grantPoints,
  type Member,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { type Lock, lockOf, waitsWith, walletOf } from './support/locks.ts';
import { newReward, redeem } from './support/rewards.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { uploadVerified } from './support/uploads.ts';

setUpDatabase();

// Deleting an account locks nearly everything of a person, in the global order (docs/data-model.md). As in lock-order.test.ts, each test
// holds a row that comes first, as another call would, and then asks for one that comes later.

const submit = (who: Member, taskId: string) =>
  unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
const leave = (who: Member) => () => asService().rpc('anonymise_user', { p_user_id: who.id });

test('C-98 deleting an account locks all proofs concerned, own and others’, before any wallet', () =>
  withSettings({ beta_mode: false }, async () => {
    const [leaving, other, member] = [await newVerifiedOwner(), await newVerifiedOwner(), await newMember()];
    const waiting = await submit(member, (await newQuest(leaving)).taskId);
    await submit(leaving, (await newQuest(other)).taskId);
    await waitsWith(
      lockOf('public.submissions', waiting.id),
      () => asService().rpc('anonymise_user', { p_user_id: leaving.id }),
      await walletOf('startup_id', other.startup.id),
    );
  }));

test('C-98 deleting an account locks its proofs and quests and those that wait for it, with their tasks, and no others', () =>
  withSettings({ beta_mode: false }, async () => {
    const [leaving, other, third] = [await newVerifiedOwner(), await newVerifiedOwner(), await newVerifiedOwner()];
    const [member, stranger] = [await newMember(), await newMember()];
    const [own, joined, foreign] = [await newQuest(leaving), await newQuest(other), await newQuest(third)];
    const fourth = await newVerifiedOwner();
    const appealable = await newQuest(fourth);
    const rejected = await submit(leaving, appealable.taskId);
    const rejection = { p_submission_id: rejected.id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(fourth.client.rpc('review_submission', rejection));
    for (const { id } of [leaving, member]) await sql().query('select private.ensure_user_wallet($1)', [id]);
    const [received, sent, unrelated] = [
      await submit(member, own.taskId),
      await submit(leaving, joined.taskId),
      await submit(stranger, foreign.taskId),
    ];
    const isLocked = async (table: string, id: string) =>
      (await sql().query(`select 1 from public.${table} where id = $1 for no key update skip locked`, [id]))
        .rowCount === 0;
    const walletIdOf = async (column: string, id: string) =>
      (await sql().query(`select id from public.wallets where ${column} = $1`, [id])).rows[0].id;
    await rolledBack(async (client) => {
      await client.query('select private.lock_for_leaving($1)', [leaving.id]);
      for (const [quest, proof] of [
        [own, received],
        [joined, sent],
        [appealable, rejected],
      ] as const) {
        expect(await isLocked('tasks', quest.taskId)).toBe(true);
        expect(await isLocked('campaigns', quest.campaign.id)).toBe(true);
        expect(await isLocked('submissions', proof.id)).toBe(true);
        expect(await isLocked('wallets', await walletIdOf('campaign_id', quest.campaign.id))).toBe(true);
      }
      for (const { id } of [leaving, member])
        expect(await isLocked('wallets', await walletIdOf('user_id', id))).toBe(true);
      expect(await isLocked('tasks', foreign.taskId)).toBe(false);
      expect(await isLocked('campaigns', foreign.campaign.id)).toBe(false);
      expect(await isLocked('submissions', unrelated.id)).toBe(false);
    });
  }));

test('C-59 deleting an account locks the pictures of the member, by which a submission begins, before the limits', async () => {
  const member = await newMember();
  const path = await uploadVerified(member, 'proofs');
  await submit(member, (await newQuest(await newOwner())).taskId);
  await waitsWith(['select 1 from private.verified_uploads where path = $1 for share', [path]], leave(member), [
    "select 1 from private.rate_limits where subject = 'user:' || $1 for update nowait",
    [member.id],
  ]);
});

test('RULE-11 deleting an account locks the limits of the member, by which a submission begins, before the wallet', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  await submit(member, (await newQuest(owner)).taskId);
  await waitsWith(
    ["select 1 from private.rate_limits where subject = 'user:' || $1 for update", [member.id]],
    leave(member),
    await walletOf('user_id', member.id),
  );
});

test('BEY-23 deleting an account locks an open appeal before its submission, as the decision about it does', () =>
  withSettings({ beta_mode: false }, async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { id } = await submit(member, (await newQuest(owner)).taskId);
    const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(owner.client.rpc('review_submission', rejection));
    const words = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: id };
    const appeal = await unwrap(member.client.rpc('submit_appeal', words));
    await waitsWith(lockOf('public.appeals', appeal.id), leave(member), lockOf('public.submissions', id));
  }));

test('C-93 deleting an account locks a redemption that waits before the wallet, as a decision about it does', async () => {
  const member = await newMember();
  await grantPoints(member, 100);
  const { id } = await unwrap(redeem(member, await newReward()));
  await waitsWith(lockOf('public.redemptions', id), leave(member), await walletOf('user_id', member.id));
});

const BEFORE_PROFILE: [what: string, requirement: string, prepare: (owner: Owner) => Promise<Lock>][] = [
  [
    'an appeal against a suspension',
    'TRUST-18',
    async (owner) => {
      const { client } = await suspend(owner);
      const appeal = { p_kind: 'suspension', p_words: 'It was somebody else' };
      return lockOf('public.appeals', (await unwrap(client.rpc('submit_appeal', appeal))).id);
    },
  ],
  ['the project', 'C-91', async ({ startup }) => lockOf('public.startup_profiles', startup.id)],
  [
    'the plan',
    'C-110',
    async ({ id, startup }) => {
      const plan = { p_startup_id: startup.id, p_plan_id: 'og_lifetime', p_amount_cents: 9900 };
      const payment = { p_event_id: randomUUID(), p_payment_ref: randomUUID() };
      await unwrap(asService().rpc('activate_subscription', { ...plan, ...payment }));
      const { rows } = await sql().query('select id from public.subscriptions where owner_user_id = $1', [id]);
      return lockOf('public.subscriptions', rows[0].id);
    },
  ],
];

test.each(BEFORE_PROFILE)(
  'deleting an account locks %s before the profile, as its decision or end does (%s)',
  async (_what, _requirement, prepare) => {
    const owner = await newOwner();
    const first = await prepare(owner);
    const { rows } = await sql().query('select id from public.user_profiles where user_id = $1', [owner.id]);
    await waitsWith(first, leave(owner), lockOf('public.user_profiles', rows[0].id));
  },
);
