import { screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { CompletionCode, ProjectVerification } from './task-actions';

const task = taskRow({ verification: 'code', requires_proof: false, reward_points: 30 });
const showCompletionCode = (onCompleted = () => undefined, quest = questRow()) =>
  renderApp(<CompletionCode task={task} quest={quest} userId="user_test" isMain={false} onCompleted={onCompleted} />, {
    identity: signedIn(),
  });
const field = () => screen.getByRole('textbox', { name: 'Completion code' });
const verify = () => screen.getByRole('button', { name: 'Verify code' });

afterEach(() => void toast.dismiss());

it('BEY-13 sends the code with the shown price, and shows the earned points', async () => {
  const api = fakeApi({
    'rpc submit_completion_code': { is_accepted: true, tries_left: 5 },
    'GET submissions': [submissionRow({ status: 'approved', reward_points: 30, user_id: 'user_test' })],
  });
  const handleCompleted = vi.fn();
  const { user } = showCompletionCode(handleCompleted);
  expect(verify()).toBeDisabled();
  await user.type(field(), 'lantern-2026');
  await user.click(verify());
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', p_code: 'lantern-2026', p_expected_reward: 30 });
  await waitFor(() => expect(handleCompleted).toHaveBeenCalledOnce());
});

it.each([
  [{ is_accepted: false, tries_left: 4 }, 'That is not the right code. You have 4 tries left.'],
  [{ is_accepted: false, tries_left: 1 }, 'That is not the right code. You have 1 try left.'],
  [{ is_accepted: false, tries_left: 0 }, 'That is not the right code. You can try again in an hour.'],
  [
    refuse(429, 'CODE_TRIES_USED', 'Too many wrong codes. Please try again in an hour.'),
    'Too many wrong codes. Please try again in an hour.',
  ],
  [refuse(409, 'QUEST_FULL', 'Quest Full'), 'Quest Full'],
  [refuse(429, 'RATE_LIMITED', 'Rate limit exceeded'), 'Please wait a moment before trying again.'],
  [offline(), 'Not completed: your code did not reach us, or it is wrong.'],
])('BEY-13 keeps the code in its field and says why it was refused: %#', async (answer, sentence) => {
  fakeApi({ 'rpc submit_completion_code': answer, 'GET submissions': [] });
  const { user } = showCompletionCode();
  await user.type(field(), 'WRONG1');
  await user.click(verify());
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(field()).toHaveValue('WRONG1');
  expect(field()).toBeInvalid();
});

it('BEY-10 keeps the code and asks for the address again when what the member agrees to has changed', async () => {
  const api = fakeApi({
    'GET user_profiles': [profileRow()],
    'rpc get_consent_statement': 'I agree.',
    'rpc submit_completion_code': refuse(409, 'CONSENT_CHANGED', 'What you agree to has changed.'),
  });
  const { user } = showCompletionCode(undefined, questRow({ collect_emails: true }));
  const email = () => screen.getByRole('combobox', { name: /Email/ });
  await waitFor(() => expect(email()).toHaveValue('robin@example.org'));
  await user.type(field(), 'lantern-2026');
  api.routes['rpc get_consent_statement'] = 'I agree to more.';
  await user.click(verify());
  expect(await screen.findByText('I agree to more.')).toBeInTheDocument();
  expect(email()).toHaveValue('');
  expect(field()).toHaveValue('lantern-2026');
  expect(verify()).toBeDisabled();
});

const LINK = 'https://shop.example/tour';
const OWN_LINK = `${LINK}?questboard_token=abc`;

const showProjectVerification = (overrides: Parameters<typeof taskRow>[0], quest = questRow()) =>
  renderApp(
    <ProjectVerification
      task={taskRow({ requires_proof: false, link_url: LINK, ...overrides })}
      quest={quest}
      userId="user_test"
      isMain={false}
      onCompleted={() => undefined}
    />,
    { identity: signedIn() },
  );

/** The window that the click opens, before its URL is known. */
function fakeWindow() {
  const opened = { opener: window, close: vi.fn(), location: { replace: vi.fn() } };
  vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
  return opened;
}

it("TRUST-20 BEY-13 opens the member's link in a window without opener, at the shown price, and offers no other button", async () => {
  const api = fakeApi({ 'rpc start_task': { link: OWN_LINK, token: 'abc' } });
  const opened = fakeWindow();
  const { user } = showProjectVerification({ verification: 'call' });
  expect(screen.getByText(/this page updates automatically/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Verify' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Open the project’s page' }));
  await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith(OWN_LINK));
  expect(opened.opener).toBeNull();
  expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', p_expected_reward: taskRow().reward_points });
});

