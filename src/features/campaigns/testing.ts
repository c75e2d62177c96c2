import type { AppSettings } from '@/features/settings';
import type { Startup } from '@/features/startups';
import type { Campaign, Task } from './queries';

export const startupId = '5b3c1f0e-0000-4000-8000-000000000001';
export const campaignId = '5b3c1f0e-0000-4000-8000-000000000002';

/** A verified project of the user that renderApp signs in; give what matters to the test. */
export function startup(overrides: Partial<Startup> = {}): Startup {
  return {
    id: startupId,
    owner_user_id: 'user_test',
    name: 'Paper Kite',
    logo_url: null,
    website: null,
    description: null,
    industry: 'SaaS',
    status: 'verified',
    review_note: null,
    reviewed_at: null,
    created_at: '2026-01-05T12:00:00Z',
    updated_at: '2026-01-05T12:00:00Z',
    ...overrides,
  };
}

/** A live quest of 20 times 25 points with nobody in it. */
export function campaign(overrides: Partial<Campaign> = {}): Campaign {
  return {
    id: campaignId,
    startup_id: startupId,
    title: 'Test our app',
    summary: 'A short task',
    details_md: 'All about it',
    budget_points: 500,
    budget_cash_cents: 0,
    status: 'published',
    custom_reward_title: null,
    custom_reward_description: null,
    collect_emails: false,
    email_collection_purpose: null,
    hold_reason: null,
    held_by: null,
    held_at: null,
    task_count: 1,
    task_reward_sum: 25,
    total_slots: 20,
    submission_count: 0,
    participant_count: 0,
    pending_count: 0,
    approved_count: 0,
    points_distributed: 0,
    open_slots: 20,
    is_full: false,
    created_at: '2026-01-06T12:00:00Z',
    updated_at: '2026-01-06T12:00:00Z',
    published_at: '2026-01-06T12:00:00Z',
    closed_at: null,
    ...overrides,
  };
}

export function task(overrides: Partial<Task> = {}): Task {
  return {
    id: 'task-1',
    campaign_id: campaignId,
    title: 'Try the app',
    type: 'visit',
    instructions_md: 'Open it and look around.',
    reward_points: 25,
    max_completions: 10,
    requires_proof: true,
    proof_type: 'link',
    auto_verify: false,
    order_index: 0,
    approved_count: 0,
    pending_count: 0,
    pending_points: 0,
    created_at: '2026-01-06T12:00:00Z',
    ...overrides,
  };
}

const settings: Partial<AppSettings> = { beta_mode: true, trial_quest_limit: 1, trial_budget_points: 500 };

/** What the server answers to the creation screen for an eligible founder without quests. */
export function createRoutes(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'GET startup_profiles': [startup()],
    'GET app_settings': settings,
    'GET subscriptions': [],
    'GET campaigns': [],
    'rpc validate_campaign_creation_eligibility': eligibility(true),
    ...overrides,
  };
}

export function eligibility(isEligible: boolean, details: unknown[] = []) {
  return {
    is_eligible: isEligible,
    requirement_message: isEligible
      ? 'Requirement met: go on.'
      : 'Complete at least 1 quest before you create your own.',
    quest_completion: { quest_details: details },
  };
}
