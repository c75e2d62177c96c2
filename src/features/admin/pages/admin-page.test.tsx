import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { adminQueries } from '../queries';
import { adminTodo, platformStats } from '../testing/figures';
import AdminPage from './admin-page';

const activity = [
  {
    kind: 'submission',
    id: 's1',
    title: 'Read the guide',
    detail: 'robin',
    status: 'pending',
    at: '2026-02-03T10:00:00Z',
  },
  { kind: 'startup', id: 'p1', title: 'Paper Kite', detail: 'SaaS', status: 'verified', at: '2026-02-02T10:00:00Z' },
  {
    kind: 'campaign',
    id: 'c1',
    title: 'Fly a kite',
    detail: 'Paper Kite',
    status: 'draft',
    at: '2026-02-01T10:00:00Z',
  },
];

function open(path = '/admin', todo: unknown = adminTodo()) {
  const api = fakeApi({
    'rpc get_admin_todo': todo,
    'rpc get_platform_stats': platformStats(),
    'rpc get_recent_activity': activity,
    'rpc admin_list_startups': [],
  });
  return { ...renderApp(<AdminPage />, { identity: signedIn('admin'), path }), api };
}

describe('the admin dashboard', () => {
  it('ADMIN-01 has the specified tabs first, in order', async () => {
    open();
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Projects',
      'Quests',
      'Feedback',
      'Mailing List',
      'Referrals',
      'Analytics',
      'Settings',
      'Rewards',
      'Redemptions',
      'Payments',
      'People',
      'Submissions',
      'Appeals',
      'Audit log',
      'Mail',
    ]);
  });

  it('ADMIN-01 keeps the tab in the address, without the filters of the previous one', async () => {
    const { user, router } = open('/admin?tab=projects&q=kite&status=pending');
    expect(await screen.findByRole('tab', { name: 'Projects' })).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('tab', { name: 'Overview' }));
    expect(router.state.location.search).toBe('');
    await user.click(screen.getByRole('tab', { name: 'Projects' }));
    expect(router.state.location.search).toBe('?tab=projects');
  });

  it('ADMIN-02 the overview shows cards and recent activity', async () => {
    open();
    const cards = await screen.findByRole('region', { name: 'Figures' });
    expect(
      within(cards)
        .getAllByRole('term')
        .map((term) => [term.textContent, term.nextSibling?.textContent]),
    ).toEqual([
      ['Total Members', '276'],
      ['Verified Projects', '12'],
      ['Active Quests', '25'],
      ['Points Awarded', '38,005 points'],
    ]);
    const lines = within(await screen.findByRole('list', { name: 'Recent activity' })).getAllByRole('listitem');
    expect(lines.map((line) => within(line).getByText(/Read|Paper Kite$|Fly/).textContent)).toEqual([
      'Read the guide',
      'Paper Kite',
      'Fly a kite',
    ]);
  });

  it("shows a tab's pending items", async () => {
    open('/admin', adminTodo({ pending_startups: 2, changed_startups: 1, open_appeals: 4 }));
    expect(await screen.findByRole('tab', { name: 'Projects, 3 waiting' })).toBeInTheDocument();
    expect(screen.getByRole('tab', { name: 'Appeals, 4 waiting' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Changed projects/ })).toHaveAttribute(
      'href',
      '/admin?tab=projects&status=changed',
    );
    expect(screen.getByRole('link', { name: /Projects to review/ })).toHaveAttribute(
      'href',
      '/admin?tab=projects&status=pending',
    );
  });

  it('SEC-15 ROUTE-13 shows nothing to users whom the database does not recognise as admin, whatever role the browser has stored', async () => {
    localStorage.setItem('selectedRole', 'admin');
    const { api } = open('/admin', refuse(403, 'FORBIDDEN', 'Forbidden'));
    expect(await screen.findByText('This area is for admins')).toBeInTheDocument();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
    expect(api.calls.map(({ path }) => path)).toEqual(['rpc/get_admin_todo']);
  });

  it('TRUST-19 whoever loses the right meanwhile is told so with the next refresh, and sees nothing of it any more', async () => {
    const { api, queryClient } = open();
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeInTheDocument();
    api.routes['rpc get_admin_todo'] = refuse(403, 'FORBIDDEN', 'Forbidden');
    await act(() => queryClient.refetchQueries({ queryKey: adminQueries.todo().queryKey }));
    expect(await screen.findByText('This area is for admins')).toBeInTheDocument();
    expect(screen.queryByRole('tab')).not.toBeInTheDocument();
  });

  it('TRUST-14 stays as it is when a refresh fails for another reason', async () => {
    const { api, queryClient } = open();
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeInTheDocument();
    api.routes['rpc get_admin_todo'] = offline();
    await act(() => queryClient.refetchQueries({ queryKey: adminQueries.todo().queryKey }));
    expect(screen.getByRole('tab', { name: 'Overview' })).toBeInTheDocument();
  });

  it('offers a retry when the dashboard cannot be loaded', async () => {
    const { api, user } = open('/admin', offline());
    await screen.findByText('The dashboard could not be loaded');
    api.routes['rpc get_admin_todo'] = adminTodo();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeInTheDocument();
  });
});

