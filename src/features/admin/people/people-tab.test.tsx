import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow, transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import PeopleTab from './people-tab';
import type { AdminPerson, PersonFacts } from './queries';

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

const nothing: PersonFacts = {
  submissions: { total: 0, approved: 0, pending: 0, rejected: 0 },
  flag_count: 0,
  flags: [],
  related: [],
  holds: [],
  redemptions: { total: 0, pending: 0, cancelled: 0, points: 0 },
  admin_revoked_at: null,
  project: null,
  history: [],
};

function open(path = '/admin?tab=people', profile = profileRow({ user_id: 'user_robin' }), facts = nothing) {
  const api = fakeApi({
    'rpc admin_list_users': [robin],
    'rpc admin_get_person': facts,
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

/** Gives robin these points, and returns the dialog. */
async function correct(user: ReturnType<typeof open>['user'], points: string) {
  await user.click(await screen.findByRole('button', { name: 'Correct points' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
  await user.type(dialog.getByLabelText(/Points/), points);
  await user.type(dialog.getByLabelText(/Reason/), 'Lost');
  await user.click(dialog.getByRole('button', { name: `Give ${points} points` }));
  return dialog;
}

describe('people', () => {
  it('searches by name or address on the server, debounced', async () => {
    const { api, router } = open();
    const box = await screen.findByRole('searchbox', { name: 'Search name or email' });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.change(box, { target: { value: 'rob' } });
    act(() => void vi.advanceTimersByTime(200));
    fireEvent.change(box, { target: { value: 'robin@' } });
    await waitFor(() => expect(router.state.location.search).toContain('q=robin'));
    await waitFor(() => {
      const asked = api.calls.filter(({ path }) => path === 'rpc/admin_list_users');
      expect(asked.map(({ params }) => params.get('p_search'))).toEqual([null, 'robin@']);
    });
  });

  it('shows the address of people with the same name', async () => {
    const { api } = open();
    api.routes['rpc admin_list_users'] = [
      { ...robin, username: 'hello', email: 'hello@kites.example' },
      { ...robin, id: 'profile-2', user_id: 'user_other', username: 'hello', email: 'hello@shop.example' },
    ];
    const [, first, second] = await screen.findAllByRole('row');
    expect(first).toHaveTextContent('hello@kites.example');
    expect(second).toHaveTextContent('hello@shop.example');
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

  it('BEY-04 C-80 shows all that a decision needs: free and held points, proofs, flags, related accounts, holds, history', async () => {
    const at = '2026-02-01T10:00:00Z';
    open('/admin?tab=people&person=user_robin', undefined, {
      ...nothing,
      submissions: { total: 12, approved: 9, pending: 1, rejected: 2 },
      flag_count: 11,
      flags: [
        { submission_id: 's1', kind: 'too_fast', evidence: { seconds: 3, usual_seconds: 40 }, at, quest: 'Fly a kite' },
      ],
      related: [
        { user_id: 'user_twin', relation: 'same_mailbox', name: 'robin2', is_suspended: true },
        { user_id: 'user_gone', relation: 'referred', name: null, is_suspended: false },
      ],
      holds: [
        { reason: 'trial', points: 250, due_at: null, depends_on: 'user_kim', name: 'kim' },
        { reason: 'referral', points: 500, due_at: null, depends_on: 'user_lee', name: 'lee' },
        { reason: 'referral', points: 1, due_at: null, depends_on: 'user_robin', name: 'robin' },
      ],
      redemptions: { total: 3, pending: 1, cancelled: 1, points: 700 },
      project: { id: 'p1', name: 'Paper Kite', status: 'verified' },
      history: [{ id: 5, action: 'user.suspend', at, note: 'Three accounts', actor: 'ada' }],
    });
    const dialog = within(await screen.findByRole('dialog', { name: 'robin' }));
    expect(await dialog.findByText('12: 9 approved, 1 pending, 2 rejected')).toBeInTheDocument();
    expect(dialog.getByText('3 for 700 points, 1 pending, 1 cancelled')).toBeInTheDocument();
    expect(await dialog.findByText('1,250 available, 0 held.')).toBeInTheDocument();
    const flags = within(dialog.getByRole('region', { name: 'Flags' }));
    expect(flags.getByRole('heading')).toHaveTextContent('11 open flags');
    expect(flags.getByText(/Submitted after 3 s/)).toBeInTheDocument();
    expect(flags.getByText('The latest 1 are shown.')).toBeInTheDocument();
    const related = within(dialog.getByRole('region', { name: 'Related accounts' }));
    expect(related.getByRole('link', { name: 'robin2' })).toHaveAttribute('href', '/admin?tab=people&person=user_twin');
    expect(related.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'robin2uses the same mailboxSuspended',
      'Deleted accountwas invited by them',
    ]);
    const held = within(dialog.getByRole('region', { name: 'Held points' }));
    expect(held.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '250 points from the trial budget of kim',
      '500 points for the referral of lee',
      '1 point for joining by an invitation',
    ]);
    expect(dialog.getByRole('link', { name: 'Paper Kite' })).toHaveAttribute('href', '/admin?tab=projects&project=p1');
    expect(dialog.getByRole('region', { name: 'History' })).toHaveTextContent('Three accounts');
  });

  it("C-108 shows the person's own code, and disables it", async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    const dialog = within(await screen.findByRole('dialog', { name: 'robin' }));
    expect(await dialog.findByText('REFROBIN')).toBeInTheDocument();
    expect(dialog.getByText(/3 referrals/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Deactivate code' }));
    expect(await screen.findByText('REFROBIN no longer works')).toBeInTheDocument();
    expect(bodies(api, 'set_referral_code_active')).toEqual([{ p_code: 'REFROBIN', p_is_active: false }]);
  });

  it('BEY-04 suspends only with a reason', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Suspend' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend robin?' }));
    expect(dialog.getByText(/Their other accounts are suspended, too/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Suspend person' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    await user.type(dialog.getByLabelText(/Reason/), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Suspend person' }));
    expect(await screen.findByText('Suspended')).toBeInTheDocument();
    expect(bodies(api, 'suspend_user')).toEqual([{ p_user_id: 'user_robin', p_reason: 'Spam' }]);
  });

  it('C-99 a suspension whose answer was lost is not called failed', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc suspend_user'] = offline();
    await user.click(await screen.findByRole('button', { name: 'Suspend' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Suspend robin?' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Spam');
    await user.click(dialog.getByRole('button', { name: 'Suspend person' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/^No answer came, so it may have gone through\./);
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

  it('TRUST-19 revokes an admin right, with a reason, and states the consequence', async () => {
    const { user, api } = open(
      '/admin?tab=people&person=user_robin',
      profileRow({ user_id: 'user_robin', role: 'admin' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Revoke admin rights' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke admin rights from robin?' }));
    expect(dialog.getByText(/They lose them with their next request/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Revoke admin rights' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    expect(bodies(api, 'revoke_admin')).toEqual([]);
    api.routes['rpc revoke_admin'] = refuse(409, 'LAST_ADMIN', 'The last admin cannot be removed');
    await user.type(dialog.getByLabelText(/Reason/), 'Has left');
    await user.click(dialog.getByRole('button', { name: 'Revoke admin rights' }));
    expect(await dialog.findByText(/The last admin cannot be removed/)).toBeInTheDocument();
    api.routes['rpc revoke_admin'] = undefined;
    await user.click(dialog.getByRole('button', { name: 'Revoke admin rights' }));
    expect(await screen.findByText('robin is no longer an admin')).toBeInTheDocument();
    expect(bodies(api, 'revoke_admin').at(-1)).toEqual({ p_user_id: 'user_robin', p_reason: 'Has left' });
  });

  it('TRUST-19 restores a revoked admin right, showing earlier decisions, with a reason and the consequence', async () => {
    const revoked = {
      id: 9,
      action: 'admin.revoke',
      at: '2026-02-03T10:00:00Z',
      note: 'Left the company',
      actor: 'ada',
    };
    const { user, api } = open(undefined, undefined, {
      ...nothing,
      admin_revoked_at: revoked.at,
      history: [revoked],
    });
    api.routes['rpc restore_admin'] = refuse(403, 'FORBIDDEN', 'Forbidden');
    await user.click(await screen.findByRole('button', { name: 'robin' }));
    expect(await screen.findByText('Admin rights are revoked')).toBeInTheDocument();
    expect(screen.getByText(/^Since Feb 3, 2026/)).toBeInTheDocument();
    expect(screen.getByText('Left the company')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Restore admin rights' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore admin rights to robin?' }));
    expect(dialog.getByText(/an admin again with their next request/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Restore admin rights' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    await user.type(dialog.getByLabelText(/Reason/), 'Is back');
    await user.click(dialog.getByRole('button', { name: 'Restore admin rights' }));
    expect(await dialog.findByText(/Failed to restore admin rights/)).toBeInTheDocument();
    api.routes['rpc restore_admin'] = undefined;
    api.routes['rpc admin_get_person'] = nothing;
    await user.click(dialog.getByRole('button', { name: 'Restore admin rights' }));
    await waitFor(() => expect(screen.queryByText('Admin rights are revoked')).not.toBeInTheDocument());
    expect(bodies(api, 'restore_admin').at(-1)).toEqual({ p_user_id: 'user_robin', p_reason: 'Is back' });
  });

  it('offers to restore only a revoked admin right', async () => {
    open('/admin?tab=people&person=user_robin');
    await screen.findByRole('button', { name: 'Suspend' });
    expect(screen.queryByRole('button', { name: 'Restore admin rights' })).not.toBeInTheDocument();
  });

  it('offers to revoke only an existing admin right', async () => {
    open('/admin?tab=people&person=user_robin');
    await screen.findByRole('button', { name: 'Suspend' });
    expect(screen.queryByRole('button', { name: 'Revoke admin rights' })).not.toBeInTheDocument();
  });

  it('asks before a correction that has been typed is closed', async () => {
    const { user } = open('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Correct points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Paid twice');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText(/Reason/)).toHaveValue('Paid twice');
  });

  it('TRUST-23 corrects points with a reason, shows the resulting balance in advance, and links to the record', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Correct points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
    await user.click(dialog.getByRole('button', { name: 'Correct points' }));
    expect(await dialog.findByText('Please give a reason')).toBeInTheDocument();
    expect(dialog.getByText(/Enter a whole number of points other than 0/)).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Points/), '1e3');
    expect(dialog.getByRole('button', { name: 'Correct points' })).toBeVisible();
    await user.clear(dialog.getByLabelText(/Points/));
    expect(bodies(api, 'adjust_points')).toEqual([]);
    // The numeric keyboard of an iPhone has no minus.
    expect(dialog.getByLabelText(/Points/)).not.toHaveAttribute('inputmode');
    await user.type(dialog.getByLabelText(/Points/), '1');
    expect(dialog.getByRole('button', { name: 'Give 1 point' })).toBeVisible();
    await user.clear(dialog.getByLabelText(/Points/));
    await user.type(dialog.getByLabelText(/Points/), '-1251');
    expect(dialog.getByText('robin has only 1,250 points: no more can be taken.')).toBeInTheDocument();
    await user.clear(dialog.getByLabelText(/Points/));
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
    // The notice may be out of sight, at the top of a long dialog, and is not announced.
    expect(screen.getByText('The points are corrected').closest('[role="status"]')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See it in the audit log' })).toHaveAttribute('href', '/admin?tab=audit');
  });

  it('TRUST-21 TRUST-23 after a lost answer, retries the same correction, not another one', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc adjust_points'] = offline();
    api.routes['GET transfers'] = [];
    await screen.findByRole('button', { name: 'Correct points' });
    api.routes['GET wallets'] = [walletRow({ owner_user_id: 'user_robin', user_id: 'user_robin', points: 1300 })];
    const dialog = await correct(user, '30');
    expect(await dialog.findByRole('alert')).toHaveTextContent('It did not go through. Please try again.');
    expect(dialog.getByText(/The personal wallet has 1,300 points/)).toBeInTheDocument();
    api.routes['rpc adjust_points'] = { id: 77 };
    await user.click(dialog.getByRole('button', { name: 'Give 30 points' }));
    expect(await screen.findByText('Transfer 77 is written')).toBeVisible();
    const [first, second] = bodies(api, 'adjust_points');
    expect(second).toEqual(first);
  });

  it('TRUST-21 TRUST-23 retries the same correction also from a dialog that was opened again', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc adjust_points'] = offline();
    api.routes['GET transfers'] = offline();
    const dialog = await correct(user, '40');
    expect(await dialog.findByRole('alert')).toHaveTextContent('We could not confirm whether it went through.');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    api.routes['rpc adjust_points'] = { id: 77 };
    await correct(user, '40');
    expect(await screen.findByText('Transfer 77 is written')).toBeVisible();
    const [first, second] = bodies(api, 'adjust_points');
    expect(second).toEqual(first);
  });

  it('TRUST-23 finds the correction whose answer was lost, and tells about it before another one', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc adjust_points'] = offline();
    api.routes['GET transfers'] = offline();
    const dialog = await correct(user, '50');
    await dialog.findByRole('alert');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    const [lost] = bodies(api, 'adjust_points') as { p_idempotency_key: string }[];
    api.routes['GET transfers'] = [{ id: 79, idempotency_key: `adjustment:${lost?.p_idempotency_key}` }];
    api.routes['rpc adjust_points'] = { id: 80 };
    const again = await correct(user, '60');
    expect(await again.findByRole('alert')).toHaveTextContent('went through after all, as transfer 79.');
    expect(bodies(api, 'adjust_points')).toHaveLength(1);
    await user.click(again.getByRole('button', { name: 'Give 60 points' }));
    expect(await screen.findByText('Transfer 80 is written')).toBeVisible();
  });

  it('TRUST-23 reverses an earned payment from its ledger entry, with a reason', async () => {
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
    expect(screen.getByText('The points are taken back').closest('[role="status"]')).toBeInTheDocument();
    expect(bodies(api, 'reverse_transfer')).toEqual([{ p_transfer_id: 12, p_note: 'Copied' }]);
  });

  it('TRUST-23 says what has been taken back, and offers it no second time', async () => {
    const { api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc list_transactions'] = transactionPages([
      transactionRow({ id: 26, transfer_id: 13, description: 'Task completion: Share it' }),
      transactionRow({ id: 24, transfer_id: 12, is_reversed: true }),
    ]);
    expect(await screen.findByRole('button', { name: 'Take back: Task completion: Share it' })).toBeVisible();
    expect(
      screen.queryByRole('button', { name: 'Take back: Task completion: Read the guide' }),
    ).not.toBeInTheDocument();
    const entry = screen.getByText('Task completion: Read the guide').closest('li') ?? document.body;
    expect(within(entry).getByText('Taken back')).toBeVisible();
  });

  it('TRUST-23 says why spent points cannot be taken back, and what can be done instead', async () => {
    const { user, api } = open('/admin?tab=people&person=user_robin');
    api.routes['rpc list_transactions'] = transactionPages([transactionRow({ id: 24, transfer_id: 12 })]);
    api.routes['rpc reverse_transfer'] = refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance');
    await user.click(await screen.findByRole('button', { name: 'Take back: Task completion: Read the guide' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Take back 50 points?' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Copied');
    await user.click(dialog.getByRole('button', { name: 'Take points back' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'robin has spent these points and has fewer left. Cancel a redemption that is still pending, or take what is left with “Correct points” in the People tab.',
    );
  });
});
