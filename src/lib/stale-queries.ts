import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';
import type { Database } from '@/types/database';

/** What a mutation calls: a stored procedure or another endpoint. */
export type Call = keyof Database['public']['Functions'] | 'create_checkout_session' | 'check_task' | 'test_endpoint';

/** A prefix of a feature's query keys, longer where only some of them become stale. */
type Feature =
  | 'account'
  | 'admin'
  | 'appeals'
  | 'checkout'
  | 'feedback'
  | 'home'
  | 'notifications'
  | 'quests'
  | 'referrals'
  | 'rewards'
  | 'settings'
  | 'startups'
  | 'submissions'
  | 'wallets';
type StaleKey = readonly [Feature, ...string[]];

const leaderboard = ['rewards', 'leaderboard'] as const;
/** Counted from completed tasks. */
const progress: readonly StaleKey[] = [
  ['rewards', 'streak'],
  ['rewards', 'badges'],
];

/** Quests show their project; verifying one pays its trial points and changes its owner's role. */
const project: readonly StaleKey[] = [['startups'], ['quests'], ['wallets'], ['account'], ['home'], ['admin']];
/** Changing a quest changes its reserve and its pending reviews. */
const quest: readonly StaleKey[] = [['quests'], ['submissions'], ['wallets'], ['home'], ['admin']];
const notifications: readonly StaleKey[] = [['notifications']];
/** A submission or its review moves points, and with them the leaderboard, and sends a notification. */
const submission: readonly StaleKey[] = [
  ...notifications,
  ['submissions'],
  ['quests'],
  ['wallets'],
  leaderboard,
  ...progress,
  ['referrals'],
  ['home'],
  ['admin'],
];
const member: readonly StaleKey[] = [['startups'], ['quests'], leaderboard, ['home'], ['admin']];
const admin: readonly StaleKey[] = [['admin']];
const nothing: readonly StaleKey[] = [];

/**
 * The query keys that each call makes stale, so that mutations need not know which screens show what they change. A test fails if a
 * mutation's call has no entry.
 */
export const staleQueries = {
  // Their mutations write the response into the cache themselves.
  sync_current_user: nothing,
  switch_role: nothing,
  // The profile itself is written into the cache; other queries show the name or depend on the interests.
  update_profile: [leaderboard, ['rewards', 'profile']],
  save_interests: [['quests', 'suggested']],

  create_startup_profile: project,
  update_startup_profile: project,
  delete_startup_profile: project,
  set_startup_status: project,
  // Marking a project as checked releases its trial points.
  mark_startup_checked: project,
  revoke_verification: project,
  confirm_startup_change: project,
  // Refused when slots or price are not what the page showed.
  create_checkout_session: [['checkout'], ['settings']],

  create_signing_secret: [['startups', 'signing-secrets']],
  revoke_signing_secret: [['startups', 'signing-secrets']],
  // Only records that the address has responded.
  test_endpoint: nothing,

  create_quest: quest,
  duplicate_campaign: quest,
  update_campaign: quest,
  publish_campaign: quest,
  unpublish_campaign: quest,
  close_campaign: quest,
  delete_campaign: quest,
  lift_campaign_hold: quest,

  set_quest_saved: [
    ['quests', 'saved'],
    ['quests', 'suggested'],
  ],
  // Not visible until the worker has measured.
  record_quest_view: nothing,
  set_project_followed: [
    ['startups', 'followed'],
    ['quests', 'suggested'],
  ],

  submit_proof: submission,
  submit_completion_code: submission,
  check_task: submission,
  // Otherwise only returns the member's link, which no query reads.
  start_task: [['submissions', 'consents']],
  review_submission: submission,
  review_submissions: submission,
  reverse_submission: submission,
  dismiss_submission_flag: [['submissions'], ['admin']],
  withdraw_email_consent: [['submissions'], ['quests']],
  adjust_points: [['wallets'], leaderboard, ['home'], ['admin']],
  reverse_transfer: [['wallets'], leaderboard, ['home'], ['admin']],

  // A refusal may mean that an admin has switched rewards off.
  redeem_reward_safe: [['wallets'], ['rewards'], ['settings']],
  save_reward: [['rewards'], ['admin']],
  delete_reward: [['rewards'], ['admin']],
  set_redemption_status: [['rewards'], ['wallets'], ['admin']],
  fulfil_redemptions: [['rewards'], ['admin']],
  add_reward_codes: [['rewards'], ['admin']],
  remove_reward_codes: [['rewards'], ['admin']],
  // Only marks the code as shown.
  get_redemption_code: nothing,
  set_public_profile: [['rewards', 'profile']],

  mark_notification_read: notifications,
  mark_all_notifications_read: notifications,
  set_notification_preference: notifications,

  get_own_data: nothing,
  track_referral_click: nothing,
  create_user_referral_code: [['referrals']],
  process_referral_signup: [...notifications, ['wallets'], ['referrals'], leaderboard],

  submit_project_feedback: [['feedback']],
  update_project_feedback: [['feedback']],
  submit_beta_feedback: admin,
  subscribe_to_mailing_list: admin,
  confirm_mailing_list_subscription: admin,
  unsubscribe_from_mailing_list: admin,

  // An appeal against a rejection keeps the proof's spot.
  submit_appeal: [['appeals'], ['submissions'], ['quests'], ['admin']],
  // Overturning ends what was appealed: a suspension, a revocation or a rejection.
  decide_appeal: [...project, ...submission, ['appeals']],
  settle_returned_payment: [['wallets'], ['quests'], ['checkout'], ['admin']],
  revoke_admin: [['account'], ['admin']],
  restore_admin: [['account'], ['admin']],
  suspend_user: member,
  lift_suspension: member,
  update_app_settings: [['settings'], ['checkout'], ['rewards'], ['quests'], ['home'], ['admin']],
  update_beta_feedback: admin,
  set_feedback_priority: admin,
  set_referral_code_active: [['referrals'], ['admin']],
  set_mailing_list_active: admin,
  requeue_failed_events: admin,
  requeue_outbox_event: admin,
  record_admin_export: admin,
  export_data: admin,
  rebuild_site_stats_cache: [['home'], ['admin']],
} satisfies Partial<Record<Call, readonly StaleKey[]>>;

/** A call that has an entry in the table. */
export type KnownCall = keyof typeof staleQueries;

type RefetchType = InvalidateQueryFilters['refetchType'];

/** Invalidates what the calls make stale; resolves when the queries on the screen have been refetched. */
export async function invalidateStaleQueries(
  queryClient: QueryClient,
  calls: readonly KnownCall[],
  refetchType: RefetchType = 'active',
): Promise<void> {
  const keys = new Map(calls.flatMap((call) => staleQueries[call]).map((key) => [key.join('/'), key]));
  await Promise.all([...keys.values()].map((queryKey) => queryClient.invalidateQueries({ queryKey, refetchType })));
}

/** The calls that notifications report: other people's decisions about proofs, redemptions, referrals, projects and appeals. */
const news: readonly KnownCall[] = [
  'review_submission',
  'set_redemption_status',
  'process_referral_signup',
  'set_startup_status',
  'decide_appeal',
];

/** Invalidates everything that a notification may be about, and the notifications themselves. */
export const invalidateNews = (queryClient: QueryClient): Promise<void> => invalidateStaleQueries(queryClient, news);
