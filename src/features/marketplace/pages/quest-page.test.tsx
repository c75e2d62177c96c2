import { act, screen, waitFor, within } from '@testing-library/react';
import { ProofDialog } from '@/features/submissions';
import { offline, refuse } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, submissionRow, taskRow } from '@/lib/testing/quest-rows';
import { requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { showQuestPage } from '../testing/show-quest-page';

// The page lazy-loads it, which on a busy machine takes longer than a test waits.
beforeAll(() => Promise.all([import('@/components/markdown-renderer'), ProofDialog.preload()]));

/** Labels of the primary buttons on the page; there must be exactly one. */
const mainActions = () =>
  [...document.querySelectorAll('a.bg-action, button.bg-action')].map(({ textContent }) => textContent);
const inHours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const taskCard = (name: string) => screen.findByRole('listitem', { name });
const approvedAll = [
  submissionRow({ id: 's1', task_id: 't1', status: 'approved' }),
  submissionRow({ id: 's2', task_id: 't2', status: 'approved', reward_points: 30 }),
];

describe('any viewer', () => {
  it.each([
    ['unknown', questId],
    ['malformed', 'no-such-quest'],
  ])('QUEST-01 shows Quest Not Found for an %s id', async (_case, id) => {
    showQuestPage({ id, overrides: { 'GET campaigns': [] } });
    expect(await screen.findByRole('heading', { name: 'Quest Not Found' })).toBeInTheDocument();
    expect(screen.getByText(/^It may have ended or been removed/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to Quest Feed' })).toHaveAttribute('href', '/community');
  });

  it('QUEST-01 says to somebody who is reading it that the quest has been taken down, not that they mistyped its address', async () => {
    const { api, queryClient } = showQuestPage({ identity: signedIn() });
    await taskCard('First task');
    for (const gone of ['GET campaigns', 'GET tasks', 'rpc get_participated_quest', 'rpc get_participated_tasks'])
      api.routes[gone] = [];
    await act(() => queryClient.invalidateQueries());
    // They may have scrolled far past it.
    expect(await screen.findByRole('heading', { name: 'This quest has left the board' })).toHaveFocus();
    // It may be Questboard that took it down.
    expect(screen.getByRole('status')).not.toHaveTextContent(/project/);
  });

  it('RULE-14 a participant reads an unpublished quest as it was published; others are told that it does not exist', async () => {
    const kept = {
      'GET campaigns': [],
      'GET tasks': [],
      'rpc get_participated_tasks': [taskRow({ id: 't1', title: 'Task of then' })],
      'rpc get_participated_quest': [questRow({ status: 'draft', title: 'Quest of then' })],
    };
    const { unmount } = showQuestPage({ identity: signedIn(), overrides: kept });
    expect(await screen.findByRole('heading', { name: 'Quest of then' })).toBeInTheDocument();
    expect(await taskCard('Task of then')).toBeInTheDocument();
    unmount();
    showQuestPage({
      identity: signedIn(),
      overrides: { ...kept, 'rpc get_participated_quest': [], 'rpc get_participated_tasks': [] },
    });
    expect(await screen.findByRole('heading', { name: 'Quest Not Found' })).toBeInTheDocument();
  });

  it.each([
    ['visitors', signedOut, '/browse'],
    ['members', signedIn(), '/community'],
  ])('QUEST-02 leads %s back', async (_who, identity, href) => {
    showQuestPage({ identity });
    expect(await screen.findByRole('link', { name: 'Back' })).toHaveAttribute('href', href);
  });

  it('QUEST-03 shows the project with its page, its website and the Verified badge', async () => {
    const { unmount } = showQuestPage();
    const project = await screen.findByRole('region', { name: 'Project' });
    expect(within(project).getByRole('link', { name: 'Paperkite' })).toHaveAttribute('href', '/community/project/p1');
    expect(within(project).getByRole('link', { name: /website/i })).toHaveAttribute(
      'href',
      'https://paperkite.example',
    );
    expect(within(project).getByText('Verified')).toBeInTheDocument();
    unmount();
    showQuestPage({ overrides: { 'GET startup_profiles': [projectRow({ status: 'pending' })] } });
    await screen.findByRole('region', { name: 'Project' });
    expect(screen.queryByText('Verified')).not.toBeInTheDocument();
  });

  it('QUEST-04 says when there are no tasks', async () => {
    showQuestPage({ overrides: { 'GET tasks': [] } });
    expect(await screen.findByText('No Tasks Yet')).toBeInTheDocument();
  });

  it('QUEST-05 TRUST-13 shows instructions with links and bold, points and slots', async () => {
    const instructions_md = '**Bold** [ours](https://example.com) [bad](javascript:alert(1)) <script>x</script>';
    showQuestPage({
      overrides: { 'GET tasks': [taskRow({ title: 'First task', instructions_md, reward_points: 250 })] },
    });
    const card = await taskCard('First task');
    expect(await within(card).findByText('Bold')).toHaveProperty('tagName', 'STRONG');
    const link = within(card).getByRole('link', { name: 'ours' });
    expect(link).toHaveAttribute('href', 'https://example.com');
    expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    expect(within(card).queryByRole('link', { name: 'bad' })).not.toBeInTheDocument();
    expect(card.querySelector('script')).toBeNull();
    expect(card).toHaveTextContent('250 points');
    expect(card).toHaveTextContent('20 of 20 spots left');
  });

  it('QUEST-06 QUEST-07 uses fresh counts: a full task says so with a disabled button', async () => {
    const full = [{ task_id: 't1', completions: 18, pending: 2, kept: 0, remaining_slots: 0 }];
    showQuestPage({ identity: signedIn(), overrides: { 'rpc get_task_completion_counts': full } });
    const card = await taskCard('First task');
    expect(await within(card).findByRole('button', { name: 'Quest Full' })).toBeDisabled();
    expect(within(card).queryByRole('button', { name: 'Submit Proof' })).not.toBeInTheDocument();
    expect(within(await taskCard('Second task')).getByRole('button', { name: 'Submit Proof' })).toBeEnabled();
  });

  it('TRUST-14 shows a failed read as such', async () => {
    showQuestPage({ overrides: { 'GET tasks': offline() } });
    expect(await screen.findByText('The quest could not be loaded')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  });
});

describe('visitors', () => {
  it('QUEST-10 SEC-07 see the join banner and cannot submit', async () => {
    showQuestPage();
    const banner = await screen.findByRole('region', { name: 'Join to take part' });
    const [join, rewards] = within(banner).getAllByRole('link');
    expect(join).toHaveAttribute('href', expect.stringMatching(/^\/auth\/signup/));
    expect(rewards).toHaveAttribute('href', '/rewards');
    expect(screen.queryByRole('button', { name: /Proof|Verify/ })).not.toBeInTheDocument();
    expect(screen.queryByText('Your Progress')).not.toBeInTheDocument();
  });
});

describe('members', () => {
  it('QUEST-04 see numbered tasks with their status and the reason of a rejection', async () => {
    const rows = [
      submissionRow({
        task_id: 't1',
        status: 'rejected',
        rejection_reason: 'cannot_open',
        review_note: 'The link is dead',
      }),
      submissionRow({ id: 's2', task_id: 't2', status: 'pending' }),
    ];
    showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': rows } });
    const first = await taskCard('First task');
    expect(first).toHaveTextContent(/^1First task/);
    expect(first).toHaveTextContent('Try Again');
    expect(first).toHaveTextContent('Cannot be opened or read: The link is dead');
    expect(await taskCard('Second task')).toHaveTextContent(/^2Second task.*Processing/);
  });

  it.each([
    ['before', 2, /The project will review it by .*; after that it is approved automatically, unless we/],
    ['after', -2, /It was due on .*, and still waits for a decision\./],
  ])('BEY-22 see what they can expect of a waiting proof %s its review time', async (_case, hours, promise) => {
    const rows = [submissionRow({ task_id: 't1', status: 'pending', review_due_at: inHours(hours) })];
    showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': rows } });
    const card = await taskCard('First task');
    expect(card).toHaveTextContent(promise);
    expect(card).toHaveTextContent(hours > 0 ? /Sent .*, to be reviewed by / : /Sent .*, was to be reviewed by /);
  });

  it('QUEST-04 see Not Started and Completed, and can open the proof dialog', async () => {
    const rows = [submissionRow({ task_id: 't2', status: 'approved' })];
    const { user } = showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': rows } });
    expect(await taskCard('Second task')).toHaveTextContent('Completed');
    const first = await taskCard('First task');
    expect(first).toHaveTextContent('Not Started');
    await user.click(within(first).getByRole('button', { name: 'Submit Proof' }));
    expect(screen.getByRole('dialog', { name: 'Link Proof' })).toBeInTheDocument();
  });

  it('C-05 are offered quick verify for a task that needs no proof', async () => {
    showQuestPage({
      identity: signedIn(),
      overrides: { 'GET tasks': [taskRow({ title: 'First task', requires_proof: false })] },
    });
    expect(await screen.findByRole('button', { name: 'Quick Verify' })).toBeInTheDocument();
  });

  it('QUEST-08 QUEST-09 C-72 see their progress and continue with the first unapproved task', async () => {
    const rows = [submissionRow({ task_id: 't1', status: 'approved' })];
    const { user } = showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': rows } });
    const progress = await screen.findByRole('region', { name: 'Your Progress' });
    expect(await within(progress).findByText('BETA MODE')).toBeInTheDocument();
    expect(progress).toHaveTextContent('1 of 2 tasks');
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
    await user.click(screen.getByRole('button', { name: 'Continue Quest' }));
    expect(scroll.mock.contexts[0]).toBe(await taskCard('Second task'));
    expect(await taskCard('Second task')).toHaveFocus();
    expect(mainActions()).toEqual(['Continue Quest']);
  });

  it('QUEST-09 C-72 see Quest Complete with the next quest as the main action', async () => {
    showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': approvedAll } });
    expect(await screen.findByRole('heading', { name: 'Quest Complete' })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Next: Draw a leaf 40 points' })).toHaveAttribute(
      'href',
      '/community/quest/next',
    );
    expect(screen.getByRole('link', { name: 'Find More Quests' })).toHaveAttribute('href', '/community');
    expect(screen.getByRole('link', { name: 'View Wallet' })).toHaveAttribute('href', '/rewards');
    expect(screen.queryByText('Continue Quest')).not.toBeInTheDocument();
    expect(mainActions()).toEqual(['Next: Draw a leaf 40 points']);
  });

  it.each([
    ['nothing sent', [], ['Submit Proof']],
    ['one in review', [submissionRow({ task_id: 't1', status: 'pending' })], ['Submit Proof']],
    ['a rejected proof', [submissionRow({ task_id: 't2', status: 'rejected' })], ['Submit New Proof']],
    [
      'all in review',
      [submissionRow({ task_id: 't1' }), submissionRow({ id: 's2', task_id: 't2' })],
      ['Next: Draw a leaf 40 points'],
    ],
  ])('C-72 with %s have one main action', async (_case, rows, expected) => {
    showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': rows } });
    await taskCard('First task');
    await waitFor(() => expect(mainActions()).toEqual(expected));
    expect(screen.queryByText('Continue Quest')).not.toBeInTheDocument();
  });

  it('C-72 are offered another quest when this one is full and they have not started it', async () => {
    const full = ['t1', 't2'].map((task_id) => ({ task_id, completions: 20, pending: 0, kept: 0, remaining_slots: 0 }));
    showQuestPage({ identity: signedIn(), overrides: { 'rpc get_task_completion_counts': full } });
    expect(await screen.findByRole('heading', { name: 'No spots left' })).toBeInTheDocument();
    await waitFor(() => expect(mainActions()).toEqual(['Next: Draw a leaf 40 points']));
  });

  it.each([
    ['before its start', { starts_at: inHours(72) }, 'Starts in 3 days', 'Not open yet'],
    ['after its end', { ends_at: '2026-01-05T12:00:00Z' }, /^Ended on Jan 5, 2026/, 'This quest is over'],
    ['while it is paused', { status: 'draft' }, 'Paused', 'This quest is paused'],
  ] as const)(
    'BEY-07 read %s when and why it takes no proof, and are led to another',
    async (_case, quest, words, why) => {
      showQuestPage({ identity: signedIn(), overrides: { 'GET campaigns': [questRow(quest)] } });
      expect(await screen.findByText(words)).toBeInTheDocument();
      expect(screen.getByRole('heading', { name: why })).toBeInTheDocument();
      expect(screen.queryByRole('button', { name: /Submit Proof|Quick Verify/ })).not.toBeInTheDocument();
      await waitFor(() => expect(mainActions()).toEqual(['Next: Draw a leaf 40 points']));
    },
  );

  it('BEY-07 see when a quest with an end date ends', async () => {
    showQuestPage({ identity: signedIn(), overrides: { 'GET campaigns': [questRow({ ends_at: inHours(48) })] } });
    expect(await screen.findByText('Ends in 2 days')).toBeInTheDocument();
    expect((await screen.findAllByRole('button', { name: /Submit Proof|Quick Verify/ })).length).toBeGreaterThan(0);
  });

  it('BEY-23 are told that they can send a new proof after an appeal only while the quest takes proofs', async () => {
    const appealed = submissionRow({
      task_id: 't1',
      status: 'rejected',
      kept_until: '2099-01-01',
      appealed_at: '2026-01-01',
    });
    const overrides = { 'GET submissions': [appealed], 'GET appeals': [] };
    const { unmount } = showQuestPage({ identity: signedIn(), overrides });
    expect(await screen.findByText('Your appeal is being decided. You can send a new proof after that.')).toBeVisible();
    unmount();
    const closed = { ...overrides, 'GET campaigns': [questRow({ status: 'closed' })] };
    showQuestPage({ identity: signedIn(), overrides: closed });
    expect(await screen.findByText('Your appeal is being decided.')).toBeVisible();
  });

  it('BEY-21 see the proof that they sent, and who decided', async () => {
    const row = submissionRow({
      task_id: 't1',
      status: 'approved',
      proof_url: 'https://blog.example/mine',
      reviewed_by: 'project',
      reviewed_at: new Date().toISOString(),
    });
    showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': [row] } });
    const card = await taskCard('First task');
    expect(within(card).getByText(/^Approved by the project/)).toBeInTheDocument();
    expect(within(card).getByRole('link', { name: /blog.example\/mine/ })).toHaveAttribute(
      'href',
      'https://blog.example/mine',
    );
  });

  it('C-77 retry from the rejected proof, with its reason in the dialog', async () => {
    const row = submissionRow({
      task_id: 't1',
      status: 'rejected',
      rejection_reason: 'cannot_open',
      proof_url: 'https://blog.example/dead',
    });
    const { user } = showQuestPage({ identity: signedIn(), overrides: { 'GET submissions': [row] } });
    await user.click(await screen.findByRole('button', { name: 'Submit New Proof' }));
    const dialog = screen.getByRole('dialog', { name: 'Link Proof' });
    expect(dialog).toHaveTextContent('Cannot be opened or read');
    expect(within(dialog).getByLabelText('Link')).toHaveValue('https://blog.example/dead');
  });
});

describe('a proof that is approved while the page is open', () => {
  const approve = (identity = signedIn()) => {
    const chip = document.createElement('div');
    chip.dataset.pointsChip = '';
    document.body.append(chip);
    const fly = vi.fn(() => ({ onfinish: null, oncancel: null }));
    Element.prototype.animate = fly as unknown as typeof Element.prototype.animate;
    const rows: ReturnType<typeof submissionRow>[] = [];
    const shown = showQuestPage({
      identity,
      overrides: {
        'GET tasks': [taskRow({ id: 't1', title: 'First task', requires_proof: false })],
        'GET submissions': () => rows,
        'rpc submit_proof': () => {
          rows.push(submissionRow({ task_id: 't1', status: 'approved' }));
          return rows[0];
        },
      },
    });
    return { ...shown, fly, chip };
  };
  const original = Element.prototype.animate;
  afterEach(() => {
    Element.prototype.animate = original;
    for (const chip of document.querySelectorAll('[data-points-chip]')) chip.remove();
  });

  it('one coin flies to the points, and the focus remains on the task', async () => {
    const { user, fly } = approve();
    await user.click(await screen.findByRole('button', { name: 'Quick Verify' }));
    expect(await screen.findByText('Completed')).toBeInTheDocument();
    await waitFor(() => expect(fly).toHaveBeenCalledTimes(1));
    await waitFor(() => expect(document.activeElement).toBe(document.getElementById('task-t1')));
  });

  it('nothing moves under prefers-reduced-motion', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) => ({ matches: query.includes('reduce'), addEventListener() {}, removeEventListener() {} }) as never,
    );
    const { user, fly } = approve();
    await user.click(await screen.findByRole('button', { name: 'Quick Verify' }));
    await waitFor(() => expect(screen.getByText('Completed')).toBeInTheDocument());
    expect(fly).not.toHaveBeenCalled();
  });
});

describe('BEY-18 the first view', () => {
  const suspended = profileRow({ suspended_at: '2026-02-01T00:00:00Z' });
  type Api = ReturnType<typeof showQuestPage>['api'];
  const noted = ({ calls }: Api) =>
    calls.filter(({ path }) => path === 'rpc/record_quest_view').map(({ body }) => body);

  it('of a member is recorded once, and its failure shows no error', async () => {
    const overrides = { 'rpc record_quest_view': offline() };
    const { api, queryClient } = showQuestPage({ identity: signedIn(), overrides });
    expect(await taskCard('First task')).toBeInTheDocument();
    await waitFor(() => expect([noted(api).length, queryClient.isMutating()]).toEqual([1, 0]));
    await act(() => queryClient.invalidateQueries());
    await requestsSent();
    expect(noted(api)).toEqual([{ p_campaign_id: questId }]);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each([
    ['a visitor', { identity: signedOut }],
    ['somebody who is suspended', { identity: signedIn(), overrides: { 'GET user_profiles': [suspended] } }],
    ['a member who has started', { identity: signedIn(), overrides: { 'GET submissions': [submissionRow()] } }],
  ])('of %s is not recorded', async (_who, options) => {
    const { api } = showQuestPage(options);
    // All requests of the loaded page have been answered.
    await screen.findByText(/^Reviewed within|^Approved and paid/);
    expect(noted(api)).toEqual([]);
  });
});

describe('a task that was completed in another tab', () => {
  it('RULE-12 C-99 is updated: the dialog closes, the task is completed, and what was typed here is not said to be sent', async () => {
    const refusal = refuse(409, 'ALREADY_SUBMITTED', 'You have already submitted proof for this task');
    const { api, user } = showQuestPage({ identity: signedIn(), overrides: { 'rpc submit_proof': refusal } });
    const card = await taskCard('First task');
    await user.click(within(card).getByRole('button', { name: 'Submit Proof' }));
    api.routes['GET submissions'] = [submissionRow({ task_id: 't1', status: 'approved' })];
    const dialog = screen.getByRole('dialog', { name: 'Link Proof' });
    await user.type(within(dialog).getByLabelText('Link'), 'https://blog.example/again');
    await user.click(within(dialog).getByRole('button', { name: 'Submit' }));
    await waitFor(() => expect(within(card).getByText('Completed')).toBeInTheDocument());
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.queryByText('You have already submitted proof for this task')).not.toBeInTheDocument();
    expect(
      await screen.findByText('You had already sent another proof for this task, so this one was not sent.'),
    ).toBeVisible();
    expect(screen.queryByText(/Task completed!|Proof submitted/)).not.toBeInTheDocument();
  });
});
