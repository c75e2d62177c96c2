import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { Json } from '@/types/database';
import { reviewedRow, reviewServer } from '../testing/review-server';
import SubmissionsPage from './submissions-page';

const flag = {
  id: 'f1',
  kind: 'same_link',
  evidence: { link: 'posts.example/1' },
  dismissed_at: null,
  dismissal_reason: null,
  has_twin: true,
  twin: { id: 's1', campaign_id: questId },
};

function show(flags: Json[], search = '') {
  const rows = [
    reviewedRow({ id: 's2', member_name: 'Copycat', proof_url: 'https://posts.example/1', flags }),
    reviewedRow({ id: 's1', member_name: 'First', proof_text: 'The first of the two', submitted_at: '2026-02-01' }),
  ];
  const api = fakeApi({
    ...reviewServer(rows).routes,
    'GET campaigns': [questRow({ submission_count: 2 })],
    'GET tasks': [taskRow({ id: 't1', title: 'Share a post' })],
    'GET startup_profiles': [projectRow({ owner_user_id: 'user_test' })],
    'GET submissions': [
      {
        ...submissionRow({ id: 's1', proof_text: 'The first of the two' }),
        tasks: { title: 'Share a post' },
        campaigns: { title: 'Test our app' },
      },
    ],
  });
  const routes = [{ path: '/startup/campaigns/:id/submissions', element: <SubmissionsPage /> }];
  const path = `/startup/campaigns/${questId}/submissions${search}`;
  return { api, ...renderApp(null, { identity: signedIn('startup_verified'), path, routes }) };
}
const rowOf = async (member: string) => {
  const cell = await screen.findByText(member);
  const row = cell.closest('tr');
  if (!row) throw new Error('no row');
  return within(row);
};

it('BEY-02 marks the row, explains the flag beside the proof, and opens the other submission', async () => {
  const { user } = show([flag], '?view=proofs');
  const list = within(await screen.findByRole('list', { name: 'Submissions' }));
  expect(list.getAllByText('Repeated link')).toHaveLength(1);
  const proof = within(screen.getByRole('article', { name: 'Proof' }));
  expect(proof.getByText('Another member submitted the same link: posts.example/1')).toBeInTheDocument();
  await user.click(proof.getByRole('button', { name: 'Open the other submission' }));
  const twin = within(await screen.findByRole('dialog', { name: 'The other submission' }));
  expect(await twin.findByText('The first of the two')).toBeInTheDocument();
  expect(twin.getByText('Share a post · Test our app')).toBeInTheDocument();
  expect(twin.queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument();
});

it('BEY-02 says that a match in another project cannot be opened', async () => {
  show([{ ...flag, twin: null }], '?view=proofs');
  const proof = within(await screen.findByRole('article', { name: 'Proof' }));
  expect(proof.getByText(/It belongs to another project’s quest, so you cannot open it/)).toBeInTheDocument();
  expect(proof.queryByRole('button', { name: 'Open the other submission' })).not.toBeInTheDocument();
});

it('BEY-02 a dismissed flag is removed from the row and shown in the details with its reason', async () => {
  const { user } = show([{ ...flag, dismissed_at: '2026-02-02T10:00:00Z', dismissal_reason: 'One choir, one post' }]);
  const row = await rowOf('Copycat');
  expect(row.queryByText(/Repeated|Flagged/)).not.toBeInTheDocument();
  await user.click(row.getByRole('button', { name: 'View' }));
  const details = within(await screen.findByRole('dialog', { name: 'Submission Details' }));
  expect(details.getByText(/Dismissed: One choir, one post/)).toBeInTheDocument();
});

it('BEY-02 filters flagged ones, in the address, and resets', async () => {
  const { user, router } = show([flag]);
  await rowOf('First');
  await user.click(screen.getByRole('button', { name: 'Flagged only' }));
  await waitFor(() => expect(screen.queryByText('First')).not.toBeInTheDocument());
  expect(screen.getByText('Copycat')).toBeInTheDocument();
  expect(router.state.location.search).toBe('?show=flagged');
  await user.click(screen.getByRole('button', { name: 'Flagged only' }));
  expect(await screen.findByText('First')).toBeInTheDocument();
});