it('BEY-13 closes the window again and says why when the link is refused', async () => {
  fakeApi({ 'rpc start_task': refuse(409, 'QUEST_ENDED', 'This quest has ended') });
  const opened = fakeWindow();
  const { user } = showProjectVerification({ verification: 'call' });
  await user.click(screen.getByRole('button', { name: 'Open the project’s page' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This quest has ended');
  expect(opened.close).toHaveBeenCalledOnce();
});

it('BEY-13 Verify asks the server, which asks the project, and shows the earned points', async () => {
  const api = fakeApi({
    'POST /functions/v1/check-task': { ok: true, status: 'COMPLETED', message: 'Completed.' },
    'GET submissions': [submissionRow({ status: 'approved', reward_points: 30, user_id: 'user_test' })],
  });
  const { user } = showProjectVerification({ verification: 'check' });
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(api.calls[0]?.body).toEqual({ taskId: 't1', expectedReward: taskRow().reward_points });
});

it('BEY-13 opens no empty window while the check is being made', async () => {
  const answer = Promise.withResolvers<unknown>();
  fakeApi({ 'POST /functions/v1/check-task': () => answer.promise });
  fakeWindow();
  const { user } = showProjectVerification({ verification: 'check' });
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  await user.click(screen.getByRole('button', { name: 'Open the project’s page' }));
  expect(window.open).not.toHaveBeenCalled();
  answer.resolve(Response.json({ ok: false, code: 'CHECK_NOT_COMPLETED', message: 'Not yet.' }, { status: 409 }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Not yet.');
});

it.each([
  [409, 'CHECK_NOT_COMPLETED', 'This is not done yet. Finish it at the project, then verify again.'],
  [424, 'CHECK_TOO_SLOW', 'The project did not answer within ten seconds. Please try again later.'],
])('BEY-13 words %i %s and keeps the button', async (status, code, message) => {
  fakeApi({
    'POST /functions/v1/check-task': Response.json({ ok: false, code, message }, { status }),
  });
  const { user } = showProjectVerification({ verification: 'check' });
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(screen.getByRole('button', { name: 'Verify' })).toBeEnabled();
});

it('BEY-13 brings the reason into view, which the button in the bar of a phone may be far from', async () => {
  fakeApi({
    'POST /functions/v1/check-task': Response.json(
      { ok: false, code: 'CHECK_NOT_COMPLETED', message: 'Not yet.' },
      { status: 409 },
    ),
  });
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
  const { user } = showProjectVerification({ verification: 'check' });
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  const alert = await screen.findByRole('alert');
  await waitFor(() => expect(scroll.mock.contexts).toEqual([alert.parentElement]));
});

it('BEY-13 shows the token if there is no link to carry it', async () => {
  fakeApi({ 'rpc start_task': { link: null, token: 'abc' } });
  const { user } = showProjectVerification({ verification: 'check', link_url: null });
  await user.click(screen.getByRole('button', { name: 'Show my token' }));
  expect(await screen.findByText('abc')).toBeInTheDocument();
});

it('BEY-10 sends the sentence that is shown; once it has changed, the link waits until the address is chosen again', async () => {
  const api = fakeApi({
    'GET user_profiles': [profileRow()],
    'rpc get_consent_statement': 'I agree.',
    'rpc start_task': refuse(409, 'CONSENT_CHANGED', 'What you agree to has changed.'),
  });
  const opened = fakeWindow();
  const { user } = showProjectVerification({ verification: 'call' }, questRow({ collect_emails: true }));
  const open = () => screen.getByRole('button', { name: 'Open the project’s page' });
  await waitFor(() => expect(open()).toBeEnabled());
  api.routes['rpc get_consent_statement'] = 'I agree to more.';
  await user.click(open());
  expect(await screen.findByText('I agree to more.')).toBeInTheDocument();
  expect(api.calls.find(({ path }) => path === 'rpc/start_task')?.body).toMatchObject({ p_consent: 'I agree.' });
  expect(opened.close).toHaveBeenCalledOnce();
  expect(open()).toBeDisabled();
});
