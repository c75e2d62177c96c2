import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { forgetPrivateStorage } from '@/lib/storage';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { browserPictures, fakeUploads } from '../testing/fake-upload';
import { ProofDialog } from './task-actions';

// Lazy-loaded, which on a busy machine takes longer than a test waits.
beforeAll(ProofDialog.preload);

const png = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])], 'Écran 1.png', {
  type: 'image/png',
});

function Harness(props: Partial<React.ComponentProps<typeof ProofDialog>>) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <ProofDialog
        task={taskRow()}
        quest={questRow()}
        userId="user_test"
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        {...props}
      />
    </>
  );
}

const show = (props: Partial<React.ComponentProps<typeof ProofDialog>> = {}) =>
  renderApp(<Harness {...props} />, { identity: signedIn() });
const collecting = {
  'GET user_profiles': [profileRow()],
  'rpc get_consent_statement': 'I agree that Paperkite gets my email address.',
};
/** After the address and the consent sentence have loaded. */
const emailChoice = async () => {
  const choice = screen.getByRole('combobox', { name: /Email/ });
  await waitFor(() => expect(choice).toBeEnabled());
  return choice;
};
const submitButton = () => screen.getByRole('button', { name: 'Submit' });
/** Resolves once the upload has begun. */
async function choosePicture(user: ReturnType<typeof show>['user'], uploads: unknown[]) {
  await user.upload(screen.getByLabelText('Screenshot'), png);
  await waitFor(() => expect(uploads).toHaveLength(1));
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

it.each([
  [{ proof_type: 'link' }, 'Link Proof'],
  [{ proof_type: 'text' }, 'Text Proof'],
  [{ proof_type: 'screenshot' }, 'Screenshot Proof'],
  [{ requires_proof: false }, 'Submit Proof'],
] as const)('QUEST-16 titles the dialog of %j %s', (overrides, title) => {
  show({ task: taskRow(overrides) });
  expect(screen.getByRole('dialog', { name: title })).toBeVisible();
});

it('QUEST-16 has a URL field, a description, a screenshot and, where e-mails are collected, an email field', () => {
  const { unmount } = show();
  expect(screen.getByLabelText('Link')).toHaveAttribute('type', 'url');
  expect(screen.getByLabelText('Description')).toBeInTheDocument();
  expect(screen.getByLabelText('Screenshot')).toHaveAttribute('type', 'file');
  expect(screen.queryByLabelText(/Email/)).not.toBeInTheDocument();
  unmount();
  fakeApi(collecting);
  show({ quest: questRow({ collect_emails: true }) });
  expect(screen.getByRole('combobox', { name: /Email/ })).toBeRequired();
});

it.each([
  ['link', 'Link'],
  ['text', 'Description'],
] as const)('asks for the %s first, has the focus there, and folds the rest', async (proof_type, label) => {
  show({ task: taskRow({ proof_type }) });
  await waitFor(() => expect(screen.getByLabelText(label)).toHaveFocus());
  const folded = screen.getByText('Add another kind of proof').closest('details');
  expect(folded).not.toHaveAttribute('open');
  expect(folded).not.toContainElement(screen.getByLabelText(label));
  expect(folded).toContainElement(screen.getByLabelText('Screenshot'));
});

it('shows the instructions as Markdown', async () => {
  show({ task: taskRow({ instructions_md: 'Find **three** leaves' }) });
  const instructions = screen.getByRole('region', { name: 'Instructions' });
  expect(await within(instructions).findByText('three')).toHaveProperty('tagName', 'STRONG');
});

it('BEY-15 asks to disclose the reward only if the task matches a rule', () => {
  const { unmount } = show({ task: taskRow({ incentive_rules: ['endorsement'] }) });
  expect(within(screen.getByRole('dialog')).getByText(/I received Questboard points for this/)).toBeVisible();
  unmount();
  show();
  expect(screen.queryByText(/Questboard points for this/)).not.toBeInTheDocument();
});

it('QUEST-17 keeps Submit disabled without proof and without the required e-mail', async () => {
  fakeApi(collecting);
  const { user } = show({ quest: questRow({ collect_emails: true }) });
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Email/ })).toHaveValue('robin@example.org'));
  expect(submitButton()).toBeDisabled();
  await user.type(screen.getByLabelText('Description'), 'Done');
  expect(submitButton()).toBeEnabled();
  await user.selectOptions(await emailChoice(), '');
  expect(submitButton()).toBeDisabled();
});

