import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { Reward } from '../queries';
import { redemption, reward } from '../testing';
import { RedeemDialog } from './redeem-dialog';
import { RewardList } from './reward-list';

function Opener({ item, balance }: { item: Reward; balance: number }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <RedeemDialog reward={isOpen ? item : null} balance={balance} onClose={() => setIsOpen(false)} />
    </>
  );
}

/** A member whose balance the redemption lowers. */
function SpendingMember() {
  const [balance, setBalance] = useState(800);
  return (
    <>
      <RewardList balance={balance} />
      <Button onClick={() => setBalance(300)}>Spent</Button>
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
    expect(line(dialog, 'Remaining stock')).toHaveTextContent('3 left');
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

  it('redeems, confirms and closes', async () => {
    const { dialog, user, api } = await setUp({}, 800);
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await screen.findByRole('status')).toHaveTextContent('Coffee voucher is yours.');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls[0]?.body).toMatchObject({ p_reward_id: 'reward-1' });
  });

  it("REWARD-11 shows a failure as an alert, in the service's words, and stays open", async () => {
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

  it('REWARD-09 the last piece taken in another browser: one reason, no address to fill in, and no lower balance', async () => {
    const api = fakeApi({
      'GET rewards': [reward({ delivery: 'post', stock_quantity: 1 })],
      'rpc redeem_reward_safe': () => {
        api.routes['GET rewards'] = [reward({ delivery: 'post', stock_quantity: 0 })];
        return refuse(409, 'OUT_OF_STOCK', 'This reward is currently out of stock.');
      },
    });
    const { user } = renderApp(<RewardList balance={800} />, { identity: signedIn() });
    await user.click(await screen.findByRole('button', { name: 'Redeem Coffee voucher' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Redeem Reward' }));
    expect(line(dialog, 'Balance after')).toHaveTextContent('300 points');
    await user.type(dialog.getByLabelText(/^Name/), 'Robin Reed');
    await user.type(dialog.getByLabelText(/Street and number/), '1 Lantern Street');
    await user.type(dialog.getByLabelText(/Town or city/), 'Brookhaven');
    await user.selectOptions(dialog.getByLabelText(/Country/), 'Ireland');
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Redeem' })).toBeDisabled());
    expect(await dialog.findByText('Out of stock')).toBeVisible();
    expect(dialog.getAllByText(/This reward is currently out of stock\./)).toHaveLength(1);
    expect(dialog.queryByText('Balance after')).not.toBeInTheDocument();
    expect(line(dialog, 'Balance before')).toHaveTextContent('800 points');
    expect(dialog.queryByLabelText(/Street and number/)).not.toBeInTheDocument();
  });

  it('stays open while it is being redeemed, so that the outcome is seen', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { dialog, user, api } = await setUp({}, 800, () => answer.promise);
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(keysIn(api)).toHaveLength(1));
    await user.keyboard('{Escape}');
    answer.resolve(refuse(409, 'OUT_OF_STOCK', 'This reward is currently out of stock.'));
    // In the dialog: those who have left the page are told by a toast.
    expect(await dialog.findByText(/This reward is currently out of stock/)).toBeVisible();
  });

  it.each([
    ['other', 'Coffee voucher is yours. We will tell you when it is on its way.', redemption()],
    [
      'code',
      'Coffee voucher is yours. Its code is under Your redemptions.',
      redemption({ delivery: 'code', status: 'fulfilled' }),
    ],
    [
      'code',
      'Coffee voucher is yours. We are reviewing this redemption. Your code will appear afterwards.',
      redemption({ delivery: 'code' }),
    ],
    [
      'other',
      'Failed to process reward: This reward is currently out of stock.',
      refuse(409, 'OUT_OF_STOCK', 'This reward is currently out of stock.'),
    ],
  ] as const)('tells those who have left the page meanwhile (%s): %s', async (delivery, sentence, outcome) => {
    const answer = Promise.withResolvers<unknown>();
    const api = fakeApi({ 'rpc redeem_reward_safe': () => answer.promise });
    const page = <RedeemDialog reward={reward({ delivery })} balance={800} onClose={() => undefined} />;
    const { user, router } = renderApp(null, {
      identity: signedIn(),
      path: '/rewards',
      routes: [
        { path: '/rewards', element: page },
        { path: '*', element: null },
      ],
    });
    await user.click(screen.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(keysIn(api)).toHaveLength(1));
    await act(() => router.navigate('/'));
    answer.resolve(outcome);
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('keeps the address that is being typed when the reward is taken off the list', async () => {
    const api = fakeApi({ 'GET rewards': [reward({ delivery: 'post', is_active: true })] });
    const { user, queryClient } = renderApp(<RewardList balance={800} />, { identity: signedIn() });
    await user.click(await screen.findByRole('button', { name: 'Redeem Coffee voucher' }));
    await user.type(screen.getByLabelText(/^Name/), 'Robin Reed');
    api.routes['GET rewards'] = [];
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText('No rewards on the board yet')).toBeInTheDocument();
    expect(screen.getByLabelText(/^Name/)).toHaveValue('Robin Reed');
  });

  it('a reward that was taken off the list meanwhile is not offered once more', async () => {
    const api = fakeApi({
      'GET rewards': [reward()],
      'rpc redeem_reward_safe': () => {
        api.routes['GET rewards'] = [];
        return refuse(404, 'REWARD_NOT_FOUND', 'Reward not found');
      },
    });
    const { user } = renderApp(<RewardList balance={800} />, { identity: signedIn() });
    await user.click(await screen.findByRole('button', { name: 'Redeem Coffee voucher' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Redeem Reward' }));
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Reward not found');
    expect(await screen.findByText('No rewards on the board yet')).toBeInTheDocument();
    expect(dialog.queryByText('Balance after')).not.toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Redeem' })).toBeDisabled();
  });

  it('keeps the address that was typed when the dialog is closed by a slip of the finger', async () => {
    const { dialog, user, open } = await setUp({ delivery: 'post' }, 800);
    await user.type(dialog.getByLabelText(/^Name/), 'Robin Reed');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect((await open()).getByLabelText(/^Name/)).toHaveValue('Robin Reed');
  });

  it('opens without the complaints about fields that were only tabbed through before', async () => {
    const { dialog, user, open } = await setUp({ delivery: 'post' }, 800);
    await user.click(dialog.getByLabelText(/^Name/));
    await user.tab();
    expect(await dialog.findByText('Please enter a name')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Town or city/), 'Brookhaven');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const again = await open();
    expect(again.queryByText('Please enter a name')).not.toBeInTheDocument();
    expect(again.getByLabelText(/Town or city/)).toHaveValue('Brookhaven');
  });

  it('TRUST-20 shows a changed price, and asks again', async () => {
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

  it('C-99 looks up the outcome when the answer is lost, instead of reporting a failure', async () => {
    const { dialog, user, api } = await setUp({}, 800, offline());
    api.routes['GET redemptions'] = [];
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByText('We are checking whether it went through…')).toBeVisible();
    const key = keysIn(api)[0];
    api.routes['GET redemptions'] = [{ ...redemption(), idempotency_key: key }];
    expect(await screen.findByText(/Coffee voucher is yours\./)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(keysIn(api)).toHaveLength(1);
  });

  it('C-99 calls nothing missing that the redemption itself has taken, while its outcome is looked up', async () => {
    const answer = Promise.withResolvers<unknown>();
    const api = fakeApi({
      'GET rewards': [reward({ points_cost: 500, stock_quantity: 1 })],
      'rpc redeem_reward_safe': () => answer.promise,
      'GET redemptions': [],
    });
    const { user, queryClient } = renderApp(<SpendingMember />, { identity: signedIn() });
    await user.click(await screen.findByRole('button', { name: 'Redeem Coffee voucher' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Redeem Reward' }));
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    api.routes['GET rewards'] = [reward({ points_cost: 500, stock_quantity: 0 })];
    act(() => screen.getByText('Spent').click());
    await act(() => queryClient.invalidateQueries());
    answer.resolve(offline());
    expect(await dialog.findByText('We are checking whether it went through…')).toBeVisible();
    expect(dialog.queryByText(/out of stock/)).not.toBeInTheDocument();
    expect(dialog.queryByText(/more points to redeem/)).not.toBeInTheDocument();
    expect(line(dialog, 'Balance after')).toHaveTextContent('300 points');
    api.routes['GET redemptions'] = [{ ...redemption(), idempotency_key: keysIn(api)[0] }];
    expect(await screen.findByText(/Coffee voucher is yours\./)).toBeVisible();
  });

  it('TRUST-21 C-99 reuses the key of a call with unknown outcome, even when the dialog is reopened, and then shows the outcome', async () => {
    const { dialog, user, api, open } = await setUp({}, 800, offline());
    api.routes['GET redemptions'] = offline();
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('We could not confirm whether it went through.');
    const [key] = keysIn(api);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    api.routes['GET redemptions'] = [
      { ...redemption(), idempotency_key: key },
      { ...redemption(), idempotency_key: 'x' },
    ];
    const again = await open();
    expect(await again.findByText(/It went through: .* is yours/)).toBeVisible();
    expect(again.queryByRole('button', { name: 'Redeem' })).not.toBeInTheDocument();

    // The next redemption has a new key.
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

describe('C-93 delivery', () => {
  it('a code is shown in the dialog that redeemed it', async () => {
    const answer = redemption({ delivery: 'code', status: 'fulfilled' });
    const { dialog, user, api } = await setUp({ delivery: 'code', stock_quantity: 3 }, 800, answer);
    api.routes['rpc get_redemption_code'] = 'COFFEE-4711';
    const promise = 'You get the code at once, unless we have to review the redemption first.';
    expect(dialog.getByText(promise)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByText('COFFEE-4711')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Copy code' }));
    expect(await navigator.clipboard.readText()).toBe('COFFEE-4711');
    expect(api.calls.filter(({ path }) => path === 'rpc/get_redemption_code').map(({ body }) => body)).toContainEqual({
      p_redemption_id: 'redemption-1',
    });
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('a code that cannot be read at first is requested again', async () => {
    const answer = redemption({ delivery: 'code', status: 'fulfilled' });
    const { dialog, user, api } = await setUp({ delivery: 'code', stock_quantity: 3 }, 800, answer);
    api.routes['rpc get_redemption_code'] = refuse(500, null, 'out of memory');
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Your code could not be read');
    api.routes['rpc get_redemption_code'] = 'COFFEE-4711';
    await user.click(dialog.getByRole('button', { name: 'Show code' }));
    expect(await dialog.findByText('COFFEE-4711')).toBeInTheDocument();
  });

  it('C-95 a code that waits for an admin is not requested, and the dialog says so', async () => {
    const answer = redemption({ delivery: 'code', status: 'pending' });
    const { dialog, user, api } = await setUp({ delivery: 'code', stock_quantity: 3 }, 800, answer);
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await dialog.findByRole('status')).toHaveTextContent('Your code will appear afterwards.');
    expect(api.calls.some(({ path }) => path === 'rpc/get_redemption_code')).toBe(false);
  });

  it('a posted reward needs a full address, and nothing is sent before it is complete', async () => {
    const { dialog, user, api } = await setUp({ delivery: 'post' }, 800);
    await user.selectOptions(dialog.getByLabelText(/Country/), '');
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    for (const problem of [
      'Please enter a name',
      'Please enter a street and number',
      'Please enter a town or city',
      'Please choose a country',
    ]) {
      expect(await dialog.findByText(problem)).toBeInTheDocument();
    }
    expect(api.calls).toEqual([]);
    await user.type(dialog.getByLabelText(/^Name/), ' Robin Reed ');
    await user.type(dialog.getByLabelText(/Street and number/), '1 Lantern Street');
    await user.type(dialog.getByLabelText(/Town or city/), 'Brookhaven');
    await user.selectOptions(dialog.getByLabelText(/Country/), 'Ireland');
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls[0]?.body).toMatchObject({
      p_address: { name: 'Robin Reed', street: '1 Lantern Street', city: 'Brookhaven', country: 'IE', extra: '' },
    });
  });

  it('an address with invisible characters is refused at the field that has them', async () => {
    const refusal = refuse(400, 'HIDDEN_CHARACTERS', 'Please use visible characters only');
    const { dialog, user, api } = await setUp({ delivery: 'post' }, 800, refusal);
    await user.type(dialog.getByLabelText(/^Name/), 'Robin Reed');
    await user.type(dialog.getByLabelText(/^Street/), '1 Lantern\u200b Street');
    await user.type(dialog.getByLabelText(/^Town/), 'Brookhaven');
    await user.selectOptions(dialog.getByLabelText(/^Country/), 'IE');
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(dialog.getByLabelText(/^Street/)).toBeInvalid());
    expect(dialog.getByLabelText(/^Street/)).toHaveFocus();
    expect(dialog.getAllByText('Please use visible characters only')).toHaveLength(1);
    api.routes['rpc redeem_reward_safe'] = redemption({ delivery: 'post' });
    await user.clear(dialog.getByLabelText(/^Street/));
    await user.type(dialog.getByLabelText(/^Street/), '1 Lantern Street');
    expect(dialog.queryByText('Please use visible characters only')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    expect(await screen.findByText(/is yours/)).toBeInTheDocument();
  });

  it('only posted rewards ask for an address', async () => {
    const { dialog, user, api } = await setUp({ delivery: 'mail' }, 800);
    expect(dialog.queryByLabelText(/Street/)).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Redeem' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls[0]?.body).not.toHaveProperty('p_address');
  });
});
