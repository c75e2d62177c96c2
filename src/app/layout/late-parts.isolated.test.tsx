import { screen, waitFor } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import LateParts from './late-parts';
import { openCommandMenu } from './open-command-menu';

const code = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock('./command-menu', async (importOriginal) => {
  await code.promise;
  return importOriginal();
});

it('BEY-12 what is typed while its code is loading goes into the command menu, and to nothing on the page', async () => {
  fakeApi({ 'rpc list_published_quests': [], 'GET startup_profiles': [] });
  const heard: string[] = [];
  const hear = ({ key }: KeyboardEvent) => void heard.push(key);
  window.addEventListener('keydown', hear);
  const { user } = renderApp(<LateParts />, { identity: signedIn() });
  await user.keyboard('{Control>}k{/Control}');
  heard.length = 0;
  await user.keyboard('set');
  code.resolve();
  expect(await screen.findByRole('combobox')).toHaveValue('set');
  expect(await screen.findByRole('option', { name: 'Settings' })).toBeInTheDocument();
  expect(heard).toEqual([]);
  window.removeEventListener('keydown', hear);
});

it('BEY-12 opens once for a press that came before its code', async () => {
  fakeApi({ 'rpc list_published_quests': [], 'GET startup_profiles': [] });
  openCommandMenu();
  const { user, unmount } = renderApp(<LateParts />, { identity: signedIn() });
  expect(await screen.findByRole('dialog', { name: 'Search and go to' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  unmount();
  renderApp(<LateParts />, { identity: signedIn() });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
