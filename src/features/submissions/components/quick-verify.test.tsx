import { act, screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { QuickVerify } from './quick-verify';

const show = (overrides: Parameters<typeof questRow>[0] = {}) =>
  renderApp(<QuickVerify task={taskRow({ requires_proof: false })} quest={questRow(overrides)} userId="user_test" />, {
    identity: signedIn(),
  });
/** Toasts outlive the unmounted tree; without this a test would see those of the previous one. */
afterEach(() => void toast.dismiss());
const press = (user: ReturnType<typeof show>['user']) =>
  user.click(screen.getByRole('button', { name: 'Quick Verify' }));

it('QUEST-13 QUEST-14 TRUST-20 sends the shown points, and makes no review call when it is approved at once', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow({ status: 'approved', reward_points: 30 }) });
  const shown = vi.spyOn(toast, 'custom');
  const { user } = show();
  await press(user);
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(shown).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ duration: 3000 }));
  expect(api.calls.map(({ path }) => path)).toEqual(['rpc/submit_proof']);
  expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', p_text: 'Quick verified', p_expected_reward: 50 });
});

it('C-04 C-79 says that the project will review it, and makes no second call', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow({ status: 'pending' }) });
  const { user } = show();
  await press(user);
  expect(await screen.findByText('Sent. The project will review it.')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(api.calls.map(({ path }) => path)).toEqual(['rpc/submit_proof']);
});

it('QUEST-14 QUEST-15 two simultaneous presses send one proof and show one toast', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow({ status: 'approved', reward_points: 30 }) });
  show();
  const form = screen.getByRole('button', { name: 'Quick Verify' }).closest('form');
  // Both before a render, like a double click.
  act(() => {
    form?.requestSubmit();
    form?.requestSubmit();
  });
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(api.calls).toHaveLength(1);
});

it('QUEST-14 shows nothing of a failure any more once the next press has succeeded', async () => {
  const api = fakeApi({ 'rpc submit_proof': refuse(429, 'RATE_LIMITED', 'Rate limit exceeded') });
  const { user } = show();
  await press(user);
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  api.routes['rpc submit_proof'] = submissionRow({ status: 'approved', reward_points: 30 });
  await press(user);
  await screen.findByText('Task completed! +30 points earned!');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it.each([
  [
    'already submitted',
    refuse(409, 'ALREADY_SUBMITTED', 'You have already submitted proof for this task'),
    'You have already completed this task!',
  ],
  ['rate limit', refuse(429, 'RATE_LIMITED', 'Rate limit exceeded'), 'Please wait a moment before trying again.'],
  ['network', offline(), 'Network error. Please check your connection and try again.'],
  ['unauthorized', refuse(401, 'UNAUTHENTICATED', 'Please sign in'), 'Please sign in again to continue.'],
  ['other', refuse(409, 'QUEST_FULL', 'Quest Full'), 'Failed to quick verify: Quest Full'],
  [
    'changed price',
    refuse(409, 'PRICE_CHANGED', 'This has changed since you looked: it is now 10 points.'),
    'Failed to quick verify: This has changed since you looked: it is now 10 points.',
  ],
  [
    'credit_points_safe',
    refuse(500, null, 'function credit_points_safe does not exist'),
    'A database function has an issue and fallbacks are in use. Please try again.',
  ],
])('QUEST-15 shows the sentence of a failure of kind %s in a red toast', async (_kind, answer, sentence) => {
  fakeApi({ 'rpc submit_proof': answer, 'GET submissions': [] });
  const shown = vi.spyOn(toast, 'custom');
  const { user } = show();
  await press(user);
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(shown).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ duration: 5000 }));
});

it('C-05 C-76 prefills the e-mail where the quest collects e-mails; subscribes to news only when ticked', async () => {
  const api = fakeApi({
    'rpc submit_proof': submissionRow({ status: 'approved' }),
    'GET user_profiles': [profileRow()],
    'rpc get_consent_statement': 'I agree.',
  });
  const { user } = show({ collect_emails: true });
  expect(screen.getByRole('button', { name: 'Quick Verify' })).toBeDisabled();
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Email/ })).toHaveValue('robin@example.org'));
  const news = screen.getByRole('checkbox', { name: 'Send me Questboard’s own news as well' });
  expect(news).not.toBeChecked();
  await user.click(news);
  await press(user);
  const sent = () => api.calls.find(({ path }) => path === 'rpc/submit_proof')?.body;
  await waitFor(() =>
    expect(sent()).toEqual({
      p_task_id: 't1',
      p_text: 'Quick verified',
      p_expected_reward: 50,
      p_email: 'robin@example.org',
      p_subscribe: true,
      p_consent: 'I agree.',
    }),
  );
});

it.each([
  ['address', 'GET user_profiles'],
  ['sentence', 'rpc get_consent_statement'],
])(
  'TRUST-14 BEY-10 says that the %s could not be loaded, without which nothing can be sent, and tries again',
  async (_, route) => {
    const loaded = { 'GET user_profiles': [profileRow()], 'rpc get_consent_statement': 'I agree.' };
    const api = fakeApi({ ...loaded, [route]: offline() });
    const { user } = show({ collect_emails: true });
    expect(await screen.findByRole('alert')).toHaveTextContent('Your email address could not be loaded');
    expect(screen.getByRole('button', { name: 'Quick Verify' })).toBeDisabled();
    Object.assign(api.routes, loaded);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Quick Verify' })).toBeEnabled());
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  },
);
