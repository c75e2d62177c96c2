import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { browserPictures, fakeUploads } from '../testing/fake-upload';
import { ProofDialog } from './task-actions';

// Lazy-loaded, which on a busy machine takes longer than a test waits.
beforeAll(ProofDialog.preload);
beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

/** Set by the harness: what the next poll brings. */
let changeTask: (task: ReturnType<typeof taskRow>) => void;

function Harness() {
  const [isOpen, setIsOpen] = useState(true);
  const [task, setTask] = useState(taskRow());
  changeTask = setTask;
  const props = { task, quest: questRow(), userId: 'user_test', isOpen, onOpenChange: setIsOpen };
  return <ProofDialog {...props} />;
}
const show = () => renderApp(<Harness />, { identity: signedIn() });

/** Sends a proof whose answer is still out, and closes the dialog. */
async function sendAndClose() {
  const answer = Promise.withResolvers<unknown>();
  const api = fakeApi({ 'rpc submit_proof': () => answer.promise });
  const { user } = show();
  await user.type(screen.getByLabelText('Link'), 'https://example.com/post');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(api.calls).toHaveLength(1));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  return answer;
}

it('QUEST-22 says why a proof was refused, also to those who have closed the dialog meanwhile', async () => {
  const answer = await sendAndClose();
  answer.resolve(refuse(409, 'QUEST_FULL', 'Quest Full'));
  expect(await screen.findByText('Quest Full')).toBeVisible();
});

it('QUEST-18 says that a proof was accepted, also to those who have closed the dialog meanwhile', async () => {
  const answer = await sendAndClose();
  answer.resolve(submissionRow({ status: 'approved', reward_points: 75 }));
  expect(await screen.findByText('Task completed! +75 points earned!')).toBeVisible();
});

it('QUEST-22 says that a proof was not sent when the dialog was closed during its upload', async () => {
  const uploads = fakeUploads();
  browserPictures({ canDecode: true });
  const api = fakeApi({});
  const { user } = show();
  const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], 'shot.png', { type: 'image/png' });
  await user.upload(screen.getByLabelText('Screenshot'), png);
  await waitFor(() => expect(uploads).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await user.keyboard('{Escape}');
  expect(await screen.findByText('Failed to submit proof. Please try again.')).toBeVisible();
  expect(api.calls).toEqual([]);
});

it('QUEST-06 says what becomes of a proof for which there is no spot any more, until the next try', async () => {
  const api = fakeApi({ 'rpc submit_proof': refuse(409, 'QUEST_FULL', 'Quest Full') });
  const { user } = show();
  await user.type(screen.getByLabelText('Link'), 'https://example.com/post');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText(/^The last spot was just taken\. .* send it if a spot opens up\.$/)).toBeVisible();
  api.routes['rpc submit_proof'] = refuse(409, 'QUEST_ENDED', 'This quest has ended');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('This quest has ended')).toBeVisible();
  expect(screen.queryByText(/The last spot was just taken/)).not.toBeInTheDocument();
});

it('says that the project has changed the instructions while the proof is being written, which is kept', async () => {
  const { user } = show();
  await user.type(screen.getByLabelText('Link'), 'https://example.com/post');
  expect(screen.queryByText('The instructions have just changed')).not.toBeInTheDocument();
  act(() => changeTask(taskRow({ instructions_md: 'Post twice.' })));
  expect(screen.getByText('The instructions have just changed').closest('[role="status"]')).toBeVisible();
  expect(screen.getByText('Post twice.')).toBeVisible();
  expect(screen.getByLabelText('Link')).toHaveValue('https://example.com/post');
});
