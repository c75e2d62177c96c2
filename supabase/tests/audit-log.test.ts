import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import { FUNCTION_ACCESS } from './access/declared-functions.ts';
import {
  grantPoints,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

let admin: Member;
beforeAll(async () => {
  admin = await newAdmin();
});

interface Entry {
  action: string;
  subject: string;
  before?: Json;
  after?: Json;
  note?: string;
}

/** Prepares a scene, performs one admin action, and returns what the log must contain. */
type Scene = () => Promise<Entry>;

async function pendingSubmission() {
  const quest = await newQuest(await newVerifiedOwner());
  const member = await newMember();
  return unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
}

async function pendingRedemption() {
  const member = await newMember();
  await grantPoints(member, 10);
  const redeem = async (title: string) => {
    const { id } = await unwrap(admin.client.rpc('save_reward', { p_reward: { title, points_cost: 5 } }));
    return unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: id, p_idempotency_key: randomUUID() }));
  };
  await redeem('Brooch');
  return redeem('Pin');
}

async function rewardOfCodes() {
  const reward = { title: 'Voucher', points_cost: 5, delivery: 'code' };
  return (await unwrap(admin.client.rpc('save_reward', { p_reward: reward }))).id;
}

async function suspendedMember(by = admin) {
  const member = await newMember();
  await unwrap(by.client.rpc('suspend_user', { p_user_id: member.id, p_reason: 'Spam' }));
  return member;
}

async function heldQuest() {
  const { id } = (await newQuest(await newVerifiedOwner())).campaign;
  await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: id, p_reason: 'Asks for passwords' }));
  return id;
}

const insertedId = async (query: string, values: unknown[] = []) =>
  String((await sql().query<{ id: string | number }>(`${query} returning id`, values)).rows[0]?.id);

