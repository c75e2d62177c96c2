import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow, transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import { PeopleTab } from './people-tab';
import type { AdminPerson } from './queries';

const robin: AdminPerson = {
  id: 'profile-1',
  user_id: 'user_robin',
  username: 'robin',
  display_name: 'Robin Reed',
  email: 'robin@example.org',
  role: 'community',
  og_badge: false,
  points: 1250,
  lifetime_points: 3400,
  suspended_at: null,
  suspension_reason: null,
  created_at: '2026-01-01T00:00:00Z',
  cursor: 'cursor-1',
};

const decision = (id: number, action: string, subject: string, note: string) => ({
  id,
  action,
  subject_type: 'user',
  subject_id: subject,
  actor_id: 'user_ada',
  note,
  created_at: `2026-02-0${id}T10:00:00Z`,
});

function open(path = '/admin?tab=people', profile = profileRow({ user_id: 'user_robin' })) {
  const api = fakeApi({
    'rpc admin_list_users': [robin],
    'GET user_profiles': [profile],
    'GET wallets': [walletRow({ owner_user_id: 'user_robin', user_id: 'user_robin' })],
    'rpc list_transactions': transactionPages([
      transactionRow(),
      transactionRow({ id: 2, wallet_id: 'other', description: 'Foreign' }),
    ]),
    'GET referral_codes': [
      { id: 'c1', user_id: 'user_robin', code: 'REFROBIN', is_active: true, successful_referrals: 3 },
      { id: 'c2', user_id: 'user_other', code: 'REFOTHER', is_active: true, successful_referrals: 9 },
    ],
    'GET audit_log': [
      decision(1, 'admin.revoke', 'user_other', 'Foreign'),
      decision(2, 'user.suspend', 'user_robin', 'Of another kind'),
    ],
    'rpc set_referral_code_active': {},
    'rpc suspend_user': {},
    'rpc lift_suspension': {},
    'rpc adjust_points': { id: 77 },
    'rpc reverse_transfer': { id: 78 },
  });
  return { ...renderApp(<PeopleTab />, { identity: signedIn('admin', { userId: 'user_admin' }), path }), api };
}
const bodies = (api: ReturnType<typeof open>['api'], name: string) =>
  api.calls.filter(({ path }) => path === `rpc/${name}`).map(({ body }) => body);

