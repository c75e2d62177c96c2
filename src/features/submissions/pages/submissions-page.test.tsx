import { screen, waitFor, within } from '@testing-library/react';
import { toast } from 'sonner';
import * as csv from '@/lib/csv';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, submissionRow, taskRow, withTask } from '@/lib/testing/quest-rows';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import type { Submission } from '../queries';
import SubmissionsPage from './submissions-page';

const twoTasks = [
  taskRow({ id: 't1', title: 'First task', reward_points: 40 }),
  taskRow({ id: 't2', title: 'Second task' }),
];
/** Of another quest of the same owner: must never appear. */
const foreign = submissionRow({ id: 'foreign', campaign_id: 'other', task_id: 'other', user_id: 'user_elsewhere' });

function show(
  rows: Submission[],
  overrides: Record<string, unknown> = {},
  options: Parameters<typeof renderApp>[1] = {},
) {
  const api = fakeApi({
    'GET campaigns': [questRow({ title: 'Fly: a lesson!', submission_count: 7, approved_count: 3, task_count: 2 })],
    'GET tasks': twoTasks,
    'GET startup_profiles': [projectRow({ owner_user_id: 'user_test' })],
    'GET submissions': withTask([...rows, foreign]),
    ...overrides,
  });
  const routes = [
    { path: '/startup/campaigns/:id/submissions', element: <SubmissionsPage /> },
    { path: '/startup', element: <p>Dashboard</p> },
  ];
  const path = `/startup/campaigns/${questId}/submissions`;
  return { api, ...renderApp(null, { identity: signedIn('startup_verified'), path, routes, ...options }) };
}

afterEach(() => void toast.dismiss());

