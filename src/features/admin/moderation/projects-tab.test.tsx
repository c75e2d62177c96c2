import { screen, waitFor, within } from '@testing-library/react';
import { projectId } from '@/features/projects/testing';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import { adminQuest } from '../testing/figures';
import ProjectsTab from './projects-tab';
import type { AdminProject, ProjectDecision } from './queries';

function project(overrides: Partial<AdminProject> = {}): AdminProject {
  return {
    id: projectId,
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
    owner_deleted_at: null,
    ...overrides,
  };
}

function decision(overrides: Partial<ProjectDecision> = {}): ProjectDecision {
  return {
    id: 1,
    startup_id: projectId,
    project_name: 'Paper Kite',
    decision: 'rejected',
    campaign_id: null,
    reason: null,
    decided_by: 'questboard',
    decided_at: '2026-02-02T10:00:00Z',
    ...overrides,
  };
}

function open(rows: AdminProject[], path = '/admin?tab=projects') {
  const api = fakeApi({
    'rpc admin_list_startups': ({ params }: ApiCall) => {
      const id = params.get('p_startup_id');
      return id === null ? rows : rows.filter((row) => row.id === id);
    },
    'rpc admin_list_campaigns': [],
    'rpc get_project_history': [],
    'rpc set_startup_status': [{ id: projectId }],
    'GET app_settings': [settingsRow({ trial_budget_points: 500 })],
  });
  return { ...renderApp(<ProjectsTab />, { identity: signedIn('admin'), path }), api };
}
const decisions = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/set_startup_status').map(({ body }) => body);

