import type { Tables } from '@/types/database';
import { pagedRows } from './paged-rows';

/** Rows of the tables that several features read, for tests: override what matters. */
export function walletRow(overrides: Partial<Tables<'wallets'>> = {}): Tables<'wallets'> {
  return {
    id: 'wallet-1',
    kind: 'user',
    owner_user_id: 'user_test',
    user_id: 'user_test',
    startup_id: null,
    campaign_id: null,
    points: 1250,
    lifetime_points: 3400,
    leaderboard_points: 3400,
    held_points: 0,
    trial_points: 0,
    cash_cents: 0,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...overrides,
  };
}

/** An entry of a wallet, with a balance; entries of system accounts have none. */
type WalletEntry = Tables<'transactions'> & { balance_after: number; is_reversed: boolean };

export function transactionRow(overrides: Partial<WalletEntry> = {}): WalletEntry {
  return {
    id: 1,
    transfer_id: 1,
    wallet_id: 'wallet-1',
    system_account: null,
    user_id: 'user_test',
    trial_points: null,
    type: 'credit',
    kind: 'task_completion',
    points: 50,
    balance_after: 1250,
    description: 'Task completion: Read the guide',
    metadata: {},
    created_at: '2026-02-01T12:00:00Z',
    submission_id: null,
    redemption_id: null,
    referral_id: null,
    campaign_id: null,
    is_reversed: false,
    ...overrides,
  };
}

/** The answer of list_transactions for these rows. */
export function transactionPages(rows: readonly { id: number; wallet_id: string | null }[]) {
  return pagedRows((params) =>
    rows.filter((row) => row.wallet_id === params.get('p_wallet_id')).toSorted((a, b) => b.id - a.id),
  );
}

export function profileRow(overrides: Partial<Tables<'user_profiles'>> = {}): Tables<'user_profiles'> {
  return {
    id: 'profile-1',
    user_id: 'user_test',
    role: 'community',
    username: 'robin',
    display_name: 'Robin Reed',
    avatar_url: null,
    email: 'robin@example.org',
    og_badge: false,
    verified_socials: {},
    welcome_email_sent_at: null,
    suspended_at: null,
    suspension_reason: null,
    masked_username: 'ro***n',
    masked_name: 'Robin***eed',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    interests: [],
    provider_changed_at: null,
    ...overrides,
  };
}

/** The settings of a fresh installation, without the owner's address, which nobody may read. */
export function settingsRow(
  overrides: Partial<Tables<'app_settings'>> = {},
): Omit<Tables<'app_settings'>, 'owner_email'> {
  return {
    id: true,
    beta_mode: true,
    trial_quest_limit: 1,
    trial_budget_points: 500,
    referrer_points: 500,
    referred_points: 250,
    submissions_per_minute: 6,
    paid_referrals_per_day: 20,
    proof_files_per_person: 1000,
    proof_megabytes_per_person: 500,
    logo_files_per_person: 10,
    logo_megabytes_per_person: 20,
    member_count_base: 1000,
    member_floor: 47,
    quest_floor: 3,
    points_floor: 12700,
    og_slots: 100,
    og_price_cents: 9900,
    og_original_price_cents: 29700,
    rewards_enabled: true,
    leaderboard_enabled: true,
    treat_unverified_as_verified: false,
    project_changes_per_hour: 20,
    quest_creations_per_hour: 30,
    quest_changes_per_hour: 120,
    pack_small_points: 1000,
    pack_small_cents: 4900,
    pack_medium_points: 5000,
    pack_medium_cents: 19_900,
    pack_large_points: 20_000,
    pack_large_cents: 69_900,
    updated_at: '2026-01-01T00:00:00Z',
    ...overrides,
  };
}
