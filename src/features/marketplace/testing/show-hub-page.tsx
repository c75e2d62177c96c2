import { questListItem } from '@/features/quests/testing/samples';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedOut } from '@/lib/testing/render';
import HubPage from '../pages/hub-page';

export const open = questListItem({ id: 'open', title: 'Open quest' });
export const full = questListItem({ id: 'full', title: 'Full quest', open_slots: 0, is_full: true, reward_points: 0 });
/** Rows of the requested view, as the server would list them. */
const listed = ({ params }: ApiCall) => (params.get('p_view') === 'full' ? [full] : [open]);

/** Renders the hub with an open and a full quest and three projects; server responses can be overridden. */
export function showHubPage(path = '/browse', overrides: Record<string, unknown> = {}, identity = signedOut) {
  const api = fakeApi({
    'rpc list_published_quests': listed,
    'rpc get_own_quest_states': [],
    'GET saved_quests': [],
    'GET startup_profiles': [
      projectRow(),
      projectRow({ id: 'p3', name: 'Not verified yet', status: 'pending' }),
      projectRow({ id: 'p2', name: 'Mossworks', industry: 'E-commerce', description: 'Refills for tea.' }),
    ],
    ...overrides,
  });
  const routes = [
    { path: '/browse', element: <HubPage /> },
    { path: '*', element: <p>Another page</p> },
  ];
  return { api, ...renderApp(null, { path, identity, routes }) };
}

/** The requests of the list of quests. */
export const listCalls = (api: ReturnType<typeof fakeApi>) =>
  api.calls.filter(({ path }) => path === 'rpc/list_published_quests');
