import { act, screen, waitFor } from '@testing-library/react';
import { projectRow } from '@/features/projects/testing';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import { Constants } from '@/types/database';
import type { MailPreference } from '../queries';
import { MailPreferences, mailChoices } from './mail-preferences';

const kinds = Constants.public.Enums.notification_kind;
const on = ['proof_rejected', 'daily_digest'];

function setUp(ownProjects: object[] = [projectRow()]) {
  const rows: MailPreference[] = kinds.map((kind) => ({ kind, is_mailed: on.includes(kind) }));
  const api = fakeApi({
    'rpc get_notification_preferences': rows,
    'rpc get_own_startup': ownProjects,
    'rpc set_notification_preference': ({ body }: { body: unknown }) => {
      const { p_kind, p_is_mailed } = body as { p_kind: string; p_is_mailed: boolean };
      for (const row of rows) if (row.kind === p_kind) row.is_mailed = p_is_mailed;
    },
  });
  const routes = [
    { path: '/settings', element: <MailPreferences userId="user_test" /> },
    { path: '*', element: null },
  ];
  return { ...renderApp(null, { identity: signedIn(), path: '/settings', routes }), api };
}

it('BEY-03 has a switch for every kind', () => {
  const shown = mailChoices.flatMap(({ choices }) => choices.map(({ kind }) => kind));
  expect(shown.toSorted()).toEqual([...kinds].toSorted());
});

it('BEY-03 shows the current preferences, and switches one kind', async () => {
  const { user, api } = setUp();
  const accepted = await screen.findByRole('checkbox', { name: 'A proof is accepted' });
  expect(accepted).not.toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'A summary of waiting proofs' })).toBeChecked();
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(2);
  await user.click(accepted);
  expect(accepted).toBeChecked();
  expect(api.calls.find(({ path }) => path === 'rpc/set_notification_preference')?.body).toEqual({
    p_kind: 'proof_approved',
    p_is_mailed: true,
  });
  await waitFor(() =>
    expect(api.calls.filter(({ path }) => path === 'rpc/get_notification_preferences')).toHaveLength(2),
  );
  expect(accepted).toBeChecked();
});

it('BEY-03 members without a project see no project kinds', async () => {
  setUp([]);
  expect(await screen.findByRole('group', { name: 'Your account' })).toBeInTheDocument();
  expect(screen.queryByRole('group', { name: 'Your project' })).not.toBeInTheDocument();
});

it('a switch that could not be saved reverts and says why', async () => {
  const { user, api } = setUp();
  api.routes['rpc set_notification_preference'] = refuse(401, 'UNAUTHENTICATED', 'Please sign in to continue.');
  const accepted = await screen.findByRole('checkbox', { name: 'A proof is accepted' });
  await user.click(accepted);
  expect(await screen.findByText('Please sign in to continue.')).toBeInTheDocument();
  await waitFor(() => expect(accepted).not.toBeChecked());
});

it('switches that are saved at the same time keep their own state and failure', async () => {
  const { user, api } = setUp();
  const first = Promise.withResolvers<unknown>();
  api.routes['rpc set_notification_preference'] = ({ body }: { body: { p_kind: string } }) =>
    body.p_kind === 'proof_approved' ? first.promise : new Promise(() => undefined);
  const accepted = await screen.findByRole('checkbox', { name: 'A proof is accepted' });
  const held = screen.getByRole('checkbox', { name: 'Points are held or released' });
  await user.click(accepted);
  await user.click(held);
  await waitFor(() => expect(held).toBeChecked());
  expect(accepted).toBeChecked();
  first.resolve(refuse(403, 'SUSPENDED', 'Your account is suspended.'));
  expect(await screen.findByText('Your account is suspended.')).toBeVisible();
  await waitFor(() => expect(accepted).not.toBeChecked());
  expect(held).toBeChecked();
});

it('a switch that could not be saved says why, also on the page that was gone to meanwhile', async () => {
  const answer = Promise.withResolvers<unknown>();
  const { user, api, router } = setUp();
  api.routes['rpc set_notification_preference'] = () => answer.promise;
  await user.click(await screen.findByRole('checkbox', { name: 'A proof is accepted' }));
  await waitFor(() => expect(api.calls.some(({ path }) => path === 'rpc/set_notification_preference')).toBe(true));
  await act(() => router.navigate('/'));
  answer.resolve(refuse(403, 'SUSPENDED', 'Your account is suspended.'));
  expect(await screen.findByText('Your account is suspended.')).toBeVisible();
});

it('a switch that is pressed twice in a row is sent in that order, so that the last press counts', async () => {
  const { user, api } = setUp();
  const first = Promise.withResolvers<unknown>();
  const sent: unknown[] = [];
  api.routes['rpc set_notification_preference'] = ({ body }: { body: { p_is_mailed: boolean } }) => {
    sent.push(body.p_is_mailed);
    return sent.length === 1 ? first.promise : undefined;
  };
  const accepted = await screen.findByRole('checkbox', { name: 'A proof is accepted' });
  await user.click(accepted);
  await user.click(accepted);
  await requestsSent();
  expect(accepted).not.toBeChecked();
  expect(sent).toEqual([true]);
  first.resolve(undefined);
  await waitFor(() => expect(sent).toEqual([true, false]));
});
