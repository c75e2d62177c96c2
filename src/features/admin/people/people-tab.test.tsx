import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { offline, refuse } from '@/lib/testing/fake-api';
import { profileRow } from '@/lib/testing/rows';
import { bodies, nothing, openPeople, robin } from '../testing/open-people';

describe('people', () => {
  it('searches by name or address on the server, debounced', async () => {
    const { api, router } = openPeople();
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
    const { api } = openPeople();
    api.routes['rpc admin_list_users'] = [
      { ...robin, username: 'hello', email: 'hello@kites.example' },
      { ...robin, id: 'profile-2', user_id: 'user_other', username: 'hello', email: 'hello@shop.example' },
    ];
    const [, first, second] = await screen.findAllByRole('row');
    expect(first).toHaveTextContent('hello@kites.example');
    expect(second).toHaveTextContent('hello@shop.example');
  });

  it('shows role, wallet and ledger of the person in the address', async () => {
    openPeople('/admin?tab=people&person=user_robin');
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
    openPeople('/admin?tab=people&person=user_robin', undefined, {
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
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
    const dialog = within(await screen.findByRole('dialog', { name: 'robin' }));
    expect(await dialog.findByText('REFROBIN')).toBeInTheDocument();
    expect(dialog.getByText(/3 referrals/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Deactivate code' }));
    expect(await screen.findByText('REFROBIN no longer works')).toBeInTheDocument();
    expect(bodies(api, 'set_referral_code_active')).toEqual([{ p_code: 'REFROBIN', p_is_active: false }]);
  });

  it('BEY-04 suspends only with a reason', async () => {
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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

  it('BEY-04 says before another reason replaces the one of a suspension', async () => {
    const suspended = profileRow({
      user_id: 'user_robin',
      suspended_at: '2026-02-01T10:00:00Z',
      suspension_reason: 'Spam',
    });
    const { user, api } = openPeople('/admin?tab=people&person=user_robin', suspended);
    await user.click(await screen.findByRole('button', { name: 'Change reason' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change why robin is suspended?' }));
    expect(dialog.getByText(/^They stay suspended, and see your reason instead of the present one\./)).toBeVisible();
    await user.type(dialog.getByLabelText(/Reason/), 'Three accounts');
    await user.click(dialog.getByRole('button', { name: 'Change reason' }));
    expect(await screen.findByText('The reason is changed')).toBeVisible();
    expect(bodies(api, 'suspend_user')).toEqual([{ p_user_id: 'user_robin', p_reason: 'Three accounts' }]);
  });

  it('C-99 a suspension whose answer was lost is not called failed', async () => {
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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
    const { user, api } = openPeople('/admin?tab=people&person=user_robin', suspended);
    expect(await screen.findByText('Spam')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Lift suspension' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Lift the suspension of robin?' }));
    await user.click(dialog.getByRole('button', { name: 'Lift suspension' }));
    await waitFor(() => expect(bodies(api, 'lift_suspension')).toEqual([{ p_user_id: 'user_robin' }]));
  });

  it('BEY-04 says that an account is deleted, and offers only to lift what holds for the next one of that person', async () => {
    const erased = profileRow({
      user_id: 'user_robin',
      suspended_at: '2026-02-01T10:00:00Z',
      suspension_reason: 'Account deleted',
    });
    const deletion = { at: '2026-02-02T10:00:00Z', was_suspended: false };
    const path = '/admin?tab=people&person=user_robin';
    const { unmount } = openPeople(path, erased, { ...nothing, deletion });
    expect(await screen.findByText(/^Account deleted on Feb 2, 2026/)).toBeInTheDocument();
    for (const name of ['Suspend', 'Change reason', 'Lift suspension', 'Deactivate code'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    expect(screen.queryByText(/Suspended since/)).not.toBeInTheDocument();
    unmount();
    const suspended = { ...erased, suspension_reason: 'Spam' };
    const { user } = openPeople(path, suspended, { ...nothing, deletion: { ...deletion, was_suspended: true } });
    expect(await screen.findByText('This holds for a new account of the same person, too.')).toBeInTheDocument();
    expect(screen.getByText('Spam')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Change reason' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Lift suspension' }));
    expect(await screen.findByText(/^This account stays deleted\. /)).toBeInTheDocument();
    expect(screen.queryByText(/can do everything again/)).not.toBeInTheDocument();
  });

  it('offers no suspension of an admin', async () => {
    openPeople('/admin?tab=people&person=user_robin', profileRow({ user_id: 'user_robin', role: 'admin' }));
    await screen.findByRole('heading', { name: /Personal wallet/ });
    expect(screen.queryByRole('button', { name: 'Suspend' })).not.toBeInTheDocument();
  });

  it('TRUST-19 revokes an admin right, with a reason, and states the consequence', async () => {
    const { user, api } = openPeople(
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
    const { user, api } = openPeople(undefined, undefined, {
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
    openPeople('/admin?tab=people&person=user_robin');
    await screen.findByRole('button', { name: 'Suspend' });
    expect(screen.queryByRole('button', { name: 'Restore admin rights' })).not.toBeInTheDocument();
  });

  it('offers to revoke only an existing admin right', async () => {
    openPeople('/admin?tab=people&person=user_robin');
    await screen.findByRole('button', { name: 'Suspend' });
    expect(screen.queryByRole('button', { name: 'Revoke admin rights' })).not.toBeInTheDocument();
  });
});
