import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';
import type { Database } from '@/types/database';

/** What a mutation calls: a stored procedure, or an endpoint that is none. */
export type Call = keyof Database['public']['Functions'] | 'create_checkout_session';

/** The first part of a feature's query keys, or more of it where only a part becomes stale. */
type Feature =
  | 'account'
  | 'admin'
  | 'checkout'
  | 'feedback'
  | 'home'
  | 'quests'
  | 'referrals'
  | 'rewards'
  | 'settings'
  | 'startups'
  | 'submissions'
  | 'wallets';
type StaleKey = readonly [Feature, ...string[]];

const leaderboard = ['rewards', 'leaderboard'] as const;

/** A changed project shows on its quests; verifying one pays its trial points and changes its owner's role. */
const project: readonly StaleKey[] = [['startups'], ['quests'], ['wallets'], ['account'], ['home'], ['admin']];
/** A changed quest changes what is reserved for it, and what is left to review. */
const quest: readonly StaleKey[] = [['quests'], ['submissions'], ['wallets'], ['home'], ['admin']];
/** A submission or its review moves points, and with them the leaderboard. */
const submission: readonly StaleKey[] = [
  ['submissions'],
  ['quests'],
  ['wallets'],
  leaderboard,
  ['referrals'],
  ['home'],
  ['admin'],
];
const member: readonly StaleKey[] = [['startups'], ['quests'], leaderboard, ['home'], ['admin']];
const admin: readonly StaleKey[] = [['admin']];
const nothing: readonly StaleKey[] = [];

/**
 * The keys that each call of a mutation makes stale, so that nobody has to know which screens show what it changes. A test
 * fails when a mutation calls something that has no entry here.
 */
export const staleQueries = {
  // What these answer with is put into the cache by the mutation itself.
  sync_current_user: nothing,
  switch_role: nothing,
  update_profile: [leaderboard],

  create_startup_profile: project,
  update_startup_profile: project,
  delete_startup_profile: project,
  set_startup_status: project,
  // Checking a project releases its trial points.
  mark_startup_checked: project,
  // Refused when slots or price are not what the page showed.
  create_checkout_session: [['checkout'], ['settings']],

  create_quest: quest,
  update_campaign: quest,
  publish_campaign: quest,
  unpublish_campaign: quest,
  close_campaign: quest,
  delete_campaign: quest,
  lift_campaign_hold: quest,

  submit_proof: submission,
  review_submission: submission,
  reverse_submission: submission,
  dismiss_submission_flag: [['submissions'], ['admin']],
  withdraw_email_consent: [['submissions'], ['quests']],
  adjust_points: [['wallets'], leaderboard, ['home'], ['admin']],
  reverse_transfer: [['wallets'], leaderboard, ['home'], ['admin']],

  redeem_reward_safe: [['wallets'], ['rewards']],
  save_reward: [['rewards'], ['admin']],
  delete_reward: [['rewards'], ['admin']],
  set_redemption_status: [['rewards'], ['wallets'], ['admin']],

  get_own_data: nothing,
  track_referral_click: nothing,
  create_user_referral_code: [['referrals']],
  process_referral_signup: [['wallets'], ['referrals'], leaderboard],

  submit_project_feedback: [['feedback']],
  update_project_feedback: [['feedback']],
  submit_beta_feedback: admin,
  subscribe_to_mailing_list: admin,
  confirm_mailing_list_subscription: admin,
  unsubscribe_from_mailing_list: admin,

  suspend_user: member,
  lift_suspension: member,
  update_app_settings: [['settings'], ['checkout'], ['rewards'], ['quests'], ['home'], ['admin']],
  update_beta_feedback: admin,
  set_mailing_list_active: admin,
  requeue_failed_events: admin,
  requeue_outbox_event: admin,
  record_admin_export: admin,
  export_data: admin,
  rebuild_site_stats_cache: [['home'], ['admin']],
} satisfies Partial<Record<Call, readonly StaleKey[]>>;

/** A call that has its entry. */
export type KnownCall = keyof typeof staleQueries;

type RefetchType = InvalidateQueryFilters['refetchType'];

/** Marks what the calls make stale; resolves when that of it which is on the screen has been read again. */
export async function invalidateStaleQueries(
  queryClient: QueryClient,
  calls: readonly KnownCall[],
  refetchType: RefetchType = 'active',
): Promise<void> {
  const keys = new Map(calls.flatMap((call) => staleQueries[call]).map((key) => [key.join('/'), key]));
  await Promise.all([...keys.values()].map((queryKey) => queryClient.invalidateQueries({ queryKey, refetchType })));
}
