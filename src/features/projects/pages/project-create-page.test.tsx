import { screen } from '@testing-library/react';
import { toast } from '@/components/ui/toast';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { projectRow } from '../testing';
import ProjectCreatePage from './project-create-page';

it('a created project is announced by the page alone, unless an earlier failure is to be replaced', async () => {
  const success = vi.spyOn(toast, 'success');
  const create = async (isRefusedFirst: boolean) => {
    const api = fakeApi({
      'GET startup_profiles': [],
      'rpc create_startup_profile': isRefusedFirst ? refuse(409, 'NAME_TAKEN', 'Taken') : projectRow(),
    });
    const { user, unmount } = renderApp(<ProjectCreatePage />, { identity: signedIn('startup_unverified') });
    await user.type(await screen.findByRole('textbox', { name: /Project name/ }), 'Paper Kite');
    await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
    await user.click(screen.getByRole('button', { name: 'Create Profile' }));
    if (isRefusedFirst) {
      await screen.findByText(/Taken/);
      api.routes['rpc create_startup_profile'] = projectRow();
      await user.click(screen.getByRole('button', { name: 'Create Profile' }));
    }
    await screen.findByRole('heading', { name: 'Paper Kite is on the board' });
    unmount();
  };
  await create(false);
  expect(success).not.toHaveBeenCalled();
  await create(true);
  expect(success).toHaveBeenCalledOnce();
});

it('SPROF-01 a project that waits for its review is not said to be on the board', async () => {
  fakeApi({ 'GET startup_profiles': [], 'rpc create_startup_profile': projectRow({ status: 'pending' }) });
  const { user } = renderApp(<ProjectCreatePage />, { identity: signedIn('startup_unverified') });
  await user.type(await screen.findByRole('textbox', { name: /Project name/ }), 'Paper Kite');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  await user.click(screen.getByRole('button', { name: 'Create Profile' }));
  expect(await screen.findByRole('heading', { name: 'Paper Kite has its profile' })).toHaveFocus();
  expect(screen.getByRole('status')).toHaveTextContent('Your project is under review.');
});
