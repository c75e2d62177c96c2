import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  grantPoints,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  OWN_MATTER,
  type Owner,
  outsideBeta,
  refusal,
  submitProof,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { flag } from './support/holds.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** An admin who also has a project, as the product's owner may. */
async function newAdminOwner(): Promise<Owner> {
  const admin = await newAdmin();
  const startup = await unwrap(
    admin.client.rpc('create_startup_profile', { p_name: `Project of ${admin.name}`, p_industry: 'SaaS' }),
  );
  return { ...admin, startup };
}

describe('nobody decides about their own', () => {
  test('C-94 project: its trial points stay held until another admin has checked it', async () => {
    const [own, other] = await Promise.all([newAdminOwner(), newAdmin()]);
    const check = { p_startup_id: own.startup.id };
    expect(await refusal(own.client.rpc('mark_startup_checked', check))).toEqual(OWN_MATTER);
    expect((await unwrap(other.client.rpc('mark_startup_checked', check))).checked_at).not.toBeNull();
  });

  test('C-91 project: a revocation by another admin stands', async () => {
    const [own, other] = await Promise.all([newAdminOwner(), newAdmin()]);
    const project = { p_startup_id: own.startup.id };
    await unwrap(other.client.rpc('revoke_verification', { ...project, p_reason: 'It pays its own accounts' }));
    const verify = { ...project, p_status: 'verified' };
    expect(await refusal(own.client.rpc('set_startup_status', verify))).toEqual(OWN_MATTER);
    expect((await unwrap(other.client.rpc('set_startup_status', verify))).status).toBe('verified');
  });

  test('C-96 project: its new name waits for another admin', async () => {
    const [own, other] = await Promise.all([newAdminOwner(), newAdmin()]);
    const name = `Renamed ${randomUUID()}`;
    const project = { p_startup_id: own.startup.id };
    await unwrap(own.client.rpc('update_startup_profile', { ...project, p_name: name }));
    expect(await refusal(own.client.rpc('confirm_startup_change', project))).toEqual(OWN_MATTER);
    await unwrap(other.client.rpc('confirm_startup_change', project));
  });

  test('C-25 quest: a hold by another admin stands', async () => {
    const [own, other] = await Promise.all([newAdminOwner(), newAdmin()]);
    const quest = { p_campaign_id: (await newQuest(own)).campaign.id };
    await unwrap(other.client.rpc('unpublish_campaign', { ...quest, p_reason: 'It asks for reviews' }));
    expect(await refusal(own.client.rpc('lift_campaign_hold', quest))).toEqual(OWN_MATTER);
    expect((await unwrap(other.client.rpc('lift_campaign_hold', quest))).held_at).toBeNull();
  });

  test('TRUST-23 payments: what their project has paid comes back by another admin only', async () => {
    const [own, other, member] = await Promise.all([newAdminOwner(), newAdmin(), newMember()]);
    const { taskId } = await newQuest(own);
    const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
    const { rows } = await sql().query<{ id: string }>('select id from public.transfers where submission_id = $1', [
      proof.id,
    ]);
    const reverse = { p_submission_id: proof.id, p_note: 'I want it back' };
    const transfer = { p_transfer_id: Number(rows[0]?.id), p_note: 'I want it back' };
    expect(await refusal(own.client.rpc('reverse_submission', reverse))).toEqual(OWN_MATTER);
    expect(await refusal(own.client.rpc('reverse_transfer', transfer))).toEqual(OWN_MATTER);
    expect((await walletOf(member.id)).points).toBe(10);

    // Neither once the quest is gone.
    await unwrap(own.client.rpc('unpublish_campaign', { p_campaign_id: proof.campaign_id }));
    const deleted = await own.client.rpc('delete_campaign', { p_campaign_id: proof.campaign_id });
    expect(deleted.error).toBeNull();
    expect(await refusal(own.client.rpc('reverse_transfer', transfer))).toEqual(OWN_MATTER);
    await unwrap(other.client.rpc('reverse_transfer', transfer));
    expect((await walletOf(member.id)).points).toBe(0);
  });

  test('C-93 redemption: a code that an admin has seen is not refunded by themselves', async () => {
    const [own, other] = await Promise.all([newAdmin(), newAdmin()]);
    await grantPoints(own, 100);
    const p_reward = { title: 'Gift card', points_cost: 50, delivery: 'code' };
    const reward = await unwrap(other.client.rpc('save_reward', { p_reward }));
    await unwrap(other.client.rpc('add_reward_codes', { p_reward_id: reward.id, p_codes: ['ABCD-1234'] }));
    const redeem = { p_reward_id: reward.id, p_idempotency_key: randomUUID() };
    const { id } = await unwrap(own.client.rpc('redeem_reward_safe', redeem));
    expect(await unwrap(own.client.rpc('get_redemption_code', { p_redemption_id: id }))).toBe('ABCD-1234');
    const cancel = { p_redemption_id: id, p_status: 'cancelled' };
    expect(await refusal(own.client.rpc('set_redemption_status', cancel))).toEqual(OWN_MATTER);
    expect((await walletOf(own.id)).points).toBe(50);
    expect((await unwrap(other.client.rpc('set_redemption_status', cancel))).status).toBe('cancelled');
  });

  test('C-95 redemption: it is fulfilled by another admin, singly and in a batch', async () => {
    const [own, other] = await Promise.all([newAdmin(), newAdmin()]);
    await grantPoints(own, 100);
    const reward = await unwrap(other.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 50 } }));
    const redeem = { p_reward_id: reward.id, p_idempotency_key: randomUUID() };
    const { id } = await unwrap(own.client.rpc('redeem_reward_safe', redeem));
    const fulfil = { p_redemption_id: id, p_status: 'fulfilled' };
    expect(await refusal(own.client.rpc('set_redemption_status', fulfil))).toEqual(OWN_MATTER);
    const batch = { p_redemption_ids: [id] };
    expect(await unwrap(own.client.rpc('fulfil_redemptions', batch))).toEqual([{ redemption_id: id, outcome: 'own' }]);
    expect(await unwrap(other.client.rpc('fulfil_redemptions', batch))).toEqual([
      { redemption_id: id, outcome: 'fulfilled' },
    ]);
  });

  test('C-108 referral code: one that another admin has deactivated refers nobody', async () => {
    const [own, other] = await Promise.all([newAdmin(), newAdmin()]);
    const { code } = await unwrap(own.client.rpc('create_user_referral_code'));
    await unwrap(other.client.rpc('set_referral_code_active', { p_code: code, p_is_active: false }));
    const activate = { p_code: code, p_is_active: true };
    expect(await refusal(own.client.rpc('set_referral_code_active', activate))).toEqual(OWN_MATTER);
    expect((await unwrap(other.client.rpc('set_referral_code_active', activate))).is_active).toBe(true);
  });

  test('C-95 flags: those on proofs that their project pays are dismissed by another admin, also once the quest is gone', async () => {
    const [own, other] = await Promise.all([newAdminOwner(), newAdminOwner()]);
    const { taskId, campaign } = await newQuest(own);
    await newQuest(other);
    const flaggedProof = async () => {
      const { id } = await unwrap(submitProof(await newMember(), taskId));
      await flag(id);
      const [flagged] = await unwrap(other.client.from('submission_flags').select('id').eq('submission_id', id));
      return { p_flag_id: flagged?.id ?? '', p_reason: 'I know them' };
    };
    const [first, dismiss] = [await flaggedProof(), await flaggedProof()];
    expect(await refusal(own.client.rpc('dismiss_submission_flag', dismiss))).toEqual(OWN_MATTER);
    await unwrap(other.client.rpc('dismiss_submission_flag', first));
    expect((await own.client.rpc('delete_campaign', { p_campaign_id: campaign.id })).error).toBeNull();
    expect(await refusal(own.client.rpc('dismiss_submission_flag', dismiss))).toEqual(OWN_MATTER);
    expect((await unwrap(other.client.rpc('dismiss_submission_flag', dismiss))).dismissed_at).not.toBeNull();
  });

  test('their account, deleted, still gets its refund', async () => {
    const own = await newAdmin();
    await grantPoints(own, 100);
    const reward = await unwrap(own.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 50 } }));
    await unwrap(own.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }));
    await unwrap(asService().rpc('anonymise_user', { p_user_id: own.id }));
    expect((await walletOf(own.id)).points).toBe(100);
  });
});

