import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { AdminRedemption, RedemptionSource } from './queries';
import RedemptionsTab from './redemptions-tab';

const pending: AdminRedemption = {
  id: 'redemption-1',
  user_id: 'user_robin',
  username: 'robin',
  email: 'robin@example.org',
  reward_id: 'reward-1',
  reward_title: 'Mug',
  flagged_points: 0,
  points_cost: 500,
  status: 'pending',
  note: '',
  handled_by: '',
  created_at: '2026-02-01T10:00:00Z',
  fulfilled_at: null,
  cancelled_at: null,
  cursor: 'cursor-1',
  delivery: 'other',
  address: null,
  sources: [],
  is_code_shown: false,
  is_suspended: false,
  returns_to_stock: true,
};

const source = (overrides: Partial<RedemptionSource> = {}): RedemptionSource => ({
  kind: 'task_completion',
  campaign_id: 'campaign-1',
  campaign_title: 'Try the kite',
  startup_id: 'project-1',
  startup_name: 'Paper Kite',
  points: 300,
  trial_points: 0,
  flagged_points: 0,
  related_points: 0,
  flags: [],
  ...overrides,
});
const bonus = source({
  kind: 'referral_bonus',
  campaign_id: null,
  campaign_title: null,
  startup_id: null,
  startup_name: null,
  points: 200,
});

function open() {
  const handled = { ...pending, id: 'redemption-2', status: 'fulfilled' as const, note: 'Sent by post', sources: null };
  const api = fakeApi({
    'rpc admin_list_redemptions': [{ ...pending, sources: [source(), bonus] }, handled],
    'rpc fulfil_redemptions': [],
    'rpc set_redemption_status': {},
  });
  return { ...renderApp(<RedemptionsTab />, { identity: signedIn('admin'), path: '/admin?tab=redemptions' }), api };
}
const decisions = (api: ReturnType<typeof open>['api']) =>
  api.calls.filter(({ path }) => path === 'rpc/set_redemption_status').map(({ body }) => body);

