import type { OwnQuest, QuestListItem } from '../quest';
import type { MyQuest } from '../response-schemas';

/** Complete sample objects for tests; override what matters. */
export function questListItem(overrides: Partial<QuestListItem> = {}): QuestListItem {
  return {
    id: 'q1',
    startup_id: 'p1',
    startup_name: 'Paperkite',
    startup_logo_url: null,
    startup_verified: true,
    title: 'Fly your first lesson',
    summary: 'One week, one kite.',
    custom_reward_title: null,
    custom_reward_description: null,
    collect_emails: false,
    reward_points: 25,
    budget_points: 500,
    task_count: 1,
    total_slots: 20,
    open_slots: 15,
    is_full: false,
    published_at: '2026-01-01T00:00:00+00:00',
    created_at: '2026-01-01T00:00:00+00:00',
    ends_at: null,
    cursor: 'after-q1',
    review_hours: 72,
    reserved_points: 0,
    decided: null,
    accepted: null,
    overturned: null,
    median_seconds: null,
    median_minutes: null,
    ...overrides,
  };
}

/** An owner's live quest without participants. */
export function ownQuest(overrides: Partial<OwnQuest> = {}): OwnQuest {
  return {
    id: '5b3c1f0e-0000-4000-8000-000000000002',
    startup_id: '5b3c1f0e-0000-4000-8000-000000000001',
    title: 'Test our app',
    summary: 'A short task',
    status: 'published',
    hold_reason: null,
    held_at: null,
    hold_cause: null,
    reward_points: 25,
    budget_points: 500,
    task_count: 1,
    total_slots: 20,
    open_slots: 20,
    is_full: false,
    submission_count: 0,
    participant_count: 0,
    pending_count: 0,
    approved_count: 0,
    email_count: 0,
    created_at: '2026-01-06T12:00:00Z',
    published_at: '2026-01-06T12:00:00Z',
    closed_at: null,
    starts_at: null,
    ends_at: null,
    cursor: 'after-own',
    reserved_points: 0,
    points_distributed: 0,
    daily_submissions: Array(14).fill(0),
    points_taken_back_at: null,
    ...overrides,
  };
}

/** A started quest with one submission in the given state. */
export function myQuest(overrides: Partial<MyQuest> = {}): MyQuest {
  const state = overrides.state ?? 'waiting';
  const status = state === 'rejected' ? 'rejected' : state === 'waiting' ? 'pending' : 'approved';
  const isDecided = status !== 'pending';
  return {
    campaign_id: 'q1',
    title: 'Fly your first lesson',
    startup_id: 'p1',
    startup_name: 'Paperkite',
    startup_logo_url: null,
    state,
    can_continue: false,
    task_count: 1,
    approved_count: status === 'approved' ? 1 : 0,
    points_earned: status === 'approved' ? 25 : 0,
    last_activity_at: '2026-01-06T12:00:00Z',
    submissions: [
      {
        task_id: 't1',
        task_title: 'First task',
        status,
        reward_points: 25,
        proof_url: null,
        proof_text: 'What I saw',
        submitted_at: '2026-01-06T11:00:00Z',
        reviewed_at: isDecided ? '2026-01-06T12:00:00Z' : null,
        reviewed_by: isDecided ? 'project' : null,
        rejection_reason: status === 'rejected' ? 'incomplete' : null,
        review_note: status === 'rejected' ? 'Page two is missing' : null,
        id: 's1',
        review_due_at: '2026-01-09T11:00:00Z',
        kept_until: null,
        appealed_at: null,
      },
    ],
    cursor: 'after-q1',
    ...overrides,
  };
}
