import { act, screen, waitFor, within } from '@testing-library/react';
import { toast } from 'sonner';
import { questQueries } from '@/features/quests';
import * as csv from '@/lib/csv';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import type { ReviewedSubmission } from '../queries';
import { reviewedRow, reviewServer } from '../testing/review-server';
import SubmissionsPage from './submissions-page';

// The page lazy-loads it, which on a busy machine takes longer than a test waits.
beforeAll(() => import('@/components/markdown-renderer'));

const twoTasks = [
  taskRow({ id: 't1', title: 'First task', reward_points: 40 }),
  taskRow({ id: 't2', title: 'Second task' }),
];
/** From another quest of the same owner; must not appear. */
const foreign = reviewedRow({ id: 'foreign', campaign_id: 'other', task_id: 'other', user_id: 'user_elsewhere' });

function show(
  rows: ReviewedSubmission[],
  overrides: Record<string, unknown> = {},
  options: Parameters<typeof renderApp>[1] = {},
) {
  const server = reviewServer([...rows, foreign], { refused: overrides.refused as string[] | undefined });
  const api = fakeApi({
    ...server.routes,
    'GET campaigns': [questRow({ title: 'Fly: a lesson!', submission_count: 7, approved_count: 3, task_count: 2 })],
    'GET tasks': twoTasks,
    'GET startup_profiles': [projectRow({ owner_user_id: 'user_test' })],
    // Counts per task.
    'GET submissions': rows.map(({ id, task_id }) => submissionRow({ id, task_id })),
    ...overrides,
  });
  const routes = [
    { path: '/startup/campaigns/:id/submissions', element: <SubmissionsPage /> },
    { path: '/startup', element: <p>Dashboard</p> },
  ];
  const path = `/startup/campaigns/${questId}/submissions`;
  return { api, server, ...renderApp(null, { identity: signedIn('startup_verified'), path, routes, ...options }) };
}

afterEach(() => void toast.dismiss());

describe('access', () => {
  it('SUBM-01 C-15 asks visitors to sign in', () => {
    show([], {}, { identity: signedOut });
    expect(screen.getByText('Not Authenticated')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/auth\/signin/),
    );
  });

  it('SUBM-01 says that it is loading, then that a quest does not exist', async () => {
    show([], { 'GET campaigns': [] });
    expect(screen.getByRole('status')).toHaveTextContent('Loading submissions...');
    expect(await screen.findByRole('heading', { name: 'Quest Not Found' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/startup');
  });

  it('TRUST-14 shows a failed load as such, with Retry', async () => {
    const { api, user } = show([], { 'GET campaigns': offline() });
    expect(await screen.findByText('The quest could not be loaded')).toBeInTheDocument();
    api.routes['GET campaigns'] = [questRow()];
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: 'Test our app' })).toBeInTheDocument();
  });

  it.each([
    ['somebody without a project', { owner_user_id: 'someone_else' }],
    ['the owner of another project', { id: 'another-project', owner_user_id: 'user_test' }],
  ])('SUBM-02 redirects %s to the dashboard', async (_, project) => {
    const { router } = show([], { 'GET startup_profiles': [projectRow(project)] });
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup'));
  });
});

