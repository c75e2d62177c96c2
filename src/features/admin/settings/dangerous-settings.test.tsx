import { screen, waitFor, within } from '@testing-library/react';
import { settingsQueries } from '@/features/settings';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { settingsRow } from '@/lib/testing/rows';
import { type SettingField, settingGroups } from './setting-fields';
import SettingsTab, { ProductSettings } from './settings-tab';

const dangerous = settingGroups.flatMap(({ fields }) => fields).filter(({ warning }) => warning);

function open(answer: unknown = {}) {
  const api = fakeApi({ 'rpc update_app_settings': answer, 'GET app_settings': [settingsRow()] });
  return { ...renderApp(<ProductSettings settings={settingsRow()} />, { identity: signedIn('admin') }), api };
}
type Opened = ReturnType<typeof open>;

async function change({ user }: Opened, field: SettingField) {
  if (field.kind === 'switch') return user.click(screen.getByRole('checkbox', { name: field.label }));
  const input = screen.getByLabelText(field.label);
  await user.clear(input);
  await user.type(input, '7');
}
const save = ({ user }: Opened) => user.click(screen.getByRole('button', { name: 'Save settings' }));
const question = async () => within(await screen.findByRole('alertdialog', { name: 'Change these settings?' }));

describe('ADMIN-12 dangerous settings', () => {
  it('include beta mode, limits, bonuses, the prices and the rewards', () => {
    expect(dangerous.map(({ key }) => key)).toEqual([
      'beta_mode',
      'trial_quest_limit',
      'trial_budget_points',
      'referrer_points',
      'referred_points',
      'paid_referrals_per_day',
      'submissions_per_minute',
      'og_price_cents',
      'pack_small_points',
      'pack_small_cents',
      'pack_medium_points',
      'pack_medium_cents',
      'pack_large_points',
      'pack_large_cents',
      'rewards_enabled',
    ]);
  });

  it.each(dangerous.map((field) => [field.label, field] as const))(
    '%s is asked for, with what it means',
    async (_, field) => {
      const view = open();
      await change(view, field);
      await save(view);
      const dialog = await question();
      expect(dialog.getByText(field.label).parentElement).toHaveTextContent(/→/);
      expect(dialog.getByText(field.warning ?? '')).toBeInTheDocument();
      await view.user.click(dialog.getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
      expect(view.api.calls).toEqual([]);
      expect(screen.getByText('1 unsaved change')).toBeInTheDocument();
    },
  );

  it('says why saving failed, and keeps the dialog open and the change unsaved', async () => {
    const view = open(refuse(400, 'INVALID_SETTINGS', 'One of the settings has an invalid value'));
    await view.user.click(screen.getByRole('checkbox', { name: 'Beta mode' }));
    await save(view);
    const dialog = await question();
    await view.user.click(dialog.getByRole('button', { name: 'Change settings' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('One of the settings has an invalid value');
    await view.user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(screen.getByRole('checkbox', { name: 'Beta mode' })).not.toBeChecked();
  });

  it('a harmless one shows a failure in a toast', async () => {
    const view = open(refuse(403, 'FORBIDDEN', 'Forbidden'));
    await view.user.click(screen.getByRole('checkbox', { name: 'Leaderboard' }));
    await save(view);
    expect(await screen.findByText('Failed to save the settings: Forbidden')).toBeInTheDocument();
  });
});

it("ADMIN-01 another admin's save does not overwrite what is being typed", async () => {
  const answers = { 'rpc get_system_health': refuse(500, null, 'x'), 'GET /api/send-email': refuse(500, null, 'x') };
  const api = fakeApi({ ...answers, 'GET app_settings': [settingsRow()] });
  vi.spyOn(crypto, 'randomUUID').mockReturnValue('1-1-1-1-1');
  api.routes['POST /storage/v1/object/site/health/1-1-1-1-1.txt'] = refuse(500, null, 'x');
  const { user, queryClient } = renderApp(<SettingsTab />, { identity: signedIn('admin') });
  const members = await screen.findByLabelText('Minimum members shown');
  await user.clear(members);
  await user.type(members, '6');
  queryClient.setQueryData(settingsQueries.app().queryKey, {
    ...settingsRow({ quest_floor: 12, updated_at: '2026-03-01T00:00:00Z' }),
  });
  expect(await screen.findByDisplayValue('12')).toBe(screen.getByLabelText('Minimum quests shown'));
  expect(members).toHaveValue('6');
  expect(members).toHaveFocus();
  expect(screen.getByText('1 unsaved change')).toBeInTheDocument();
});
