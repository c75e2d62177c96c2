import type { QuestListItem, QuestSlots } from '../quest';

/** Objects for tests, complete and harmless; each test overrides what it is about. */
export function questListItem(overrides: Partial<QuestListItem> = {}): QuestListItem {
  return {
    id: 'q1',
    startup_id: 'p1',
    startup_name: 'Paperkite',
    startup_logo_url: null,
    startup_verified: true,
    title: 'Fly your first lesson',
    summary: 'One week, one kite.',
    budget_points: 500,
    custom_reward_title: null,
    custom_reward_description: null,
    collect_emails: false,
    published_at: '2026-01-01T00:00:00+00:00',
    created_at: '2026-01-01T00:00:00+00:00',
    task_count: 1,
    average_reward: 25,
    cursor: '',
    ...overrides,
  };
}

export function slots(overrides: Partial<QuestSlots> = {}): QuestSlots {
  return { total_slots: 20, available_slots: 15, completed_slots: 5, is_quest_full: false, ...overrides };
}
