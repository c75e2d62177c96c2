import { screen, waitFor, within } from '@testing-library/react';
import type { Reward } from '@/features/rewards';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import RewardsTab from './rewards-tab';

const mug: Reward = {
  id: 'reward-1',
  title: 'Mug',
  description: 'For coffee.',
  points_cost: 500,
  cash_value_cents: null,
  image_url: 'https://example.org/mug.png',
  is_active: true,
  stock_quantity: 3,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  delivery: 'other',
};

function open(rewards: Reward[] = [mug]) {
  const api = fakeApi({
    'GET rewards': rewards,
    'rpc save_reward': { id: 'reward-1' },
    'rpc delete_reward': undefined,
    'POST /storage/v1/object/reward-images': {},
  });
  return { ...renderApp(<RewardsTab />, { identity: signedIn('admin'), path: '/admin?tab=rewards' }), api };
}
const saved = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/save_reward').map(({ body }) => body);

describe('rewards', () => {
  it('C-45 SEC-10 creates a reward', async () => {
    const { user, api } = open([]);
    await user.click(await screen.findByRole('button', { name: 'New reward' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New reward' }));
    expect(dialog.getByLabelText(/Title/)).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: 'Create reward' }));
    expect(await dialog.findByText('Please enter a reward title')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Title/), 'Sticker');
    await user.type(dialog.getByLabelText(/Cost in points/), '100');
    await user.click(dialog.getByRole('button', { name: 'Create reward' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(saved(api)).toEqual([
      {
        p_reward: {
          title: 'Sticker',
          description: '',
          points_cost: 100,
          cash_value_cents: null,
          stock_quantity: null,
          is_active: true,
          delivery: 'other',
        },
        p_idempotency_key: expect.any(String),
      },
    ]);
  });

  it('TRUST-21 C-99 looks up a reward whose answer was lost, and sends the next one under a new key', async () => {
    const { user, api } = open([]);
    const create = async () => {
      const dialog = within(await screen.findByRole('dialog', { name: 'New reward' }));
      await user.click(dialog.getByRole('button', { name: 'Create reward' }));
    };
    const answer = api.routes['rpc save_reward'];
    api.routes['rpc save_reward'] = refuse(500, null, 'the answer was lost');
    const lookUp = Promise.withResolvers();
    api.routes['rpc get_reward_by_key'] = () => lookUp.promise;
    await user.click(await screen.findByRole('button', { name: 'New reward' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New reward' }));
    await user.type(dialog.getByLabelText(/Title/), 'Sticker');
    await user.type(dialog.getByLabelText(/Cost in points/), '100');
    await create();
    expect(await dialog.findByText('We are checking whether it went through…')).toBeInTheDocument();
    lookUp.resolve([{ ...mug, title: 'Sticker' }]);
    expect(await screen.findByText('Reward created')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();

    api.routes['rpc save_reward'] = answer;
    await user.click(screen.getByRole('button', { name: 'New reward' }));
    const next = within(await screen.findByRole('dialog', { name: 'New reward' }));
    await user.type(next.getByLabelText(/Title/), 'Mug');
    await user.type(next.getByLabelText(/Cost in points/), '100');
    await create();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const [first, second] = saved(api).map((body) => (body as { p_idempotency_key: string }).p_idempotency_key);
    expect(second).not.toBe(first);
  });

  it('BEY-20 says when whoever buys the points would gain, while the value is typed', async () => {
    const { user, api } = open([]);
    api.routes['GET app_settings'] = [settingsRow()];
    await user.click(await screen.findByRole('button', { name: 'New reward' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New reward' }));
    await user.type(dialog.getByLabelText(/Cost in points/), '250');
    await user.type(dialog.getByLabelText(/Value in US\$/), '8');
    expect(dialog.getByRole('status')).toBeEmptyDOMElement();
    await user.type(dialog.getByLabelText(/Value in US\$/), '.75');
    expect(dialog.getByRole('status')).toHaveTextContent(
      'A project can buy these points for $8.74, pay a friend with them, and gain by the difference.',
    );
  });

  it('C-45 edits the stock and leaves everything else unchanged, including the image', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Edit Mug' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Mug”' }));
    await user.clear(dialog.getByLabelText('Stock'));
    await user.type(dialog.getByLabelText('Stock'), '12');
    await user.click(dialog.getByRole('button', { name: 'Save reward' }));
    await waitFor(() => expect(saved(api)).toHaveLength(1));
    expect(saved(api)[0]).toEqual({
      p_reward_id: 'reward-1',
      p_reward: { stock_quantity: 12, replaces: { stock_quantity: 3 } },
    });
  });

  it('shows what has changed since it was opened beside what was typed, and replaces it when pressed again', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Edit Mug' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Mug”' }));
    await user.clear(dialog.getByLabelText('Stock'));
    await user.type(dialog.getByLabelText('Stock'), '12');
    const answer = api.routes['rpc save_reward'];
    api.routes['rpc save_reward'] = refuse(409, 'REWARD_CHANGED', 'This reward has changed since you opened it.');
    // One was redeemed, and another admin has set the price and the picture.
    api.routes['GET rewards'] = [{ ...mug, stock_quantity: 2, points_cost: 450, image_url: null }];
    await user.click(dialog.getByRole('button', { name: 'Save reward' }));
    expect(await dialog.findByText('This reward has changed since you opened it.')).toBeInTheDocument();
    expect(dialog.getByLabelText('Stock')).toHaveValue('12');
    expect(dialog.getByLabelText('Stock')).toHaveAccessibleDescription(/Meanwhile: 2\. Save again to replace it\./);
    expect(dialog.getByLabelText('Stock')).toHaveFocus();
    expect(dialog.getByLabelText(/Cost in points/)).toHaveValue('450');
    expect(dialog.getByLabelText(/Cost in points/)).not.toHaveAccessibleDescription(/Meanwhile/);
    api.routes['rpc save_reward'] = answer;
    await user.click(dialog.getByRole('button', { name: 'Save reward' }));
    await waitFor(() => expect(saved(api)).toHaveLength(2));
    expect(saved(api)[1]).toEqual({
      p_reward_id: 'reward-1',
      p_reward: { stock_quantity: 12, replaces: { stock_quantity: 2 } },
    });
  });

  it('C-93 saves the delivery and adds codes, one per line; after a refused code there is still only one reward', async () => {
    const { user, api } = open([]);
    api.routes['rpc save_reward'] = { ...mug, id: 'reward-9', title: 'Voucher', delivery: 'code', stock_quantity: 0 };
    api.routes['rpc add_reward_codes'] = refuse(500, null, 'out of memory');
    await user.click(await screen.findByRole('button', { name: 'New reward' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New reward' }));
    await user.type(dialog.getByLabelText(/Title/), 'Voucher');
    await user.type(dialog.getByLabelText(/Cost in points/), '100');
    await user.selectOptions(dialog.getByLabelText('How members get it'), 'By code, at once');
    await user.type(dialog.getByLabelText('Add codes'), 'ONE\n\n TWO \nTWO');
    await user.click(dialog.getByRole('button', { name: 'Create reward' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('The reward is saved, its codes are not');
    api.routes['rpc add_reward_codes'] = [{ added: 1, repeated: 1, stock: 1 }];
    await user.click(dialog.getByRole('button', { name: 'Create reward' }));
    expect(
      await screen.findByText('Reward created. 1 new code, 1 was there already, 1 was pasted twice'),
    ).toBeInTheDocument();
    expect(saved(api)).toMatchObject([
      { p_reward: expect.objectContaining({ title: 'Voucher', delivery: 'code' }) },
      { p_reward_id: 'reward-9', p_reward: expect.not.objectContaining({ title: 'Voucher' }) },
    ]);
    const added = api.calls.filter(({ path }) => path === 'rpc/add_reward_codes').map(({ body }) => body);
    expect(added.at(-1)).toEqual({ p_reward_id: 'reward-9', p_codes: ['ONE', 'TWO'] });
  });

  const openVoucher = async () => {
    const opened = open([{ ...mug, delivery: 'code', stock_quantity: 3 }]);
    await opened.user.click(await screen.findByRole('button', { name: 'Edit Mug' }));
    return { ...opened, dialog: within(await screen.findByRole('dialog', { name: 'Edit “Mug”' })) };
  };

  it('says in which line a code is that the database refuses for what cannot be seen', async () => {
    const { user, api, dialog } = await openVoucher();
    api.routes['rpc add_reward_codes'] = refuse(400, 'INVALID_CODE', 'A code has at most 200 visible characters');
    await user.click(dialog.getByLabelText('Add codes'));
    await user.paste('ONE\n\nTW\u200bO');
    await user.click(dialog.getByRole('button', { name: 'Save reward' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      /^The reward is saved, its codes are not: A code has at most 200 visible characters: see line 3$/,
    );
    expect(dialog.getByLabelText('Add codes')).toHaveFocus();
  });

  it('C-99 sends codes again whose answer was lost, and does not call those old that the lost call has added', async () => {
    const { user, api, dialog } = await openVoucher();
    let isFirst = true;
    api.routes['rpc add_reward_codes'] = () => {
      if (!isFirst) return [{ added: 0, repeated: 2, stock: 5 }];
      isFirst = false;
      return offline();
    };
    await user.type(dialog.getByLabelText('Add codes'), 'ONE\nTWO\nTWO');
    await user.click(dialog.getByRole('button', { name: 'Save reward' }));
    expect(await screen.findByText('Reward saved. 2 codes are stored, 1 was pasted twice')).toBeInTheDocument();
  });

  it('C-93 removes the undelivered codes, after confirmation', async () => {
    const { user, api } = open([{ ...mug, delivery: 'code', stock_quantity: 3 }]);
    api.routes['rpc remove_reward_codes'] = 3;
    await user.click(await screen.findByRole('button', { name: 'Edit Mug' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Mug”' }));
    await user.click(dialog.getByRole('button', { name: 'Remove the 3 unused codes' }));
    const asking = within(await screen.findByRole('alertdialog'));
    await user.click(asking.getByRole('button', { name: 'Remove codes' }));
    expect(await screen.findByText('3 codes removed')).toBeInTheDocument();
    expect(dialog.getByLabelText('Stock')).toHaveValue('0 codes');
    expect(dialog.queryByRole('button', { name: /unused code/ })).not.toBeInTheDocument();
  });

  it('stays open while the reward is being saved, so that nothing typed is lost', async () => {
    const { user, api } = open();
    const answer = Promise.withResolvers();
    api.routes['rpc save_reward'] = () => answer.promise;
    await user.click(await screen.findByRole('button', { name: 'Edit Mug' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Mug”' }));
    await user.type(dialog.getByLabelText(/Title/), ' of tea');
    await user.click(dialog.getByRole('button', { name: 'Save reward' }));
    await waitFor(() => expect(saved(api)).toHaveLength(1));
    await user.keyboard('{Escape}');
    answer.resolve(refuse(400, 'RESERVED_NAME', 'This name is reserved'));
    expect(await screen.findByText('This name is reserved')).toBeVisible();
    expect(dialog.getByLabelText(/Title/)).toHaveValue('Mug of tea');
  });

  it('asks before it closes with changes that are not saved', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Edit Mug' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit “Mug”' }));
    await user.type(dialog.getByLabelText(/Title/), ' of tea');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText(/Title/)).toHaveValue('Mug of tea');
  });

  it('C-45 deactivates a reward', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Deactivate' }));
    expect(await screen.findByText('Mug is hidden')).toBeInTheDocument();
    expect(saved(api)[0]).toEqual({
      p_reward_id: 'reward-1',
      p_reward: { is_active: false, replaces: { is_active: true } },
    });
  });

  it('SEC-10 says why a redeemed reward cannot be deleted', async () => {
    const { user, api } = open();
    api.routes['rpc delete_reward'] = refuse(
      409,
      'REWARD_REDEEMED',
      'This reward has been redeemed; deactivate it instead',
    );
    await user.click(await screen.findByRole('button', { name: 'Delete Mug' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete “Mug”?' }));
    await user.click(dialog.getByRole('button', { name: 'Delete reward' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('This reward has been redeemed; deactivate it instead');
  });

  it('leads from a deleted reward to the next one', async () => {
    const cap = { ...mug, id: 'reward-2', title: 'Cap' };
    const { user, api } = open([mug, cap]);
    api.routes['rpc delete_reward'] = () => {
      api.routes['GET rewards'] = [cap];
    };
    await user.click(await screen.findByRole('button', { name: 'Delete Mug' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete “Mug”?' }));
    await user.click(dialog.getByRole('button', { name: 'Delete reward' }));
    expect(await screen.findByText('Reward deleted')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit Cap' })).toHaveFocus());
  });

  it('refuses a picture of more than 5 MB', async () => {
    const { user } = open([]);
    await user.click(await screen.findByRole('button', { name: 'New reward' }));
    const dialog = within(await screen.findByRole('dialog'));
    const huge = new File(['x'], 'huge.png', { type: 'image/png' });
    Object.defineProperty(huge, 'size', { value: 6 * 1024 * 1024 });
    await user.upload(dialog.getByLabelText('Picture'), huge);
    expect(await dialog.findByText('Please choose an image smaller than 5MB')).toBeInTheDocument();
  });
});
