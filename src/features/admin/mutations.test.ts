// @vitest-environment jsdom
import { onlineManager } from '@tanstack/react-query';
import { reward } from '@/features/rewards/testing';
import { setTokenSource } from '@/lib/auth/token';
import { describeError } from '@/lib/errors';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { settingsRow } from '@/lib/testing/rows';
import { runMutation } from '@/lib/testing/run-mutation';
import { useSetPriority, useUpdateFeedback } from './feedback/mutations';
import { useRetryAllEvents, useRetryEvent, useSwitchSubscriber } from './mail/mutations';
import {
  useAdminReview,
  useApproveProject,
  useCheckProject,
  useConfirmChange,
  useDecideAppeal,
  useDismissFlag,
  useLiftHold,
  useRejectProject,
  useReverseSubmission,
  useRevokeVerification,
  useTakeDownQuest,
} from './moderation/mutations';
import { recordExport } from './mutations';
import {
  useCorrectPoints,
  useLiftSuspension,
  useRestoreAdmin,
  useReverseTransfer,
  useRevokeAdmin,
  useSuspend,
  useSwitchReferralCode,
} from './people/mutations';
import {
  rewardImageProblem,
  useAddRewardCodes,
  useDecideRedemption,
  useDeleteReward,
  useFulfilRedemptions,
  useRemoveRewardCodes,
  useSaveReward,
  useSettlePayment,
} from './points/mutations';
import { clearCache, exportData, uploadSitemap, useSaveSettings } from './settings/mutations';
import { reconcileLedger, runSecurityScan } from './settings/queries';

const suspend = { userId: 'user_robin', reason: 'Spam' };