/** What this admin decides against somebody, and that person's appeal against it; returns the appeal's id. */
const APPEALED: Record<string, (admin: Member) => Promise<string>> = {
  'BEY-04 a suspension': async (admin) => {
    const member = await newMember();
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: member.id, p_reason: 'Spam' }));
    return appeal(member, { p_kind: 'suspension' });
  },
  'BEY-04 a revocation': async (admin) => {
    const owner = await newOwner();
    await unwrap(admin.client.rpc('revoke_verification', { p_startup_id: owner.startup.id, p_reason: 'Spam' }));
    return appeal(owner, { p_kind: 'revocation' });
  },
  'BEY-23 a rejection': (admin) =>
    outsideBeta(async () => {
      const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
      const { id } = await unwrap(submitProof(member, (await newQuest(owner)).taskId));
      const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(admin.client.rpc('review_submission', rejection));
      return appeal(member, { p_kind: 'rejection', p_submission_id: id });
    }),
};

const appeal = async (who: Member, against: { p_kind: string; p_submission_id?: string }): Promise<string> =>
  (await unwrap(who.client.rpc('submit_appeal', { ...against, p_words: 'It is all there' }))).id;

describe.each(Object.entries(APPEALED))('an appeal against %s', (_, decideAgainst) => {
  const decision = (id: string) => ({ p_appeal_id: id, p_decision: 'uphold', p_note: 'Still so' });

  test('is decided by another admin than the one who made the decision', async () => {
    const [own, other] = await Promise.all([newAdmin(), newAdmin()]);
    const id = await decideAgainst(own);
    expect(await refusal(own.client.rpc('decide_appeal', decision(id)))).toEqual({
      status: 403,
      code: 'OWN_DECISION',
      message: 'This appeal is against your own decision. Another admin has to decide it.',
    });
    expect((await unwrap(other.client.rpc('decide_appeal', decision(id)))).status).toBe('upheld');
    expect(await auditOf(id)).toEqual([{ status: 'upheld' }]);
  });

  test('is decided by the same admin where there is no other, and the audit log says so', async () => {
    const own = await newAdmin();
    const id = await decideAgainst(own);
    await rolledBack(async (client) => {
      await client.query("update public.user_profiles set role = 'community' where user_id <> $1", [own.id]);
      await client.query('delete from private.admins where user_id <> $1', [own.id]);
      await actAs(client, own);
      await client.query("select public.decide_appeal($1, 'uphold', 'Still so')", [id]);
      expect(await auditOf(id, client)).toEqual([{ status: 'upheld', own_decision: true }]);
    });
  });
});

