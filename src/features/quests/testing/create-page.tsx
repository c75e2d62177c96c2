import { screen, within } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import QuestCreatePage from '../pages/quest-create-page';
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
export const field = (name: RegExp) => screen.getByRole('textbox', { name });
export const pick = (name: RegExp) => screen.getByRole('radio', { name });

/** Replaces a field's value with a single event instead of one per letter, because the form is large. */
export async function retype(user: ReturnType<typeof openCreatePage>['user'], input: HTMLElement, text: string) {
  await user.clear(input);
  await user.paste(text);
}

/** Entries of the error summary. */
export const toCorrect = () =>
  within(screen.getByRole('region', { name: 'What to correct' }))
    .getAllByRole('button')
    .map((button) => button.textContent);

/** Text of the alert, which is then dismissed. */
export async function alertSentence(user: ReturnType<typeof openCreatePage>['user']) {
  const dialog = await screen.findByRole('alertdialog');
  const text = dialog.textContent ?? '';
  await user.click(within(dialog).getByRole('button', { name: 'OK' }));
  return text;
}

/** Follow on X, 25 points for 20 people: exactly the trial's 500 points. */
export async function fillFollow(user: ReturnType<typeof openCreatePage>['user']) {
  await user.click(pick(/Follow on Twitter/));
  await retype(user, field(/Twitter\/X handle/), '@paperkite');
}
