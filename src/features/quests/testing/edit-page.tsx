import { screen, within } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import QuestEditPage from '../pages/quest-edit-page';
import { projectLimits, projectRow, questId, questRow, taskRow } from './rows';

const routes = [
  { path: '/startup/campaigns/:id/edit', element: <QuestEditPage /> },
  { path: '*', element: <p>elsewhere</p> },
];
export const second = taskRow({
  id: 'task-2',
  title: 'Tell a friend',
  type: 'others',
  reward_points: 50,
  max_completions: 2,
  order_index: 1,
});

/** Renders the edit page; server responses can be overridden. */
export function openEditPage(overrides: Record<string, unknown> = {}) {
  const api = fakeApi({
    'GET startup_profiles': [projectRow({ id: 'other', owner_user_id: 'user_other' }), projectRow()],
    'GET campaigns': [questRow({ id: 'other', title: 'Another quest' }), questRow()],
    'GET app_settings': [settingsRow()],
    'rpc check_incentives': [],
    'rpc get_quest_limits': [projectLimits({ quest_count: 1, budget_used: 500 })],
    'GET tasks': [taskRow(), second, taskRow({ id: 'foreign', campaign_id: 'other', title: 'Another task' })],
    ...overrides,
  });
  const path = `/startup/campaigns/${questId}/edit`;
  const view = renderApp(null, { identity: signedIn('startup_verified'), path, routes });
  const sent = () => api.calls.find((call) => call.path === 'rpc/update_campaign')?.body;
  return { ...view, api, sent, pathname: () => view.router.state.location.pathname };
}

export const saveButton = () => screen.findByRole('button', { name: 'Save Quest' });
export const taskItem = (number: number) => screen.getByRole('listitem', { name: `Task ${number}` });
export const inTask = (number: number, name: RegExp) => within(taskItem(number)).getByRole('textbox', { name });
