import type { PlatformStats } from '../data/queries';
import type { AdminQuest } from '../moderation/queries';
import type { PendingCounts } from '../queries';

/** Figures for tests; override what matters. */
export function platformStats(overrides: Partial<PlatformStats> = {}): PlatformStats {
  return {
    period_days: 30,
    totals: {
      users: 276,
      verified_startups: 12,
      published_campaigns: 25,
      points_awarded: 38005,
      submissions: 1032,
      completed_tasks: 1012,
      points_distributed: 12000,
      conversion_rate: 9.1,
      engagement: 3.74,
      revenue_cents: 89100,
    },
    period: {
      users: 27,
      verified_startups: 1,
      published_campaigns: 2,
      submissions: 395,
      completed_tasks: 375,
      points_awarded: 14610,
      points_redeemed: 5450,
      revenue_cents: 9900,
      average_session_minutes: 4.2,
    },
    days: [
      { day: '2026-02-01', new_users: 4, submissions: 6, completions: 5, points_issued: 250, points_redeemed: 0 },
      { day: '2026-02-02', new_users: 7, submissions: 9, completions: 8, points_issued: 400, points_redeemed: 500 },
    ],
    top_campaigns: [
      {
        campaign_id: 'quest-1',
        title: 'Fly your first lesson',
        startup_name: 'Paper Kite',
        approved: 3,
        submissions: 4,
        completion_rate: 75,
      },
    ],
    top_industries: [
      { industry: 'SaaS', startups: 4 },
      { industry: 'Gaming', startups: 2 },
    ],
    health: {
      active_campaigns: 25,
      pending_reviews: 16,
      pending_startups: 1,
      verified_startups: 12,
      collected_emails: 188,
    },
    ...overrides,
  };
}

/** No pending work by default. */
export function adminTodo(overrides: Partial<PendingCounts> = {}): PendingCounts {
  return {
    pending_startups: 0,
    pending_submissions: 0,
    pending_redemptions: 0,
    new_feedback: 0,
    held_campaigns: 0,
    failed_mails: 0,
    changed_startups: 0,
    open_appeals: 0,
    overdue_reviews: 0,
    returned_payments: 0,
    ...overrides,
  };
}

/** A published quest as admins see it. */
export function adminQuest(overrides: Partial<AdminQuest> = {}): AdminQuest {
  return {
    id: 'quest-1',
    title: 'Fly a kite',
    startup_id: 'project-1',
    startup_name: 'Paper Kite',
    owner_user_id: 'user_owner',
    status: 'published',
    hold_reason: null,
    held_at: null,
    budget_points: 500,
    points_distributed: 100,
    total_slots: 10,
    submission_count: 3,
    pending_count: 1,
    approved_count: 2,
    created_at: '2026-02-01T10:00:00Z',
    published_at: '2026-02-01T10:00:00Z',
    incentive_rules: [],
    hold_cause: null,
    cursor: 'cursor-1',
    ...overrides,
  };
}