describe('after a rejection', () => {
  const rejected = submissionRow({
    status: 'rejected',
    rejection_reason: 'incomplete',
    review_note: 'Page two is missing',
    proof_url: 'https://example.com/one',
    proof_text: 'Both pages',
  });

  it('C-77 shows reason and note, and starts from the sent proof', () => {
    show({ rejected });
    expect(screen.getByRole('dialog')).toHaveTextContent('Incomplete: Page two is missing');
    expect(screen.getByLabelText('Link')).toHaveValue('https://example.com/one');
    expect(screen.getByLabelText('Description')).toHaveValue('Both pages');
    expect(screen.getByText('Add another kind of proof').closest('details')).toHaveAttribute('open');
  });

  it('keeps the sent screenshot, even when it is replaced', async () => {
    const uploads = fakeUploads();
    const api = fakeApi({
      'POST /functions/v1/sign-proof': { url: '/storage/v1/object/sign/proofs/x' },
      'POST /functions/v1/verify-upload': { ok: true },
      'rpc submit_proof': submissionRow(),
    });
    const sent = { ...rejected, proof_url: 'proofs/user_test/proof_1_old.webp', proof_text: null };
    const { user } = show({ task: taskRow({ proof_type: 'screenshot' }), rejected: sent });
    expect(screen.getByText('old.webp')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Remove screenshot' }));
    await choosePicture(user, uploads);
    uploads[0]?.respond(200, { Key: 'x' });
    await user.click(submitButton());
    await waitFor(() => expect(api.calls.at(-1)?.path).toBe('rpc/submit_proof'));
    expect(api.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });
});

describe('BEY-11 unsent input', () => {
  const typed = async (text: string) => {
    const { user, unmount } = show();
    await user.type(screen.getByLabelText('Description'), text);
    unmount();
  };

  it('survives a closed tab, for a week, without the e-mail address', async () => {
    fakeApi(collecting);
    const { user, unmount } = show({ quest: questRow({ collect_emails: true }) });
    await waitFor(() => expect(screen.getByRole('combobox', { name: /Email/ })).toHaveValue('robin@example.org'));
    await user.type(screen.getByLabelText('Description'), 'A long story');
    unmount();
    sessionStorage.clear();
    expect(JSON.stringify({ ...localStorage })).toContain('A long story');
    expect(JSON.stringify({ ...localStorage })).not.toContain('robin@example.org');
    vi.setSystemTime(Date.now() + 6.9 * 86_400_000);
    const { unmount: close } = show();
    expect(screen.getByLabelText('Description')).toHaveValue('A long story');
    close();
    vi.setSystemTime(Date.now() + 14 * 86_400_000);
    show();
    expect(screen.getByLabelText('Description')).toHaveValue('');
  });

  it('is private to the member, and deleted once somebody else signs in or the member signs out', async () => {
    await typed('Mine');
    const { unmount } = show({ userId: 'user_other' });
    expect(screen.getByLabelText('Description')).toHaveValue('');
    unmount();
    forgetPrivateStorage('user_test');
    const again = show();
    expect(screen.getByLabelText('Description')).toHaveValue('Mine');
    again.unmount();
    forgetPrivateStorage('user_other');
    const gone = show();
    expect(screen.getByLabelText('Description')).toHaveValue('');
    gone.unmount();
    await typed('Mine again');
    forgetPrivateStorage(null);
    show();
    expect(screen.getByLabelText('Description')).toHaveValue('');
  });
});

it('two simultaneous presses send one proof', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow() });
  const { user } = show();
  await user.type(screen.getByLabelText('Link'), 'example.com/post');
  const form = submitButton().closest('form');
  act(() => {
    form?.requestSubmit();
    form?.requestSubmit();
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(api.calls.map(({ body }) => body)).toMatchObject([{ p_url: 'https://example.com/post' }]);
});

it('BEY-10 offers only the verified address, under the consent text that is stored', async () => {
  fakeApi(collecting);
  show({ quest: questRow({ collect_emails: true }) });
  const options = within(await emailChoice()).getAllByRole('option');
  expect(options.map((option) => option.getAttribute('value'))).toEqual(['', 'robin@example.org']);
  expect(await screen.findByText('I agree that Paperkite gets my email address.')).toBeInTheDocument();
});

it('BEY-10 asks again when the sentence has changed meanwhile, shows the new one, and keeps what was typed', async () => {
  const api = fakeApi({
    ...collecting,
    'rpc submit_proof': refuse(409, 'CONSENT_CHANGED', 'What you agree to has changed. Please read it again.'),
  });
  const { user } = show({ quest: questRow({ collect_emails: true }) });
  await waitFor(() => expect(screen.getByRole('combobox', { name: /Email/ })).toHaveValue('robin@example.org'));
  await user.type(screen.getByLabelText('Description'), 'A long story');
  api.routes['rpc get_consent_statement'] = 'I agree that Origami gets my email address.';
  await user.click(submitButton());
  expect(await screen.findByText('I agree that Origami gets my email address.')).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent('What you agree to has changed.');
  expect(screen.getByRole('combobox', { name: /Email/ })).toHaveValue('');
  expect(submitButton()).toBeDisabled();
  expect(screen.getByLabelText('Description')).toHaveValue('A long story');

  api.routes['rpc submit_proof'] = submissionRow();
  await user.selectOptions(await emailChoice(), 'robin@example.org');
  await user.click(submitButton());
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const sent = api.calls.filter(({ path }) => path === 'rpc/submit_proof').map(({ body }) => body);
  expect(sent).toMatchObject([
    { p_text: 'A long story', p_consent: 'I agree that Paperkite gets my email address.' },
    { p_text: 'A long story', p_consent: 'I agree that Origami gets my email address.' },
  ]);
});

it('BEY-10 says what to do without a verified address', async () => {
  fakeApi({ ...collecting, 'GET user_profiles': [profileRow({ email: null })] });
  show({ quest: questRow({ collect_emails: true }) });
  expect(await screen.findByText(/You have no verified email address yet/)).toBeInTheDocument();
  expect(screen.getByRole('combobox', { name: /Email/ })).toBeDisabled();
});

it('QUEST-18 submits, clears, closes and shows the points', async () => {
  const api = fakeApi({ 'rpc submit_proof': submissionRow({ status: 'approved', reward_points: 75 }) });
  const { user, queryClient } = show();
  const reload = vi.spyOn(queryClient, 'invalidateQueries');
  await user.type(screen.getByLabelText('Link'), 'https://example.com/post');
  await user.click(submitButton());
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(api.calls[0]?.body).toEqual({
    p_task_id: 't1',
    p_url: 'https://example.com/post',
    p_expected_reward: 50,
  });
  expect(await screen.findByText('Task completed! +75 points earned!')).toBeInTheDocument();
  expect(reload).toHaveBeenCalledWith({ queryKey: ['wallets'], refetchType: 'active' });
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(screen.getByLabelText('Link')).toHaveValue('');
});

it('QUEST-19 refuses a malformed URL before anything is sent', async () => {
  const api = fakeApi({});
  const { user } = show();
  await user.type(screen.getByLabelText('Link'), 'not a url');
  await user.click(submitButton());
  expect(await screen.findByText('Invalid URL format')).toBeInTheDocument();
  expect(api.calls).toHaveLength(0);
});

it.each([
  ['a lost connection', offline(), 'We could not confirm whether it went through.'],
  [
    'an ended session',
    refuse(401, 'UNAUTHENTICATED', 'Please sign in'),
    'Authentication error. Please refresh the page and try again.',
  ],
  ['a failing server', refuse(500, null, 'deadlock'), 'It did not go through. Please try again.'],
  ['a quest that has filled up meanwhile', refuse(409, 'QUEST_FULL', 'Quest Full'), 'Quest Full'],
])('QUEST-06 QUEST-22 C-99 words %s and keeps the input, even across a reload', async (_case, answer, sentence) => {
  fakeApi({ 'rpc submit_proof': answer, 'GET submissions': _case === 'a lost connection' ? offline() : [] });
  const { user, unmount } = show();
  await user.type(screen.getByLabelText('Description'), 'A long story');
  await user.click(submitButton());
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(screen.getByLabelText('Description')).toHaveValue('A long story');
  unmount();
  show();
  expect(screen.getByLabelText('Description')).toHaveValue('A long story');
});

describe('screenshots', () => {
  const screenshotTask = taskRow({ proof_type: 'screenshot' });
  const checked = { 'POST /functions/v1/verify-upload': { ok: true } };

  it('QUEST-20 refuses a file that is not an image', async () => {
    fakeUploads();
    browserPictures({ canDecode: false });
    const { user } = show({ task: screenshotTask });
    const fake = new File(['hello'], 'fake.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Screenshot'), fake);
    expect(await screen.findByRole('alert')).toHaveTextContent('Please select an image file (PNG, JPG, GIF, etc.)');
    expect(submitButton()).toBeDisabled();
  });

  it('QUEST-21 a picture that is still being converted is waited for, and not left out', async () => {
    const uploads = fakeUploads();
    const decoded = Promise.withResolvers<object>();
    vi.stubGlobal('createImageBitmap', () => decoded.promise);
    const api = fakeApi({ 'rpc submit_proof': submissionRow(), ...checked });
    const { user } = show({ task: taskRow({ proof_type: 'text' }) });
    await user.upload(screen.getByLabelText('Screenshot'), png);
    await user.type(screen.getByLabelText('Description'), 'Done');
    await user.click(submitButton());
    expect(api.calls).toEqual([]);
    decoded.resolve({ width: 100, height: 50 });
    await waitFor(() => expect(uploads).toHaveLength(1));
    uploads[0]?.respond(200, { Key: 'x' });
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls.at(-1)?.body).toMatchObject({ p_url: expect.stringMatching(/^proofs\/user_test\/proof_/) });
  });

  it('QUEST-21 uploads at once under a sanitized name, shows the percentage and submits the stored path', async () => {
    const uploads = fakeUploads();
    const api = fakeApi({ 'rpc submit_proof': submissionRow(), ...checked });
    const { user } = show({ task: screenshotTask });
    await choosePicture(user, uploads);
    expect(uploads[0]?.address).toMatch(/\/object\/proofs\/user_test\/proof_\d+_Ecran_1\.webp$/);
    expect(submitButton()).toBeEnabled();
    uploads[0]?.progress(2, 4);
    expect(await screen.findByRole('progressbar', { name: 'Upload' })).toHaveValue(50);
    uploads[0]?.respond(200, { Key: 'x' });
    expect(await screen.findByText('Uploaded')).toBeInTheDocument();
    await user.click(submitButton());
    await waitFor(() => expect(api.calls).toHaveLength(2));
    expect(api.calls.map(({ path }) => path)).toEqual(['/functions/v1/verify-upload', 'rpc/submit_proof']);
    expect(api.calls[1]?.body).toMatchObject({
      p_url: expect.stringMatching(/^proofs\/user_test\/proof_\d+_Ecran_1\.webp$/),
    });
  });

  it('C-89 says when the server finds that it is not an image, and submits nothing', async () => {
    const uploads = fakeUploads();
    const body = { code: 'NOT_A_PICTURE', message: 'Please select an image file (PNG, JPG, GIF, etc.)' };
    const api = fakeApi({ 'POST /functions/v1/verify-upload': Response.json(body, { status: 422 }) });
    const { user } = show({ task: screenshotTask });
    await choosePicture(user, uploads);
    uploads[0]?.respond(200, { Key: 'x' });
    expect(await screen.findByRole('alert')).toHaveTextContent(body.message);
    expect(screen.queryByText('Uploaded')).not.toBeInTheDocument();
    expect(api.calls.map(({ path }) => path)).toEqual(['/functions/v1/verify-upload']);
  });

  it('QUEST-22 words a refused upload and retries it on Retry', async () => {
    const uploads = fakeUploads();
    fakeApi(checked);
    const { user } = show({ task: screenshotTask });
    await choosePicture(user, uploads);
    uploads[0]?.respond(413, { message: 'too large' });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'File is too large. Please use a file smaller than 10MB.',
    );
    await user.click(screen.getByRole('button', { name: 'Retry upload' }));
    await waitFor(() => expect(uploads).toHaveLength(2));
    uploads[1]?.respond(200, { Key: 'x' });
    expect(await screen.findByText('Uploaded')).toBeInTheDocument();
  });

  it('cancels a running upload', async () => {
    const uploads = fakeUploads();
    const { user } = show({ task: screenshotTask });
    await choosePicture(user, uploads);
    await user.click(screen.getByRole('button', { name: 'Cancel upload' }));
    expect(uploads[0]?.isAborted).toBe(true);
    expect(within(screen.getByRole('dialog')).getByRole('button', { name: 'Choose image' })).toBeInTheDocument();
    expect(submitButton()).toBeDisabled();
  });

  it('waits for the upload when Submit is pressed early', async () => {
    const uploads = fakeUploads();
    const api = fakeApi({ 'rpc submit_proof': submissionRow(), ...checked });
    const { user } = show({ task: screenshotTask });
    await choosePicture(user, uploads);
    await user.click(submitButton());
    expect(api.calls).toHaveLength(0);
    uploads[0]?.respond(200, { Key: 'x' });
    await waitFor(() => expect(api.calls.at(-1)?.path).toBe('rpc/submit_proof'));
  });
});
