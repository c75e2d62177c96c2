import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { toast } from 'sonner';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { projectRow, questId, questRow, taskRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { type ReviewCall, reviewedRow, reviewServer } from '../testing/review-server';
import SubmissionsPage from './submissions-page';

/** A quest with pending submissions s1, s2 and so on, oldest first, and a server that reviews each of them once. */
async function show(count: number, options: { refused?: string[]; answers?: (call: ApiCall) => Promise<void> } = {}) {
  const rows = Array.from({ length: count }, (_, index) =>
    reviewedRow({
      id: `s${index + 1}`,
      user_id: `user_${index + 1}`,
      member_name: `Member ${index + 1}`,
      submitted_at: `2026-01-02T03:04:${10 + index}+00:00`,
    }),
  );
  const server = reviewServer(rows, options);
  const review = server.routes['rpc review_submissions'];
  fakeApi({
    ...server.routes,
    'rpc review_submissions': async (call: ApiCall) => {
      await options.answers?.(call);
      return review(call);
    },
    'GET campaigns': [questRow({ submission_count: count })],
    'GET tasks': [taskRow()],
    'GET startup_profiles': [projectRow({ owner_user_id: 'user_test' })],
    'GET submissions': [],
    'GET wallets': [],
  });
  const path = `/startup/campaigns/${questId}/submissions`;
  const routes = [
    { path: '/startup/campaigns/:id/submissions', element: <SubmissionsPage /> },
    { path: '/startup', element: <p>Dashboard</p> },
  ];
  const app = renderApp(null, { identity: signedIn('startup_verified'), path, routes });
  await screen.findByRole('table', { name: 'Submissions' });
  return { ...app, sent: () => server.sent };
}

const all = (count: number) => screen.getByRole('checkbox', { name: `Select ${count} pending submissions` });
const box = (number: number) => screen.getByRole('checkbox', { name: `Select Try the app by Member ${number}` });
const bar = () => screen.getByRole('region', { name: 'Selected submissions' });
const row = (number: number) => screen.getByText(`Member ${number}`).closest('tr') as HTMLElement;
const hidePage = () => act(() => window.dispatchEvent(new Event('pagehide')));

afterEach(() => {
  toast.dismiss();
});

describe('SUBM-09 bulk decisions', () => {
  it('approves the selected ones when the Undo period ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { user, sent } = await show(3);
    await user.click(all(3));
    await user.click(box(2));
    expect(bar()).toHaveTextContent('2 selected');
    await user.click(within(bar()).getByRole('button', { name: 'Approve selected' }));
    expect(screen.getByText('2 submissions approved')).toBeInTheDocument();
    expect(within(row(1)).getByText('Approved')).toBeInTheDocument();
    expect(within(row(2)).getByText('Pending')).toBeInTheDocument();
    expect(sent()).toEqual([]);
    act(() => void vi.advanceTimersByTime(6000));
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()).toEqual([
      { p_submission_ids: ['s1', 's3'], p_decision: 'approve', p_note: 'Approved by project owner' },
    ]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument());
    expect(within(row(3)).getByText('Approved')).toBeInTheDocument();
  });

  it('sends nothing after Undo, not even when the page is left', async () => {
    const { user, sent, router } = await show(2);
    await user.click(all(2));
    await user.click(screen.getByRole('button', { name: 'Approve selected' }));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(within(row(1)).getByText('Pending')).toBeInTheDocument();
    expect(screen.queryByText('2 submissions approved')).not.toBeInTheDocument();
    // The selection is restored.
    expect(bar()).toHaveTextContent('2 selected');
    await hidePage();
    await act(() => router.navigate('/startup'));
    expect(sent()).toEqual([]);
  });

  it('C-77 rejects them with one reason for all', async () => {
    const { user, sent } = await show(3);
    await user.click(box(1));
    await user.click(box(3));
    await user.click(screen.getByRole('button', { name: 'Reject selected' }));
    const dialog = screen.getByRole('dialog', { name: 'Reject 2 submissions' });
    await user.click(within(dialog).getByRole('radio', { name: 'Cannot be opened or read' }));
    await user.type(within(dialog).getByLabelText('Note (optional)'), 'The link is dead');
    await user.click(within(dialog).getByRole('button', { name: 'Reject submission' }));
    await hidePage();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toEqual({
      p_submission_ids: ['s1', 's3'],
      p_decision: 'reject',
      p_reason: 'cannot_open',
      p_note: 'The link is dead',
    });
  });

  it.each([
    ['hidden', () => hidePage()],
    [
      'left within the app',
      (router: Awaited<ReturnType<typeof show>>['router']) => act(() => router.navigate('/startup')),
    ],
  ])('flushes the pending decision once when the page is %s', async (_how, leave) => {
    const { user, sent, router } = await show(2);
    await user.click(all(2));
    await user.click(screen.getByRole('button', { name: 'Approve selected' }));
    await leave(router);
    await waitFor(() => expect(sent()).toHaveLength(1));
    await hidePage();
    await act(() => router.navigate('/startup'));
    expect(sent().map(({ p_submission_ids }) => p_submission_ids)).toEqual([['s1', 's2']]);
  });

  it('asks for confirmation before the tab is closed while a decision is unsent, and sends it meanwhile', async () => {
    const { user, sent } = await show(1);
    await user.click(box(1));
    await user.click(screen.getByRole('button', { name: 'Approve selected' }));
    const closing = new Event('beforeunload', { cancelable: true });
    await act(() => window.dispatchEvent(closing));
    expect(closing.defaultPrevented).toBe(true);
    await waitFor(() => expect(sent()).toHaveLength(1));
    await screen.findByText('Details');
    const later = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(later);
    expect(later.defaultPrevented).toBe(false);
  });

  it('goes on asking until the last of two decisions is answered', async () => {
    const answers = { s1: Promise.withResolvers<void>(), s2: Promise.withResolvers<void>() };
    const { user } = await show(2, {
      refused: ['s1'],
      answers: ({ body }) => answers[(body as ReviewCall).p_submission_ids[0] as 's1' | 's2'].promise,
    });
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await user.click(box(1));
    await user.click(screen.getByRole('button', { name: 'Approve selected' }));
    await user.click(box(2));
    await user.click(screen.getByRole('button', { name: 'Approve selected' }));
    await hidePage();
    await act(async () => answers.s1.resolve());
    await within(row(1)).findByText('This submission has already been reviewed');
    expect(isAsked()).toBe(true);
    await act(async () => answers.s2.resolve());
    await waitFor(() => expect(isAsked()).toBe(false));
  });

  it('reports which ones failed and why, and keeps those selected', async () => {
    const { user } = await show(3, { refused: ['s2'] });
    await user.click(all(3));
    await user.click(screen.getByRole('button', { name: 'Approve selected' }));
    await hidePage();
    expect(
      await screen.findByText('2 approved, 1 failed: This submission has already been reviewed'),
    ).toBeInTheDocument();
    expect(within(row(2)).getByText('This submission has already been reviewed')).toBeInTheDocument();
    expect(box(2)).toBeChecked();
    expect(bar()).toHaveTextContent('1 selected');
  });
});

