import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { AdminSubmission } from './queries';
import SubmissionsTab from './submissions-tab';

function submission(overrides: Partial<AdminSubmission> = {}): AdminSubmission {
  return {
    id: 'submission-1',
    campaign_id: 'quest-1',
    flags: [],
    campaign_title: 'Fly a kite',
    task_title: 'Read the guide',
    user_id: 'user_robin',
    username: 'robin',
    participant_email: '',
    proof_url: '',
    proof_text: 'I did it.',
    status: 'approved',
    reward_points: 50,
    reviewed_by: 'user_owner',
    review_note: '',
    submitted_at: '2026-02-01T10:00:00Z',
    reviewed_at: '2026-02-02T10:00:00Z',
    cursor: 'cursor-1',
    rejection_reason: null,
    review_due_at: null,
    obstacle: null,
    ...overrides,
  };
}

function open(...rows: AdminSubmission[]) {
  const api = fakeApi({
    'rpc admin_list_submissions': rows,
    'rpc review_submission': {},
    'rpc reverse_submission': {},
    'rpc dismiss_submission_flag': {},
    'GET audit_log': [],
    'GET user_profiles': [],
  });
  return { ...renderApp(<SubmissionsTab />, { identity: signedIn('admin'), path: '/admin?tab=submissions' }), api };
}
const view = () => screen.findByRole('button', { name: 'View Read the guide by robin' });
const bodies = (api: ReturnType<typeof open>['api'], name: string) =>
  api.calls.filter(({ path }) => path === `rpc/${name}`).map(({ body }) => body);