describe('content', () => {
  it('SUBM-03 shows title, project, total, CSV button and the four figures', async () => {
    show([reviewedRow()]);
    expect(await screen.findByRole('heading', { name: 'Fly: a lesson!' })).toBeInTheDocument();
    expect(screen.getByText('Paperkite · 7 submissions')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Download CSV' })).toBeInTheDocument();
    const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).parentElement;
    expect(figure('Total Submissions')).toHaveTextContent('7');
    expect(figure('Tasks')).toHaveTextContent('2');
    expect(figure('Approved')).toHaveTextContent('3');
    expect(figure('Published')).toHaveTextContent('Jan 1, 2026');
  });

  it('BEY-23 shows Questboard’s answer to an appeal after which the rejection stands', async () => {
    const appeal_note = 'The receipt is of another shop';
    const decided = { reviewed_by: 'project', reviewed_at: '2026-01-02T10:00:00Z', review_note: 'Not readable' };
    const { user } = show([reviewedRow({ status: 'rejected', ...decided, appeal_note })]);
    await user.click(await screen.findByRole('button', { name: 'Details' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Submission Details' }));
    expect(dialog.getByText('The member appealed. Questboard let your decision stand:')).toBeVisible();
    expect(dialog.getByText(appeal_note)).toBeVisible();
  });

  it('BEY-23 says in the table that a rejection is being appealed', async () => {
    const [kept_until, appealed_at] = ['2026-01-10T00:00:00+00:00', '2026-01-03T00:00:00+00:00'];
    show([reviewedRow({ status: 'rejected', kept_until, appealed_at }), reviewedRow({ id: 's2', status: 'rejected' })]);
    const statuses = async () =>
      (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent?.match(/Under Appeal|Rejected/)?.[0]);
    expect(await statuses()).toEqual(['Under Appeal', 'Rejected']);
  });

  it('shows no submission of one quest below the title of the next one, while its own are loading', async () => {
    const other = questRow({ id: '0a0a0a0a-0000-4000-8000-00000000000b', title: 'Another quest' });
    const { api, router, queryClient } = show([reviewedRow({ member_name: 'Ada of the first' })]);
    await screen.findByText('Ada of the first');
    queryClient.setQueryData(questQueries.detail(other.id).queryKey, other);
    queryClient.setQueryData(questQueries.tasks(other.id).queryKey, twoTasks);
    api.routes['GET campaigns'] = [questRow(), other];
    api.routes['rpc list_review_submissions'] = () => new Promise(() => undefined);
    await act(() => router.navigate(`/startup/campaigns/${other.id}/submissions`));
    expect(screen.getByRole('heading', { name: 'Another quest' })).toBeVisible();
    expect(screen.queryByText('Ada of the first')).not.toBeInTheDocument();
  });

  it('SUBM-03 shows Draft for a quest that has not been published', async () => {
    show([], { 'GET campaigns': [questRow({ status: 'draft', published_at: null })] });
    expect(await screen.findByText('Draft')).toBeInTheDocument();
  });

  it('SUBM-04 filters by task, in the address, with counts', async () => {
    const ofSecond = [2, 3].map((number) =>
      reviewedRow({ id: `s${number}`, task_id: 't2', task_title: 'Of the second', user_id: `user_${number}` }),
    );
    const { user, router } = show([reviewedRow(), ...ofSecond]);
    const bar = await screen.findByRole('group', { name: 'Filter by Task' });
    expect(within(bar).getByRole('button', { name: 'All Tasks (7)' })).toHaveAttribute('aria-pressed', 'true');
    expect(await within(bar).findByRole('button', { name: 'First task (1)' })).toBeInTheDocument();
    const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows()).toHaveLength(3);
    await user.click(await within(bar).findByRole('button', { name: 'Second task (2)' }));
    expect(router.state.location.search).toBe('?task=t2');
    await waitFor(() => expect(rows()).toHaveLength(2));
    for (const row of rows()) expect(row).toHaveTextContent('Of the second');
  });

  it('SUBM-04 has no filter with a single task', async () => {
    show([reviewedRow()], { 'GET tasks': [twoTasks[0]] });
    await screen.findByRole('table');
    expect(screen.queryByText('Filter by Task')).not.toBeInTheDocument();
  });

  it('SUBM-05 SUBM-08 C-92 shows the columns, the shortened proof, member, e-mail and status', async () => {
    const reviewed_at = '2026-01-03T12:00:00Z';
    show([
      reviewedRow({ id: 's3', proof_text: 'x'.repeat(60), status: 'approved', reviewed_by: 'beta', reviewed_at }),
      reviewedRow({
        id: 's2',
        proof_url: 'https://example.com/post',
        participant_email: 'a@example.org',
        status: 'rejected',
        reviewed_by: 'project',
        reviewed_at,
      }),
      reviewedRow({ id: 's1', status: 'pending' }),
      reviewedRow({ id: 's0', status: 'approved', reviewed_by: 'project', reviewed_at, submitted_at: '2026-01-09' }),
    ]);
    const table = await screen.findByRole('table', { name: 'Submissions' });
    const headers = within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent);
    // The checkboxes come first, because there are pending submissions.
    expect(headers.slice(1)).toEqual(['Task', 'Member', 'Email', 'Proof', 'Status', 'Submitted', 'Actions']);
    const [, waiting, byBeta, byProject, rejected] = within(table).getAllByRole('row') as HTMLElement[];
    expect(within(waiting as HTMLElement).getByText('Pending')).toHaveClass('text-warning');
    expect(within(waiting as HTMLElement).getByTitle(/^Jan 2, 2026, /)).toHaveTextContent(/ ago$/);
    expect(byBeta).toHaveTextContent('Try the app');
    expect(byBeta).toHaveTextContent('50 points');
    expect(byBeta).toHaveTextContent('No email');
    expect(byBeta).toHaveTextContent(`${'x'.repeat(50)}...`);
    expect(byBeta).toHaveTextContent('Auto-approved (Beta)');
    expect(within(byBeta as HTMLElement).getByText('Ada')).toHaveAttribute('title', 'user_1');
    expect(byProject).toHaveTextContent('by you, Jan 3, 2026');
    expect(byProject).not.toHaveTextContent('Auto-approved');
    expect(rejected).toHaveTextContent('a@example.org');
    expect(rejected).toHaveTextContent('Link Proof · example.com/post');
    expect(within(byBeta as HTMLElement).getByText('Approved')).toHaveClass('text-action');
    expect(within(rejected as HTMLElement).getByText('Rejected')).toHaveClass('text-danger');
    expect(within(byBeta as HTMLElement).getByRole('button', { name: 'View' })).toBeInTheDocument();
  });

  it('SUBM-06 says that there is nothing, for the quest and for a task', async () => {
    const { user } = show([]);
    expect(await screen.findByText('No submissions yet')).toBeInTheDocument();
    expect(screen.getByText('No submissions for this quest yet')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /First task/ }));
    expect(await screen.findByText('No submissions for this task')).toBeInTheDocument();
  });

  it('SUBM-07 shows a submission in full, its link in a new tab', async () => {
    const row = reviewedRow({
      proof_url: 'https://example.com/post',
      participant_email: 'a@example.org',
      status: 'rejected',
      reviewed_by: 'project',
      reviewed_at: '2026-01-03T00:00:00Z',
      review_note: 'Wrong page',
    });
    const { user } = show([row]);
    await user.click(await screen.findByRole('button', { name: 'View' }));
    const dialog = screen.getByRole('dialog', { name: 'Submission Details' });
    for (const text of ['s1', 'Ada', 'user_1', 'Rejected', 'a@example.org', 'Try the app', 'Done', 'Wrong page']) {
      expect(within(dialog).getByText(text)).toBeInTheDocument();
    }
    const value = (label: string) => within(dialog).getByText(label, { selector: 'dt' }).nextSibling;
    expect(value('Task')).toHaveTextContent('50 points');
    expect(value('Submitted')).toHaveTextContent(/^Jan 2, 2026, /);
    expect(value('Review')).toHaveTextContent(/^Jan 3, 2026, .+ by you/);
    expect(await within(dialog).findByText(/Look around/)).toBeInTheDocument();
    const link = within(dialog).getByRole('link', { name: /example.com\/post/ });
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    expect(within(dialog).queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument();
  });

  it('SUBM-07 says when no proof or address was given', async () => {
    const { user } = show([reviewedRow({ proof_text: null })]);
    await user.click(await screen.findByRole('button', { name: 'View' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Submission Details' }));
    expect(dialog.getByText('No proof provided')).toBeVisible();
    expect(dialog.getByText('No email')).toBeVisible();
  });
});

describe('reviewing', () => {
  const leave = () => act(() => window.dispatchEvent(new Event('pagehide')));

  it('SUBM-09 approves a pending submission, which can be undone until it is sent', async () => {
    const decided = { id: 's2', status: 'rejected', reviewed_at: '2026-01-03T00:00:00Z' } as const;
    const { server, user } = show([reviewedRow(), reviewedRow(decided)]);
    const approve = () => screen.findByRole('button', { name: 'Approve' });
    expect(await screen.findAllByRole('button', { name: 'Reject' })).toHaveLength(1);
    await user.click(await approve());
    expect(screen.getByText('1 submission approved')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await user.click(await approve());
    expect(server.sent).toEqual([]);
    await leave();
    await waitFor(() =>
      expect(server.sent).toEqual([
        { p_submission_ids: ['s1'], p_decision: 'approve', p_note: 'Approved by project owner' },
      ]),
    );
    expect(await screen.findByText('by you, Jan 5, 2026')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^(Approve|Reject)$/ })).not.toBeInTheDocument();
  });

  it.each([
    ['Cannot be opened or read', 'Note (optional)', '', { p_reason: 'cannot_open' }],
    ['Duplicate', 'Note (optional)', 'See yesterday', { p_reason: 'duplicate', p_note: 'See yesterday' }],
    ['Other', 'Note', 'The link is dead', { p_reason: 'other', p_note: 'The link is dead' }],
  ])('C-77 SUBM-09 TRUST-08 rejects for the reason %j', async (reason, field, words, sent) => {
    const { server, user } = show([reviewedRow()]);
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = screen.getByRole('dialog', { name: 'Reject 1 submission' });
    await user.click(within(dialog).getByRole('radio', { name: reason }));
    if (words) await user.type(within(dialog).getByLabelText(field), words);
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await leave();
    expect(server.sent).toEqual([{ p_submission_ids: ['s1'], p_decision: 'reject', ...sent }]);
  });

  it('SUBM-07 SUBM-09 decides from the details in the same way', async () => {
    const { server, user } = show([reviewedRow({ id: 's1' }), reviewedRow({ id: 's2' })]);
    const details = async (button: string) => {
      await user.click((await screen.findAllByRole('button', { name: 'View' }))[0] as HTMLElement);
      await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: button }));
    };
    await details('Approve');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await details('Reject');
    await user.keyboard('4{Enter}');
    await leave();
    expect(server.sent).toEqual([{ p_submission_ids: ['s1'], p_decision: 'reject', p_reason: 'incomplete' }]);
  });

  it('C-77 sends no rejection without a reason, nor "Other" without a note', async () => {
    const { server, user } = show([reviewedRow()]);
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = screen.getByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    expect(within(dialog).getByText('A reason is required')).toBeVisible();
    expect(within(dialog).getByRole('radio', { name: 'Does not match the task' })).toHaveFocus();
    await user.click(within(dialog).getByRole('radio', { name: 'Other' }));
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    expect(within(dialog).getByText('Please say in a few words why')).toBeVisible();
    expect(within(dialog).getByRole('textbox', { name: 'Note' })).toHaveFocus();
    await leave();
    expect(server.sent).toEqual([]);
  });

  it('C-99 says that an outcome is unknown only until the list shows it', async () => {
    const { api, user, server, queryClient } = show([reviewedRow()]);
    const decide = server.routes['rpc review_submissions'];
    let loses = 2;
    api.routes['rpc review_submissions'] = (call: Parameters<typeof decide>[0]) => {
      const answer = decide(call);
      return loses-- > 0 ? offline() : answer;
    };
    const approve = await screen.findByRole('button', { name: 'Approve' });
    api.routes['rpc list_review_submissions'] = offline();
    await user.click(approve);
    await leave();
    const unknown = () => within(screen.getByRole('table')).queryByText(outcomeUnknownSentence);
    await waitFor(() => expect(unknown()).toBeInTheDocument());
    api.routes['rpc list_review_submissions'] = server.routes['rpc list_review_submissions'];
    await act(() => queryClient.refetchQueries());
    expect(await within(screen.getByRole('table')).findByText('Approved')).toBeInTheDocument();
    expect(unknown()).not.toBeInTheDocument();
  });

  it('SUBM-09 says that a review failed, and why', async () => {
    const { user } = show([reviewedRow()], { refused: ['s1'] });
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    await leave();
    expect(
      await screen.findByText('Failed to review submission: This submission has already been reviewed'),
    ).toBeInTheDocument();
    expect(within(screen.getByRole('table')).getByText('This submission has already been reviewed')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Approve' })).toBeInTheDocument();
  });
});

