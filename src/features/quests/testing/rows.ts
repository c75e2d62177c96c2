import * as rows from '@/lib/testing/quest-rows';
import { settingsRow } from '@/lib/testing/rows';
import type { ProjectLimits, Quest, Task } from '../queries';

export const projectId = '5b3c1f0e-0000-4000-8000-000000000001';
export const questId = '5b3c1f0e-0000-4000-8000-000000000002';

/** A verified project of the user that renderApp signs in; override what matters. */
export const projectRow = (overrides: Parameters<typeof rows.projectRow>[0] = {}) =>
  rows.projectRow({ id: projectId, owner_user_id: 'user_test', name: 'Paper Kite', ...overrides });

/** A live quest of 20 times 25 points without participants. */
export const questRow = (overrides: Partial<Quest> = {}) =>
  rows.questRow({
    id: questId,
    startup_id: projectId,
    summary: 'A short task',
    details_md: 'All about it',
    open_reward_points: 25,
    created_at: '2026-01-06T12:00:00Z',
    ...overrides,
  });

export const taskRow = (overrides: Partial<Task> = {}) =>
  rows.taskRow({
    id: 'task-1',
    campaign_id: questId,
    instructions_md: 'Open it and look around.',
    reward_points: 25,
    max_completions: 10,
    ...overrides,
  });

/** Server responses on the creation screen for an eligible founder without quests. */
export function createRoutes(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'GET startup_profiles': [projectRow({ id: 'other', owner_user_id: 'user_other' }), projectRow()],
    'rpc check_incentives': [],
    'GET app_settings': [settingsRow()],
    'GET subscriptions': [],
    'rpc list_own_quests': [],
    'rpc get_quest_limits': [projectLimits()],
    'rpc validate_campaign_creation_eligibility': eligibility(true),
    ...overrides,
  };
}

/** Limits of a project on trial without quests. */
export const projectLimits = (overrides: Partial<ProjectLimits> = {}): ProjectLimits => ({
  quest_count: 0,
  quest_limit: 1,
  budget_used: 0,
  budget_limit: 500,
  reward_limit: 500,
  bought_points: 0,
  has_plan: false,
  ...overrides,
});

export function eligibility(isEligible: boolean, details: unknown[] = []) {
  return {
    is_eligible: isEligible,
    requirement_message: isEligible
      ? 'Requirement met: go on.'
      : 'Complete at least 1 quest before you create your own.',
    quest_completion: { quest_details: details },
  };
}