describe('keyboard shortcuts', () => {
  it('move, select, approve, reject and undo, and keep the focus in the list', async () => {
    const { user, sent } = await show(4);
    await user.keyboard('j');
    expect(box(1)).toHaveFocus();
    await user.keyboard('jk{ArrowDown}');
    expect(box(2)).toHaveFocus();
    await user.keyboard('a');
    expect(screen.getByText('1 submission approved')).toBeInTheDocument();
    await waitFor(() => expect(box(3)).toHaveFocus());
    await user.keyboard('u');
    expect(within(row(2)).getByText('Pending')).toBeInTheDocument();
    expect(sent()).toEqual([]);

    await user.keyboard('xjx');
    expect(bar()).toHaveTextContent('2 selected');
    await user.keyboard('r');
    await user.keyboard('5{Tab}Same picture twice{Tab}{Tab}{Enter}');
    expect(screen.getByText('2 submissions rejected')).toBeInTheDocument();
    // The last rows are decided: back to the open one above them.
    await waitFor(() => expect(box(2)).toHaveFocus());
    await user.keyboard('a');
    await waitFor(() => expect(box(1)).toHaveFocus());
    await hidePage();
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent().map(({ p_submission_ids: ids, p_reason, p_note }) => [ids, p_reason, p_note])).toEqual([
      [['s3', 's4'], 'duplicate', 'Same picture twice'],
      [['s2'], undefined, 'Approved by project owner'],
    ]);
    await user.keyboard('o');
    expect(screen.getByRole('dialog', { name: 'Submission Details' })).toBeInTheDocument();
  });

  it('do nothing while typing, in a dialog or with a modifier key', async () => {
    const { user, sent } = await show(2);
    await user.keyboard('j');
    await user.keyboard('{Control>}a{/Control}{Alt>}a{/Alt}{Meta>}a{/Meta}');
    await user.keyboard('o');
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'a' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(box(1)).toHaveFocus());
    await user.keyboard('r');
    await user.type(screen.getByLabelText('Note (optional)'), 'a raja');
    expect(screen.getByLabelText('Note (optional)')).toHaveValue('a raja');
    await user.keyboard('{Escape}');
    await hidePage();
    expect(sent()).toEqual([]);
  });

  it('are listed by ?, and can be turned off permanently', async () => {
    const { user } = await show(2);
    await user.keyboard('?');
    const help = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(within(help).getByText('Approve it, or all selected ones')).toBeInTheDocument();
    await user.click(within(help).getByRole('checkbox', { name: 'Use single-key shortcuts' }));
    await user.keyboard('{Escape}ja?');
    expect(screen.queryByText('1 submission approved')).not.toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(localStorage.getItem('questboard.review-shortcuts')).toBe('off');
    await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    await user.click(screen.getByRole('checkbox', { name: 'Use single-key shortcuts' }));
    await user.keyboard('{Escape}j');
    expect(box(1)).toHaveFocus();
  });
});

