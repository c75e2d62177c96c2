import { describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { lift, suspendUser } from './support/closed-business.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  newQuest,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { answerAfter } from './support/locks.ts';
import { creditPurchase, endPayment, newPayment } from './support/purchases.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

type Answer = { data: unknown; error: { hint: string | null } | null };

interface Case {
  what: string;
  /** The call that the first admin has begun, about `id`, and the same one by the other. */
  prepare: () => Promise<{ id: unknown; call: string; again: (admin: Member) => PromiseLike<Answer> }>;
  /** How the other admin is answered: the code of a refusal. */
  code?: string;
  /** What the audit log calls it. */
  action: string;
}

const cases: Case[] = [
  {
    what: 'C-50 a mail that could not be sent is tried again',
    prepare: async () => {
      const failed =
        "insert into public.outbox_events (type, failed_at, attempts) values ('Tested', now(), 8) returning id";
      const id = Number((await sql().query(failed)).rows[0].id);
      const again = ({ client }: Member) => client.rpc('requeue_outbox_event', { p_event_id: id });
      return { id, call: 'requeue_outbox_event($1)', again };
    },
    code: 'EVENT_NOT_FAILED',
    action: 'outbox.requeue',
  },
  {
    what: 'BEY-20 the missing points of a payment are written off, whose project is gone',
    prepare: async () => {
      const [owner, paid] = [await newOwner(), newPayment()];
      await unwrap(creditPurchase(owner, paid));
      const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 1000, max_completions: 1 } });
      await unwrap(submitProof(await newMember(), taskId));
      await unwrap(endPayment(paid.payment));
      await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }));
      await unwrap(owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }));
      const purchase = 'select id from public.point_purchases where payment_ref = $1';
      const { id } = (await sql().query(purchase, [paid.payment])).rows[0];
      const decision = { p_purchase_id: id, p_decision: 'write_off', p_note: 'Too little' };
      const again = ({ client }: Member) => client.rpc('settle_returned_payment', decision);
      return { id, call: "settle_returned_payment($1, 'write_off', 'Too little')", again };
    },
    code: 'NOTHING_MISSING',
    action: 'payment.write_off',
  },
  {
    what: 'BEY-04 a member without a project is suspended',
    prepare: async () => {
      const { id } = await newMember();
      const again = ({ client }: Member) => client.rpc('suspend_user', { p_user_id: id, p_reason: 'Spam' });
      return { id, call: "suspend_user($1, 'Spam')", again };
    },
    action: 'user.suspend',
  },
  {
    what: 'BEY-04 the suspension of a member without a project is lifted',
    prepare: async () => {
      const member = await newMember();
      await suspendUser(await newAdmin(), member);
      const again = ({ client }: Member) => client.rpc('lift_suspension', { p_user_id: member.id });
      return { id: member.id, call: 'lift_suspension($1)', again };
    },
    action: 'user.lift_suspension',
  },
  {
    what: 'C-94 a project is marked as checked',
    prepare: async () => {
      const { id } = (await newOwner()).startup;
      const again = ({ client }: Member) => client.rpc('mark_startup_checked', { p_startup_id: id });
      return { id, call: 'mark_startup_checked($1)', again };
    },
    action: 'startup.check',
  },
  {
    what: 'C-50 a redemption is fulfilled',
    prepare: async () => {
      const { id } = await unwrap(redeem(await newMemberWithPoints(100), await newReward()));
      const again = ({ client }: Member) =>
        client.rpc('set_redemption_status', { p_redemption_id: id, p_status: 'fulfilled' });
      return { id, call: "set_redemption_status($1, 'fulfilled')", again };
    },
    code: 'REDEMPTION_HANDLED',
    action: 'redemption.fulfilled',
  },
  {
    what: 'C-50 several redemptions are fulfilled',
    prepare: async () => {
      const { id } = await unwrap(redeem(await newMemberWithPoints(100), await newReward()));
      const again = ({ client }: Member) => client.rpc('fulfil_redemptions', { p_redemption_ids: [id] });
      return { id, call: 'fulfil_redemptions(array[$1]::uuid[])', again };
    },
    action: 'redemption.fulfilled',
  },
];

describe('two admins at once decide once:', () => {
  test.for(cases)('$what', async ({ prepare, code, action }) => {
    const [first, second] = [await newAdmin(), await newAdmin()];
    const { id, call, again } = await prepare();
    const answer = await answerAfter(first, call, [id], () => again(second));
    expect(answer.error?.hint ?? undefined).toBe(code);
    const audited = 'select count(*)::integer from public.audit_log where action = $1 and actor_id = any ($2)';
    expect((await sql().query(audited, [action, [first.id, second.id]])).rows).toEqual([{ count: 1 }]);
  });
});

test('TRUST-18 C-78 a quest that an admin takes down while another lets its owner off stays down', async () => {
  const [owner, one, other] = [await newOwner(), await newAdmin(), await newAdmin()];
  const { campaign } = await newQuest(owner);
  await suspendUser(one, owner);
  await answerAfter(one, "unpublish_campaign($1, 'Asks for passwords')", [campaign.id], () => lift(other, owner));
  const state = owner.client.from('campaigns').select('status, hold_reason').eq('id', campaign.id);
  expect(await unwrap(state)).toEqual([{ status: 'draft', hold_reason: 'Asks for passwords' }]);
});