describe('each action sends its arguments', () => {
  it.each([
    ['suspend_user', () => runMutation(useSuspend, suspend), { p_user_id: 'user_robin', p_reason: 'Spam' }],
    [
      'lift_suspension',
      () => runMutation(useLiftSuspension, { userId: 'user_robin', note: 'Sorry' }),
      { p_user_id: 'user_robin', p_note: 'Sorry' },
    ],
    [
      'lift_suspension',
      () => runMutation(useLiftSuspension, { userId: 'user_robin', note: '' }),
      { p_user_id: 'user_robin' },
    ],
    [
      'set_startup_status',
      () => runMutation(useApproveProject, { projectId: 'p1', shownAs: 'rejected' }),
      { p_startup_id: 'p1', p_status: 'verified', p_note: 'Approved by admin' },
    ],
    [
      'set_startup_status',
      () => runMutation(useRejectProject, { projectId: 'p1', reason: 'No website' }),
      { p_startup_id: 'p1', p_status: 'rejected', p_note: 'No website' },
    ],
    [
      'revoke_verification',
      () => runMutation(useRevokeVerification, { projectId: 'p1', reason: 'Sells followers' }),
      { p_startup_id: 'p1', p_reason: 'Sells followers' },
    ],
    ['confirm_startup_change', () => runMutation(useConfirmChange, 'p1'), { p_startup_id: 'p1' }],
    [
      'decide_appeal',
      () => runMutation(useDecideAppeal, { appealId: 'a1', decision: 'overturn', answer: 'Sorry' }),
      { p_appeal_id: 'a1', p_decision: 'overturn', p_note: 'Sorry' },
    ],
    [
      'revoke_admin',
      () => runMutation(useRevokeAdmin, { userId: 'user_robin', reason: 'Has left' }),
      { p_user_id: 'user_robin', p_reason: 'Has left' },
    ],
    [
      'restore_admin',
      () => runMutation(useRestoreAdmin, { userId: 'user_robin', reason: 'Is back' }),
      { p_user_id: 'user_robin', p_reason: 'Is back' },
    ],
    [
      'unpublish_campaign',
      () => runMutation(useTakeDownQuest, { questId: 'q1', reason: 'Dead link' }),
      { p_campaign_id: 'q1', p_reason: 'Dead link' },
    ],
    ['lift_campaign_hold', () => runMutation(useLiftHold, 'q1'), { p_campaign_id: 'q1' }],
    [
      'set_redemption_status',
      () => runMutation(useDecideRedemption, { redemptionId: 'r1', decision: 'cancelled', note: 'Sold out' }),
      { p_redemption_id: 'r1', p_status: 'cancelled', p_note: 'Sold out' },
    ],
    [
      'set_redemption_status',
      () => runMutation(useDecideRedemption, { redemptionId: 'r1', decision: 'fulfilled', note: '' }),
      { p_redemption_id: 'r1', p_status: 'fulfilled' },
    ],
    [
      'reverse_submission',
      () => runMutation(useReverseSubmission, { submissionId: 's1', reason: 'Fake' }),
      { p_submission_id: 's1', p_note: 'Fake' },
    ],
    [
      'review_submission',
      () =>
        runMutation(useAdminReview, { submissionId: 's1', decision: 'reject', reason: 'cannot_open', note: 'Blurred' }),
      { p_submission_id: 's1', p_decision: 'reject', p_reason: 'cannot_open', p_note: 'Blurred' },
    ],
    [
      'set_mailing_list_active',
      () => runMutation(useSwitchSubscriber, { id: 'm1', isActive: false }),
      { p_entry_id: 'm1', p_is_active: false },
    ],
    [
      'set_feedback_priority',
      () => runMutation(useSetPriority, { feedbackId: 'f1', priority: 'urgent' }),
      { p_feedback_id: 'f1', p_priority: 'urgent' },
    ],
    [
      'set_referral_code_active',
      () => runMutation(useSwitchReferralCode, { code: 'REF1', isActive: false }),
      { p_code: 'REF1', p_is_active: false },
    ],
    ['requeue_outbox_event', () => runMutation(useRetryEvent, 7), { p_event_id: 7 }],
    ['requeue_failed_events', () => runMutation(useRetryAllEvents, undefined), {}],
    [
      'update_beta_feedback',
      () => runMutation(useUpdateFeedback, { feedbackId: 'f1', status: 'resolved', notes: ' Done ' }),
      { p_feedback_id: 'f1', p_status: 'resolved', p_admin_notes: 'Done' },
    ],
    [
      'update_beta_feedback',
      () => runMutation(useUpdateFeedback, { feedbackId: 'f1', status: 'reviewed', notes: '  ' }),
      { p_feedback_id: 'f1', p_status: 'reviewed' },
    ],
    [
      'update_app_settings',
      () => runMutation(useSaveSettings, { settings: { og_slots: 7 }, shown: { og_slots: settingsRow().og_slots } }),
      { p_settings: { og_slots: 7 } },
    ],
    ['delete_reward', () => runMutation(useDeleteReward, 'r1'), { p_reward_id: 'r1' }],
    [
      'adjust_points',
      () => runMutation(useCorrectPoints, { walletId: 'w1', points: -5, reason: 'Twice', onChecking: () => undefined }),
      { p_wallet_id: 'w1', p_points: -5, p_reason: 'Twice', p_idempotency_key: expect.any(String) },
    ],
    [
      'reverse_transfer',
      () => runMutation(useReverseTransfer, { transferId: 7, reason: 'Farmed' }),
      { p_transfer_id: 7, p_note: 'Farmed' },
    ],
    [
      'settle_returned_payment',
      () => runMutation(useSettlePayment, { purchaseId: 'b1', decision: 'write_off', note: 'Too old' }),
      { p_purchase_id: 'b1', p_decision: 'write_off', p_note: 'Too old' },
    ],
    [
      'mark_startup_checked',
      () => runMutation(useCheckProject, { projectId: 'p1', note: 'Called them' }),
      { p_startup_id: 'p1', p_note: 'Called them' },
    ],
    ['mark_startup_checked', () => runMutation(useCheckProject, { projectId: 'p1', note: '' }), { p_startup_id: 'p1' }],
    [
      'dismiss_submission_flag',
      () => runMutation(useDismissFlag, { flagId: 'f1', reason: 'A couple' }),
      { p_flag_id: 'f1', p_reason: 'A couple' },
    ],
    [
      'review_submission',
      () => runMutation(useAdminReview, { submissionId: 's1', decision: 'approve', note: '' }),
      { p_submission_id: 's1', p_decision: 'approve' },
    ],
    ['remove_reward_codes', () => runMutation(useRemoveRewardCodes, 'r1'), { p_reward_id: 'r1' }],
    [
      'add_reward_codes',
      () => runMutation(useAddRewardCodes, { rewardId: 'r1', codes: ['A'] }),
      { p_reward_id: 'r1', p_codes: ['A'] },
    ],
    [
      'fulfil_redemptions',
      () => runMutation(useFulfilRedemptions, { redemptionIds: ['r1'], note: '' }),
      { p_redemption_ids: ['r1'] },
    ],
  ])('%s, and everything is refetched', async (procedure, run, body) => {
    const api = fakeApi({ [`rpc ${procedure}`]: [], 'GET app_settings': [settingsRow()] });
    const { error, stale } = await run();
    expect(error).toBeNull();
    const written = api.calls.filter(({ method }) => method !== 'GET');
    expect(written).toMatchObject([{ method: 'POST', path: `rpc/${procedure}` }]);
    expect(written[0]?.body).toEqual(body);
    expect(stale).toContainEqual(['admin']);
  });

  it('C-93 C-95 returns the outcome of each redemption, and the number of new codes', async () => {
    const rows = [
      { redemption_id: 'r1', outcome: 'fulfilled' },
      { redemption_id: 'r2', outcome: 'flagged' },
    ];
    const counts = { added: 2, repeated: 1, stock: 5 };
    const api = fakeApi({ 'rpc fulfil_redemptions': rows, 'rpc add_reward_codes': [counts] });
    const fulfilled = await runMutation(useFulfilRedemptions, { redemptionIds: ['r1', 'r2'], note: 'Sent' });
    expect([...(fulfilled.data ?? [])]).toEqual([
      ['r1', 'fulfilled'],
      ['r2', 'flagged'],
    ]);
    expect(api.calls[0]?.body).toEqual({ p_redemption_ids: ['r1', 'r2'], p_note: 'Sent' });
    const added = await runMutation(useAddRewardCodes, { rewardId: 'r1', codes: ['A', 'B', 'A'] });
    expect(added.data).toEqual({ sent: 3, added: 2, repeated: 1 });
    api.routes['rpc add_reward_codes'] = [];
    const none = await runMutation(useAddRewardCodes, { rewardId: 'r1', codes: ['A'] });
    expect(none.data).toEqual({ sent: 1, added: 0, repeated: 0 });
  });

  it('C-99 a reward that is gone counts as deleted, as after a lost answer', async () => {
    fakeApi({ 'rpc delete_reward': refuse(404, 'REWARD_NOT_FOUND', 'Reward not found') });
    expect((await runMutation(useDeleteReward, 'r1')).error).toBeNull();
  });

  it('C-99 a deletion whose answer is lost counts when the reward is gone', async () => {
    fakeApi({ 'rpc delete_reward': offline(), 'GET rewards': [{ id: 'another' }] });
    expect((await runMutation(useDeleteReward, 'r1')).error).toBeNull();
  });

  it('a refusal refetches the same', async () => {
    fakeApi({ 'rpc suspend_user': refuse(409, 'SUSPENDED', 'Suspended already') });
    const { error, stale } = await runMutation(useSuspend, suspend);
    expect(error).toMatchObject({ message: 'Suspended already' });
    expect(stale).toContainEqual(['admin']);
  });
});

