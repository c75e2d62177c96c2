import { screen } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import QuestCreatePage from '../pages/quest-create-page';
import { field, retype } from './form-fields';
import { createRoutes } from './rows';

const routes = [
  { path: '/startup/campaigns/new', element: <QuestCreatePage /> },
  { path: '*', element: <p>elsewhere</p> },
];

export function openCreatePage(overrides: Record<string, unknown> = {}) {
  const api = fakeApi(createRoutes(overrides));
  const view = renderApp(null, { identity: signedIn('startup_verified'), path: '/startup/campaigns/new', routes });
  return { ...view, api, pathname: () => view.router.state.location.pathname };
}

export const createButton = () => screen.findByRole('button', { name: 'Create Quest' });
export const pick = (name: RegExp) => screen.getByRole('radio', { name });

/** Follow on X, 25 points for 20 people: exactly the trial's 500 points. */
export async function fillFollow(user: ReturnType<typeof openCreatePage>['user']) {
  await user.click(pick(/Follow on Twitter/));
  await retype(user, field(/Twitter\/X handle/), '@paperkite');
}
