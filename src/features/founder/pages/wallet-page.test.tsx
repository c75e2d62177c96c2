import { act, screen, waitFor, within } from '@testing-library/react';
import * as csv from '@/lib/csv';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { walletRow } from '@/lib/testing/rows';
import FounderWalletPage from './wallet-page';

const project = projectRow({ id: 'startup-1', owner_user_id: 'user_test', name: 'Paperkite' });
const own = walletRow({
  id: 'wallet-s',
  kind: 'startup',
  user_id: null,
  startup_id: 'startup-1',
  points: 260,
  lifetime_points: 500,
  cash_cents: 1250,
});
const reserve = (campaign_id: string, points: number, owner_user_id = 'user_test') =>
  walletRow({ id: `reserve-${campaign_id}`, kind: 'reserve', user_id: null, campaign_id, points, owner_user_id });
/** Includes the owner's personal wallet and other people's wallets, none of which may be shown. */
const wallets = [
  walletRow({ points: 9999 }),
  walletRow({ id: 'wallet-o', kind: 'startup', user_id: null, startup_id: 'startup-2', owner_user_id: 'user_other' }),
  own,
  reserve('c1', 100),
  reserve('c2', 40),
  reserve('c3', 7, 'user_other'),
];
const now = new Date().toISOString();
const payouts = [
  { day: '2026-03-02', points: 40 },
  { day: '2026-03-03', points: 0 },
  { day: '2026-03-04', points: 75 },
];

/** Response of list_project_transactions, newest first. */
const ledger = [
  {
    id: 3,
    kind: 'task_completion',
    description: 'Task completion: Try it',
    created_at: now,
    change: -75,
    free_change: 0,
    reserved_change: -75,
    free_after: 260,
    reserved_after: 165,
    campaign_id: 'q1',
    campaign_title: 'Test our app',
    submission_id: 's1',
    task_title: 'Try it',
    member_name: '=Ada',
    submission_status: 'approved',
    reviewed_by: 'project',
    reviewed_at: now,
  },
  {
    id: 2,
    kind: 'reserve',
    description: 'Reserved',
    created_at: now,
    change: 0,
    free_change: -240,
    reserved_change: 240,
    free_after: 260,
    reserved_after: 240,
  },
  {
    id: 1,
    kind: 'trial_budget',
    description: 'Trial budget',
    created_at: now,
    change: 500,
    free_change: 500,
    reserved_change: 0,
    free_after: 500,
    reserved_after: 0,
  },
].map((row) => ({
  campaign_id: null,
  campaign_title: null,
  submission_id: null,
  task_title: null,
  member_name: null,
  submission_status: null,
  reviewed_by: null,
  reviewed_at: null,
  ...row,
  cursor: String(row.id),
}));

function setUp(routes: Record<string, unknown> = {}) {
  const api = fakeApi({
    'GET startup_profiles': [projectRow({ id: 'startup-2', owner_user_id: 'user_other' }), project],
    'GET wallets': wallets,
    'rpc get_project_payouts': payouts,
    'rpc list_project_transactions': ({ params }: ApiCall) =>
      ledger.filter(({ kind }) => params.get('p_view') !== 'received' || kind === 'trial_budget'),
    'rpc get_project_points': { free: 260, reserved: 165, paid: 75, bought: 0, granted: 500, other: 0 },
    'rpc get_review_counts': [],
    ...routes,
  });
  const view = renderApp(<FounderWalletPage />, { identity: signedIn('startup_verified'), path: '/startup/wallet' });
  return { ...view, api };
}

const figure = async (label: string) => (await screen.findByText(label, { selector: 'dt' })).nextElementSibling;