/** Everything that an admin can change, by the procedure that changes it. */
const scenes: Record<string, Scene> = {
  set_startup_status: async () => {
    const { id, name: subject_name } = (await newOwner()).startup;
    await unwrap(
      admin.client
        .rpc('set_startup_status', { p_startup_id: id, p_status: 'rejected', p_note: 'No site' })
        .select('id'),
    );
    const [before, after] = [{ status: 'pending' }, { status: 'rejected' }];
    return { action: 'startup.rejected', subject: id, subject_name, before, after, note: 'No site' };
  },
  update_startup_profile: async () => {
    const { id, name } = (await newOwner()).startup;
    await unwrap(admin.client.rpc('update_startup_profile', { p_startup_id: id, p_name: 'Renamed' }).select('id'));
    return { action: 'startup.update', subject: id, before: { name }, after: { name: 'Renamed' } };
  },
  unpublish_campaign: async () => {
    const subject = await heldQuest();
    const [before, after] = [
      { status: 'published', hold_reason: null },
      { status: 'draft', hold_reason: 'Asks for passwords' },
    ];
    return { action: 'campaign.take_down', subject, before, after, note: 'Asks for passwords' };
  },
  lift_campaign_hold: async () => {
    const subject = await heldQuest();
    await unwrap(admin.client.rpc('lift_campaign_hold', { p_campaign_id: subject }));
    const [before, after] = [{ hold_reason: 'Asks for passwords' }, { hold_reason: null }];
    return { action: 'campaign.lift_hold', subject, before, after };
  },
  review_submission: async () => {
    const { id } = await pendingSubmission();
    await unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision: 'reject', p_note: 'Empty' }));
    const [before, after] = [{ status: 'pending' }, { status: 'rejected' }];
    return { action: 'submission.reject', subject: id, before, after, note: 'Empty' };
  },
  reverse_submission: async () => {
    const { id } = await pendingSubmission();
    await unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    const [before, after] = [{ status: 'approved' }, { status: 'rejected', points: 10 }];
    return { action: 'submission.reverse', subject: id, before, after, note: 'Copied' };
  },
  dismiss_submission_flag: async () => {
    const { id: subject, campaign_id } = await pendingSubmission();
    const flag = await insertedId(
      "insert into public.submission_flags (submission_id, campaign_id, user_id, kind) values ($1, $2, 'x', 'too_fast')",
      [subject, campaign_id],
    );
    await unwrap(admin.client.rpc('dismiss_submission_flag', { p_flag_id: flag, p_reason: 'Prepared before' }));
    return { action: 'flag.dismiss', subject, before: { flag: 'too_fast' }, note: 'Prepared before' };
  },
  reverse_transfer: async () => {
    const { id, campaign_id } = await pendingSubmission();
    await unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    const { rows } = await sql().query('select id from public.transfers where submission_id = $1', [id]);
    await sql().query('delete from public.campaigns where id = $1', [campaign_id]);
    await unwrap(admin.client.rpc('reverse_transfer', { p_transfer_id: Number(rows[0]?.id), p_note: 'Copied' }));
    return { action: 'transfer.reverse', subject: String(rows[0]?.id), before: { points: 10 }, note: 'Copied' };
  },
  adjust_points: async () => {
    const { id: subject_user_id } = await newMember();
    const { rows } = await sql().query('select id from public.wallets where user_id = $1', [subject_user_id]);
    await unwrap(
      admin.client.rpc('adjust_points', {
        p_wallet_id: rows[0]?.id,
        p_points: 30,
        p_reason: 'Lost by a fault',
        p_idempotency_key: randomUUID(),
      }),
    );
    const [before, after] = [{ points: 0 }, { points: 30 }];
    return { action: 'wallet.adjust', subject: rows[0]?.id, subject_user_id, before, after, note: 'Lost by a fault' };
  },
  mark_startup_checked: async () => {
    const { id: subject } = (await newVerifiedOwner()).startup;
    await sql().query('update public.startup_profiles set checked_at = null where id = $1', [subject]);
    await unwrap(admin.client.rpc('mark_startup_checked', { p_startup_id: subject, p_note: 'Looks fine' }));
    return { action: 'startup.check', subject, before: { checked_at: null }, note: 'Looks fine' };
  },
  set_redemption_status: async () => {
    const { id, user_id: subject_user_id } = await pendingRedemption();
    const decision = { p_redemption_id: id, p_status: 'cancelled', p_note: ' Sold out ' };
    await unwrap(admin.client.rpc('set_redemption_status', decision));
    const [before, after] = [{ status: 'pending' }, { status: 'cancelled' }];
    return {
      action: 'redemption.cancelled',
      subject: id,
      subject_name: 'Pin',
      subject_user_id,
      before,
      after,
      note: 'Sold out',
    };
  },
  save_reward: async () => {
    const { id } = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Cap', points_cost: 5 } }));
    const dearer = { title: 'Cap', points_cost: 6 };
    await unwrap(admin.client.rpc('save_reward', { p_reward_id: id, p_reward: dearer }));
    return {
      action: 'reward.save',
      subject: id,
      subject_name: 'Cap',
      before: { points_cost: 5 },
      after: { points_cost: 6 },
    };
  },
  fulfil_redemptions: async () => {
    const { id } = await pendingRedemption();
    await unwrap(admin.client.rpc('fulfil_redemptions', { p_redemption_ids: [id], p_note: 'Sent together' }));
    const [before, after] = [{ status: 'pending' }, { status: 'fulfilled' }];
    return { action: 'redemption.fulfilled', subject: id, before, after, note: 'Sent together' };
  },
  add_reward_codes: async () => {
    const subject = await rewardOfCodes();
    await unwrap(admin.client.rpc('add_reward_codes', { p_reward_id: subject, p_codes: ['one', 'two'] }));
    return { action: 'reward.codes_added', subject, after: { title: 'Voucher', added: 2, stock_quantity: 2 } };
  },
  remove_reward_codes: async () => {
    const subject = await rewardOfCodes();
    await unwrap(admin.client.rpc('add_reward_codes', { p_reward_id: subject, p_codes: ['one', 'two'] }));
    await unwrap(admin.client.rpc('remove_reward_codes', { p_reward_id: subject }));
    return { action: 'reward.codes_removed', subject, after: { title: 'Voucher', removed: 2 } };
  },
  delete_reward: async () => {
    const { id } = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Gone', points_cost: 5 } }));
    await unwrap(admin.client.rpc('delete_reward', { p_reward_id: id }));
    return { action: 'reward.delete', subject: id, before: { title: 'Gone', points_cost: 5 } };
  },
  suspend_user: async () => {
    const { id } = await suspendedMember();
    const before = { suspended_at: null, reason: null };
    return { action: 'user.suspend', subject: id, before, after: { reason: 'Spam' }, note: 'Spam' };
  },
  lift_suspension: async () => {
    const { id } = await suspendedMember();
    await unwrap(admin.client.rpc('lift_suspension', { p_user_id: id, p_note: 'Sorry' }));
    const after = { suspended_at: null, reason: null };
    return { action: 'user.lift_suspension', subject: id, before: { reason: 'Spam' }, after, note: 'Sorry' };
  },
  revoke_verification: async () => {
    const { id } = (await newVerifiedOwner()).startup;
    const revocation = { p_startup_id: id, p_reason: 'Sells followers' };
    await unwrap(admin.client.rpc('revoke_verification', revocation).select('id'));
    const [before, after] = [{ status: 'verified' }, { status: 'rejected' }];
    return { action: 'startup.revoke', subject: id, before, after, note: 'Sells followers' };
  },
  confirm_startup_change: async () => {
    const { client, startup } = await newVerifiedOwner();
    const name = `${startup.name} two`;
    await unwrap(client.rpc('update_startup_profile', { p_startup_id: startup.id, p_name: name }).select('id'));
    await unwrap(admin.client.rpc('confirm_startup_change', { p_startup_id: startup.id }).select('id'));
    return { action: 'startup.confirm_change', subject: startup.id, before: { name: startup.name }, after: { name } };
  },
  decide_appeal: async () => {
    const appeal = { p_kind: 'suspension', p_words: 'It was my brother' };
    const other = await suspendedMember(await newAdmin());
    await unwrap(other.client.rpc('submit_appeal', appeal).select('id'));
    const { client, id: subject_user_id } = await suspendedMember(await newAdmin());
    const { id } = await unwrap(client.rpc('submit_appeal', appeal).select('id'));
    await unwrap(
      admin.client.rpc('decide_appeal', { p_appeal_id: id, p_decision: 'uphold', p_note: 'No' }).select('id'),
    );
    return {
      action: 'appeal.uphold',
      subject: id,
      subject_user_id,
      before: { status: 'open' },
      after: { status: 'upheld' },
      note: 'No',
    };
  },
  settle_returned_payment: async () => {
    const { startup } = await newVerifiedOwner();
    const subject = `pi_${randomUUID()}`;
    const event = () => `evt_${randomUUID()}`;
    const pack = { p_pack_id: 'points_small', p_points: 1000, p_amount_cents: 4900, p_price_cents: 4900 };
    const bought = { ...pack, p_startup_id: startup.id, p_event_id: event(), p_payment_ref: subject };
    await unwrap(asService().rpc('credit_point_purchase', bought));
    await sql().query(
      `select private.transfer(w.id, null, 1400, 'adjustment', 'Spent') from public.wallets w where w.startup_id = $1`,
      [startup.id],
    );
    const refund = { p_payment_ref: subject, p_event_id: event(), p_status: 'refunded' };
    await unwrap(asService().rpc('end_payment', refund));
    const { rows } = await sql().query<{ id: string }>('select id from public.point_purchases where payment_ref = $1', [
      subject,
    ]);
    const decision = { p_purchase_id: rows[0]?.id ?? '', p_decision: 'write_off', p_note: 'Too little to ask for' };
    const missing = { missing_points: await unwrap(admin.client.rpc('settle_returned_payment', decision)) };
    const subject_name = startup.name;
    return {
      action: 'payment.write_off',
      subject,
      subject_name,
      before: missing,
      after: missing,
      note: decision.p_note,
    };
  },
  revoke_admin: async () => {
    const { id } = await newAdmin();
    await admin.client.rpc('revoke_admin', { p_user_id: id, p_reason: 'Has left' }).throwOnError();
    const [before, after] = [{ is_admin: true }, { is_admin: false }];
    return { action: 'admin.revoke', subject: id, before, after, note: 'Has left' };
  },
  restore_admin: async () => {
    const { id } = await newAdmin();
    await admin.client.rpc('revoke_admin', { p_user_id: id, p_reason: 'Has left' }).throwOnError();
    await admin.client.rpc('restore_admin', { p_user_id: id, p_reason: 'Is back' }).throwOnError();
    return { action: 'admin.restore', subject: id, note: 'Is back' };
  },
  update_app_settings: () =>
    withSettings({ member_floor: 7 }, async () => {
      await unwrap(admin.client.rpc('update_app_settings', { p_settings: { member_floor: 8 } }));
      return {
        action: 'settings.update',
        subject: 'settings',
        before: { member_floor: 7 },
        after: { member_floor: 8 },
      };
    }),
  update_beta_feedback: async () => {
    const subject = await insertedId(
      "insert into public.beta_feedback (type, title, description) values ('bug', 'a', 'It flickers')",
    );
    const decision = { p_feedback_id: subject, p_status: 'resolved', p_admin_notes: ' Fixed ' };
    await unwrap(admin.client.rpc('update_beta_feedback', decision));
    const [before, after] = [{ status: 'new' }, { status: 'resolved' }];
    return { action: 'feedback.resolved', subject, subject_name: 'It flickers', before, after, note: 'Fixed' };
  },
  set_feedback_priority: async () => {
    const subject = await insertedId(
      "insert into public.beta_feedback (type, title, description) values ('bug', 'a', 'It hangs')",
    );
    await unwrap(admin.client.rpc('set_feedback_priority', { p_feedback_id: subject, p_priority: 'urgent' }));
    const [before, after] = [{ priority: 'medium' }, { priority: 'urgent' }];
    return { action: 'feedback.priority', subject, subject_name: 'It hangs', before, after };
  },
  set_referral_code_active: async () => {
    const member = await newMember();
    const { code: subject } = await unwrap(member.client.rpc('create_user_referral_code'));
    await unwrap(admin.client.rpc('set_referral_code_active', { p_code: subject, p_is_active: false }));
    const [before, after] = [{ is_active: true }, { is_active: false }];
    return { action: 'referral_code.deactivate', subject, before, after };
  },
  set_mailing_list_active: async () => {
    const email = `${randomUUID()}@example.com`;
    const subscribe = (address: string) =>
      insertedId("insert into public.mailing_list (email, source, is_active) values ($1, 'website', true)", [address]);
    await subscribe(`other-${email}`);
    const subject = await subscribe(email);
    await unwrap(admin.client.rpc('set_mailing_list_active', { p_entry_id: subject, p_is_active: false }));
    return {
      action: 'mailing_list.deactivate',
      subject,
      subject_name: email,
      before: { is_active: true },
      after: { is_active: false },
    };
  },
  requeue_outbox_event: async () => {
    const subject = await insertedId(
      "insert into public.outbox_events (type, payload, attempts, failed_at, last_error) values ('SubmissionRejected', '{}', 8, now(), 'MAIL_NOT_SENT')",
    );
    await unwrap(admin.client.rpc('requeue_outbox_event', { p_event_id: Number(subject) }).select('id'));
    const [before, after] = [{ attempts: 8 }, { attempts: 0, failed_at: null }];
    const subject_name = 'SubmissionRejected';
    return { action: 'outbox.requeue', subject, subject_name, before, after, note: 'MAIL_NOT_SENT' };
  },
  requeue_failed_events: async () => {
    const subject = await insertedId(
      "insert into public.outbox_events (type, payload, attempts, failed_at, last_error) values ('SubmissionRejected', '{}', 8, now(), 'MAIL_NOT_SENT')",
    );
    await unwrap(admin.client.rpc('requeue_failed_events'));
    const [before, after] = [{ attempts: 8 }, { attempts: 0, failed_at: null }];
    const subject_name = 'SubmissionRejected';
    return { action: 'outbox.requeue', subject, subject_name, before, after, note: 'MAIL_NOT_SENT' };
  },
  rebuild_site_stats_cache: async () => {
    await unwrap(admin.client.rpc('rebuild_site_stats_cache'));
    return { action: 'site_stats.rebuild', subject: 'cache' };
  },
  export_data: async () => {
    await unwrap(admin.client.rpc('export_data'));
    return { action: 'export.data', subject: 'data' };
  },
  record_admin_export: async () => {
    await admin.client.rpc('record_admin_export', { p_what: 'feedback', p_rows: 3 }).throwOnError();
    return { action: 'export.feedback', subject: 'feedback', after: { rows: 3 } };
  },
};

describe('BEY-04 the audit log', () => {
  test.each(Object.entries(scenes))(
    '%s leaves an entry with actor, action, subject, before and after',
    async (_, play) => {
      const { subject, ...expected } = await withSettings({ beta_mode: false }, play);
      const [line] = await unwrap(admin.client.rpc('admin_list_audit', { p_search: admin.email, p_limit: 1 }));
      expect(line).toMatchObject({ actor_id: admin.id, subject_id: subject, ...expected });
    },
  );

  test('every procedure that only admins may use to change something has a scene above', async () => {
    const { rows } = await sql().query<{ name: string }>(
      `select p.proname as name from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v' and p.proname = any ($1)`,
      [FUNCTION_ACCESS.admins],
    );
    expect(rows.length).toBeGreaterThan(10);
    // Only caches sums of the ledger for the next call.
    const silent = ['get_points_transfer_stats'];
    expect(rows.map(({ name }) => name).filter((name) => !(name in scenes || silent.includes(name)))).toEqual([]);
  });
});