describe('redemptions', () => {
  it.each(['a table', 'cards'])('the actions say whose redemption they decide, in %s', async (form) => {
    const real = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.assign(real(query), { matches: form === 'a table' }),
    );
    const { api } = open();
    api.routes['rpc admin_list_redemptions'] = [
      pending,
      { ...pending, id: 'redemption-2', user_id: 'user_wren', username: 'wren', email: null },
    ];
    const [first, second] = await screen.findAllByRole('button', { name: 'Fulfil' });
    expect(first).toHaveAccessibleDescription(/^Mug 500 ?points robin robin@example\.org$/);
    expect(second).toHaveAccessibleDescription(/^Mug 500 ?points wren$/);
    expect(screen.getAllByRole('button', { name: 'Cancel' })[1]).toHaveAccessibleDescription(/^Mug 500 ?points wren$/);
  });

  it('C-50 fulfils with a note to the member', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Fulfil' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Fulfil “Mug”?' }));
    await user.type(dialog.getByLabelText('Note to the member'), 'Code 123');
    await user.click(dialog.getByRole('button', { name: 'Fulfil redemption' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(decisions(api)).toEqual([{ p_redemption_id: 'redemption-1', p_status: 'fulfilled', p_note: 'Code 123' }]);
  });

  it('C-50 TRUST-10 cancels, and says in advance what is refunded', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel “Mug”?' }));
    expect(dialog.getByText(/robin gets 500 points back/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Cancel and refund' }));
    await waitFor(() => expect(decisions(api)).toEqual([{ p_redemption_id: 'redemption-1', p_status: 'cancelled' }]));
  });

  it('leaves the redemption pending by a button that cannot be taken for the one that cancels it', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel “Mug”?' }));
    expect(dialog.queryByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Keep redemption' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(decisions(api)).toEqual([]);
  });

  it('TRUST-17 shows the source of the points before the decision', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Fulfil' }));
    const sources = within(await screen.findByRole('region', { name: 'Where the points came from' }));
    const [quest, referral] = await sources.findAllByRole('listitem');
    expect(quest).toHaveTextContent('Try the kite · Paper Kite');
    expect(quest).toHaveTextContent('300 points');
    expect(referral).toHaveTextContent('Referral bonus');
    expect(sources.getByText('Nothing flagged, no related people, no trial budgets.')).toBeInTheDocument();
  });

  it('C-95 TRUST-17 marks points from flagged proofs, in the list and with the reasons in the dialog', async () => {
    const { user, api } = open();
    const flagged = source({
      flagged_points: 120,
      related_points: 300,
      trial_points: 50,
      flags: ['same_link', 'too_fast'],
    });
    api.routes['rpc admin_list_redemptions'] = [{ ...pending, flagged_points: 120, sources: [flagged, bonus] }];
    expect(await screen.findByText('120 points from flagged proofs')).toBeInTheDocument();
    expect(screen.getByText('300 from projects of related people · 50 from trial budgets')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Fulfil' }));
    const sources = within(await screen.findByRole('region', { name: 'Where the points came from' }));
    expect(
      await sources.findByText('120 from flagged proofs · 300 from projects of related people · 50 from trial budgets'),
    ).toBeInTheDocument();
    expect(sources.getByText('same link')).toBeInTheDocument();
    expect(sources.getByText('too fast')).toBeInTheDocument();
  });

  it('shows the sentence of a refusal and stays open', async () => {
    const { user, api } = open();
    api.routes['rpc set_redemption_status'] = refuse(
      409,
      'REDEMPTION_HANDLED',
      'This redemption has already been handled',
    );
    api.routes['GET audit_log'] = [];
    await user.click(await screen.findByRole('button', { name: 'Fulfil' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Fulfil redemption' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Failed to update the redemption: This redemption has already been handled',
    );
  });

  it('C-93 shows the delivery address in the row and, for copying, in the dialog', async () => {
    const { user, api } = open();
    api.routes['rpc admin_list_redemptions'] = [
      {
        ...pending,
        delivery: 'post',
        address: {
          name: 'Robin Reed',
          street: '1 Lantern Street',
          extra: '',
          postal_code: '',
          city: 'Singapore',
          region: '',
          country: 'SG',
        },
      },
    ];
    expect(await screen.findByText('Robin Reed 1 Lantern Street Singapore Singapore')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Fulfil' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Fulfil “Mug”?' }));
    expect(dialog.getByText(/^Do this once it is on its way to robin\./)).toBeInTheDocument();
    expect(dialog.getByText('Robin Reed 1 Lantern Street Singapore Singapore')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Copy address' }));
    expect(await navigator.clipboard.readText()).toBe('Robin Reed\n1 Lantern Street\nSingapore\nSingapore');
  });

  it.each([
    [true, 'robin gets 500 points back, and the piece goes back into stock. It cannot be undone.'],
    [false, 'robin gets 500 points back. It cannot be undone.'],
  ])('says whether a cancelled piece goes back into stock: %s', async (returns_to_stock, words) => {
    const { user, api } = open();
    api.routes['rpc admin_list_redemptions'] = [{ ...pending, returns_to_stock }];
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel “Mug”?' }));
    expect(dialog.getByText(words)).toBeInTheDocument();
  });

  it('C-93 a code that was delivered at once can be refunded, and the dialog says whether it returns to the stock', async () => {
    const { user, api } = open();
    const code = { ...pending, status: 'fulfilled' as const, delivery: 'code' as const, sources: null };
    api.routes['rpc admin_list_redemptions'] = [{ ...code, is_code_shown: true, returns_to_stock: false }];
    expect(await screen.findByText('Seen by the member')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Refund' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel “Mug”?' }));
    expect(dialog.getByText(/the code stays out of stock, because it has been seen/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Cancel and refund' }));
    await waitFor(() => expect(decisions(api)).toEqual([{ p_redemption_id: 'redemption-1', p_status: 'cancelled' }]));
  });

  it('C-95 fulfils the selected ones in one call, excludes the flagged and suspended members, and reports those left', async () => {
    const { user, api } = open();
    const row = (id: string, reward_title: string, flagged_points = 0) => ({
      ...pending,
      id,
      reward_title,
      flagged_points,
    });
    api.routes['rpc admin_list_redemptions'] = [
      row('r1', 'Mug'),
      row('r2', 'Cap'),
      row('r3', 'Pin'),
      row('r6', 'Cap'),
      row('r4', 'Bag', 50),
      { ...row('r5', 'Hat'), username: 'kestrel', is_suspended: true },
    ];
    api.routes['rpc fulfil_redemptions'] = [
      { redemption_id: 'r1', outcome: 'fulfilled' },
      { redemption_id: 'r2', outcome: 'handled' },
      { redemption_id: 'r3', outcome: 'flagged' },
      { redemption_id: 'r6', outcome: 'handled' },
    ];
    await user.click(await screen.findByRole('checkbox', { name: 'Select all that are not flagged' }));
    expect(screen.queryByRole('checkbox', { name: 'Select Bag of robin' })).not.toBeInTheDocument();
    expect(screen.queryByRole('checkbox', { name: 'Select Hat of kestrel' })).not.toBeInTheDocument();
    expect(within(screen.getByRole('row', { name: /kestrel/ })).getByText('Suspended')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Fulfil 4 redemptions' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Fulfil 4 redemptions?' }));
    await user.type(dialog.getByLabelText('Note to the members'), 'Sent today');
    await user.click(dialog.getByRole('button', { name: 'Fulfil redemptions' }));
    const left = await screen.findByRole('alert');
    expect([...left.children].map(({ textContent }) => textContent)).toEqual([
      'Cap of robin: it has been handled already.',
      'Pin of robin: it is flagged now: decide it by itself.',
      'Cap of robin: it has been handled already.',
    ]);
    const calls = api.calls.filter(({ path }) => path === 'rpc/fulfil_redemptions').map(({ body }) => body);
    expect(calls).toEqual([{ p_redemption_ids: ['r1', 'r2', 'r3', 'r6'], p_note: 'Sent today' }]);
    expect(await screen.findByText('1 redemption fulfilled')).toBeInTheDocument();
  });

  it('C-95 speaks of a single redemption that the batch left in the singular', async () => {
    const { user, api } = open();
    api.routes['rpc fulfil_redemptions'] = [{ redemption_id: 'redemption-1', outcome: 'handled' }];
    await user.click(await screen.findByRole('checkbox', { name: 'Select all that are not flagged' }));
    await user.click(screen.getByRole('button', { name: 'Fulfil 1 redemption' }));
    await user.click(await screen.findByRole('button', { name: 'Fulfil redemptions' }));
    expect(await screen.findByText('1 redemption was left as it is')).toBeVisible();
  });

  it('C-99 a batch whose answer was lost still names what it was for, is repeated for the same, and shows what is true now when closed', async () => {
    const { user, api } = open();
    api.routes['rpc admin_list_redemptions'] = [
      { ...pending, id: 'r1' },
      { ...pending, id: 'r2', reward_title: 'Cap' },
    ];
    api.routes['rpc fulfil_redemptions'] = offline();
    await user.click(await screen.findByRole('checkbox', { name: 'Select all that are not flagged' }));
    await user.click(screen.getByRole('button', { name: 'Fulfil 2 redemptions' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Fulfil 2 redemptions?' }));
    // It went through; one of the two has left the first page, and the other one says it.
    api.routes['rpc admin_list_redemptions'] = [{ ...pending, id: 'r1', status: 'fulfilled' }];
    await user.click(dialog.getByRole('button', { name: 'Fulfil redemptions' }));
    expect(await dialog.findByText(/it may have gone through/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Fulfil redemptions' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Fulfil redemptions' })).toBeEnabled());
    expect(screen.getByRole('dialog', { name: 'Fulfil 2 redemptions?' })).toBeVisible();
    const calls = api.calls.filter(({ path }) => path === 'rpc/fulfil_redemptions').map(({ body }) => body);
    expect(calls).toEqual([{ p_redemption_ids: ['r1', 'r2'] }, { p_redemption_ids: ['r1', 'r2'] }]);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByText('Cap')).not.toBeInTheDocument());
    const nothing = screen.getByRole('button', { name: 'Fulfil selected' });
    expect(nothing).toHaveAttribute('aria-disabled', 'true');
    await waitFor(() => expect(nothing).toHaveFocus());
    await user.click(nothing);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('filters by delivery on the server', async () => {
    const { user, api } = open();
    await user.selectOptions(await screen.findByLabelText('Delivery'), 'post');
    await waitFor(() =>
      expect(
        api.calls
          .filter(({ path }) => path === 'rpc/admin_list_redemptions')
          .at(-1)
          ?.params.get('p_delivery'),
      ).toBe('post'),
    );
  });

  it('offers no action on handled redemptions, and shows the note', async () => {
    open();
    const [, , handled] = await screen.findAllByRole('row');
    if (!handled) throw new Error('row is missing');
    expect(within(handled).queryByRole('button')).not.toBeInTheDocument();
    // Not a dash, which would stand alone at the end of a card.
    expect(within(handled).getAllByRole('cell').at(-1)).toBeEmptyDOMElement();
    expect(within(handled).getByText('Sent by post')).toBeInTheDocument();
  });
});
