import * as rows from '@/lib/testing/quest-rows';
import { settingsRow } from '@/lib/testing/rows';
import type { Campaign, Task } from '../detail-queries';

export const startupId = '5b3c1f0e-0000-4000-8000-000000000001';
export const campaignId = '5b3c1f0e-0000-4000-8000-000000000002';

/** A verified project of the user that renderApp signs in; give what matters to the test. */
export const startup = (overrides: Parameters<typeof rows.startup>[0] = {}) =>
  rows.startup({ id: startupId, owner_user_id: 'user_test', name: 'Paper Kite', ...overrides });

/** A live quest of 20 times 25 points with nobody in it. */
export const campaign = (overrides: Partial<Campaign> = {}) =>
  rows.campaign({
    id: campaignId,
    startup_id: startupId,
    summary: 'A short task',
    details_md: 'All about it',
    task_reward_sum: 25,
    created_at: '2026-01-06T12:00:00Z',
    ...overrides,
  });

export const task = (overrides: Partial<Task> = {}) =>
  rows.task({
    id: 'task-1',
    campaign_id: campaignId,
    instructions_md: 'Open it and look around.',
    reward_points: 25,
    max_completions: 10,
    ...overrides,
  });

/** What the server answers to the creation screen for an eligible founder without quests. */
export function createRoutes(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'GET startup_profiles': [startup({ id: 'other', owner_user_id: 'user_other' }), startup()],
    'GET app_settings': [settingsRow()],
    'GET subscriptions': [],
    'GET campaigns': [campaign({ id: 'foreign', startup_id: 'other' })],
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
