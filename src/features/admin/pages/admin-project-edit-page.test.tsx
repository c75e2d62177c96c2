import { act, screen, waitFor } from '@testing-library/react';
import { projectQueries } from '@/features/projects';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { adminTodo } from '../testing/figures';
import AdminProjectEditPage from './admin-project-edit-page';

const id = '5b3c1f0e-0000-4000-8000-000000000001';
const project = projectRow({
  id,
  owner_user_id: 'user_founder',
  name: 'Paper Kite',
  website: 'https://paperkite.example.com',
  description: 'Kites for small offices',
});
const another = projectRow({ id: 'other', owner_user_id: 'user_admin', name: 'Another project' });

function open(answers: Record<string, unknown>, projectId = id) {
  const api = fakeApi({ 'rpc get_admin_todo': adminTodo(), ...answers });
  const view = renderApp(null, {
    identity: signedIn('admin', { userId: 'user_admin' }),
    path: `/admin/projects/${projectId}/edit`,
    routes: [
      { path: '/admin/projects/:id/edit', element: <AdminProjectEditPage /> },
      { path: '/admin', element: <p>The list of projects</p> },
    ],
  });
  const sent = () => api.calls.find(({ path }) => path === 'rpc/update_startup_profile')?.body;
  return { ...view, api, sent };
}
const stored = { 'GET startup_profiles': [another, project] };
const name = () => screen.findByRole('textbox', { name: /Company name/ });
const save = () => screen.getByRole('button', { name: 'Save Changes' });

describe('ROUTE-14 C-31 an admin edits a project', () => {
  it('starts from the stored values, saves and returns to the projects', async () => {
    const { user, sent, router } = open({ ...stored, 'rpc update_startup_profile': project });
    expect(await name()).toHaveValue('Paper Kite');
    await user.clear(await name());
    await user.type(await name(), 'Paper Kites');
    await user.click(save());
    expect(await screen.findByText('The list of projects')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=projects');
    expect(await screen.findByText('Paper Kite is saved')).toBeInTheDocument();
    expect(sent()).toEqual({
      p_startup_id: id,
      p_name: 'Paper Kites',
      p_website: 'https://paperkite.example.com',
      p_description: 'Kites for small offices',
    });
  });

  it.each(['Save Changes', 'Cancel'])(
    'C-73 returns to the filtered list that it was opened from, by %s',
    async (press) => {
      const from = '/admin?tab=projects&q=kite&status=verified';
      const { user, router } = open({ ...stored, 'rpc update_startup_profile': project });
      await act(() => router.navigate(`/admin/projects/${id}/edit`, { state: { from } }));
      await name();
      expect(screen.getByRole('link', { name: 'Back to Projects' })).toHaveAttribute('href', from);
      if (press === 'Save Changes') await user.type(await name(), 's');
      await user.click(screen.getByText(press));
      expect(await screen.findByText('The list of projects')).toBeInTheDocument();
      expect(router.state.location.pathname + router.state.location.search).toBe(from);
    },
  );

  it('does not put back what the owner has changed since it was read', async () => {
    const { api, user, sent, queryClient, router } = open({ ...stored, 'rpc update_startup_profile': project });
    await name();
    await act(() => router.navigate('/admin'));
    const { queryKey } = projectQueries.detail(id);
    queryClient.setQueryData(queryKey, (read) => read && { ...read, name: 'Kite', description: 'As it was' });
    const now = Promise.withResolvers<unknown>();
    api.routes['GET startup_profiles'] = () => now.promise;
    await act(() => router.navigate(`/admin/projects/${id}/edit`));
    await user.type(screen.getByRole('textbox', { name: /Company name/ }), ' & Sons');
    now.resolve([project]);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await user.click(save());
    await screen.findByText('The list of projects');
    expect(sent()).toMatchObject({ p_name: 'Kite & Sons', p_description: 'Kites for small offices' });
  });

  it('does not put back what the owner has saved in the meantime', async () => {
    const { api, user, queryClient } = open(stored);
    queryClient.setDefaultOptions({ queries: { staleTime: 30_000 } });
    await user.type(await name(), ' & Sons');
    api.routes['GET startup_profiles'] = [{ ...project, description: 'Saved by the owner' }];
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    expect(await screen.findByDisplayValue('Saved by the owner')).toBeVisible();
    expect(await name()).toHaveValue('Paper Kite & Sons');
  });

  it('names missing fields and sends nothing', async () => {
    const { user, sent } = open(stored);
    await user.clear(await name());
    await user.click(save());
    expect(await screen.findByText('Company name is required')).toBeInTheDocument();
    expect(sent()).toBeUndefined();
  });

  it.each([
    [refuse(404, 'STARTUP_NOT_FOUND', 'Startup profile not found'), 'Startup profile not found'],
    [refuse(500, null, 'relation does not exist'), 'Failed to update project profile'],
  ])('shows why saving failed and keeps the input', async (answer, sentence) => {
    const { user } = open({ ...stored, 'rpc update_startup_profile': answer });
    await user.type(await name(), ' & Sons');
    await user.click(save());
    expect(await screen.findByRole('alertdialog')).toHaveTextContent(sentence);
    await user.click(screen.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(await name()).toHaveValue('Paper Kite & Sons');
  });

  it('says that a project does not exist, also for a malformed id', async () => {
    const { unmount } = open({ 'GET startup_profiles': [another] });
    expect(await screen.findByText('Project not found')).toBeInTheDocument();
    unmount();
    const { api } = open({}, 'not-a-project');
    expect(await screen.findByText('Project not found')).toBeInTheDocument();
    expect(api.calls.map(({ path }) => path)).toEqual(['rpc/get_admin_todo']);
  });

  it('TRUST-14 offers a retry when it could not be loaded', async () => {
    const { user, api } = open({ 'GET startup_profiles': offline() });
    expect(await screen.findByText('The project could not be loaded')).toBeInTheDocument();
    Object.assign(api.routes, stored);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await name()).toHaveValue('Paper Kite');
  });

  it('SEC-15 shows nothing of the project to users whom the database does not recognise as admin', async () => {
    const { api } = open({ 'rpc get_admin_todo': refuse(403, 'FORBIDDEN', 'Forbidden'), ...stored });
    expect(await screen.findByText('This area is for admins')).toBeInTheDocument();
    expect(api.calls.map(({ path }) => path)).toEqual(['rpc/get_admin_todo']);
  });
});
