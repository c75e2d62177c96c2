import { screen } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import LateParts from './late-parts';

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
