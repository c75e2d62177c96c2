import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { revoke, verify } from './support/closed-business.ts';
import {
  type Member,
  newAdmin,
  newMemberWithPoints,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  type Quest,
  refusal,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

let admin: Member;
let member: Member;
let owner: Owner;
let quest: Quest;
let walletId: string;
let code: string;

/** The same happens to two members and two projects, so that a search that finds too much shows it. */
beforeAll(async () => {
  admin = await newAdmin();
  owner = await newVerifiedOwner();
  await revoke(admin, owner);
  await verify(admin, owner.startup.id);
  quest = await newQuest(owner, { campaign: { title: 'Count 100% of the herons' } });
  member = await newMemberWithPoints(500);
  const otherOwner = await newVerifiedOwner();
  const otherQuest = await newQuest(otherOwner, { campaign: { title: 'Count 100 herons' } });
  for (const [who, by, where] of [
    [await newMemberWithPoints(500), otherOwner, otherQuest],
    [member, owner, quest],
  ] as const) {
    const proof = await outsideBeta(() => unwrap(submitProof(who, where.taskId)));
    const p_decision = 'reject';
    await unwrap(by.client.rpc('review_submission', { p_submission_id: proof.id, p_decision, p_note: 'Blurred' }));
    const { rows } = await sql().query<{ id: string }>('select id from public.wallets where user_id = $1', [who.id]);
    walletId = String(rows[0]?.id);
    code = (await unwrap(who.client.rpc('create_user_referral_code'))).code;
    await unwrap(admin.client.rpc('set_referral_code_active', { p_code: code, p_is_active: false }));
    const p_idempotency_key = randomUUID();
    const correction = { p_wallet_id: walletId, p_points: 5, p_reason: 'Lost in an outage', p_idempotency_key };
    await unwrap(admin.client.rpc('adjust_points', correction));
    const mug = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Mug', points_cost: 10 } }));
    const redemption = await outsideBeta(() =>
      unwrap(who.client.rpc('redeem_reward_safe', { p_reward_id: mug.id, p_idempotency_key })),
    );
    await unwrap(
      admin.client.rpc('set_redemption_status', {
        p_redemption_id: redemption.id,
        p_status: 'cancelled',
        p_note: 'Sold out',
      }),
    );
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: who.id, p_reason: 'Spam' }));
  }
});

const search = (p_search: string, more: { p_subject_type?: string; p_limit?: number; p_cursor?: string } = {}) =>
  admin.client.rpc('admin_list_audit', { p_search, p_limit: 100, ...more });
const actions = async (...args: Parameters<typeof search>) =>
  (await unwrap(search(...args))).map(({ action }) => action);

describe('BEY-04 the search in the audit log', () => {
  test("by a person finds what was done to them, their proofs, redemptions, code and wallet, newest first, and nobody else's", async () => {
    const found = await unwrap(search(member.email));
    expect(found.map(({ action, subject_id, subject_user_id }) => [action, subject_user_id ?? subject_id])).toEqual([
      ['user.suspend', member.id],
      ['redemption.cancelled', member.id],
      ['wallet.adjust', member.id],
      ['referral_code.deactivate', code],
      ['submission.reject', member.id],
    ]);
    expect(await actions(member.email, { p_subject_type: 'wallet' })).toEqual(['wallet.adjust']);
  });

  test('by an owner finds what they did, and what was done to their project', async () => {
    const found = await unwrap(search(owner.email));
    expect(found.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['submission.reject', owner.id],
      ['campaign.create', owner.id],
      ['startup.verified', admin.id],
      ['startup.revoke', admin.id],
      ['startup.create', owner.id],
    ]);
  });

  test('by the name of a project or a quest finds what happened to it; a percent sign is one', async () => {
    expect(await actions(owner.startup.name)).toEqual([
      'campaign.create',
      'startup.verified',
      'startup.revoke',
      'startup.create',
    ]);
    expect((await unwrap(search('100% of the heron'))).map(({ subject_id }) => subject_id)).toEqual([
      quest.campaign.id,
    ]);
  });

  test('by an id that was copied from elsewhere finds what happened to it', async () => {
    expect(await actions(` ${walletId} `)).toEqual(['wallet.adjust']);
    expect(await actions(quest.campaign.id)).toEqual(['campaign.create']);
    expect(await actions(code)).toEqual(['referral_code.deactivate']);
    expect(await unwrap(search(member.id))).toEqual(await unwrap(search(member.email)));
    expect(await actions(randomUUID())).toEqual([]);
  });

  test('goes on after the cursor of the last row, whichever way each row was found', async () => {
    const all = await unwrap(search(owner.email));
    const pages: typeof all = [];
    for (let p_cursor: string | undefined; pages.length < all.length; p_cursor = pages.at(-1)?.cursor) {
      const [row] = await unwrap(search(owner.email, { p_limit: 1, p_cursor }));
      if (!row) break;
      pages.push(row);
    }
    expect(pages).toEqual(all);
    expect(await actions(owner.email, { p_cursor: all.at(-1)?.cursor })).toEqual([]);
  });

  test('longer than 100 characters is refused', async () => {
    expect(await refusal(search('x'.repeat(101)))).toMatchObject({ status: 400, code: 'SEARCH_TOO_LONG' });
  });
});
