import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { adminQuest as quest } from '../testing/figures';
import type { AdminQuest } from './queries';
import QuestsTab from './quests-tab';

function open(rows: AdminQuest[]) {
  const api = fakeApi({
    'rpc admin_list_campaigns': rows,
    'rpc unpublish_campaign': {},
    'rpc lift_campaign_hold': {},
  });
  return { ...renderApp(<QuestsTab />, { identity: signedIn('admin'), path: '/admin?tab=quests' }), api };
}
const sent = (api: ReturnType<typeof open>['api'], name: string) =>
  api.calls.filter(({ path }) => path === `rpc/${name}`).map(({ body }) => body);

describe('quests', () => {
  it('ADMIN-04 C-25 C-78 takes a quest down, states the consequence, and asks for a reason', async () => {
    const { user, api } = open([quest()]);
    const [, row] = await screen.findAllByRole('row');
    expect(row).toHaveTextContent(
      /^Fly a kitePaper KitePublished500 points32 approved, 1 pendingFeb 1, 2026Take down$/,
    );
    await user.click(screen.getByRole('button', { name: 'Take down' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Take down “Fly a kite”?' }));
    expect(dialog.getByText(/It goes on hold: nobody sees it/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    expect(sent(api, 'unpublish_campaign')).toEqual([]);
    await user.type(dialog.getByLabelText(/Reason/), 'Asks for passwords');
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(sent(api, 'unpublish_campaign')).toEqual([{ p_campaign_id: 'quest-1', p_reason: 'Asks for passwords' }]);
  });

  it('ADMIN-04 says that taking down failed', async () => {
    const { user, api } = open([quest()]);
    api.routes['rpc unpublish_campaign'] = refuse(500, null, 'deadlock detected');
    await user.click(await screen.findByRole('button', { name: 'Take down' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'No');
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to delete quest. Please try again.');
  });

  it('C-99 a quest that a lost call has taken down, or released, has left the list when the dialog is closed', async () => {
    const { user, api } = open([quest()]);
    api.routes['rpc unpublish_campaign'] = offline();
    await user.click(await screen.findByRole('button', { name: 'Take down' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'No');
    const held = quest({ status: 'draft', held_at: '2026-02-02T10:00:00Z', hold_cause: 'moderation', id: 'quest-2' });
    api.routes['rpc admin_list_campaigns'] = [held];
    await user.click(dialog.getByRole('button', { name: 'Take down' }));
    expect(await dialog.findByText(/it may have gone through/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Take down' })).not.toBeInTheDocument());

    api.routes['rpc lift_campaign_hold'] = offline();
    await user.click(screen.getByRole('button', { name: 'Lift hold' }));
    const confirm = within(await screen.findByRole('alertdialog'));
    api.routes['rpc admin_list_campaigns'] = [];
    await user.click(confirm.getByRole('button', { name: 'Lift hold' }));
    expect(await confirm.findByText(/it may have gone through/)).toBeVisible();
    await user.click(confirm.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Lift hold' })).not.toBeInTheDocument());
  });

  it('BEY-15 names the platforms whose rules a quest breaks, and filters for such quests', async () => {
    const { user, api } = open([quest({ incentive_rules: ['Trustpilot', 'X'] })]);
    expect(await screen.findByText('Rewards on Trustpilot')).toBeInTheDocument();
    expect(screen.getByText('Rewards on X')).toBeInTheDocument();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Breaks a rule');
    await waitFor(() => expect(api.calls.at(-1)?.params.get('p_status')).toBe('risky'));
  });

  it('C-25 shows the reason of a hold and lifts it', async () => {
    const hold = { status: 'draft', held_at: '2026-02-02T10:00:00Z', hold_reason: 'Asks for passwords' } as const;
    const { user, api } = open([quest({ ...hold, hold_cause: 'moderation' })]);
    expect(await screen.findByText('Asks for passwords')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Lift hold' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveAccessibleDescription(/It was taken down for this reason: “Asks for passwords”/);
    await user.click(within(dialog).getByRole('button', { name: 'Lift hold' }));
    await waitFor(() => expect(sent(api, 'lift_campaign_hold')).toEqual([{ p_campaign_id: 'quest-1' }]));
  });

  it('C-91 lifts no hold that a suspended or revoked project is the cause of', async () => {
    const hold = { status: 'draft', held_at: '2026-02-02T10:00:00Z', hold_reason: 'Sells followers' } as const;
    open([quest({ ...hold, hold_cause: 'revocation' })]);
    expect(await screen.findByText('Comes back with its project')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Lift hold|Take down/ })).not.toBeInTheDocument();
  });
});