describe('Download CSV', () => {
  it('SUBM-10 writes all rows of the filter into a named file', async () => {
    const download = vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    const { user } = show([reviewedRow({ id: 's1' }), reviewedRow({ id: 's2' })]);
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(download).toHaveBeenCalledOnce());
    const [blob, name] = download.mock.calls[0] ?? [];
    expect(name).toMatch(/^quest_submissions_Fly__a_lesson__\d{4}-\d\d-\d\d\.csv$/);
    const text = await blob?.text();
    expect(text?.trim().split('\r\n')).toHaveLength(3);
    expect(text).not.toContain('user_elsewhere');
  });

  it('SUBM-10 takes back the failure of a download once the next one has succeeded', async () => {
    vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    const { user, api } = show([reviewedRow({ id: 's1' })]);
    const button = await screen.findByRole('button', { name: 'Download CSV' });
    await screen.findByText('Approved');
    const rows = api.routes['rpc list_review_submissions'];
    api.routes['rpc list_review_submissions'] = refuse(500, null, 'down');
    await user.click(button);
    const failure = await screen.findByText('Something went wrong on our side. Please try again.');
    api.routes['rpc list_review_submissions'] = rows;
    await user.click(button);
    expect(await screen.findByText('The submissions have been downloaded')).toBeVisible();
    expect(failure).not.toBeInTheDocument();
  });

  it('SUBM-10 says when there is nothing to export', async () => {
    const { user } = show([]);
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    expect(await screen.findByText('No submissions to export')).toBeInTheDocument();
  });
});
