import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { AdminQuest } from './queries';
import { QuestsTab } from './quests-tab';

function quest(overrides: Partial<AdminQuest> = {}): AdminQuest {
  return {
    id: 'quest-1',
    title: 'Fly a kite',
    startup_id: 'project-1',
    startup_name: 'Paper Kite',
    owner_user_id: 'user_owner',
    status: 'published',
    hold_reason: null,
    held_at: null,
    budget_points: 500,
    points_distributed: 100,
    total_slots: 10,
    submission_count: 3,
    pending_count: 1,
    approved_count: 2,
    created_at: '2026-02-01T10:00:00Z',
    published_at: '2026-02-01T10:00:00Z',
    cursor: 'cursor-1',
    ...overrides,
  };
}

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
  it('ADMIN-04 C-25 the delete action unpublishes, with a reason', async () => {
    const { user, api } = open([quest()]);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Fly a kite/ }));
    await user.click(dialog.getByRole('button', { name: 'Delete quest' }));
    expect(sent(api, 'unpublish_campaign')).toEqual([]);
    await user.type(dialog.getByLabelText(/Reason/), 'Asks for passwords');
    await user.click(dialog.getByRole('button', { name: 'Delete quest' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(sent(api, 'unpublish_campaign')).toEqual([{ p_campaign_id: 'quest-1', p_reason: 'Asks for passwords' }]);
  });

  it('ADMIN-04 says that deleting failed', async () => {
    const { user, api } = open([quest()]);
    api.routes['rpc unpublish_campaign'] = refuse(500, null, 'deadlock detected');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Reason/), 'No');
    await user.click(dialog.getByRole('button', { name: 'Delete quest' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to delete quest. Please try again.');
  });

  it('C-25 shows the reason of a hold and lifts it', async () => {
    const held = quest({ status: 'draft', held_at: '2026-02-02T10:00:00Z', hold_reason: 'Asks for passwords' });
    const { user, api } = open([held]);
    expect(await screen.findByText('Asks for passwords')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Lift hold' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Lift hold' }));
    await waitFor(() => expect(sent(api, 'lift_campaign_hold')).toEqual([{ p_campaign_id: 'quest-1' }]));
  });
});