describe('submissions', () => {
  it('TRUST-08 reverses an approval with a reason, and says what is moved back', async () => {
    const { user, api } = open(submission());
    await user.click(await view());
    expect(within(await screen.findByRole('dialog')).getByText('I did it.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Reverse approval' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reverse this approval?' }));
    expect(dialog.getByText(/50 points go back from robin/)).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Reason/), 'Fake picture');
    await user.click(dialog.getByRole('button', { name: 'Reverse approval' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(bodies(api, 'reverse_submission')).toEqual([{ p_submission_id: 'submission-1', p_note: 'Fake picture' }]);
  });

  it('TRUST-08 says why an approval cannot be reversed, and what can be done instead', async () => {
    const { user, api } = open(submission());
    api.routes['rpc reverse_submission'] = refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance');
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Reverse approval' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reverse this approval?' }));
    await user.type(dialog.getByLabelText(/Reason/), 'Fake picture');
    await user.click(dialog.getByRole('button', { name: 'Reverse approval' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'robin has spent these points and has fewer left. Cancel a redemption that is still pending, or take what is left with “Correct points” in the People tab.',
    );
  });

  it.each([
    ['user_owner', 'by user_owner'],
    ['beta', '· Auto-approved (Beta)'],
    ['deadline', '· Approved when its review time ended'],
    ['call', '· Confirmed by the project’s system'],
    ['auto', 'by Questboard'],
    ['project', 'by the project'],
  ])('C-102 says in words who has reviewed it: %s', async (reviewed_by, words) => {
    const { user } = open(submission({ reviewed_by }));
    await user.click(await view());
    const dialog = within(await screen.findByRole('dialog'));
    const review = dialog.getByText('Review', { selector: 'dt' }).nextSibling;
    expect(review).toHaveTextContent(words);
    const person = dialog.queryByRole('link', { name: 'user_owner' });
    if (reviewed_by === 'user_owner') expect(person).toHaveAttribute('href', '/admin?tab=people&person=user_owner');
    else expect(person).not.toBeInTheDocument();
  });

  it("C-43 decides a pending one through the owners' procedure", async () => {
    const { user, api } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    await waitFor(() =>
      expect(bodies(api, 'review_submission')).toEqual([
        { p_submission_id: 'submission-1', p_decision: 'approve', p_note: 'Approved by admin' },
      ]),
    );
  });

  it('C-77 rejects for one of the six reasons, and with a note for another reason', async () => {
    const { user, api } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject this submission?' }));
    await user.click(dialog.getByRole('button', { name: 'Reject submission' }));
    expect(dialog.getByText('A reason is required')).toBeInTheDocument();
    const reasons = within(dialog.getByRole('group', { name: 'Reason' }));
    const names = ['Does not match the task', 'Cannot be opened or read', 'Not the member’s own', 'Incomplete'];
    for (const name of [...names, 'Duplicate', 'Other'])
      expect(reasons.getByRole('radio', { name })).toBeInTheDocument();
    expect(reasons.getAllByRole('radio')).toHaveLength(6);
    await user.click(dialog.getByRole('radio', { name: /^Other/ }));
    await user.click(dialog.getByRole('button', { name: 'Reject submission' }));
    expect(dialog.getByText('Please say in a few words why')).toBeInTheDocument();
    expect(bodies(api, 'review_submission')).toEqual([]);
    await user.click(dialog.getByRole('radio', { name: /^Duplicate/ }));
    await user.click(dialog.getByRole('button', { name: 'Reject submission' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(bodies(api, 'review_submission')).toEqual([
      { p_submission_id: 'submission-1', p_decision: 'reject', p_reason: 'duplicate' },
    ]);
  });

  it('asks before the note of a rejection is lost', async () => {
    const { user } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject this submission?' }));
    await user.type(dialog.getByLabelText(/Note/), 'The page is empty');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText(/Note/)).toHaveValue('The page is empty');
  });

  it('C-77 says why a rejection failed and keeps the reason', async () => {
    const { user, api } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    api.routes['rpc review_submission'] = refuse(409, 'ALREADY_REVIEWED', 'This submission has already been reviewed');
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject this submission?' }));
    await user.click(dialog.getByRole('radio', { name: /^Incomplete/ }));
    await user.click(dialog.getByRole('button', { name: 'Reject submission' }));
    expect(await dialog.findByText(/This submission has already been reviewed/)).toBeInTheDocument();
    expect(dialog.getByRole('radio', { name: /^Incomplete/ })).toBeChecked();
  });

  it('C-43 says who was faster, and how they decided', async () => {
    const { user, api } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    api.routes['rpc review_submission'] = refuse(409, 'ALREADY_REVIEWED', 'This submission has already been reviewed');
    api.routes['GET audit_log'] = [
      {
        id: 7,
        subject_type: 'submission',
        subject_id: 'submission-1',
        action: 'submission.reject',
        actor_id: 'user_ada',
        note: 'The link is dead.',
        created_at: '2026-02-03T10:00:00Z',
      },
    ];
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject this submission?' }));
    await user.click(dialog.getByRole('radio', { name: /^Incomplete/ }));
    await user.click(dialog.getByRole('button', { name: 'Reject submission' }));
    expect(await dialog.findByText('“The link is dead.”')).toBeVisible();
    expect(dialog.getByRole('link', { name: 'somebody else' })).toHaveAttribute(
      'href',
      expect.stringContaining('user_ada'),
    );
  });

  it('shows a refusal with the submission that it is about, not with the next one', async () => {
    const pending = submission({ status: 'pending', reviewed_at: null, reviewed_by: '' });
    const { user, api } = open(pending, { ...pending, id: 'submission-2', task_title: 'Taste the soup' });
    api.routes['rpc review_submission'] = refuse(409, 'ALREADY_REVIEWED', 'This submission has already been reviewed');
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    expect(await screen.findByText(/This submission has already been reviewed/)).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Taste the soup' }));
    expect(await screen.findByRole('dialog', { name: 'Taste the soup' })).toBeVisible();
    expect(screen.queryByText(/This submission has already been reviewed/)).not.toBeInTheDocument();
  });

  it('C-43 a proof that somebody else has decided meanwhile leaves the list of pending ones', async () => {
    const { user, api } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    await user.click(await view());
    api.routes['rpc admin_list_submissions'] = [];
    api.routes['rpc review_submission'] = refuse(409, 'ALREADY_REVIEWED', 'This submission has already been reviewed');
    await user.click(await screen.findByRole('button', { name: 'Approve' }));
    await screen.findByText(/This submission has already been reviewed/);
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('heading', { name: 'No submissions yet' })).toBeInTheDocument();
  });

  it.each(['Approve', 'Reject'])('stays open while it is sent, so that a failure is seen (%s)', async (press) => {
    const { user, api } = open(submission({ status: 'pending', reviewed_at: null, reviewed_by: '' }));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    api.routes['rpc review_submission'] = () => promise;
    await user.click(await view());
    await user.click(await screen.findByRole('button', { name: press }));
    if (press === 'Reject') {
      const dialog = within(await screen.findByRole('dialog', { name: 'Reject this submission?' }));
      await user.click(dialog.getByRole('radio', { name: /^Incomplete/ }));
      await user.click(dialog.getByRole('button', { name: 'Reject submission' }));
    }
    await waitFor(() => expect(bodies(api, 'review_submission')).toHaveLength(1));
    await user.keyboard('{Escape}{Escape}');
    resolve(refuse(409, 'ALREADY_REVIEWED', 'This submission has already been reviewed'));
    expect(await screen.findByText(/This submission has already been reviewed/)).toBeVisible();
  });

  it('BEY-02 shows flags on the row and dismisses one with a reason', async () => {
    const flag = {
      id: 'flag-1',
      kind: 'too_fast',
      evidence: { seconds: 2, usual_seconds: 60 },
      dismissed_at: null,
      dismissal_reason: null,
      has_twin: false,
      twin: null,
    };
    const { user, api } = open(submission({ flags: [flag] }));
    const sentence = 'Submitted after 2 s; most people take longer than 60 s.';
    expect(within(await screen.findByRole('table')).getByText(sentence)).toBeInTheDocument();
    await user.click(await view());
    const dismiss = await screen.findByRole('button', { name: 'Dismiss' });
    expect(dismiss).toHaveAccessibleDescription(sentence);
    await user.click(dismiss);
    const dialog = within(await screen.findByRole('dialog', { name: 'Dismiss this flag?' }));
    await user.click(dialog.getByRole('button', { name: 'Dismiss' }));
    expect(dialog.getByText('Please give a reason')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Reason/), 'Done before');
    await user.click(dialog.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() =>
      expect(bodies(api, 'dismiss_submission_flag')).toEqual([{ p_flag_id: 'flag-1', p_reason: 'Done before' }]),
    );
  });

  it('BEY-02 filters flagged ones on the server', async () => {
    const { user, api } = open(submission());
    await view();
    await user.selectOptions(screen.getByRole('combobox', { name: /Status/ }), 'Flagged');
    await waitFor(() =>
      expect(
        api.calls.some(
          ({ path, params }) => path === 'rpc/admin_list_submissions' && params.get('p_status') === 'flagged',
        ),
      ).toBe(true),
    );
  });
});

it('BEY-22 shows why an overdue proof was not approved automatically', async () => {
  const due = new Date(Date.now() - 3 * 3_600_000).toISOString();
  open(submission({ status: 'pending', reviewed_at: null, review_due_at: due, obstacle: 'flagged' }));
  expect(await screen.findByText(/not approved by itself: It is flagged\./)).toHaveTextContent(/^Due 3 hours ago/);
});
