import { screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { CompletionCode } from './completion-code';

const task = taskRow({ verification: 'code', requires_proof: false, reward_points: 30 });
const show = (onCompleted = () => undefined, quest = questRow()) =>
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
  const { user } = show(handleCompleted);
  expect(verify()).toBeDisabled();
  await user.type(field(), 'lantern-2026');
  await user.click(verify());
  expect(await screen.findByText('Task completed! +30 points earned!')).toBeInTheDocument();
  expect(api.calls[0]?.body).toEqual({ p_task_id: 't1', p_code: 'lantern-2026', p_expected_reward: 30 });
  await waitFor(() => expect(handleCompleted).toHaveBeenCalledOnce());
});

it.each([
  [{ is_accepted: false, tries_left: 4 }, 'This code is not right. You have 4 tries left.'],
  [{ is_accepted: false, tries_left: 1 }, 'This code is not right. You have 1 try left.'],
  [{ is_accepted: false, tries_left: 0 }, 'This code is not right. You can try again in an hour.'],
  [
    refuse(429, 'CODE_TRIES_USED', 'Too many wrong codes. Please try again in an hour.'),
    'Too many wrong codes. Please try again in an hour.',
  ],
  [refuse(409, 'QUEST_FULL', 'Quest Full'), 'Quest Full'],
])('BEY-13 keeps the code in its field and says why it was refused: %#', async (answer, sentence) => {
  fakeApi({ 'rpc submit_completion_code': answer, 'GET submissions': [] });
  const { user } = show();
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
  const { user } = show(undefined, questRow({ collect_emails: true }));
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