describe('people', () => {
  it('searches by name or address on the server once typing pauses', async () => {
    const { user, api, router } = open();
    await user.type(await screen.findByRole('searchbox', { name: 'Search name or email' }), 'robin@');
    await waitFor(() => expect(router.state.location.search).toContain('q=robin'));
    await waitFor(() => {
      const asked = api.calls.filter(({ path }) => path === 'rpc/admin_list_users');
      expect(asked.map(({ params }) => params.get('p_search'))).toEqual([null, 'robin@']);
    });
  });

  it('shows role, wallet and ledger of the person in the address', async () => {
    open('/admin?tab=people&person=user_robin');
    const dialog = within(await screen.findByRole('dialog', { name: 'robin' }));
    expect(dialog.getByText('Community')).toBeInTheDocument();
    const wallet = await dialog.findByRole('heading', { name: /Personal wallet/ });
    expect(wallet).toHaveTextContent('1,250 points');
    const ledger = within(await dialog.findByRole('list', { name: 'Ledger' }));
    expect(ledger.getByText('Task completion: Read the guide')).toBeInTheDocument();
    expect(ledger.queryByText('Foreign')).not.toBeInTheDocument();
  });

  it('C-108 shows the person’s own code, and switches it off', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    const dialog = within(await screen.findByRole('dialog', { name: 'robin' }));
    expect(await dialog.findByText('REFROBIN')).toBeInTheDocument();
    expect(dialog.getByText(/3 referrals/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Deactivate code' }));
    expect(await screen.findByText('REFROBIN brings nobody in any more')).toBeInTheDocument();
    expect(bodies(api, 'set_referral_code_active')).toEqual([{ p_code: 'REFROBIN', p_is_active: false }]);
  });

  it('BEY-04 suspends with a reason only', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Suspend' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend robin?' }));
    await user.click(dialog.getByRole('button', { name: 'Suspend person' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    await user.type(dialog.getByLabelText(/Reason/), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Suspend person' }));
    expect(await screen.findByText('Suspended')).toBeInTheDocument();
    expect(bodies(api, 'suspend_user')).toEqual([{ p_user_id: 'user_robin', p_reason: 'Spam' }]);
  });

  it('BEY-04 shows a suspension with its reason and lifts it', async () => {
    const suspended = profileRow({
      user_id: 'user_robin',
      suspended_at: '2026-02-01T10:00:00Z',
      suspension_reason: 'Spam',
    });
    const { user, api } = open('/admin?tab=people&person=user_robin', suspended);
    expect(await screen.findByText('Spam')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Lift suspension' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Lift the suspension of robin?' }));
    await user.click(dialog.getByRole('button', { name: 'Lift suspension' }));
    await waitFor(() => expect(bodies(api, 'lift_suspension')).toEqual([{ p_user_id: 'user_robin' }]));
  });

  it('offers no suspension of an admin', async () => {
    open('/admin?tab=people&person=user_robin', profileRow({ user_id: 'user_robin', role: 'admin' }));
    await screen.findByRole('heading', { name: /Personal wallet/ });
    expect(screen.queryByRole('button', { name: 'Suspend' })).not.toBeInTheDocument();
  });

  it('TRUST-19 takes the admin right from an admin, with a reason, and says what that means', async () => {
    const { user, api } = open(
      '/admin?tab=people&person=user_robin',
      profileRow({ user_id: 'user_robin', role: 'admin' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Revoke admin right' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the admin right of robin?' }));
    expect(dialog.getByText(/They lose it with their next call/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Revoke admin right' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    expect(bodies(api, 'revoke_admin')).toEqual([]);
    api.routes['rpc revoke_admin'] = refuse(409, 'LAST_ADMIN', 'The last admin has to stay');
    await user.type(dialog.getByLabelText(/Reason/), 'Has left');
    await user.click(dialog.getByRole('button', { name: 'Revoke admin right' }));
    expect(await dialog.findByText(/The last admin has to stay/)).toBeInTheDocument();
    api.routes['rpc revoke_admin'] = undefined;
    await user.click(dialog.getByRole('button', { name: 'Revoke admin right' }));
    expect(await screen.findByText('robin is no longer an admin')).toBeInTheDocument();
    expect(bodies(api, 'revoke_admin').at(-1)).toEqual({ p_user_id: 'user_robin', p_reason: 'Has left' });
  });

  it('TRUST-19 shows what was decided about a revoked admin right, and restores it with a reason, saying what that means', async () => {
    const { user, api } = open();
    api.routes['GET audit_log'] = [
      decision(3, 'admin.revoke', 'user_robin', 'Left the company'),
      decision(2, 'admin.restore', 'user_robin', 'A mistake'),
      decision(1, 'admin.revoke', 'user_robin', 'Wrong button'),
    ];
    api.routes['rpc restore_admin'] = refuse(403, 'FORBIDDEN', 'Forbidden');
    await user.click(await screen.findByRole('button', { name: 'robin' }));
    const decisions = within(await screen.findByRole('list', { name: 'Decisions about the admin right' }));
    expect(decisions.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Revoked on Feb 3, 2026.* by user_ada: “Left the company”$/),
      expect.stringMatching(/^Restored on Feb 2, 2026.*“A mistake”$/),
      expect.stringMatching(/^Revoked on Feb 1, 2026.*“Wrong button”$/),
    ]);
    await user.click(screen.getByRole('button', { name: 'Restore admin right' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore the admin right of robin?' }));
    expect(dialog.getByText(/an admin again with their next call/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Restore admin right' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    await user.type(dialog.getByLabelText(/Reason/), 'Is back');
    await user.click(dialog.getByRole('button', { name: 'Restore admin right' }));
    expect(await dialog.findByText(/Failed to restore the admin right/)).toBeInTheDocument();
    api.routes['rpc restore_admin'] = undefined;
    api.routes['GET audit_log'] = [decision(4, 'admin.restore', 'user_robin', 'Is back')];
    await user.click(dialog.getByRole('button', { name: 'Restore admin right' }));
    expect(await screen.findByText('The admin right was revoked and restored')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Restore admin right' })).not.toBeInTheDocument();
    expect(bodies(api, 'restore_admin').at(-1)).toEqual({ p_user_id: 'user_robin', p_reason: 'Is back' });
  });

  it('offers to restore the admin right of nobody whose right was never revoked, nor one’s own', async () => {
    open('/admin?tab=people&person=user_robin');
    await screen.findByRole('button', { name: 'Suspend' });
    expect(screen.queryByRole('button', { name: 'Restore admin right' })).not.toBeInTheDocument();
  });

  it('offers to take the admin right from nobody who has none', async () => {
    open('/admin?tab=people&person=user_robin');
    await screen.findByRole('button', { name: 'Suspend' });
    expect(screen.queryByRole('button', { name: 'Revoke admin right' })).not.toBeInTheDocument();
  });

  it('TRUST-23 corrects points with a reason, says what there will be before, and leads to the record', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Correct points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
    await user.click(dialog.getByRole('button', { name: 'Correct points' }));
    expect(await dialog.findByText('Please give a reason')).toBeInTheDocument();
    expect(dialog.getByText(/Enter a whole number of points other than 0/)).toBeInTheDocument();
    expect(bodies(api, 'adjust_points')).toEqual([]);
    await user.type(dialog.getByLabelText(/Points/), '-250');
    await user.type(dialog.getByLabelText(/Reason/), 'Paid twice');
    expect(dialog.getByText('robin will have 1,000 points.')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Take 250 points' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /Correct/ })).not.toBeInTheDocument());
    expect(bodies(api, 'adjust_points')).toEqual([
      {
        p_wallet_id: 'wallet-1',
        p_points: -250,
        p_reason: 'Paid twice',
        p_idempotency_key: expect.stringMatching(/./),
      },
    ]);
    expect(screen.getByText('Transfer 77 is written')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See it in the audit log' })).toHaveAttribute('href', '/admin?tab=audit');
  });

  it('TRUST-21 TRUST-23 after a lost answer the same correction is asked for again, not another one', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc adjust_points'] = offline();
    await user.click(await screen.findByRole('button', { name: 'Correct points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
    await user.type(dialog.getByLabelText(/Points/), '30');
    await user.type(dialog.getByLabelText(/Reason/), 'Lost');
    await user.click(dialog.getByRole('button', { name: 'Give 30 points' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to correct the points');
    await user.click(dialog.getByRole('button', { name: 'Give 30 points' }));
    await waitFor(() => expect(bodies(api, 'adjust_points')).toHaveLength(2));
    const [first, second] = bodies(api, 'adjust_points');
    expect(second).toEqual(first);
  });

  it('TRUST-23 takes an earned payment back from its line in the ledger, with a reason', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc list_transactions'] = transactionPages([
      transactionRow({ id: 24, transfer_id: 12 }),
      transactionRow({ id: 23, transfer_id: 11, kind: 'redemption', type: 'debit', description: 'Redeemed: Mug' }),
    ]);
    await user.click(await screen.findByRole('button', { name: 'Take back: Task completion: Read the guide' }));
    expect(screen.queryByRole('button', { name: 'Take back: Redeemed: Mug' })).not.toBeInTheDocument();
    const dialog = within(await screen.findByRole('dialog', { name: 'Take back 50 points?' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Copied');
    await user.click(dialog.getByRole('button', { name: 'Take points back' }));
    expect(await screen.findByText('Transfer 78 is written')).toBeInTheDocument();
    expect(bodies(api, 'reverse_transfer')).toEqual([{ p_transfer_id: 12, p_note: 'Copied' }]);
  });
});
