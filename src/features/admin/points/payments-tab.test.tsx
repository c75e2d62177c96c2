import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import PaymentsTab from './payments-tab';
import type { ReturnedPayment } from './queries';

const payment: ReturnedPayment = {
  id: 'purchase-1',
  owner_user_id: 'user_kim',
  owner_name: 'kim',
  startup_id: 'p1',
  startup_name: 'Paper Kite',
  status: 'disputed',
  points: 5000,
  missing_points: 1200,
  available_points: 300,
  amount_cents: 19900,
  payment_ref: 'pi_1',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-02-01T00:00:00Z',
  written_off_at: null,
  cursor: 'cursor-1',
};

function open(rows = [payment], left = 0) {
  const api = fakeApi({ 'rpc admin_list_returned_payments': rows, 'rpc settle_returned_payment': left });
  return { ...renderApp(<PaymentsTab />, { identity: signedIn('admin'), path: '/admin?tab=payments' }), api };
}
const decisions = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/settle_returned_payment').map(({ body }) => body);

describe('returned payments', () => {
  it("BEY-20 shows pending decisions first: the owner, the missing points and the project's balance", async () => {
    const { api } = open();
    const row = within(await screen.findByRole('row', { name: /Paper Kite/ }));
    expect(row.getByText('Disputed')).toBeInTheDocument();
    expect(row.getByText('1,200')).toBeInTheDocument();
    expect(row.getByText('300')).toBeInTheDocument();
    expect(row.getByRole('link', { name: 'kim' })).toHaveAttribute('href', '/admin?tab=people&person=user_kim');
    const [asked] = api.calls.filter(({ path }) => path === 'rpc/admin_list_returned_payments');
    expect(asked?.params.get('p_state')).toBe('open');
  });

  it.each([
    ['Take back', 'Take back what Paper Kite has?', 'Take points back', 'take_back', '900 points are still missing'],
    ['Write off', 'Write off 1,200 points for Paper Kite?', 'Write points off', 'write_off', 'Written off'],
  ])('BEY-20 TRUST-23 %s: names project and consequence, needs a reason, and reports the result', async (...words) => {
    const [verb, title, confirm, decision, done] = words;
    const { user, api } = open(undefined, 900);
    await user.click(await screen.findByRole('button', { name: verb }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    await user.click(dialog.getByRole('button', { name: confirm }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please give a reason');
    expect(decisions(api)).toEqual([]);
    await user.type(dialog.getByLabelText(/Reason/), 'Agreed by mail');
    await user.click(dialog.getByRole('button', { name: confirm }));
    expect(await screen.findByText(done, { ignore: 'option' })).toBeInTheDocument();
    expect(decisions(api)).toEqual([{ p_purchase_id: 'purchase-1', p_decision: decision, p_note: 'Agreed by mail' }]);
  });

  it('speaks of one point in the singular', async () => {
    const { user } = open([{ ...payment, missing_points: 1 }]);
    await user.click(await screen.findByRole('button', { name: 'Write off' }));
    expect(await screen.findByRole('dialog', { name: 'Write off 1 point for Paper Kite?' })).toBeInTheDocument();
  });

  it('TRUST-14 does not call it a success when the project had nothing', async () => {
    const { user } = open(undefined, 1200);
    await user.click(await screen.findByRole('button', { name: 'Take back' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'Agreed by mail');
    await user.click(dialog.getByRole('button', { name: 'Take points back' }));
    expect(
      await screen.findByText('There was nothing to take back: 1,200 points are still missing'),
    ).toBeInTheDocument();
  });

  it('BEY-20 an admin who was too late is not offered the same payment again', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Write off' }));
    const dialog = within(await screen.findByRole('dialog'));
    api.routes['rpc admin_list_returned_payments'] = [];
    api.routes['rpc settle_returned_payment'] = refuse(
      409,
      'NOTHING_MISSING',
      'Nothing is owed on this payment any more',
    );
    api.routes['GET audit_log'] = [
      {
        id: 1,
        subject_type: 'payment',
        subject_id: 'pi_1',
        actor_id: 'user_ada',
        action: 'payment.take_back',
        note: 'They have it',
        created_at: '2026-02-02T00:00:00Z',
      },
    ];
    api.routes['GET user_profiles'] = [];
    await user.type(dialog.getByLabelText(/Reason/), 'Agreed by mail');
    await user.click(dialog.getByRole('button', { name: 'Write points off' }));
    await dialog.findByText(/Nothing is owed on this payment any more/);
    expect(await dialog.findByText('Took back points from a returned payment')).toBeVisible();
    await user.click(dialog.getByText('Close'));
    expect(await screen.findByRole('heading', { name: 'No payments to decide' })).toBeInTheDocument();
  });

  it('BEY-20 TRUST-21 cannot be cancelled once it is sent', async () => {
    const { user, api } = open();
    const answer = Promise.withResolvers<number>();
    api.routes['rpc settle_returned_payment'] = () => answer.promise;
    await user.click(await screen.findByRole('button', { name: 'Write off' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'Agreed by mail');
    await user.dblClick(dialog.getByRole('button', { name: 'Write points off' }));
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeInTheDocument();
    answer.resolve(0);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(decisions(api)).toHaveLength(1);
  });

  it('offers no action on a written-off payment', async () => {
    open([{ ...payment, written_off_at: '2026-02-03T00:00:00Z' }]);
    const row = within(await screen.findByRole('row', { name: /Paper Kite/ }));
    expect(row.getByText('Written off')).toBeInTheDocument();
    expect(row.queryByRole('button')).not.toBeInTheDocument();
  });
});
