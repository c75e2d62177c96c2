import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import DevelopersPage from './developers-page';

const call = {
  id: 1,
  kind: 'call',
  call_id: 'msg_1',
  token: '0123456789abcdef',
  task_title: 'Take the tour',
  status: 404,
  code: 'TOKEN_UNKNOWN',
  message: 'This token is not known.',
  created_at: '2026-05-01T10:00:00+00:00',
};
const secret = { id: 's1', last_characters: 'AbC9', created_at: '2026-05-01T10:00:00+00:00' };

const show = (routes: Record<string, unknown> = {}) => {
  const api = fakeApi({
    'GET startup_profiles': [projectRow({ owner_user_id: 'user_test' })],
    'rpc list_signing_secrets': [],
    'rpc list_verification_calls': [],
    ...routes,
  });
  return { api, ...renderApp(<DevelopersPage />, { identity: signedIn() }) };
};

it('BEY-13 shows a new secret once, with an example beside it', async () => {
  const { user, api } = show({ 'rpc create_signing_secret': 'whsec_new' });
  await user.click(await screen.findByRole('button', { name: 'Create a secret' }));
  expect(await screen.findByText('whsec_new')).toBeInTheDocument();
  expect(api.calls.find(({ path }) => path === 'rpc/create_signing_secret')?.body).toEqual({ p_startup_id: 'p1' });
  const example = screen.getByRole('region', { name: 'Example in curl' });
  expect(example).toHaveTextContent('/functions/v1/complete-task/p1');
  await user.click(screen.getByRole('tab', { name: 'TypeScript' }));
  expect(screen.getByRole('region', { name: 'Example in TypeScript' })).toHaveTextContent("from 'standardwebhooks'");
});

it('BEY-13 creates one secret however often the button is pressed, until it is stored', async () => {
  const { user, api } = show({ 'rpc create_signing_secret': 'whsec_new' });
  const create = await screen.findByRole('button', { name: 'Create a secret' });
  // Both before a render, like a double click on a slow device.
  act(() => {
    create.click();
    create.click();
  });
  expect(await screen.findByText('whsec_new')).toBeInTheDocument();
  await user.click(create);
  expect(api.calls.filter(({ path }) => path === 'rpc/create_signing_secret')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByText('whsec_new')).not.toBeInTheDocument();
  expect(create).toBeEnabled();
});

it('leaves the focus with the secrets when one has been stored or revoked', async () => {
  const { user, api } = show({ 'rpc list_signing_secrets': [], 'rpc create_signing_secret': 'whsec_new' });
  await screen.findByRole('button', { name: 'Create a secret' });
  api.routes['rpc list_signing_secrets'] = [secret];
  await user.click(screen.getByRole('button', { name: 'Create a secret' }));
  const revoke = await screen.findByRole('button', { name: /^Revoke/ });
  await user.click(await screen.findByRole('button', { name: 'Done' }));
  await waitFor(() => expect(revoke).toHaveFocus());
  api.routes['rpc revoke_signing_secret'] = null;
  api.routes['rpc list_signing_secrets'] = [];
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Revoke secret' }));
  await waitFor(() => expect(revoke).not.toBeInTheDocument());
  const create = screen.getByRole('button', { name: 'Create a secret' });
  await waitFor(() => expect(document.activeElement).toContainElement(create));
  expect(document.activeElement).not.toContainElement(screen.getByRole('heading', { name: 'For developers' }));
});

it('gives the focus to a new secret, because the button that made it is disabled until it is stored', async () => {
  const { user } = show({ 'rpc list_signing_secrets': [], 'rpc create_signing_secret': 'whsec_new' });
  await user.click(await screen.findByRole('button', { name: 'Create a secret' }));
  const made = await screen.findByText('whsec_new');
  expect(document.activeElement).not.toBe(document.body);
  expect(document.activeElement).toContainElement(made);
});

it.each([
  ['a lost answer', offline],
  ['an answer that broke off', () => new Response('"whsec_')],
])('says that the secret in %s has to be revoked', async (_, answer) => {
  const secrets: (typeof secret)[] = [];
  const { user } = show({
    'rpc list_signing_secrets': () => secrets,
    'rpc create_signing_secret': () => {
      secrets.push(secret);
      return answer();
    },
    'rpc revoke_signing_secret': undefined,
  });
  await user.click(await screen.findByRole('button', { name: 'Create a secret' }));
  expect(await screen.findByText(/If a new secret is listed above, revoke it/)).toBeInTheDocument();
  await user.click(await screen.findByRole('button', { name: /Revoke.*AbC9/ }));
  await user.click(screen.getByRole('button', { name: 'Revoke secret' }));
  await waitFor(() => expect(screen.queryByText(/If a new secret is listed above/)).not.toBeInTheDocument());
});

