import { act, screen, waitFor, within } from '@testing-library/react';
import { AppealDialog } from '@/features/appeals';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { submissionRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { RejectionNotice, SentProof } from './own-proof';

// Lazy-loaded, which on a busy machine takes longer than a test waits.
beforeAll(AppealDialog.preload);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const rejected = (overrides: Parameters<typeof submissionRow>[0] = {}) =>
  submissionRow({
    status: 'rejected',
    rejection_reason: 'incomplete',
    review_note: 'Page two is missing',
    reviewed_at: inDays(-1),
    kept_until: inDays(6),
    ...overrides,
  });

function open(submission = rejected(), answer: unknown = { id: 'appeal-1' }) {
  const own = {
    id: 'appeal-1',
    user_id: 'user_test',
    kind: 'rejection',
    submission_id: 's1',
    against_at: submission.reviewed_at,
    words: 'Look again',
    status: 'upheld',
    decision_note: 'There is no second page.',
    created_at: '2026-02-02T10:00:00Z',
    due_at: '2026-02-04T10:00:00Z',
  };
  const api = fakeApi({
    'rpc submit_appeal': answer,
    'GET appeals': [{ ...own, submission_id: 's2', decision_note: 'Of another' }, own],
  });
  return { ...renderApp(<RejectionNotice submission={submission} />, { identity: signedIn() }), api };
}
const appealButton = () => screen.queryByRole('button', { name: 'Appeal' });
const sent = (calls: readonly ApiCall[]) =>
  calls.filter(({ path }) => path === 'rpc/submit_appeal').map(({ body }) => body);

it('BEY-23 shows the reason and until when the slot is kept, and sends one appeal with its text', async () => {
  const { user, api } = open();
  expect(screen.getByText('Incomplete: Page two is missing')).toBeVisible();
  // The quest may have been closed since.
  expect(screen.getByText(/^Your spot is reserved until .*: send a new proof while the quest is open,/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Appeal' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Appeal against the rejection of your proof' }));
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(dialog.getByText('Please say why the decision should change')).toBeVisible();
  expect(sent(api.calls)).toEqual([]);
  await user.type(dialog.getByLabelText(/Why should the decision change/), 'It is there');
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(await screen.findByText('Your appeal is sent')).toBeVisible();
  expect(sent(api.calls)).toEqual([{ p_kind: 'rejection', p_words: 'It is there', p_submission_id: 's1' }]);
});

it('BEY-23 shows the outcome of the appeal, and offers no second one', async () => {
  open(rejected({ appealed_at: inDays(0), kept_until: null }));
  expect(await screen.findByText('There is no second page.')).toBeVisible();
  expect(screen.queryByText('Of another')).not.toBeInTheDocument();
  expect(appealButton()).not.toBeInTheDocument();
});

it.each([
  ['the period is over', { kept_until: inDays(-0.01) }],
  ['it cannot be appealed', { kept_until: null }],
])('BEY-23 offers no appeal when %s', (_, change) => {
  open(rejected(change));
  expect(screen.getByText('Incomplete: Page two is missing')).toBeVisible();
  expect(appealButton()).not.toBeInTheDocument();
  expect(screen.queryByText(/Your spot is kept/)).not.toBeInTheDocument();
});

it('BEY-23 a refusal keeps the text and says why', async () => {
  const { user } = open(
    rejected(),
    refuse(409, 'APPEAL_TOO_LATE', 'A rejection can be appealed for 7 days. That time is over.'),
  );
  await user.click(screen.getByRole('button', { name: 'Appeal' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(/Why should the decision change/), 'It is there');
  await user.click(dialog.getByRole('button', { name: 'Send appeal' }));
  expect(await dialog.findByText(/That time is over/)).toBeVisible();
  expect(dialog.getByLabelText(/Why should the decision change/)).toHaveValue('It is there');
});

const words = () => screen.findByLabelText(/Why should the decision change/);

it('an appeal that is being written survives a reload, and only against its own decision, until it is sent', async () => {
  const reviewedAt = inDays(-1);
  const first = open(rejected({ reviewed_at: reviewedAt }));
  await first.user.click(screen.getByRole('button', { name: 'Appeal' }));
  await first.user.type(await words(), 'It is there');
  first.unmount();

  const other = open(rejected({ id: 's2' }));
  await other.user.click(screen.getByRole('button', { name: 'Appeal' }));
  expect(await words()).toHaveValue('');
  other.unmount();

  const again = open(rejected({ reviewed_at: reviewedAt }));
  await again.user.click(screen.getByRole('button', { name: 'Appeal' }));
  expect(await words()).toHaveValue('It is there');
  await again.user.click(screen.getByRole('button', { name: 'Send appeal' }));
  expect(await screen.findByText('Your appeal is sent')).toBeVisible();
  again.unmount();

  const { user } = open(rejected({ reviewed_at: reviewedAt }));
  await user.click(screen.getByRole('button', { name: 'Appeal' }));
  expect(await words()).toHaveValue('');
});

it('C-99 says that an appeal was refused, also when its dialog has gone meanwhile', async () => {
  const answer = Promise.withResolvers<unknown>();
  const routes = [
    { path: '/', element: <RejectionNotice submission={rejected()} /> },
    { path: '*', element: null },
  ];
  const api = fakeApi({ 'rpc submit_appeal': () => answer.promise });
  const { user, router } = renderApp(null, { identity: signedIn(), routes });
  await user.click(screen.getByRole('button', { name: 'Appeal' }));
  await user.type(await words(), 'It is there');
  await user.click(screen.getByRole('button', { name: 'Send appeal' }));
  await waitFor(() => expect(sent(api.calls)).toHaveLength(1));
  await act(() => router.navigate('/elsewhere'));
  answer.resolve(refuse(409, 'APPEAL_EXISTS', 'You have already appealed this decision'));
  expect(await screen.findByText(/You have already appealed this decision/)).toBeVisible();
});

it('shows nothing for a proof that is not rejected', () => {
  const { container } = open(submissionRow());
  expect(container).not.toHaveTextContent('not accepted');
});

it.each([
  ['granted', { appealed_at: '2026-02-02T10:00:00Z' }, true],
  ['never made', { appealed_at: null }, false],
])(
  'BEY-23 the answer to an appeal stands where it was promised, with the proof: an appeal that was %s',
  (_, change, isShown) => {
    const submission = submissionRow({ status: 'approved', review_note: 'The second page is there.', ...change });
    renderApp(<SentProof submission={submission} />, { identity: signedIn() });
    expect(screen.queryByText('The second page is there.') !== null).toBe(isShown);
  },
);
