import { screen, waitFor, within } from '@testing-library/react';
import * as csv from '@/lib/csv';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { adminTodo, platformStats } from '../testing/figures';
import AdminDataPage from './admin-data-page';

const empty = platformStats();
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

function open(stats: unknown = platformStats()) {
  const api = fakeApi({
    'rpc get_admin_todo': adminTodo(),
    'rpc get_platform_stats': stats,
    'rpc get_recent_activity': [],
    'rpc record_admin_export': undefined,
    'GET user_profiles': [
      profileRow({ user_id: 'user_robin', username: '@robin', display_name: 'Robin', created_at: yesterday }),
      profileRow({ id: 'profile-2', user_id: 'user_long_here', username: 'sam', created_at: '2020-01-01T00:00:00Z' }),
    ],
  });
  return { ...renderApp(<AdminDataPage />, { identity: signedIn('admin'), path: '/admin/data' }), api };
}

const card = (region: HTMLElement, label: string) => within(region).getByText(label).nextSibling;

describe('the data dashboard', () => {
  it('DATA-01 C-54 the period filters the figures and is kept in the address', async () => {
    const { user, api, router } = open();
    await user.click(await screen.findByRole('radio', { name: '7 days' }));
    await waitFor(() => expect(router.state.location.search).toBe('?days=7'));
    const asked = () => api.calls.filter(({ path }) => path === 'rpc/get_platform_stats');
    await waitFor(() => expect(asked().map(({ params }) => params.get('p_days'))).toEqual(['30', '7']));
    expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
      '7 days',
      '30 days',
      '90 days',
    ]);
  });

  it('DATA-03 DATA-06 C-112 shows the four cards and the figures with the specified formulas', async () => {
    open();
    const cards = await screen.findByRole('region', { name: 'Figures' });
    expect(card(cards, 'Total Users')).toHaveTextContent('276');
    expect(card(cards, 'Verified Projects')).toHaveTextContent('12');
    expect(card(cards, 'Completed Tasks')).toHaveTextContent('375');
    expect(card(cards, 'Points Awarded')).toHaveTextContent('14,610');
    const figures = screen.getByRole('region', { name: 'Key figures' });
    expect(card(figures, 'Conversion Rate')).toHaveTextContent('9.1%');
    expect(card(figures, 'Engagement')).toHaveTextContent('3.74');
    expect(card(figures, 'Points Distributed')).toHaveTextContent('12,000');
    for (const counted of [
      'published quests per member',
      'submissions per member',
      'budgets of quests with approved work',
    ])
      expect(within(figures).getByText(counted)).toBeVisible();
  });

  it('DATA-07 shows a dash where nothing was measured', async () => {
    open({
      ...empty,
      totals: { ...empty.totals, revenue_cents: 0 },
      period: { ...empty.period, average_session_minutes: null, revenue_cents: 0 },
    });
    const figures = await screen.findByRole('region', { name: 'Key figures' });
    expect(card(figures, 'Average Session Time')).toHaveTextContent('—');
    expect(card(figures, 'Total Revenue')).toHaveTextContent('—');
  });

  it('DATA-04 lists recent activity, and the top campaigns with their completion rate', async () => {
    const { api } = open();
    const event = { detail: 'SaaS', status: 'verified', at: yesterday };
    api.routes['rpc get_recent_activity'] = ['Kites', 'Boats'].map((title) => ({
      ...event,
      kind: 'startup',
      id: title,
      title,
    }));
    const activity = within(await screen.findByRole('list', { name: 'Recent activity' }));
    expect(activity.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringContaining('Kites'),
      expect.stringContaining('Boats'),
    ]);
    const table = within(await screen.findByRole('table', { name: 'Top Quests' }));
    expect(table.getAllByRole('row')[1]).toHaveTextContent('Fly your first lessonPaper Kite375%');
  });

  it('shows the numbers of each chart as a table', async () => {
    const { user } = open();
    const chart = within(await screen.findByRole('figure', { name: 'Points issued and redeemed' }));
    await user.click(chart.getByText('Show as table'));
    expect(chart.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'Day (UTC)IssuedRedeemed',
      'Feb 2, 2026400500',
      'Feb 1, 20262500',
    ]);
  });

  it('DATA-02 C-53 exports a section as CSV and announces it with the specified sentence', async () => {
    const files: { blob: Blob; name: string }[] = [];
    vi.spyOn(csv, 'downloadBlob').mockImplementation((blob, name) => void files.push({ blob, name }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Users' }));
    expect(await screen.findByText('Exported 1 row')).toBeInTheDocument();
    expect(screen.getByText('Exporting users data...')).toBeInTheDocument();
    expect(files[0]?.name).toMatch(/^users_\d{4}-\d\d-\d\d\.csv$/);
    expect(await files[0]?.blob.text()).toContain('"user_robin","\'@robin","Robin","robin@example.org","community"');
    await user.click(screen.getByRole('button', { name: 'Analytics' }));
    await waitFor(() => expect(files).toHaveLength(2));
    expect(await files[1]?.blob.text()).toContain('"2026-02-02","7","9","8","400","500"');
    await user.click(screen.getByRole('button', { name: 'Export Data' }));
    await waitFor(() => expect(files).toHaveLength(3));
    expect(await files[2]?.blob.text()).toContain('"cards","Total Users","276"');
  });

  it('DATA-05 says that loading failed and retries', async () => {
    const { api, user } = open(refuse(500, null, 'statement timeout'));
    const failure = await screen.findByRole('alert');
    expect(failure).toHaveTextContent('Failed to load data');
    expect(failure).toHaveTextContent('Please try again later');
    api.routes['rpc get_platform_stats'] = platformStats();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('region', { name: 'Figures' })).toBeInTheDocument();
  });
});
