import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, submissionRow, taskRow, withTask } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
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

function show(flags: unknown[]) {
  const rows = [
    {
      ...submissionRow({ id: 's2', user_id: 'user_copy', proof_url: 'https://posts.example/1' }),
      flags,
      is_flagged: true,
    },
    submissionRow({ id: 's1', user_id: 'user_first', proof_text: 'The first of the two' }),
  ];
  const api = fakeApi({
    'GET campaigns': [questRow({ submission_count: 2 })],
    'GET tasks': [taskRow({ id: 't1', title: 'Share a post' })],
    'GET startup_profiles': [projectRow({ owner_user_id: 'user_test' })],
    'GET submissions': withTask(rows).map((row) => ({
      ...row,
      tasks: { order_index: 0, title: 'Share a post' },
      campaigns: { title: 'Test our app' },
    })),
  });
  const routes = [{ path: '/startup/campaigns/:id/submissions', element: <SubmissionsPage /> }];
  const path = `/startup/campaigns/${questId}/submissions`;
  return { api, ...renderApp(null, { identity: signedIn('startup_verified'), path, routes }) };
}
const rowOf = async (member: string) => {
  const cell = await screen.findByText(member);
  const row = cell.closest('tr');
  if (!row) throw new Error('no row');
  return within(row);
};

it('BEY-02 says on the row what was noticed, and opens the other submission', async () => {
  const { user } = show([flag]);
  const row = await rowOf('user_copy');
  expect(row.getByText('Another member submitted the same link: posts.example/1')).toBeInTheDocument();
  expect((await rowOf('user_first')).queryByRole('list', { name: 'Flags' })).not.toBeInTheDocument();
  await user.click(row.getByRole('button', { name: 'Open the other submission' }));
  const twin = within(await screen.findByRole('dialog', { name: 'The other submission' }));
  expect(await twin.findByText('The first of the two')).toBeInTheDocument();
  expect(twin.getByText('Share a post · Test our app')).toBeInTheDocument();
  expect(twin.queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument();
});

it('BEY-02 says that a twin in another project cannot be opened', async () => {
  show([{ ...flag, twin: null }]);
  const row = await rowOf('user_copy');
  expect(row.getByText(/It is not among your quests, so you cannot open it/)).toBeInTheDocument();
  expect(row.queryByRole('button', { name: 'Open the other submission' })).not.toBeInTheDocument();
});

it('BEY-02 a flag that was set aside is off the row and stands in the details with its reason', async () => {
  const { user } = show([{ ...flag, dismissed_at: '2026-02-02T10:00:00Z', dismissal_reason: 'One choir, one post' }]);
  const row = await rowOf('user_copy');
  expect(row.queryByText(/same link/)).not.toBeInTheDocument();
  await user.click(row.getByRole('button', { name: 'View' }));
  const details = within(await screen.findByRole('dialog', { name: 'Submission Details' }));
  expect(details.getByText(/Set aside: One choir, one post/)).toBeInTheDocument();
});

it('BEY-02 narrows the list to what is flagged, in the address, and back', async () => {
  const { user, router } = show([flag]);
  await rowOf('user_first');
  await user.click(screen.getByRole('button', { name: 'Flagged only' }));
  await waitFor(() => expect(screen.queryByText('user_first')).not.toBeInTheDocument());
  expect(screen.getByText('user_copy')).toBeInTheDocument();
  expect(router.state.location.search).toBe('?show=flagged');
  await user.click(screen.getByRole('button', { name: 'Flagged only' }));
  expect(await screen.findByText('user_first')).toBeInTheDocument();
});
