import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { toast } from 'sonner';
import * as csv from '@/lib/csv';
import { type ApiCall, fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { taskRow } from '@/lib/testing/quest-rows';
import { renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import type { ReviewedSubmission } from '../queries';
import { reviewedRow, reviewServer } from '../testing/review-server';
import ReviewPage from './review-page';

// The page lazy-loads it, which on a busy machine takes longer than a test waits.
beforeAll(() => import('@/components/markdown-renderer'));

/** Pending submissions of three members in two quests, submitted in order of their names. */
const waiting = ['Ada', 'Ben', 'Cleo'].map((member_name, index) =>
  reviewedRow({
    id: `s${index + 1}`,
    member_name,
    user_id: `user_${index + 1}`,
    campaign_id: index === 1 ? 'q2' : 'q1',
    campaign_title: index === 1 ? 'Second quest' : 'First quest',
    proof_url: `https://posts.example/${member_name.toLowerCase()}`,
    proof_text: null,
    submitted_at: `2026-01-0${index + 1}T00:00:00+00:00`,
  }),
);

async function show(rows: ReviewedSubmission[] = waiting, { search = '', refused = [] as string[] } = {}) {
  const server = reviewServer(rows, { refused });
  const api = fakeApi({
    ...server.routes,
    'GET tasks': [taskRow({ campaign_id: 'q1', instructions_md: 'Post about us.' })],
  });
  const routes = [
    { path: '/startup/review', element: <ReviewPage /> },
    { path: '/startup', element: <p>Dashboard</p> },
  ];
  const app = renderApp(null, { identity: signedIn('startup_verified'), path: `/startup/review${search}`, routes });
  await screen.findByRole('heading', { name: 'Review' });
  // Not by role, which takes seconds among a hundred rows.
  if (rows.length > 0) await waitFor(() => expect(document.querySelector('article')).toBeInTheDocument());
  return { ...app, server, api };
}

const proof = () => within(screen.getByRole('article', { name: 'Proof' }));
const list = () => within(screen.getByRole('list', { name: 'Submissions' }));
const names = () =>
  list()
    .getAllByText(/^(Ada|Ben|Cleo)$/)
    .map(({ textContent }) => textContent);
const leave = () => act(() => window.dispatchEvent(new Event('pagehide')));

afterEach(() => void toast.dismiss());

describe('BEY-01 the review desk over all quests', () => {
  it('SUBM-10 exports the submissions of all quests into one file, including decided ones, each row with its quest', async () => {
    const download = vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    const { user } = await show([
      ...waiting,
      reviewedRow({ id: 'old', campaign_title: 'Third quest', status: 'approved' }),
    ]);
    await user.click(screen.getByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(download).toHaveBeenCalledOnce());
    const [blob, name] = download.mock.calls[0] ?? [];
    expect(name).toMatch(/^quest_submissions_all_quests_\d{4}-\d\d-\d\d\.csv$/);
    const [head = '', ...rows] = (await blob?.text())?.trim().split('\r\n') ?? [];
    expect(head.replace('\uFEFF', '')).toMatch(/^"Quest Title","Submission ID"/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(
      expect.arrayContaining(['"First quest"', '"Second quest"', '"Third quest"']),
    );
    expect(rows).toHaveLength(4);
  });

  it('keeps a name in a right-to-left script apart from the figures that follow it', async () => {
    await show([reviewedRow({ member_name: 'مريم' })]);
    expect(proof().getByText('مريم').tagName).toBe('BDI');
  });

  it('shows pending ones, earliest due first, with the first proof beside the list and its link without a request', async () => {
    const rows = waiting.map((row) => ({ ...row, participant_email: `${row.id}@example.org` }));
    const { api } = await show([...rows, reviewedRow({ id: 'old', member_name: 'Dan', status: 'approved' })]);
    expect(await screen.findByText(/^3 proofs are waiting, the first was due/)).toBeInTheDocument();
    expect(names()).toEqual(['Ada', 'Ben', 'Cleo']);
    expect(list().queryByText('Dan')).not.toBeInTheDocument();
    expect(list().getByText('posts.example/ada')).toBeInTheDocument();
    expect(proof().getByText('posts.example')).toBeInTheDocument();
    expect(proof().getByText(/s1@example\.org · /)).toBeInTheDocument();
    expect(proof().getByRole('link', { name: /https:\/\/posts\.example\/ada/ })).toHaveAttribute('target', '_blank');
    expect(proof().getByRole('link', { name: 'First quest' })).toBeInTheDocument();
    expect(await proof().findByText('Post about us.')).toBeInTheDocument();
    expect(new Set(api.calls.map(({ path }) => path))).toEqual(
      new Set(['rpc/get_review_counts', 'rpc/list_review_submissions', 'tasks']),
    );
  });

  it('announces each proof that comes up, also after two equal decisions in a row', async () => {
    const { user } = await show();
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    await user.keyboard('a');
    expect(said()).toContain('Proof 2 of 3: Try the app, Ben');
    await user.keyboard('a');
    expect(said()).toContain('Proof 3 of 3: Try the app, Cleo');
    await user.keyboard('k');
    expect(said()).toContain('Proof 2 of 3: Try the app, Ben');
  });

  /** 187 pending proofs, of which a page holds 100; `place`: that of the shown one among all and among the listed ones. */
  const many = Array.from({ length: 187 }, (_, index) => reviewedRow({ id: `m${1000 + index}`, task_title: 'Try it' }));
  const place = () => /\d+ of \d+\+?\/\d+\+?/.exec(document.querySelector('article')?.textContent ?? '')?.[0];

  it('counts the proofs that are not loaded too, also while decisions are being sent', async () => {
    const { user } = await show(many);
    const totals = new Set<string | undefined>();
    const watch = new MutationObserver(() => totals.add(place()?.split('/')[1]));
    await waitFor(() => expect(place()).toBe('1 of 187/187'));
    watch.observe(document.body, { subtree: true, characterData: true, childList: true });
    await user.keyboard('a');
    expect(place()).toBe('2 of 187/187');
    expect(screen.getByText('Proof 2 of 187: Try it, Ada')).toBeInTheDocument();
    await user.keyboard('a');
    await waitFor(() => expect(document.querySelector('header')).toHaveTextContent('186 proofs are waiting'));
    expect(place()).toBe('3 of 187/187');
    watch.disconnect();
    expect([...totals]).toEqual(['187']);
    await leave();
  });

  it('only says that there are more proofs where nobody has counted them, as in a search', async () => {
    await show(many, { search: '?q=try' });
    await waitFor(() => expect(place()).toMatch(/^1 of \d+\+\/100\+$/));
  });

  it('BEY-22 sorts by due time first, and shows it on each row', async () => {
    const dueIn = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 60_000).toISOString();
    const [ada, ben, cleo] = waiting.map((row, index) => ({ ...row, review_due_at: dueIn([30, 5, 20][index] ?? 0) }));
    await show([ada, ben, cleo] as ReviewedSubmission[]);
    expect(names()).toEqual(['Ben', 'Cleo', 'Ada']);
    expect(screen.getByText('3 proofs are waiting, the first is due in 5 hours.')).toBeInTheDocument();
    expect(proof().getByText(/due in 5 hours/)).toBeInTheDocument();
    expect(list().getByText('due in 20 hours')).toBeInTheDocument();
  });

  it('asks once for the rows after the loaded ones when they are refused, and again when they are asked for', async () => {
    const decided = Array.from({ length: 100 }, (_, index) =>
      reviewedRow({ id: `old${index}`, member_name: `Old ${index}`, status: 'approved' }),
    );
    const { user, api } = await show([...waiting.slice(0, 1), ...decided], { search: '?status=all' });
    const more = () => api.calls.filter(({ params }) => params.has('p_cursor'));
    const answer = api.routes['rpc list_review_submissions'] as (call: ApiCall) => unknown;
    const limit = refuse(429, 'RATE_LIMITED', 'Rate limit exceeded');
    api.routes['rpc list_review_submissions'] = (call: ApiCall) => (call.params.has('p_cursor') ? limit : answer(call));
    await user.keyboard('a');
    await waitFor(() => expect(more()).toHaveLength(1));
    for (let turn = 0; turn < 10; turn += 1) await requestsSent();
    expect(more()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Show more submissions' }));
    expect(await screen.findByText('Rate limit exceeded')).toBeVisible();
    await leave();
  });

  it('a double or triple click approves one proof, not the next ones too', async () => {
    const { user, server } = await show();
    expect(await proof().findByText('Ada')).toBeInTheDocument();
    await user.tripleClick(screen.getByRole('button', { name: 'Approve' }));
    expect(proof().getByText('Ben')).toBeInTheDocument();
    await leave();
    await waitFor(() => expect(server.sent).not.toEqual([]));
    expect(server.sent.map(({ p_submission_ids }) => p_submission_ids)).toEqual([['s1']]);
  });

  it('a double click on the last proof approves it: its second click is not taken for one on Undo, which has come there', async () => {
    const { user, server } = await show(waiting.slice(0, 1));
    expect(await proof().findByText('Ada')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }), { detail: 2 });
    await leave();
    await waitFor(() => expect(server.sent.map(({ p_submission_ids }) => p_submission_ids)).toEqual([['s1']]));
  });

  it('a key that is held down decides one proof, not one after the other', async () => {
    const { server } = await show();
    expect(await proof().findByText('Ada')).toBeInTheDocument();
    fireEvent.keyDown(document.body, { key: 'a' });
    for (let turn = 0; turn < 5; turn += 1) fireEvent.keyDown(document.body, { key: 'a', repeat: true });
    expect(proof().getByText('Ben')).toBeInTheDocument();
    fireEvent.keyDown(document.body, { key: 'j', repeat: true });
    expect(proof().getByText('Cleo')).toBeInTheDocument();
    // False: the browser does not press the button again.
    const approve = screen.getByRole('button', { name: 'Approve' });
    expect(fireEvent.keyDown(approve, { key: 'Enter', repeat: true })).toBe(false);
    expect(fireEvent.keyDown(approve, { key: 'Tab', repeat: true })).toBe(true);
    await leave();
    await waitFor(() => expect(server.sent).not.toEqual([]));
    expect(server.sent.map(({ p_submission_ids }) => p_submission_ids)).toEqual([['s1']]);
  });

  it('one key decides a proof, and the next one opens by itself', async () => {
    const { user, server } = await show();
    expect(await proof().findByText('Ada')).toBeInTheDocument();
    await user.keyboard('a');
    expect(proof().getByText('Ben')).toBeInTheDocument();
    await user.keyboard('r4{Enter}');
    expect(proof().getByText('Cleo')).toBeInTheDocument();
    // "Other" requires a note.
    await user.keyboard('6');
    const dialog = within(screen.getByRole('dialog', { name: 'Reject 1 submission' }));
    expect(dialog.getByRole('radio', { name: 'Other' })).toBeChecked();
    expect(dialog.getByRole('radio', { name: 'Other' })).toHaveFocus();
    await user.keyboard('{Escape}2');
    expect(screen.getByText('Nothing is left to review.')).toBeInTheDocument();
    await leave();
    await waitFor(() => expect(server.sent).toHaveLength(3));
    expect(
      server.sent.map(({ p_submission_ids, p_decision, p_reason }) => [p_submission_ids, p_decision, p_reason]),
    ).toEqual([
      [['s1'], 'approve', undefined],
      [['s2'], 'reject', 'incomplete'],
      [['s3'], 'reject', 'cannot_open'],
    ]);
    expect(await screen.findByRole('heading', { name: 'Nothing to review' })).toBeInTheDocument();
  });

  it('keeps the focus where the list was when the last proof is decided', async () => {
    const { user } = await show(waiting.slice(0, 1));
    screen.getByRole('button', { name: /^Approve/ }).focus();
    await user.keyboard('{Enter}');
    await leave();
    const nothing = await screen.findByRole('heading', { name: 'Nothing to review' });
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
    expect(document.activeElement).toContainElement(nothing);
  });

  it('moves, goes back, and undoes the last decision, however it was made', async () => {
    const { user, server } = await show();
    await screen.findByRole('article', { name: 'Proof' });
    await user.keyboard('jj');
    expect(proof().getByText('Cleo')).toBeInTheDocument();
    await user.keyboard('kk');
    expect(proof().getByText('Ada')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    expect(proof().getByText('Ben')).toBeInTheDocument();
    await user.keyboard('u');
    expect(proof().getByText('Ada')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Approve' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Next submission' }));
    await user.click(screen.getByRole('button', { name: 'Reject' }));
    await user.click(screen.getByRole('radio', { name: 'Duplicate' }));
    await user.click(screen.getByRole('button', { name: 'Reject submission' }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(proof().getByText('Ben')).toBeInTheDocument();
    await leave();
    expect(server.sent).toEqual([]);
  });

  it('a pressed Undo leaves the focus with what it brought back, not with the last row that had it', async () => {
    const { user } = await show();
    screen.getByRole('checkbox', { name: /by Cleo$/ }).focus();
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    screen.getByRole('button', { name: 'Undo' }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('checkbox', { name: /by Ada$/ })).toHaveFocus());
  });

  it("a key opens the proof's link in a new tab without opener", async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user } = await show();
    await screen.findByRole('article', { name: 'Proof' });
    await user.keyboard('l');
    expect(open.mock.calls).toEqual([['https://posts.example/ada', '_blank', 'noopener,noreferrer']]);
  });

  it('decides the selected ones in one call', async () => {
    const { user, server } = await show();
    await user.click(await screen.findByRole('checkbox', { name: 'Select 3 pending submissions' }));
    await user.keyboard('a');
    await leave();
    await waitFor(() =>
      expect(server.sent.map(({ p_submission_ids }) => p_submission_ids)).toEqual([['s1', 's2', 's3']]),
    );
  });

  it('filters by quest, status, flag and text, in the address, and resets', async () => {
    const { user, router } = await show([
      ...waiting,
      reviewedRow({ id: 's9', member_name: 'Dan', status: 'rejected' }),
    ]);
    await screen.findByRole('article', { name: 'Proof' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Quest' }), 'Second quest (1)');
    await waitFor(() => expect(names()).toEqual(['Ben']));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Quest' }), 'All quests');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Rejected (1)');
    await waitFor(() => expect(list().getByText('Dan')).toBeInTheDocument());
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Pending (3)');
    await user.type(screen.getByRole('searchbox'), 'cleo');
    await waitFor(() => expect(router.state.location.search).toBe('?q=cleo'));
    await waitFor(() => expect(names()).toEqual(['Cleo']));
    await user.type(screen.getByRole('searchbox'), 'x');
    await user.click(await screen.findByRole('button', { name: 'Reset Filters' }));
    await waitFor(() => expect(names()).toEqual(['Ada', 'Ben', 'Cleo']));
    await user.click(screen.getByRole('button', { name: 'Flagged only' }));
    expect(await screen.findByText('No flagged submissions')).toBeInTheDocument();
  });

  it('says at the proof why it could not be decided', async () => {
    const { user } = await show(waiting, { refused: ['s1'] });
    await screen.findByRole('article', { name: 'Proof' });
    await user.keyboard('a');
    await leave();
    await screen.findByText('Failed to review submission: This submission has already been reviewed');
    await user.keyboard('k');
    expect(proof().getByRole('alert')).toHaveTextContent('This submission has already been reviewed');
  });

  it('leads on a phone, which has no list, from the proof on the screen to those that could not be decided', async () => {
    const real = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(real(query), { matches: false }));
    const { user } = await show(waiting, { refused: ['s1'] });
    await user.click(screen.getByRole('button', { name: 'Approve' }));
    await leave();
    await screen.findByText('Failed to review submission: This submission has already been reviewed');
    expect(proof().getByText('Ben')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '1 decision needs another look' }));
    expect(proof().getByText('Ada')).toBeInTheDocument();
    expect(proof().getByRole('alert')).toHaveTextContent('This submission has already been reviewed');
    expect(screen.queryByRole('button', { name: /another look/ })).not.toBeInTheDocument();
  });

  it('says that the time of a proof is over, which still waits', async () => {
    await show([reviewedRow({ review_due_at: new Date(Date.now() - 2 * 3_600_000).toISOString() })]);
    expect(proof().getByText('was due 2 hours ago')).toBeInTheDocument();
    expect(list().getByText('was due 2 hours ago')).toBeInTheDocument();
  });

  it('TRUST-14 distinguishes a failed load from an empty desk', async () => {
    const { api, user } = await show();
    await screen.findByRole('article', { name: 'Proof' });
    api.routes['rpc list_review_submissions'] = offline();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Approved (0)');
    expect(await screen.findByText('The submissions could not be loaded')).toBeInTheDocument();
    expect(screen.queryByText('No submissions yet')).not.toBeInTheDocument();
  });

  it('says that nothing was ever sent and nothing is pending', async () => {
    await show([]);
    expect(await screen.findByText('No submissions yet')).toBeInTheDocument();
    expect(screen.getByText('No proofs are waiting for you.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See your quests' })).toHaveAttribute('href', '/startup');
  });
});