describe('projects', () => {
  it('ADMIN-03 approves with the specified note', async () => {
    const { user, api } = open([project()]);
    const [, row] = await screen.findAllByRole('row');
    expect(row).toHaveTextContent(/Paper KiteSaaS · 0 questsowner@example.orgPendingFeb 1, 2026ApproveReject/);
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('Paper Kite is verified')).toBeInTheDocument();
    expect(decisions(api)).toEqual([{ p_startup_id: projectId, p_status: 'verified', p_note: 'Approved by admin' }]);
  });

  it('C-91 asks first when another admin has rejected the project since the list was read', async () => {
    const { user, api } = open([project()]);
    const button = await screen.findByRole('button', { name: 'Approve' });
    // It has left the list of the pending ones.
    api.routes['rpc admin_list_startups'] = ({ params }: ApiCall) =>
      params.get('p_startup_id') === null ? [] : [project({ status: 'rejected' })];
    api.routes['rpc get_project_history'] = [decision({ reason: 'Promised returns' })];
    await user.click(button);
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Approve “Paper Kite” after all?' }));
    expect(await dialog.findByText('Promised returns')).toBeVisible();
    expect(screen.queryByText('Paper Kite')).not.toBeInTheDocument();
    expect(decisions(api)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Approve project' }));
    expect(await screen.findByText('Paper Kite is verified')).toBeInTheDocument();
    expect(decisions(api)).toHaveLength(1);
  });

  it('C-99 after a lost answer the list says what is true, not what it was', async () => {
    const { user, api } = open([project()]);
    api.routes['rpc set_startup_status'] = () => {
      api.routes['rpc admin_list_startups'] = [];
      return offline();
    };
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText(/it may have gone through/)).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Paper Kite')).not.toBeInTheDocument());
  });

  it('ADMIN-03 rejects only with a reason', async () => {
    const { user, api } = open([project()]);
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject “Paper Kite”?' }));
    await user.click(dialog.getByRole('button', { name: 'Reject project' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    expect(decisions(api)).toEqual([]);
    await user.type(dialog.getByLabelText(/Reason/), 'No website');
    await user.click(dialog.getByRole('button', { name: 'Reject project' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(decisions(api)).toEqual([{ p_startup_id: projectId, p_status: 'rejected', p_note: 'No website' }]);
  });

  it('C-94 marks a project that only the beta has verified as checked, and says what that releases', async () => {
    const { user, api } = open([project({ status: 'verified' })]);
    api.routes['rpc mark_startup_checked'] = [{ id: projectId }];
    expect(await screen.findByText('Not looked at yet')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Mark as checked' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark “Paper Kite” as checked?' }));
    expect(dialog.getByText(/What members earned from its trial points can be redeemed at once/)).toBeInTheDocument();
    api.routes['rpc admin_list_startups'] = [project({ status: 'verified', checked_at: '2026-02-02T10:00:00Z' })];
    await user.click(dialog.getByRole('button', { name: 'Mark as checked' }));
    expect(await screen.findByText('Paper Kite is checked')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark as checked' })).not.toBeInTheDocument());
    const [call] = api.calls.filter(({ path }) => path === 'rpc/mark_startup_checked');
    expect(call?.body).toEqual({ p_startup_id: projectId });
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

  it('C-91 asks for confirmation before approving a rejected project, with its name, the points and earlier decisions', async () => {
    const { user, api } = open([project({ status: 'rejected', review_note: 'Promised returns' })]);
    api.routes['rpc get_project_history'] = [
      decision({ id: 2, decision: 'rejected', reason: 'Promised returns' }),
      decision({
        id: 1,
        decision: 'held',
        campaign_id: 'quest-1',
        reason: 'Asks for money',
        project_name: 'Kite Fund',
      }),
    ];
    expect(await screen.findByText('Promised returns')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Reject' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Approve “Paper Kite” after all?' }));
    expect(await dialog.findByText(/Its owner gets 500 trial points/)).toBeInTheDocument();
    const history = within(dialog.getByRole('list', { name: 'Decisions' })).getAllByRole('listitem');
    expect(history.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/Rejected.*by an admin.*Promised returns/),
      expect.stringMatching(/Quest taken down.*as “Kite Fund”.*Asks for money/),
    ]);
    expect(decisions(api)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Approve project' }));
    expect(await screen.findByText('Paper Kite is verified')).toBeInTheDocument();
    expect(decisions(api)).toEqual([{ p_startup_id: projectId, p_status: 'verified', p_note: 'Approved by admin' }]);
  });

  it.each([
    [/but nobody sees it or its quests while its owner is suspended\./, null],
    [/^Nobody sees it or its quests, because its owner’s account is deleted\./, '2026-02-02T10:00:00Z'],
  ])('TRUST-18 does not promise that everybody sees an approved project: %s', async (words, owner_deleted_at) => {
    const { user } = open([project({ status: 'rejected', suspended_at: '2026-02-02T10:00:00Z', owner_deleted_at })]);
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Approve “Paper Kite” after all?' });
    expect(dialog).toHaveAccessibleDescription(words);
  });

  it('TRUST-28 says that the owner’s account is deleted, instead of suspended with a bare id', async () => {
    const at = '2026-02-02T10:00:00Z';
    open(
      [project({ status: 'rejected', owner_email: null, suspended_at: at, owner_deleted_at: at })],
      `/admin?tab=projects&project=${projectId}`,
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Paper Kite' }));
    expect(await dialog.findByText(/^The owner’s account was deleted on Feb 2, 2026/)).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Deleted account' })).toBeVisible();
    expect(screen.getByText('Owner’s account deleted')).toBeInTheDocument();
    expect(screen.queryByText(/owner (has been )?suspended/i)).not.toBeInTheDocument();
  });

  it('C-91 says why approving a rejected project failed', async () => {
    const { user, api } = open([project({ status: 'rejected' })]);
    api.routes['rpc get_project_history'] = [decision({ decision: 'rejected' })];
    api.routes['rpc set_startup_status'] = refuse(409, 'NAME_TAKEN', 'This name is taken');
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Approve project' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to approve project: This name is taken');
  });

  it('C-91 offers the approval no more when another admin was faster, and shows the decision', async () => {
    const { user, api } = open([project({ status: 'rejected' })]);
    api.routes['rpc get_project_history'] = [decision({ decision: 'rejected' })];
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    api.routes['rpc get_project_history'] = [decision({ id: 2, decision: 'verified' }), decision()];
    api.routes['rpc set_startup_status'] = refuse(409, 'STATUS_FINAL', 'This project has already been reviewed');
    await user.click(dialog.getByRole('button', { name: 'Approve project' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This project has already been reviewed');
    expect(await dialog.findByText('Verified')).toBeVisible();
    expect(dialog.getAllByRole('button')).toEqual([dialog.getByRole('button', { name: 'Close' })]);
    expect(dialog.getByRole('button', { name: 'Close' })).toHaveFocus();
  });

  it('C-91 says that a previously verified project gets no trial points again', async () => {
    const { user, api } = open([project({ status: 'rejected', revoked_at: '2026-02-02T10:00:00Z' })]);
    api.routes['rpc get_project_history'] = [
      decision({ id: 2, decision: 'revoked' }),
      decision({ id: 1, decision: 'verified', decided_by: 'beta' }),
    ];
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/no trial points are given a second time/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(decisions(api)).toEqual([]);
  });

  it('C-91 revokes a verification only with a reason', async () => {
    const { user, api } = open([project({ status: 'verified', checked_at: '2026-02-02T10:00:00Z' })]);
    api.routes['rpc revoke_verification'] = [{ id: projectId }];
    const sent = () => api.calls.filter(({ path }) => path === 'rpc/revoke_verification').map(({ body }) => body);
    await user.click(await screen.findByRole('button', { name: 'View Paper Kite' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke verification' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the verification of “Paper Kite”?' }));
    expect(
      dialog.getByText(/published quests go on hold; their points stay reserved.*may appeal once/),
    ).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Revoke verification' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    expect(sent()).toEqual([]);
    await user.type(dialog.getByLabelText(/Reason/), 'Sells followers');
    await user.click(dialog.getByRole('button', { name: 'Revoke verification' }));
    expect(await screen.findByText('The verification of Paper Kite is revoked')).toBeInTheDocument();
    expect(sent()).toEqual([{ p_startup_id: projectId, p_reason: 'Sells followers' }]);
  });

  it('C-96 lists changed projects with old and new values, and confirms a change', async () => {
    const changed = project({
      status: 'verified',
      checked_at: '2026-02-02T10:00:00Z',
      website: 'https://kite.example',
      changed_at: '2026-02-03T10:00:00Z',
      changed_from: { name: 'Paper Plane', website: 'https://kite.example' },
    });
    const { user, api } = open([changed], '/admin?tab=projects&status=changed');
    api.routes['rpc confirm_startup_change'] = [{ id: projectId }];
    expect((await screen.findByText('Paper Plane')).closest('li')).toHaveTextContent('Name: Paper Plane → Paper Kite');
    // Isolated, or two names in a right-to-left script would stand on each other's side of the arrow.
    expect(screen.getByText('Paper Plane').tagName).toBe('BDI');
    expect(screen.queryByText(/Website:/)).not.toBeInTheDocument();
    expect(api.calls[0]?.params.get('p_status')).toBe('changed');
    await user.click(screen.getByRole('button', { name: 'Accept change' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Accept the change to “Paper Kite”?' }));
    await user.click(dialog.getByRole('button', { name: 'Accept change' }));
    expect(await screen.findByText('The change to Paper Kite is accepted')).toBeInTheDocument();
    const [call] = api.calls.filter(({ path }) => path === 'rpc/confirm_startup_change');
    expect(call?.body).toEqual({ p_startup_id: projectId });
  });

  it('C-91 shows all that a decision needs: website, owner, quests, earlier decisions', async () => {
    const { api } = open([project({ website: 'https://kite.example' })], `/admin?tab=projects&project=${projectId}`);
    api.routes['rpc get_project_history'] = [decision({ decision: 'rejected', reason: 'No website' })];
    api.routes['rpc admin_list_campaigns'] = [adminQuest({ title: 'Fly a kite', held_at: '2026-02-02T10:00:00Z' })];
    const dialog = within(await screen.findByRole('dialog', { name: 'Paper Kite' }));
    expect(dialog.getByRole('link', { name: 'kite.example' })).toHaveAttribute('href', 'https://kite.example');
    expect(dialog.getByRole('link', { name: 'owner@example.org' })).toHaveAttribute(
      'href',
      '/admin?tab=people&person=user_owner',
    );
    expect(await dialog.findByRole('link', { name: 'Fly a kite' })).toBeInTheDocument();
    expect(dialog.getByText('On hold')).toBeInTheDocument();
    expect(await dialog.findByText('No website')).toBeInTheDocument();
    const [quests] = api.calls.filter(({ path }) => path === 'rpc/admin_list_campaigns');
    expect(quests?.params.get('p_startup_id')).toBe(projectId);
  });

  it('TRUST-14 a history that failed to load is not shown as empty', async () => {
    const { user, api } = open([project({ status: 'rejected' })]);
    api.routes['rpc get_project_history'] = refuse(500, null, 'deadlock detected');
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('What was decided before could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('Nothing has been decided yet.')).not.toBeInTheDocument();
  });

  it('C-31 C-73 links each project to its edit form, which knows the filters to return to', async () => {
    const { user, router } = open([project()], '/admin?tab=projects&q=kite');
    await user.click(await screen.findByRole('link', { name: 'Edit Paper Kite' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/admin/projects/${projectId}/edit`));
    expect(router.state.location.state).toEqual({ from: '/admin?tab=projects&q=kite' });
  });

  it('ADMIN-01 searches, filters and sorts on the server, and pages with the cursor of the last row', async () => {
    const page = Array.from({ length: 20 }, (_, index) => project({ id: `p${index}`, cursor: `c${index}` }));
    const { user, api } = open(page, '/admin?tab=projects&q=kite&status=pending&sort=oldest');
    await user.click(await screen.findByRole('button', { name: 'Show more projects' }));
    await waitFor(() => expect(api.calls.length).toBeGreaterThan(1));
    const [first, second] = api.calls.map(({ params }) => Object.fromEntries(params));
    expect(first).toEqual({ p_search: 'kite', p_status: 'pending', p_sort: 'oldest', p_limit: '20' });
    expect(second).toEqual({ ...first, p_cursor: 'c19' });
  });

  it('BEY-01 says that there is no such project, and offers no retry, for an id that is none or of none', async () => {
    for (const id of ['not-an-id', '5b3c1f0e-0000-4000-8000-00000000dead']) {
      const { unmount } = open([], `/admin?tab=projects&project=${id}`);
      const dialog = within(await screen.findByRole('dialog', { name: 'Project' }));
      expect(await dialog.findByText('There is no such project. It may have been deleted.')).toBeVisible();
      expect(dialog.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
      unmount();
    }
  });

  it('does not ask for another word when the last project of a status has been decided', async () => {
    const { user, api } = open([project()], '/admin?tab=projects&status=pending');
    api.routes['rpc set_startup_status'] = () => {
      api.routes['rpc admin_list_startups'] = [];
      return [{ id: projectId }];
    };
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('No projects under this filter')).toBeInTheDocument();
    expect(screen.queryByText(/another word/)).not.toBeInTheDocument();
  });

  it('offers Reset Filters when nothing matches', async () => {
    const { user, router } = open([], '/admin?tab=projects&q=nothing');
    await user.click(await screen.findByRole('button', { name: 'Reset Filters' }));
    expect(router.state.location.search).toBe('?tab=projects');
  });
});
