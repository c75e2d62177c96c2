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

  it('sends one key per opening: trying again after a lost answer cannot redeem twice', async () => {
    const { dialog, user, api, open } = await setUp({}, 800, offline());
    const keys = () => api.calls.map(({ body }) => JSON.stringify(body).match(/"p_idempotency_key":"(.+?)"/)?.[1]);
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Network error');
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(api.calls).toHaveLength(2));
    expect(keys()[0]).toBeDefined();
    expect(keys()[1]).toBe(keys()[0]);

    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    const again = await open();
    await user.click(again.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(api.calls).toHaveLength(3));
    expect(keys()[2]).not.toBe(keys()[0]);
  });
});
