import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { Reward } from '../queries';
import { redemption, reward } from '../testing';
import { RedeemDialog } from './redeem-dialog';

function Opener({ item, balance }: { item: Reward; balance: number }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <RedeemDialog reward={isOpen ? item : null} balance={balance} onClose={() => setIsOpen(false)} />
    </>
  );
}

async function setUp(item: Partial<Reward>, balance: number, answer: unknown = redemption()) {
  const api = fakeApi({ 'rpc redeem_reward_safe': answer });
  const view = renderApp(<Opener item={reward(item)} balance={balance} />, { identity: signedIn() });
  const open = async () => {
    await view.user.click(screen.getByRole('button', { name: 'Open' }));
    return within(await screen.findByRole('dialog', { name: 'Redeem Reward' }));
  };
  return { ...view, api, open, dialog: await open() };
}

const line = (dialog: ReturnType<typeof within>, label: string) => dialog.getByText(label).parentElement;

describe('redeem dialog', () => {
  it('REWARD-08 shows the reward with cost, remaining stock and the balance before and after', async () => {
    const { dialog } = await setUp({ points_cost: 500, stock_quantity: 3 }, 1250);
    expect(dialog.getByRole('heading', { name: 'Coffee voucher' })).toBeInTheDocument();
    expect(line(dialog, 'Cost')).toHaveTextContent('500 points');
    expect(line(dialog, 'Remaining stock')).toHaveTextContent('3 pieces left');
    expect(line(dialog, 'Balance before')).toHaveTextContent('1,250 points');
    expect(line(dialog, 'Balance after')).toHaveTextContent('750 points');
  });

  it('REWARD-08 REWARD-09 warns of a shortfall and disables the button', async () => {
    const { dialog } = await setUp({ points_cost: 2000 }, 800);
    expect(dialog.getByText('You need 1,200 more points to redeem this reward.')).toBeInTheDocument();
    expect(line(dialog, 'Balance after')).toHaveTextContent('Not enough points');
    expect(dialog.getByRole('button', { name: 'Redeem' })).toBeDisabled();
  });

  it('REWARD-09 is disabled when out of stock, and enabled with enough points and unlimited stock', async () => {
    const { dialog, unmount } = await setUp({ stock_quantity: 0 }, 800);
    expect(dialog.getByText('This reward is currently out of stock.')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Redeem' })).toBeDisabled();
    unmount();
    const second = await setUp({ stock_quantity: null, points_cost: 500 }, 500);
    expect(second.dialog.getByRole('button', { name: 'Redeem' })).toBeEnabled();
  });

  it('redeems, says so and closes', async () => {
    const { dialog, user, api } = await setUp({}, 800);
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await screen.findByRole('status')).toHaveTextContent('Coffee voucher is yours.');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls[0]?.body).toMatchObject({ p_reward_id: 'reward-1' });
  });

  it('REWARD-11 shows a failure as an alert, in the words of the service, and stays open', async () => {
    const { dialog, user } = await setUp(
      {},
      800,
      refuse(409, 'OUT_OF_STOCK', 'This reward is currently out of stock.'),
    );
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Failed to process reward: This reward is currently out of stock.',
    );
  });

  it('TRUST-20 tells a new price, and asks again', async () => {
    const { dialog, user, api } = await setUp(
      {},
      800,
      refuse(409, 'PRICE_CHANGED', 'This has changed since you looked: it is now 700 points.'),
    );
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('it is now 700 points.');
    expect(api.calls[0]?.body).toMatchObject({ p_expected_cost: 500 });
    expect(dialog.getByRole('button', { name: 'Redeem' })).toBeEnabled();
  });

  it('C-99 finds out what became of it when the answer is lost, instead of saying that it failed', async () => {
    const { dialog, user, api } = await setUp({}, 800, offline());
    api.routes['GET redemptions'] = [];
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByText('We are checking whether it went through …')).toBeVisible();
    const key = keysIn(api)[0];
    api.routes['GET redemptions'] = [{ ...redemption(), idempotency_key: key }];
    expect(await screen.findByText(/Coffee voucher is yours\./, {}, { timeout: 5000 })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(keysIn(api)).toHaveLength(1);
  });

  it('TRUST-21 C-99 keeps the key of a call that nothing is known of, also when the dialog is opened anew, and then says what is true', async () => {
    const { dialog, user, api, open } = await setUp({}, 800, offline());
    api.routes['GET redemptions'] = offline();
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert', {}, { timeout: 5000 })).toHaveTextContent(
      'We could not find out whether it went through.',
    );
    const [key] = keysIn(api);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    api.routes['GET redemptions'] = [
      { ...redemption(), idempotency_key: key },
      { ...redemption(), idempotency_key: 'x' },
    ];
    const again = await open();
    expect(await again.findByText(/It went through: .* is yours/)).toBeVisible();
    expect(again.queryByRole('button', { name: 'Redeem' })).not.toBeInTheDocument();

    // The next redemption is another one.
    await user.keyboard('{Escape}');
    api.routes['rpc redeem_reward_safe'] = redemption();
    await user.click((await open()).getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(keysIn(api)).toHaveLength(2));
    expect(keysIn(api)[1]).not.toBe(key);
  });
});

/** The keys under which redemptions were sent. */
const keysIn = (api: ReturnType<typeof fakeApi>) =>
  api.calls
    .filter(({ path }) => path === 'rpc/redeem_reward_safe')
    .map(({ body }) => JSON.stringify(body).match(/"p_idempotency_key":"(.+?)"/)?.[1]);
