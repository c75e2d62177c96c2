import type { OwnTransaction } from '@/features/wallet';
import type { LeaderboardEntry, Redemption, Reward } from './queries';

/** Rows for tests; override what matters. */
export function reward(overrides: Partial<Reward> = {}): Reward {
  return {
    id: 'reward-1',
    title: 'Coffee voucher',
    description: 'A cup on us.',
    points_cost: 500,
    cash_value_cents: null,
    image_url: null,
    is_active: true,
    stock_quantity: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    delivery: 'other',
    ...overrides,
  };
}

export function redemption(overrides: Partial<Redemption> = {}): Redemption {
  return {
    id: 'redemption-1',
    reward_id: 'reward-1',
    reward_title: 'Coffee voucher',
    points_cost: 500,
    status: 'pending',
    note: null,
    created_at: '2026-02-01T12:00:00Z',
    fulfilled_at: null,
    cancelled_at: null,
    delivery: 'other',
    ...overrides,
  };
}

export function leaderboardEntry(overrides: Partial<LeaderboardEntry> = {}): LeaderboardEntry {
  return {
    rank: 1,
    user_id: '',
    username: 'robin…eed',
    display_name: 'Robin…eed',
    total_points: 4200,
    is_self: false,
    ...overrides,
  };
}

/** A line of the member's own history. */
export function ownTransaction(overrides: Partial<OwnTransaction> = {}): OwnTransaction {
  return {
    id: 1,
    kind: 'task_completion',
    description: 'Task completion',
    created_at: '2026-02-01T12:00:00Z',
    change: 0,
    balance_after: 0,
    held_points: 0,
    campaign_id: null,
    campaign_title: null,
    startup_name: null,
    task_title: null,
    submission_id: null,
    submission_status: null,
    proof_url: null,
    proof_text: null,
    reviewed_by: null,
    reviewed_at: null,
    redemption_id: null,
    redemption_status: null,
    referral_id: null,
    cursor: '',
    ...overrides,
  };
}
