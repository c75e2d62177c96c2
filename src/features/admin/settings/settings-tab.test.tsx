import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import { QuickActions } from './quick-actions';
import { ProductSettings } from './settings-tab';

function openSettings() {
  const api = fakeApi({ 'rpc update_app_settings': {}, 'GET app_settings': [settingsRow()] });
  const options = { identity: signedIn('admin'), path: '/admin?tab=settings' };
  return { ...renderApp(<ProductSettings settings={settingsRow()} />, options), api };
}

const saved = ({ calls }: ReturnType<typeof fakeApi>) =>
  calls.filter(({ path }) => path === 'rpc/update_app_settings').map(({ body }) => body);

describe('product settings', () => {
  it('C-22 asks for confirmation of a dangerous change, with its consequence, and sends only what changed', async () => {
    const { user, api } = openSettings();
    await user.click(screen.getByRole('checkbox', { name: 'Beta mode' }));
    await user.click(screen.getByRole('button', { name: 'Save settings' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Change these settings?' }));
    expect(dialog.getByText('Beta mode').parentElement).toHaveTextContent('Beta mode: on → off');
    expect(dialog.getByText(/decides whether people review/)).toBeInTheDocument();
    expect(api.calls).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Change settings' }));
    await waitFor(() => expect(saved(api)).toEqual([{ p_settings: { beta_mode: false } }]));
  });

  it('saves a harmless change at once', async () => {
    const { user, api } = openSettings();
    const field = screen.getByLabelText('Minimum members shown');
    await user.clear(field);
    await user.type(field, '60');
    await user.click(screen.getByRole('button', { name: 'Save settings' }));
    expect(await screen.findByText('Settings saved')).toBeInTheDocument();
    expect(saved(api)).toEqual([{ p_settings: { member_floor: 60 } }]);
  });

  it('does not overwrite what another admin has set meanwhile', async () => {
    const { user, api } = openSettings();
    await user.type(screen.getByLabelText('Minimum members shown'), '0');
    api.routes['GET app_settings'] = [settingsRow({ member_floor: 52, quest_floor: 9 })];
    await user.click(screen.getByRole('button', { name: 'Save settings' }));
    const refusal = /Another admin has changed “Minimum members shown” meanwhile\. Please look at your changes again\./;
    expect(await screen.findByText(refusal)).toBeVisible();
    expect(saved(api)).toEqual([]);
    expect(screen.getByText('1 unsaved change')).toBeInTheDocument();
  });

  it('keeps the focus in the form when the changes are discarded', async () => {
    const { user } = openSettings();
    await user.type(screen.getByLabelText('Minimum members shown'), '0');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByRole('button', { name: 'Save settings' })).toHaveFocus();
  });

  it('saves once, when a second press comes before the first has been rendered', async () => {
    const { user, api } = openSettings();
    await user.click(screen.getByRole('checkbox', { name: 'Leaderboard' }));
    const save = screen.getByRole('button', { name: 'Save settings' });
    act(() => {
      save.click();
      save.click();
    });
    expect(await screen.findByText('Settings saved')).toBeInTheDocument();
    expect(saved(api)).toHaveLength(1);
  });

  it('C-113 leads to the first number to correct', async () => {
    const { user, api } = openSettings();
    for (const name of ['Minimum members shown', 'Trial budget']) await user.clear(screen.getByLabelText(name));
    await user.click(screen.getByRole('button', { name: 'Save settings' }));
    expect(screen.getByLabelText('Trial budget')).toHaveFocus();
    expect(api.calls).toEqual([]);
  });

  it('keeps what is typed while another change is being saved', async () => {
    const { user, api } = openSettings();
    const answer = Promise.withResolvers<unknown>();
    api.routes['rpc update_app_settings'] = () => answer.promise;
    await user.click(screen.getByRole('checkbox', { name: 'Leaderboard' }));
    await user.click(screen.getByRole('button', { name: 'Save settings' }));
    await waitFor(() => expect(saved(api)).toHaveLength(1));
    const field = screen.getByLabelText('Minimum members shown');
    await user.clear(field);
    await user.type(field, '60');
    answer.resolve({});
    expect(await screen.findByText('Settings saved')).toBeInTheDocument();
    expect(field).toHaveValue('60');
  });

  it('ADMIN-12 leaving with unsaved changes asks for confirmation, and staying keeps them', async () => {
    const { user, router } = openSettings();
    await user.click(screen.getByRole('checkbox', { name: 'Beta mode' }));
    const go = () => act(() => router.navigate('/admin?tab=audit'));
    await go();
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(dialog.getByRole('button', { name: 'Keep editing' }));
    expect(router.state.location.search).toBe('?tab=settings');
    expect(screen.getByRole('checkbox', { name: 'Beta mode' })).not.toBeChecked();
    await go();
    await user.click(await screen.findByRole('button', { name: 'Leave page' }));
    expect(router.state.location.search).toBe('?tab=audit');
  });

  it('sends nothing that is not a number', async () => {
    const { user, api } = openSettings();
    await user.type(screen.getByLabelText('Points for the referrer'), 'x');
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a whole number');
    await user.click(screen.getByRole('button', { name: 'Save settings' }));
    expect(api.calls).toEqual([]);
  });
});

function openActions(routes: Record<string, unknown>) {
  const api = fakeApi(routes);
  return { ...renderApp(<QuickActions />, { identity: signedIn('admin') }), api };
}

describe('quick actions', () => {
  it('ADMIN-12 C-105 has the specified ones; the export of all data does not pass for a backup', () => {
    openActions({});
    expect(
      screen.getByText(/all tables as they are at one moment.*not a backup; the platform makes those/),
    ).toBeVisible();
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Export data',
      'Clear Cache',
      'Security Scan',
      'Update Sitemap',
      'Reconcile ledger',
    ]);
  });

  it('TRUST-01 Reconcile ledger says that the books balance, or lists the differences', async () => {
    const { user, api } = openActions({ 'rpc reconcile_ledger': [] });
    const button = screen.getByRole('button', { name: 'Reconcile ledger' });
    await user.click(button);
    expect(await screen.findByText('The books balance')).toBeInTheDocument();
    api.routes['rpc reconcile_ledger'] = [
      { problem: 'wallet_points', subject_type: 'wallet', subject_id: 'w1', expected: 10, actual: 11 },
    ];
    await user.click(button);
    expect(await screen.findByText('1 figure differs from the recount')).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /wallet points wallet w1 10 11/ })).toBeInTheDocument();
  });

  it('TRUST-01 lists both sides of a referral that was not paid', async () => {
    const side = { problem: 'referral_payment', subject_type: 'referral', subject_id: 'r1', actual: 0 };
    const { user } = openActions({
      'rpc reconcile_ledger': [
        { ...side, expected: 500 },
        { ...side, expected: 250 },
      ],
    });
    await user.click(screen.getByRole('button', { name: 'Reconcile ledger' }));
    expect(await screen.findByRole('row', { name: /referral payment referral r1 500 0/ })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /referral payment referral r1 250 0/ })).toBeInTheDocument();
  });

  it('C-54 Clear Cache recounts and shows the figures', async () => {
    const { user } = openActions({
      'rpc rebuild_site_stats_cache': [
        { total_members: 1276, active_campaigns: 25, verified_startups: 12, total_rewards_paid: 38005 },
      ],
    });
    await user.click(screen.getByRole('button', { name: 'Clear Cache' }));
    expect(await screen.findByText('1,276 members, 25 active quests, 12 verified projects')).toBeInTheDocument();
  });

  it('C-99 Clear Cache is not called failed when only its answer was lost, or when nobody knows', async () => {
    const figures = { total_members: 5, active_campaigns: 2, verified_startups: 3, total_rewards_paid: 0 };
    let tries = 0;
    const { user, api } = openActions({
      'rpc rebuild_site_stats_cache': () => (tries++ === 0 ? offline() : [figures]),
    });
    await user.click(screen.getByRole('button', { name: 'Clear Cache' }));
    expect(await screen.findByText('5 members, 2 active quests, 3 verified projects')).toBeInTheDocument();
    api.routes['rpc rebuild_site_stats_cache'] = offline();
    await user.click(screen.getByRole('button', { name: 'Clear Cache' }));
    expect(await screen.findByText('Clear Cache: no answer')).toBeInTheDocument();
  });

  it('Clear Cache says one member, not “1 members”', async () => {
    const { user } = openActions({
      'rpc rebuild_site_stats_cache': [
        { total_members: 1, active_campaigns: 1, verified_startups: 1, total_rewards_paid: 0 },
      ],
    });
    await user.click(screen.getByRole('button', { name: 'Clear Cache' }));
    expect(await screen.findByText('1 member, 1 active quest, 1 verified project')).toBeInTheDocument();
  });

  it('C-54 Security Scan lists its findings', async () => {
    const { user } = openActions({
      'rpc run_security_scan': [
        { severity: 'error', finding: 'Table without row level security', object: 'public.bad' },
      ],
    });
    await user.click(screen.getByRole('button', { name: 'Security Scan' }));
    expect(await screen.findByText('1 finding')).toBeInTheDocument();
    expect(screen.getByText('public.bad')).toBeInTheDocument();
  });

  it('says why an action failed', async () => {
    const { user } = openActions({ 'rpc run_security_scan': refuse(403, 'FORBIDDEN', 'Forbidden') });
    await user.click(screen.getByRole('button', { name: 'Security Scan' }));
    expect(await screen.findByText('Security Scan failed')).toBeInTheDocument();
    expect(screen.getByText('Forbidden')).toBeInTheDocument();
  });
});