describe('C-99 an action without an answer', () => {
  const gatewayAnswer = (status: number) => new Response('<h1>Bad gateway</h1>', { status });

  it.each([
    ['there was no connection', () => offline()],
    ['a gateway had no connection', () => gatewayAnswer(502)],
    ['a server was shutting down', () => gatewayAnswer(503)],
    ['a gateway has stopped waiting', () => gatewayAnswer(504)],
  ])('is not called failed: %s', async (_, answer) => {
    fakeApi({ 'rpc suspend_user': answer });
    expect((await runMutation(useSuspend, suspend)).error).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      message: 'No answer came, so it may have gone through. Please look again before you repeat it.',
    });
  });

  it.each([
    ['the database has failed and undone it', refuse(500, null, 'deadlock detected'), 'UNKNOWN'],
    ['the server was busy', Response.json({ code: 'overloaded', message: 'Too many' }, { status: 503 }), 'BUSY'],
  ])('is called failed when %s', async (_, answer, code) => {
    fakeApi({ 'rpc suspend_user': answer });
    expect((await runMutation(useSuspend, suspend)).error).toMatchObject({ code });
  });

  it('is not sent without a network, and says that there is none', async () => {
    const api = fakeApi({ 'rpc suspend_user': {} });
    setTokenSource(() => Promise.resolve('token'));
    onlineManager.setOnline(false);
    const { error } = await runMutation(useSuspend, suspend);
    onlineManager.setOnline(true);
    setTokenSource(null);
    expect(describeError(error)).toBe('Network error. Please check your connection and try again.');
    expect(api.calls).toEqual([]);
  });

  it('has not gone through when only the reading before it was lost', async () => {
    vi.useFakeTimers();
    const api = fakeApi({ 'rpc admin_list_startups': offline() });
    const run = runMutation(useApproveProject, { projectId: 'p1', shownAs: 'pending' });
    await vi.runAllTimersAsync();
    expect((await run).error).toMatchObject({ code: 'NOT_APPLIED' });
    expect(api.calls.filter(({ path }) => path === 'rpc/set_startup_status')).toEqual([]);
  });

  it('that was to send a picture first has saved nothing', async () => {
    vi.spyOn(crypto, 'randomUUID').mockReturnValue('00000000-0000-4000-8000-000000000001');
    const api = fakeApi({
      'POST /storage/v1/object/reward-images/00000000-0000-4000-8000-000000000001.webp': gatewayAnswer(502),
    });
    const image = new File(['x'], 'cup.webp', { type: 'image/webp' });
    const { error } = await runMutation(useSaveReward, { reward: reward(), values: {}, image });
    expect(error).toMatchObject({ code: 'UPLOAD_FAILED', message: expect.stringContaining('nothing has been saved') });
    expect(api.calls).toHaveLength(1);
  });
});

