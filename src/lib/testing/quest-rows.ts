import type { Tables } from '@/types/database';

/** Id of the sample quest. */
export const questId = '0a0a0a0a-0000-4000-8000-000000000001';

/** Complete, valid database rows for tests; each test overrides what it is about. */

type Project = Omit<
  Tables<'startup_profiles'>,
  'owner_email' | 'reviewed_by' | 'checked_at' | 'changed_at' | 'changed_from'
>;
export function projectRow(overrides: Partial<Project> = {}): Project {
  return {
    id: 'p1',
    owner_user_id: 'user_owner',
    name: 'Paperkite',
    logo_url: null,
    website: 'https://paperkite.example',
    description: 'Short daily lessons.',
    industry: 'Education',
    status: 'verified',
    review_note: null,
    reviewed_at: null,
    created_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
    suspended_at: null,
    revoked_at: null,
    is_public: (overrides.status ?? 'verified') === 'verified',
    former_name: null,
    renamed_at: null,
    ...overrides,
  };
}

type Quest = Tables<'campaigns'>;
export function questRow(overrides: Partial<Quest> = {}): Quest {
  return {
    id: questId,
    startup_id: 'p1',
    title: 'Test our app',
    summary: 'Three short tasks',
    details_md: '',
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
    open_reward_points: 50,
    total_slots: 20,
    submission_count: 0,
    participant_count: 0,
    pending_count: 0,
    approved_count: 0,
    points_distributed: 0,
    open_slots: 20,
    is_full: false,
    created_at: '2026-01-01T00:00:00+00:00',
    updated_at: '2026-01-01T00:00:00+00:00',
    published_at: '2026-01-01T00:00:00+00:00',
    closed_at: null,
    starts_at: null,
    ends_at: null,
    hold_cause: null,
    status_before_hold: null,
    review_hours: 72,
    kept_count: 0,
    median_minutes: null,
    ...overrides,
  };
}

type Task = Tables<'tasks'>;
export function taskRow(overrides: Partial<Task> = {}): Task {
  return {
    id: 't1',
    campaign_id: questId,
    incentive_rules: [],
    title: 'Try the app',
    type: 'visit',
    instructions_md: 'Look around.',
    reward_points: 50,
    max_completions: 20,
    requires_proof: true,
    proof_type: 'link',
    auto_verify: false,
    verification: 'review',
    link_url: null,
    order_index: 0,
    approved_count: 0,
    pending_count: 0,
    pending_points: 0,
    kept_count: 0,
    kept_points: 0,
    raised_points: 0,
    created_at: '2026-01-01T00:00:00+00:00',
    ...overrides,
  };
}

type Submission = Omit<Tables<'submissions'>, 'flags' | 'is_flagged'>;
export function submissionRow(overrides: Partial<Submission> = {}): Submission {
  return {
    id: 's1',
    task_id: 't1',
    campaign_id: questId,
    user_id: 'user_test',
    proof_url: null,
    proof_text: 'Done',
    participant_email: null,
    status: 'pending',
    reward_points: 50,
    reviewed_by: null,
    review_note: null,
    reviewed_at: null,
    submitted_at: '2026-01-02T03:04:05+00:00',
    created_at: '2026-01-02T03:04:05+00:00',
    rejection_reason: null,
    review_due_at: null,
    review_check_at: null,
    kept_until: null,
    is_slot_reopened: false,
    appealed_at: null,
    ...overrides,
  };
}
