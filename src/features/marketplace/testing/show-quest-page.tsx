import { questListItem } from '@/features/quests/testing/samples';
import { fakeApi } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedOut } from '@/lib/testing/render';
import { profileRow, settingsRow } from '@/lib/testing/rows';
import QuestPage from '../pages/quest-page';

type Options = { identity?: typeof signedOut; id?: string; overrides?: Record<string, unknown> };

/** Renders the page of a quest with two tasks; server responses can be overridden. */
export function showQuestPage({ identity = signedOut, id = questId, overrides = {} }: Options = {}) {
  const api = fakeApi({
    'GET campaigns': [questRow({ id: 'other', title: 'Another quest' }), questRow()],
    'GET tasks': [taskRow({ id: 't1', title: 'First task' }), taskRow({ id: 't2', title: 'Second task' })],
    'GET startup_profiles': [projectRow()],
    'GET user_profiles': [profileRow()],
    'GET submissions': [],
    'GET saved_quests': [],
    'rpc record_quest_view': undefined,
    'rpc get_task_completion_counts': [],
    'GET app_settings': [settingsRow()],
    'rpc list_suggested_quests': [questListItem({ id: 'next', title: 'Draw a leaf', reward_points: 40 })],
    ...overrides,
  });
  const routes = [
    { path: '*', element: <p>Elsewhere</p> },
    { path: '/quest/:id', element: <QuestPage /> },
  ];
  return { api, ...renderApp(null, { identity, routes, path: `/quest/${id}` }) };
}