describe('a reward', () => {
  const upload = /^POST \/storage\/v1\/object\/reward-images\/[0-9a-f-]{36}\.webp$/;

  it.each([
    ['image/png', 1, null],
    ['image/jpeg', 5 * 1024 * 1024, null],
    ['image/webp', 5 * 1024 * 1024 + 1, 'Please choose an image smaller than 5MB'],
    ['image/gif', 1, 'Please choose a PNG, JPG or WebP image'],
  ])('accepts an image of %s with %i bytes: %s', (type, size, problem) => {
    expect(rewardImageProblem({ type, size })).toBe(problem);
  });

  it('is created with its existing image', async () => {
    const api = fakeApi({ 'rpc save_reward': {} });
    const values = { title: 'Cup', image_url: '/cup.png' };
    const { error } = await runMutation(useSaveReward, { reward: null, values });
    expect(error).toBeNull();
    expect(api.calls[0]?.body).toEqual({ p_reward: values, p_idempotency_key: expect.any(String) });
  });

  it('TRUST-21 C-99 is looked up after a lost answer; another attempt does not upload the image again', async () => {
    const api = fakeApi({ 'rpc save_reward': refuse(400, 'REWARD_COST_RANGE', 'Cost must be between …') });
    vi.spyOn(crypto, 'randomUUID').mockReturnValueOnce('00000000-0000-4000-8000-000000000001');
    api.routes['POST /storage/v1/object/reward-images/00000000-0000-4000-8000-000000000001.webp'] = { Key: 'x' };
    const image = new File(['x'], 'cup.webp', { type: 'image/webp' });
    const create = () => runMutation(useSaveReward, { reward: null, values: { title: 'Cup' }, image });
    expect((await create()).error).toMatchObject({ code: 'REWARD_COST_RANGE' });
    api.routes['rpc save_reward'] = refuse(500, null, 'the answer was lost');
    api.routes['rpc get_reward_by_key'] = [{ id: 'r1', title: 'Cup' }];
    expect((await create()).data).toEqual({ id: 'r1', title: 'Cup' });
    expect(api.calls.filter(({ path }) => upload.test(`POST ${path}`))).toHaveLength(1);
    const saves = api.calls.filter(({ path }) => path === 'rpc/save_reward').map(({ body }) => Object(body));
    expect(saves[1].p_reward).toEqual(saves[0].p_reward);
    const lookUp = api.calls.find(({ path }) => path === 'rpc/get_reward_by_key');
    expect(lookUp?.params.get('p_idempotency_key')).toBe(saves[1].p_idempotency_key);
  });

  it('is updated by id and by what is replaced but a stock counted anew, with an image that is uploaded first', async () => {
    const api = fakeApi({ 'rpc save_reward': {} });
    vi.spyOn(crypto, 'randomUUID').mockReturnValue('00000000-0000-4000-8000-000000000001');
    api.routes['POST /storage/v1/object/reward-images/00000000-0000-4000-8000-000000000001.webp'] = { Key: 'x' };
    const image = new File(['x'], 'cup.webp', { type: 'image/webp' });
    const values = { delivery: 'post' as const, stock_quantity: 4 };
    const { error } = await runMutation(useSaveReward, { reward: reward({ image_url: '/old.png' }), values, image });
    expect(error).toBeNull();
    expect(`${api.calls[0]?.method} ${api.calls[0]?.path}`).toMatch(upload);
    expect(api.calls[1]?.body).toEqual({
      p_reward_id: 'reward-1',
      p_reward: {
        ...values,
        replaces: { delivery: 'other', image_url: '/old.png' },
        image_url:
          'http://supabase.test/storage/v1/object/public/reward-images/00000000-0000-4000-8000-000000000001.webp',
      },
    });
  });
});

