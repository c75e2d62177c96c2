import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { ProjectsTab } from './projects-tab';
import type { AdminProject } from './queries';

function project(overrides: Partial<AdminProject> = {}): AdminProject {
  return {
    id: 'project-1',
    owner_user_id: 'user_owner',
    owner_email: 'owner@example.org',
    name: 'Paper Kite',
    logo_url: '',
    website: '',
    description: '',
    industry: 'SaaS',
    status: 'pending',
    reviewed_by: '',
    review_note: '',
    reviewed_at: null,
    created_at: '2026-02-01T10:00:00Z',
    checked_at: null,
    campaign_count: 0,
    has_subscription: false,
    cursor: 'cursor-1',
    suspended_at: null,
    revoked_at: null,
    changed_at: null,
    changed_from: null,
    former_name: null,
    ...overrides,
  };
}

function open(rows: AdminProject[], path = '/admin?tab=projects') {
  const api = fakeApi({ 'rpc admin_list_startups': rows, 'rpc set_startup_status': [{ id: 'project-1' }] });
  return { ...renderApp(<ProjectsTab />, { identity: signedIn('admin'), path }), api };
}
const decisions = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/set_startup_status').map(({ body }) => body);

describe('projects', () => {
  it('ADMIN-03 approves with the stated note', async () => {
    const { user, api } = open([project()]);
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Paper Kite is verified')).toBeInTheDocument();
    expect(decisions(api)).toEqual([{ p_startup_id: 'project-1', p_status: 'verified', p_note: 'Approved by admin' }]);
  });

  it('ADMIN-03 rejects with a reason only', async () => {
    const { user, api } = open([project()]);
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject “Paper Kite”?' }));
    await user.click(dialog.getByRole('button', { name: 'Reject project' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    expect(decisions(api)).toEqual([]);
    await user.type(dialog.getByLabelText(/Reason/), 'No website');
    await user.click(dialog.getByRole('button', { name: 'Reject project' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(decisions(api)).toEqual([{ p_startup_id: 'project-1', p_status: 'rejected', p_note: 'No website' }]);
  });

  it('C-94 marks a project that only the beta has verified as checked, and says what that releases', async () => {
    const { user, api } = open([project({ status: 'verified' })]);
    api.routes['rpc mark_startup_checked'] = [{ id: 'project-1' }];
    expect(await screen.findByText('Not looked at yet')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Mark as checked' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark “Paper Kite” as checked?' }));
    expect(dialog.getByText(/What members earned from its trial points can be redeemed at once/)).toBeInTheDocument();
    api.routes['rpc admin_list_startups'] = [project({ status: 'verified', checked_at: '2026-02-02T10:00:00Z' })];
    await user.click(dialog.getByRole('button', { name: 'Mark as checked' }));
    expect(await screen.findByText('Paper Kite is checked')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark as checked' })).not.toBeInTheDocument());
    const [call] = api.calls.filter(({ path }) => path === 'rpc/mark_startup_checked');
    expect(call?.body).toEqual({ p_startup_id: 'project-1' });
  });

  it('ADMIN-03 says that approving or rejecting failed', async () => {
    const { user, api } = open([project()]);
    api.routes['rpc set_startup_status'] = refuse(500, null, 'deadlock detected');
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Failed to approve project')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'No');
    await user.click(dialog.getByRole('button', { name: 'Reject project' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to reject project');
  });

  it('C-62 a verified project stays, a rejected one can be approved', async () => {
    open([
      project({ id: '1', name: 'Done', status: 'verified', checked_at: '2026-02-02T10:00:00Z' }),
      project({ id: '2', name: 'Refused', status: 'rejected', review_note: 'No website' }),
    ]);
    const [, done, refused] = await screen.findAllByRole('row');
    if (!done || !refused) throw new Error('rows are missing');
    expect(within(done).queryByRole('button')).not.toBeInTheDocument();
    expect(within(refused).getByRole('button', { name: 'Approve' })).toBeInTheDocument();
    expect(within(refused).queryByRole('button', { name: 'Reject' })).not.toBeInTheDocument();
    expect(within(refused).getByText('No website')).toBeInTheDocument();
  });

  it('C-31 links each project to its edit form', async () => {
    open([project()]);
    expect(await screen.findByRole('link', { name: 'Edit Paper Kite' })).toHaveAttribute(
      'href',
      '/admin/projects/project-1/edit',
    );
  });

  it('ADMIN-01 asks the server to search, filter and sort, and goes on with the cursor of the last row', async () => {
    const page = Array.from({ length: 20 }, (_, index) => project({ id: `p${index}`, cursor: `c${index}` }));
    const { user, api } = open(page, '/admin?tab=projects&q=kite&status=pending&sort=oldest');
    await user.click(await screen.findByRole('button', { name: 'Show more projects' }));
    await waitFor(() => expect(api.calls.length).toBeGreaterThan(1));
    const [first, second] = api.calls.map(({ params }) => Object.fromEntries(params));
    expect(first).toEqual({ p_search: 'kite', p_status: 'pending', p_sort: 'oldest', p_limit: '20' });
    expect(second).toEqual({ ...first, p_cursor: 'c19' });
  });

  it('offers Reset Filters when nothing matches', async () => {
    const { user, router } = open([], '/admin?tab=projects&q=nothing');
    await user.click(await screen.findByRole('button', { name: 'Reset Filters' }));
    expect(router.state.location.search).toBe('?tab=projects');
  });
});
