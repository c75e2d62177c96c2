import { screen, waitFor, within } from '@testing-library/react';
import { offline, refuse } from '@/lib/testing/fake-api';
import { transactionPages, transactionRow, walletRow } from '@/lib/testing/rows';
import { bodies, openPeople } from '../testing/open-people';

/** Gives robin these points, or takes them, and returns the dialog. */
async function correct(user: ReturnType<typeof openPeople>['user'], points: string) {
  await user.click(await screen.findByRole('button', { name: 'Correct points' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
  await user.type(dialog.getByLabelText(/Points/), points);
  await user.type(dialog.getByLabelText(/Reason/), 'Lost');
  await user.click(dialog.getByRole('button', { name: /^(Give|Take) / }));
  return dialog;
}

describe('the points of a person', () => {
  it('asks before a correction that has been typed is closed', async () => {
    const { user } = openPeople('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Correct points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Paid twice');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText(/Reason/)).toHaveValue('Paid twice');
  });

  it('TRUST-23 corrects points with a reason, shows the resulting balance in advance, and links to the record', async () => {
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
    await user.click(await screen.findByRole('button', { name: 'Correct points' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the points of robin' }));
    expect(dialog.getByLabelText(/Points/)).toHaveFocus();
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
    expect((await screen.findByText('The points are corrected')).closest('[role="status"]')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See it in the audit log' })).toHaveAttribute(
      'href',
      '/admin?tab=audit&q=user_robin',
    );
  });

  it('TRUST-23 a refusal for want of points is at the field, which has the focus, until another amount is typed', async () => {
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
    api.routes['rpc adjust_points'] = refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance');
    const dialog = await correct(user, '-250');
    expect(await dialog.findByRole('alert')).toHaveTextContent('Insufficient points balance');
    const field = dialog.getByLabelText(/Points/);
    expect(field).toHaveFocus();
    expect(field).toHaveAccessibleDescription(expect.stringContaining('Insufficient points balance'));
    await user.clear(field);
    await user.type(field, '-25');
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('TRUST-21 TRUST-23 after a lost answer, retries the same correction, not another one', async () => {
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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
    expect((await screen.findByText('The points are taken back')).closest('[role="status"]')).toBeInTheDocument();
    expect(bodies(api, 'reverse_transfer')).toEqual([{ p_transfer_id: 12, p_note: 'Copied' }]);
  });

  it('TRUST-23 says what has been taken back, and offers it no second time', async () => {
    const { api } = openPeople('/admin?tab=people&person=user_robin');
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
    const { user, api } = openPeople('/admin?tab=people&person=user_robin');
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