describe('the admin dashboard', () => {
  it('BEY-04 has an export audited with its row count', async () => {
    const api = fakeApi({ 'rpc record_admin_export': undefined });
    await recordExport('users', 12);
    expect(api.calls[0]?.body).toEqual({ p_what: 'users', p_rows: 12 });
  });

  it.each([
    ['rebuild_site_stats_cache', 'POST', () => clearCache(), [{ total_members: 3 }], { total_members: 3 }],
    ['run_security_scan', 'GET', () => runSecurityScan(), [{ finding: 'x' }], [{ finding: 'x' }]],
    ['reconcile_ledger', 'GET', () => reconcileLedger(), [], []],
    ['export_data', 'POST', () => exportData(), { tables: {} }, { tables: {} }],
  ])('C-54 requests %s', async (procedure, method, run, answer, expected) => {
    const api = fakeApi({ [`rpc ${procedure}`]: answer });
    expect(await run()).toEqual(expected);
    expect(api.calls).toMatchObject([{ method, path: `rpc/${procedure}` }]);
  });

  it('C-54 replaces the sitemap', async () => {
    const api = fakeApi({ 'POST /storage/v1/object/site/sitemap.xml': { Key: 'site/sitemap.xml' } });
    const address = 'http://supabase.test/storage/v1/object/public/site/sitemap.xml';
    expect(await uploadSitemap('<urlset/>')).toBe(address);
    expect(vi.mocked(fetch).mock.calls[0]?.[1]?.headers).toSatisfy(
      (headers: HeadersInit) => new Headers(headers).get('x-upsert') === 'true',
    );
    expect(api.calls).toHaveLength(1);
  });
});

it('C-99 settings whose answer was lost are saved when they are stored, and not when others are', async () => {
  vi.useFakeTimers();
  const api = fakeApi({ 'rpc update_app_settings': offline(), 'GET app_settings': [settingsRow({ og_slots: 7 })] });
  const save = async (og_slots: number) => {
    const run = runMutation(useSaveSettings, { settings: { og_slots: 7 }, shown: { og_slots } });
    await vi.runAllTimersAsync();
    return (await run).error;
  };
  expect(await save(7)).toBeNull();
  // Pressed again where nobody could find out: it is the admin's own change, not somebody else's.
  expect(await save(5)).toBeNull();
  api.routes['GET app_settings'] = [settingsRow({ og_slots: 8 })];
  expect(await save(8)).toMatchObject({ code: 'NOT_APPLIED' });
  expect(await save(5)).toMatchObject({ code: 'SETTINGS_CHANGED' });
});