test('BEY-23 an appeal is decided by another admin than the one who made it', () =>
  outsideBeta(async () => {
    const [own, owner] = await Promise.all([newAdmin(), newVerifiedOwner()]);
    const { id } = await unwrap(submitProof(own, (await newQuest(owner)).taskId));
    const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(owner.client.rpc('review_submission', rejection));
    const against = { p_appeal_id: await appeal(own, { p_kind: 'rejection', p_submission_id: id }), p_note: 'Mine' };
    for (const p_decision of ['overturn', 'uphold']) {
      expect(await refusal(own.client.rpc('decide_appeal', { ...against, p_decision }))).toEqual(OWN_MATTER);
    }
    expect((await walletOf(own.id)).points).toBe(0);
  }));

test('BEY-04 an admin who suspended somebody before decides the appeal against another admin’s suspension', async () => {
  const [earlier, other, member] = await Promise.all([newAdmin(), newAdmin(), newMember()]);
  const suspension = { p_user_id: member.id, p_reason: 'Spam' };
  await unwrap(earlier.client.rpc('suspend_user', suspension));
  await unwrap(other.client.rpc('lift_suspension', { p_user_id: member.id }));
  await unwrap(other.client.rpc('suspend_user', suspension));
  const decision = { p_appeal_id: await appeal(member, { p_kind: 'suspension' }), p_decision: 'uphold', p_note: 'So' };
  expect((await unwrap(earlier.client.rpc('decide_appeal', decision))).status).toBe('upheld');
});

const auditOf = async (appealId: string, client: Pick<pg.PoolClient, 'query'> = sql()): Promise<unknown[]> =>
  (
    await client.query<{ after: unknown }>('select after from public.audit_log where subject_id = $1', [appealId])
  ).rows.map(({ after }) => after);
