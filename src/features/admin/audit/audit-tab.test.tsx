import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { AuditEntry } from '../queries';
import AuditTab from './audit-tab';

const hold: AuditEntry = {
  id: 7,
  actor_id: 'user_admin',
  actor_name: 'ada',
  action: 'campaign.lift_hold',
  subject_type: 'campaign',
  subject_id: '0192aa77-1111-7000-8000-000000000000',
  before: { hold_reason: 'Asks for passwords' },
  after: { hold_reason: null },
  note: 'Sorry',
  created_at: '2026-02-01T10:00:00Z',
  cursor: 'cursor-7',
  subject_name: 'Fly a kite',
  subject_user_id: null,
  subject_username: null,
};
const settings: AuditEntry = {
  ...hold,
  id: 6,
  action: 'settings.update',
  subject_type: 'app_settings',
  subject_name: null,
  subject_id: 'settings',
  before: { beta_mode: true, og_slots: 100, member_floor: 47, updated_at: 'a' },
  after: { beta_mode: false, og_slots: 90, member_floor: 50, updated_at: 'b' },
  note: null,
};

function open(path = '/admin?tab=audit', rows: unknown = [hold, settings]) {
  const api = fakeApi({ 'rpc admin_list_audit': rows });
  return { ...renderApp(<AuditTab />, { identity: signedIn('admin'), path }), api };
}
const bodyRows = async () => (await screen.findAllByRole('row')).slice(1);

describe('BEY-04 the audit log', () => {
  it('shows actor, action, subject, before and after, and the reason', async () => {
    open();
    const [first] = await bodyRows();
    if (!first) throw new Error('no row');
    const row = within(first);
    expect(row.getByText('Lifted the hold on a quest')).toBeInTheDocument();
    expect(row.getByRole('link', { name: 'Fly a kite' })).toHaveAttribute('href', '/admin?tab=quests&q=Fly+a+kite');
    expect(row.getByRole('link', { name: 'ada' })).toHaveAttribute('href', '/admin?tab=people&person=user_admin');
    expect(row.getByTitle(hold.subject_id)).toHaveTextContent('0192aa77-1111');
    expect(row.getByText('“Sorry”')).toBeInTheDocument();
    expect(row.getByRole('listitem')).toHaveTextContent('Reason of the hold: Asks for passwords → —');
    expect(row.getByText('Asks for passwords').tagName).toBe('BDI');
  });

  it('names the member and the reward of a redemption, and the server as an actor', async () => {
    open('/admin?tab=audit', [
      {
        ...hold,
        subject_type: 'redemption',
        subject_name: 'Mug',
        subject_user_id: 'user_kim',
        subject_username: 'kim',
      },
      { ...hold, id: 5, actor_id: 'system', actor_name: null, action: 'payment.activate', subject_type: 'payment' },
    ]);
    const [redemption, payment] = await bodyRows();
    if (!redemption || !payment) throw new Error('rows are missing');
    expect(within(redemption).getByRole('link', { name: 'Mug' })).toHaveAttribute(
      'href',
      '/admin?tab=redemptions&q=kim',
    );
    expect(redemption).toHaveTextContent('Redemption of kim');
    expect(payment).toHaveTextContent('A payment arrived');
    expect(payment).toHaveTextContent('Questboard');
  });

  it('collapses a long list of changes, and omits unchanged values', async () => {
    const { user } = open();
    const [, second] = await bodyRows();
    if (!second) throw new Error('no row');
    const summary = within(second).getByText('3 fields');
    expect(summary.closest('details')).not.toHaveAttribute('open');
    await user.click(summary);
    expect(
      within(second)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Beta mode: yes → no', 'Minimum members shown: 47 → 50', 'Slots: 100 → 90']);
  });

  it('offers no way to change it', async () => {
    open();
    for (const row of await bodyRows()) expect(within(row).queryByRole('button')).not.toBeInTheDocument();
  });

  it('filters by actor and by kind of subject, both in the address', async () => {
    const { user, api, router } = open();
    await bodyRows();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Subject' }), 'Quests');
    await user.type(screen.getByRole('searchbox', { name: 'Search people, projects, quests' }), 'ada');
    await waitFor(() => expect(router.state.location.search).toBe('?tab=audit&subject=campaign&q=ada'));
    await waitFor(() => {
      const last = api.calls.at(-1)?.params;
      expect([last?.get('p_subject_type'), last?.get('p_search')]).toEqual(['campaign', 'ada']);
    });
  });

  it('an unknown kind of subject in the address means everything, as the filter says', async () => {
    const { api } = open('/admin?tab=audit&subject=nonsense');
    await bodyRows();
    expect(screen.getByRole('combobox', { name: 'Subject' })).toHaveDisplayValue('Everything');
    expect(api.calls.find(({ path }) => path === 'rpc/admin_list_audit')?.params.get('p_subject_type')).toBeNull();
  });

  it('offers to reset filters without a match, and says when the log is empty', async () => {
    const { user, router, unmount } = open('/admin?tab=audit&q=nobody', []);
    expect(await screen.findByText('No entries match')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reset Filters' }));
    await waitFor(() => expect(router.state.location.search).toBe('?tab=audit'));
    unmount();
    open('/admin?tab=audit', []);
    expect(
      await screen.findByText('What admins and owners do, and every payment, is logged here.'),
    ).toBeInTheDocument();
  });

  it('TRUST-14 a log that failed to load is not shown as empty', async () => {
    open('/admin?tab=audit', offline());
    expect(await screen.findByText('The entries could not be loaded')).toBeInTheDocument();
  });
});