describe('SWAL-01 project wallet', () => {
  it("shows current balance, lifetime points and cash of the startup's wallet", async () => {
    setUp();
    expect(await figure('Current balance')).toHaveTextContent('260');
    expect(await figure('Lifetime points')).toHaveTextContent('500');
    expect(await figure('Cash')).toHaveTextContent('$12.5');
    await waitFor(async () => expect(await figure('Reserved')).toHaveTextContent('165'));
    expect(await figure('Paid to members')).toHaveTextContent('75');
    expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/startup');
  });

  it.each([
    ['can buy', {}, 'Buy points'],
    ['is suspended', { suspended_at: '2026-02-01T00:00:00Z' }, 'Points and billing'],
    ['is not verified', { status: 'rejected' as const }, 'Points and billing'],
  ])('TRUST-18 BEY-20 a project that %s is offered what it can do', async (_case, state, label) => {
    setUp({ 'GET startup_profiles': [{ ...project, ...state }] });
    expect(await screen.findByRole('link', { name: label })).toHaveAttribute('href', '/startup/billing');
    expect(screen.getAllByRole('link', { name: /Buy points|billing/ })).toHaveLength(1);
  });

  it('BEY-06 lists the last 50 transactions with the running balance, and the source of each payout', async () => {
    const { api } = setUp();
    const table = await screen.findByRole('table', { name: 'Transactions' });
    const [head, paid, reserved, trial, ...others] = within(table).getAllByRole('row') as HTMLElement[];
    expect(head).toHaveTextContent('Total after');
    const cells = (row: HTMLElement | undefined) =>
      within(row as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cells(paid).slice(2)).toEqual(['-75 points', '260', '165', '425']);
    expect(paid).toHaveTextContent('approved by you');
    expect(within(paid as HTMLElement).getByRole('link', { name: 'Test our app' })).toBeVisible();
    expect(within(paid as HTMLElement).getByRole('link', { name: 'Proof' })).toHaveAttribute(
      'href',
      '/startup/campaigns/q1/submissions?view=proofs&q=s1',
    );
    expect(cells(reserved)).toEqual(['Reserved', expect.any(String), '240 reserved', '260', '240', '500']);
    expect(cells(trial).slice(2)).toEqual(['+500 points', '500', '0', '500']);
    expect(others).toEqual([]);
    const asked = api.calls.find(({ path }) => path === 'rpc/list_project_transactions')?.params;
    expect(asked?.get('p_limit')).toBe('50');
  });

  it('BEY-06 on a phone shows each transaction as a line, with the rest behind a press', async () => {
    const real = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(real(query), { matches: false }));
    const { user } = setUp();
    const list = within(await screen.findByRole('list', { name: 'Transactions' }));
    const [paid, reserved] = list.getAllByRole('listitem') as HTMLElement[];
    expect(paid).toHaveTextContent(/^Task completion: Try it=Ada \w{3} [^·]+-75 pointsTotal 425/);
    expect(reserved).toHaveTextContent(/^Reserved.+240 reservedTotal 500/);
    const proof = within(paid as HTMLElement).getByText('Proof');
    expect(proof).not.toBeVisible();
    await user.click(within(paid as HTMLElement).getByText('Task completion: Try it'));
    expect(proof).toBeVisible();
    expect(proof).toHaveAttribute('href', '/startup/campaigns/q1/submissions?view=proofs&q=s1');
    expect(paid).toHaveTextContent('approved by youFree after260Reserved after165');
  });

  it('BEY-06 filters by kind, in the address', async () => {
    const { user, router } = setUp();
    await screen.findByRole('table', { name: 'Transactions' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Received');
    await waitFor(() => expect(screen.queryByRole('cell', { name: 'Reserved' })).not.toBeInTheDocument());
    expect(screen.getByText('Trial budget')).toBeInTheDocument();
    expect(router.state.location.search).toBe('?show=received');
  });

  it('marks the rows of the filter before as outdated until those of this one are there', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { api, user } = setUp();
    const table = await screen.findByRole('table', { name: 'Transactions' });
    expect(table.closest('[aria-busy="true"]')).toBeNull();
    api.routes['rpc list_project_transactions'] = () => answer.promise;
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Received');
    await waitFor(() => expect(table.closest('[aria-busy="true"]')).not.toBeNull());
    answer.resolve(ledger.slice(0, 1));
    await waitFor(() => expect(table.closest('[aria-busy="true"]')).toBeNull());
  });

  it('BEY-06 TRUST-13 exports a CSV without formulas, whose changes add up to the balance', async () => {
    const download = vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    const { user } = setUp();
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(download).toHaveBeenCalledOnce());
    const [blob, name] = download.mock.calls[0] ?? [];
    expect(name).toMatch(/^project_points_\d{4}-\d\d-\d\d\.csv$/);
    const [header = '', ...lines] = (await blob?.text())?.trim().split('\r\n') ?? [];
    const place = header.split(',').indexOf('"Change"');
    const sum = lines.reduce((total, line) => total + Number(line.split(',')[place]?.replaceAll('"', '')), 0);
    expect([lines.length, sum]).toEqual([3, 260 + 165]);
    expect(lines[0]).toContain(`"'=Ada"`);
  });

  it('draws the points paid out, with a text alternative', async () => {
    setUp();
    const sentence = '115 points went to members in the last 3 days, most on Mar 4, 2026: 75.';
    const figure = (await screen.findByText(sentence)).closest('figure');
    expect(figure).toHaveTextContent('day of payment (UTC). What was taken back later is not subtracted.');
    expect([...(figure?.querySelectorAll('title') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'Mar 2, 2026: 40 points',
      'Mar 3, 2026: 0 points',
      'Mar 4, 2026: 75 points',
    ]);
  });

  it('says that nothing was paid out, without a chart', async () => {
    setUp({ 'rpc get_project_payouts': payouts.map(({ day }) => ({ day, points: 0 })) });
    const sentence = await screen.findByText('No points went to members in the last 3 days.');
    expect(sentence.closest('figure')).toBeNull();
  });

  it('reloads about every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api } = setUp();
    await screen.findByRole('table', { name: 'Transactions' });
    const reads = () => api.calls.filter(({ params }) => params.get('startup_id') === 'eq.startup-1').length;
    const before = reads();
    await act(() => vi.advanceTimersByTimeAsync(25_000));
    expect(reads()).toBe(before);
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(reads()).toBe(before + 1);
  });
});

describe('SWAL-02 failures', () => {
  it("show 'Error Loading Data / Failed to load wallet data' with 'Try Again', which recovers", async () => {
    const { user, api } = setUp({ 'GET wallets': refuse(500, null, 'x') });
    const alert = (await screen.findByText('Error Loading Data')).closest('[role=alert]');
    expect(alert).toHaveTextContent('Failed to load wallet data');
    api.routes['GET wallets'] = wallets;
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await figure('Current balance')).toHaveTextContent('260');
    expect(screen.queryByText('Error Loading Data')).not.toBeInTheDocument();
  });

  it("say 'No project profile found for this account.' without a profile", async () => {
    setUp({ 'GET startup_profiles': [] });
    expect(await screen.findByText('No project profile found for this account.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Create your project profile' })).toHaveAttribute(
      'href',
      '/startup/create',
    );
  });
});