it('BEY-13 hides a new secret once it is revoked', async () => {
  const other = { ...secret, id: 's2', last_characters: 'xyz1' };
  const { user, api } = show({
    'rpc list_signing_secrets': [secret],
    'rpc create_signing_secret': () => {
      api.routes['rpc list_signing_secrets'] = [other, secret];
      return 'whsec_newxyz1';
    },
    'rpc revoke_signing_secret': undefined,
  });
  await user.click(await screen.findByRole('button', { name: 'Create a secret' }));
  expect(await screen.findByText('whsec_newxyz1')).toBeInTheDocument();
  const revoke = async (name: RegExp) => {
    await user.click(await screen.findByRole('button', { name }));
    await user.click(screen.getByRole('button', { name: 'Revoke secret' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  };
  await revoke(/Revoke.*AbC9/);
  expect(screen.getByText('whsec_newxyz1')).toBeInTheDocument();
  await revoke(/Revoke.*xyz1/);
  expect(screen.queryByText('whsec_newxyz1')).not.toBeInTheDocument();
});

it('C-99 a secret is revoked when only the answer was lost', async () => {
  let sent = 0;
  const { user, api } = show({
    'rpc list_signing_secrets': [secret],
    'rpc revoke_signing_secret': () => {
      sent += 1;
      if (sent > 1) return undefined;
      api.routes['rpc list_signing_secrets'] = offline();
      return offline();
    },
  });
  await user.click(await screen.findByRole('button', { name: /Revoke.*AbC9/ }));
  await user.click(screen.getByRole('button', { name: 'Revoke secret' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  expect(screen.queryByText(/Network error/)).not.toBeInTheDocument();
});

it('BEY-13 asks for confirmation before revoking the right secret, and creates no third', async () => {
  const other = { ...secret, id: 's2', last_characters: 'xyz1' };
  const { user, api } = show({ 'rpc list_signing_secrets': [secret, other], 'rpc revoke_signing_secret': undefined });
  expect(await screen.findByRole('button', { name: 'Create a secret' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: /Revoke.*xyz1/ }));
  const dialog = screen.getByRole('alertdialog', { name: /xyz1/ });
  await user.click(within(dialog).getByRole('button', { name: 'Revoke secret' }));
  expect(api.calls.find(({ path }) => path === 'rpc/revoke_signing_secret')?.body).toEqual({
    p_startup_id: 'p1',
    p_secret_id: 's2',
  });
});

it('BEY-13 tests an address and words the result', async () => {
  const { user, api } = show({ 'POST /functions/v1/check-task': { ok: true, completed: false } });
  await user.type(await screen.findByRole('textbox', { name: 'Try an address' }), 'https://shop.example/done');
  await user.click(screen.getByRole('button', { name: 'Test this address' }));
  expect(await screen.findByText(/It answered that the task is not completed yet/)).toBeInTheDocument();
  api.routes['POST /functions/v1/check-task'] = Response.json(
    { ok: false, code: 'CHECK_TOO_SLOW', message: 'The project did not answer within ten seconds.' },
    { status: 424 },
  );
  await user.click(screen.getByRole('button', { name: 'Test this address' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The project did not answer within ten seconds.');
  await user.type(screen.getByRole('textbox', { name: 'Try an address' }), '/2');
  expect(screen.queryByText('The project did not answer within ten seconds.')).not.toBeInTheDocument();
});

it('C-113 an address without a scheme is answered on the page, not by the browser', async () => {
  const answer = { ok: false, code: 'CHECK_ADDRESS', message: 'This address cannot be checked.' };
  const { user } = show({ 'POST /functions/v1/check-task': Response.json(answer, { status: 422 }) });
  await user.type(await screen.findByRole('textbox', { name: 'Try an address' }), 'not an address');
  await user.click(screen.getByRole('button', { name: 'Test this address' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This address cannot be checked.');
});

it('BEY-13 lists the calls with the answer to each', async () => {
  const completed = { ...call, id: 2, kind: 'check', status: 200, code: 'COMPLETED' };
  const open = { ...call, id: 3, kind: 'check', status: 200, code: 'NOT_COMPLETED' };
  show({ 'rpc list_verification_calls': [call, completed, open] });
  expect(await screen.findByText('404 TOKEN_UNKNOWN')).toBeInTheDocument();
  expect(screen.getByText('200 COMPLETED')).toBeInTheDocument();
  expect(screen.getAllByText('Endpoint check')[0]).toBeInTheDocument();
  expect(screen.getByText('NOT_COMPLETED')).toBeInTheDocument();
  expect(screen.getAllByText('01234567…')).toHaveLength(3);
});