describe('who may see it', () => {
  it('SUBM-01 C-15 asks a missing user to sign in', () => {
    show([], {}, { identity: signedOut });
    expect(screen.getByText('Not Authenticated')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/auth\/signin/),
    );
  });

  it('SUBM-01 says that it is loading, then that a campaign is missing', async () => {
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

  it('SUBM-02 sends everyone but the owner to the dashboard', async () => {
    const { router } = show([], { 'GET startup_profiles': [projectRow({ owner_user_id: 'someone_else' })] });
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup'));
  });
});

describe('what it shows', () => {
  it('SUBM-03 shows title, project, total, CSV button and the four figures', async () => {
    show([submissionRow()]);
    expect(await screen.findByRole('heading', { name: 'Fly: a lesson!' })).toBeInTheDocument();
    expect(screen.getByText('Paperkite · 7 submissions')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Download CSV' })).toBeInTheDocument();
    const figure = (label: string) => screen.getByText(label, { selector: 'dt' }).parentElement;
    expect(figure('Total Submissions')).toHaveTextContent('7');
    expect(figure('Tasks')).toHaveTextContent('2');
    expect(figure('Approved')).toHaveTextContent('3');
    expect(figure('Published')).toHaveTextContent(/2026|2025/);
  });

  it('SUBM-03 says Draft for a quest that has not been published', async () => {
    show([], { 'GET campaigns': [questRow({ status: 'draft', published_at: null })] });
    expect(await screen.findByText('Draft')).toBeInTheDocument();
  });

  it('SUBM-04 filters by task, in the address, with counts', async () => {
    const ofSecond = [2, 3].map((number) =>
      submissionRow({ id: `s${number}`, task_id: 't2', user_id: `user_${number}` }),
    );
    const { user, router } = show([submissionRow(), ...ofSecond]);
    const bar = await screen.findByRole('group', { name: 'Filter by Task' });
    expect(within(bar).getByRole('button', { name: 'All Tasks (7)' })).toHaveAttribute('aria-pressed', 'true');
    expect(await within(bar).findByRole('button', { name: 'First task (1)' })).toBeInTheDocument();
    const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows()).toHaveLength(3);
    await user.click(await within(bar).findByRole('button', { name: 'Second task (2)' }));
    expect(router.state.location.search).toBe('?task=t2');
    await waitFor(() => expect(rows()).toHaveLength(2));
    for (const row of rows()) expect(row).toHaveTextContent('Second task');
  });

  it('SUBM-04 has no filter with a single task', async () => {
    show([submissionRow()], { 'GET tasks': [twoTasks[0]] });
    await screen.findByRole('table');
    expect(screen.queryByText('Filter by Task')).not.toBeInTheDocument();
  });

  it('SUBM-05 SUBM-08 shows the columns, the proof in short, e-mail and status', async () => {
    show([
      submissionRow({ id: 's3', proof_text: 'x'.repeat(60), status: 'approved' }),
      submissionRow({
        id: 's2',
        proof_url: 'https://example.com',
        participant_email: 'a@example.org',
        status: 'rejected',
      }),
      submissionRow({ id: 's1', status: 'pending' }),
    ]);
    const table = await screen.findByRole('table', { name: 'Submissions' });
    const headers = within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent);
    // Before them the checkboxes, because something waits for a decision.
    expect(headers.slice(1)).toEqual(['Task', 'User ID', 'Email', 'Proof', 'Status', 'Submitted', 'Actions']);
    const [, first, second, third] = within(table).getAllByRole('row');
    expect(first).toHaveTextContent('First task');
    expect(first).toHaveTextContent('40 points');
    expect(first).toHaveTextContent('No email');
    expect(first).toHaveTextContent(`${'x'.repeat(50)}...`);
    expect(first).toHaveTextContent('Auto-approved (Beta)');
    expect(second).toHaveTextContent('a@example.org');
    expect(second).toHaveTextContent('Link Proof');
    expect(second).not.toHaveTextContent('Auto-approved');
    expect(within(first as HTMLElement).getByText('Approved')).toHaveClass('text-action');
    expect(within(second as HTMLElement).getByText('Rejected')).toHaveClass('text-danger');
    expect(within(third as HTMLElement).getByText('Pending')).toHaveClass('text-warning');
    expect(within(first as HTMLElement).getByRole('button', { name: 'View' })).toBeInTheDocument();
  });

  it('SUBM-06 says that there is nothing, for the quest and for a task', async () => {
    const { user } = show([]);
    expect(await screen.findByText('No submissions yet')).toBeInTheDocument();
    expect(screen.getByText('No submissions for this quest yet')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /First task/ }));
    expect(await screen.findByText('No submissions for this task')).toBeInTheDocument();
  });

  it('SUBM-07 shows a submission in full, its link in a new tab', async () => {
    const row = submissionRow({
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
    for (const text of ['s1', 'user_test', 'Rejected', 'a@example.org', 'First task', 'Wrong page', / by you/]) {
      expect(within(dialog).getByText(text)).toBeInTheDocument();
    }
    expect(await within(dialog).findByText(/Look around/)).toBeInTheDocument();
    const link = within(dialog).getByRole('link', { name: /example.com\/post/ });
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    expect(within(dialog).queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument();
  });
});

describe('reviewing', () => {
  it('SUBM-09 approves a pending submission and reloads', async () => {
    const { api, user } = show([submissionRow()], { 'rpc review_submission': submissionRow({ status: 'approved' }) });
    const approve = await screen.findByRole('button', { name: 'Approve' });
    api.routes['GET submissions'] = withTask([submissionRow({ status: 'approved' }), foreign]);
    await user.click(approve);
    const call = api.calls.find(({ path }) => path === 'rpc/review_submission');
    expect(call?.body).toEqual({ p_submission_id: 's1', p_decision: 'approve', p_note: 'Approved by project owner' });
    expect(await screen.findByText('Auto-approved (Beta)')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument();
  });

  it.each([
    ['Cannot be opened or read', 'Words (optional)', '', { p_reason: 'cannot_open' }],
    ['Duplicate', 'Words (optional)', 'See yesterday', { p_reason: 'duplicate', p_note: 'See yesterday' }],
    ['Other', 'Words', 'The link is dead', { p_reason: 'other', p_note: 'The link is dead' }],
  ])('C-77 SUBM-09 TRUST-08 rejects for the reason %j', async (reason, field, words, sent) => {
    const { api, user } = show([submissionRow()], { 'rpc review_submission': submissionRow({ status: 'rejected' }) });
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = screen.getByRole('dialog');
    await user.selectOptions(within(dialog).getByLabelText('Reason'), reason);
    if (words) await user.type(within(dialog).getByLabelText(field), words);
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const call = api.calls.find(({ path }) => path === 'rpc/review_submission');
    expect(call?.body).toEqual({ p_submission_id: 's1', p_decision: 'reject', ...sent });
  });

  it('C-77 sends no rejection without a reason, nor "Other" without words', async () => {
    const { api, user } = show([submissionRow()]);
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = screen.getByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    expect(within(dialog).getByText('A reason is required')).toBeVisible();
    await user.selectOptions(within(dialog).getByLabelText('Reason'), 'Other');
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    expect(within(dialog).getByText('Please say in a few words why')).toBeVisible();
    expect(api.calls.filter(({ path }) => path === 'rpc/review_submission')).toEqual([]);
  });

  it('SUBM-09 tells that a review failed, and why', async () => {
    const why = 'Cannot approve submission: Startup has insufficient points. Current balance: 10, Required: 50';
    const { user } = show([submissionRow()], {
      'rpc review_submission': refuse(409, 'STARTUP_INSUFFICIENT_POINTS', why),
    });
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Failed to review submission');
    expect(alert).toHaveTextContent(why);
  });
});

describe('Download CSV', () => {
  it('SUBM-10 writes all rows of the filter into a named file', async () => {
    const download = vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    const { user } = show([submissionRow({ id: 's1' }), submissionRow({ id: 's2' })]);
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(download).toHaveBeenCalledOnce());
    const [blob, name] = download.mock.calls[0] ?? [];
    expect(name).toMatch(/^quest_submissions_Fly__a_lesson__\d{4}-\d\d-\d\d\.csv$/);
    const text = await blob?.text();
    expect(text?.trim().split('\r\n')).toHaveLength(3);
    expect(text).not.toContain('user_elsewhere');
  });

  it('SUBM-10 says when there is nothing to export', async () => {
    const { user } = show([]);
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    expect(await screen.findByText('No submissions to export')).toBeInTheDocument();
  });
});