const findings = [
  { kind: 'person', id: 'user_robin', title: 'robin', detail: 'robin@example.org', status: 'suspended' },
  { kind: 'project', id: 'p1', title: 'Robin Ltd', detail: null, status: 'verified' },
  { kind: 'quest', id: 'q1', title: 'Feed the robin', detail: 'Robin Ltd', status: 'held' },
  { kind: 'redemption', id: 'r1', title: 'Mug', detail: 'robin', status: 'pending' },
];

async function openSearch(answer: unknown = findings) {
  const { api, ...view } = open();
  api.routes['rpc admin_search'] = answer;
  await view.user.click(await screen.findByRole('button', { name: 'Search everything' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Search everything' }));
  return { ...view, api, dialog };
}
const searchFor = async ({ user, dialog }: Awaited<ReturnType<typeof openSearch>>, text: string) =>
  user.type(dialog.getByRole('searchbox'), text);

describe('global search', () => {
  it('ADMIN-01 focuses the search field, is debounced, and links to each kind of result', async () => {
    const view = await openSearch();
    const { dialog, api } = view;
    const box = dialog.getByRole('searchbox');
    expect(box).toHaveFocus();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.change(box, { target: { value: 'rob' } });
    act(() => void vi.advanceTimersByTime(200));
    fireEvent.change(box, { target: { value: 'robin' } });
    await dialog.findByRole('link', { name: /robin@example.org/ });
    expect(api.calls.flatMap(({ params }) => params.get('p_search') ?? [])).toEqual(['robin']);
    expect(dialog.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/admin?tab=people&person=user_robin',
      '/admin?tab=projects&project=p1',
      '/admin?tab=quests&q=q1',
      '/admin?tab=redemptions&q=r1',
    ]);
    expect(dialog.getByRole('region', { name: 'People' })).toHaveTextContent('Suspended');
    expect(dialog.getByRole('region', { name: 'Quests' })).toHaveTextContent('On hold');
    expect(dialog.getByRole('status')).toHaveTextContent('4 results');
  });

  it('closes when a result is chosen, and navigates to it', async () => {
    const view = await openSearch();
    await searchFor(view, 'kite');
    await view.user.click(await view.dialog.findByRole('link', { name: /Robin Ltd Verified|^Robin Ltd$/ }));
    // The project's own dialog opens instead.
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search everything' })).not.toBeInTheDocument());
    expect(view.router.state.location.search).toBe('?tab=projects&project=p1');
  });

  it('TRUST-14 says that nothing was found only on an empty result; a failure is shown as such', async () => {
    const nothing = await openSearch([]);
    await searchFor(nothing, 'x');
    expect(await nothing.dialog.findByText('Nothing has that name or id.')).toBeInTheDocument();
    nothing.unmount();
    const failing = await openSearch(offline);
    await searchFor(failing, 'x');
    expect(await failing.dialog.findByText('The search failed')).toBeInTheDocument();
    expect(failing.dialog.queryByText('Nothing has that name or id.')).not.toBeInTheDocument();
  });
});