it('SUBM-09 the focus moves to the next pending one after Approve', async () => {
  const { user } = await show(3);
  const approve = (number: number) => within(row(number)).getByRole('button', { name: 'Approve' });
  approve(1).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(approve(2)).toHaveFocus());
  approve(3).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(approve(2)).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(within(row(2)).getByRole('button', { name: 'View' })).toHaveFocus());
});

it('SUBM-05 sorts on the server, in the address, and announces it to assistive technology', async () => {
  const { user, router } = await show(2);
  const header = (name: string) => screen.getByRole('columnheader', { name });
  // Pending ones first, oldest first.
  expect(header('Status')).toHaveAttribute('aria-sort', 'ascending');
  const asked = () =>
    new URL(
      String(
        vi
          .mocked(fetch)
          .mock.calls.map(([input]) => input)
          .findLast((input) => String(input).includes('list_review')),
      ),
    ).searchParams.get('p_sort');
  for (const [name, search, sort] of [
    ['Status', '?sort=-status', '-status'],
    ['Task', '?sort=task', 'task'],
    ['Member', '?sort=member', 'member'],
    ['Member', '?sort=-member', '-member'],
    ['Submitted', '?sort=oldest', 'oldest'],
    ['Submitted', '?sort=newest', 'newest'],
  ] as const) {
    await user.click(within(header(name)).getByRole('button', { name }));
    expect(router.state.location.search).toBe(search);
    await waitFor(() => expect(asked()).toBe(sort));
  }
  expect(header('Submitted')).toHaveAttribute('aria-sort', 'descending');
  expect(header('Status')).not.toHaveAttribute('aria-sort');
});
