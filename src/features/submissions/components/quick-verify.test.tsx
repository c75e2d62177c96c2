import { screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { QuickVerify } from './quick-verify';

const show = (overrides: Parameters<typeof questRow>[0] = {}) =>
  renderApp(<QuickVerify task={taskRow({ requires_proof: false })} quest={questRow(overrides)} />, {
    identity: signedIn(),
  });
/** Toasts outlive the tree that shows them; without this a test would see those of the one before. */
afterEach(() => void toast.dismiss());
const press = (user: ReturnType<typeof show>['user']) =>
  user.click(screen.getByRole('button', { name: 'Quick Verify' }));

it('QUEST-13 QUEST-14 makes no review call when the submission comes back approved', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow({ status: 'approved', reward_points: 30 }) });
  const shown = vi.spyOn(toast, 'custom');
  const { user } = show();
  await press(user);
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(shown).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ duration: 3000 }));
  expect(api.calls.map(({ path }) => path)).toEqual(['rpc/submit_proof']);
  expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', p_text: 'Quick verified' });
});

it('QUEST-13 reviews a pending submission with decision approve', async () => {
  const api = fakeApi({
    'rpc submit_proof': submissionRow({ status: 'pending' }),
    'rpc review_submission': submissionRow({ status: 'approved', reward_points: 30 }),
  });
  const { user } = show();
  await press(user);
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(api.calls[1]).toMatchObject({
    path: 'rpc/review_submission',
    body: { p_submission_id: 's1', p_decision: 'approve' },
  });
});

it('C-04 tells that only the owner may review', async () => {
  fakeApi({ 'rpc submit_proof': submissionRow(), 'rpc review_submission': refuse(403, 'FORBIDDEN', 'Forbidden') });
  const { user } = show();
  await press(user);
  expect(await screen.findByText('Failed to quick verify: Forbidden')).toBeInTheDocument();
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
    'credit_points_safe',
    refuse(500, null, 'function credit_points_safe does not exist'),
    'A database function has an issue and fallbacks are in use. Please try again.',
  ],
])('QUEST-15 shows the sentence of a failure of kind %s in a red toast', async (_kind, answer, sentence) => {
  fakeApi({ 'rpc submit_proof': answer });
  const shown = vi.spyOn(toast, 'custom');
  const { user } = show();
  await press(user);
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(shown).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ duration: 5000 }));
});

it('C-05 sends the e-mail where the quest collects e-mails, and waits for it', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow({ status: 'approved' }) });
  const { user } = show({ collect_emails: true });
  expect(screen.getByRole('button', { name: 'Quick Verify' })).toBeDisabled();
  await user.type(screen.getByLabelText(/Email/), 'me@example.org');
  await press(user);
  await waitFor(() =>
    expect(api.calls[0]?.body).toMatchObject({ p_email: 'me@example.org', p_text: 'Quick verified' }),
  );
});
