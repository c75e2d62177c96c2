import { act, screen, waitFor, within } from '@testing-library/react';
import type { Role } from '@/lib/role';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, requestsSent, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { notificationQueries } from '../queries';
import { notificationRow } from '../testing';
import { NotificationBell } from './notification-bell';

const rejected = notificationRow({
  id: 7,
  kind: 'proof_rejected',
  type: 'SubmissionRejected',
  data: { campaign_id: 'q2', task: 'Read the guide', project: 'Acme', reason: 'The proof is incomplete.' },
});

function setUp({
  unread = 2,
  rows = [rejected, notificationRow({ read_at: '2026-02-01T13:00:00Z' })],
  role = 'community' as Role,
} = {}) {
  const api = fakeApi({
    'rpc get_unread_notification_count': unread,
    'rpc list_notifications': rows,
    'rpc mark_notification_read': undefined,
    'rpc mark_all_notifications_read': undefined,
    'rpc switch_role': profileRow({ role: 'startup_verified' }),
  });
  const view = renderApp(<NotificationBell />, { identity: signedIn(role), path: '/browse' });
  const countAgain = (next: number) => {
    api.routes['rpc get_unread_notification_count'] = next;
    return act(() => view.queryClient.invalidateQueries({ queryKey: notificationQueries.keys.unread('user_test') }));
  };
  /** Waits for all responses: one that arrived between the end of a test and its clean-up would fail it. */
  const settled = () =>
    waitFor(() => expect([view.queryClient.isFetching(), view.queryClient.isMutating()]).toEqual([0, 0]));
  return { ...view, api, countAgain, settled };
}

const bell = (name: string | RegExp) => screen.findByRole('button', { name });

it.each([
  [0, 'Notifications', ''],
  [1, 'Notifications, 1 unread', '1'],
  [99, 'Notifications, 99 unread', '99'],
  [100, 'Notifications, more than 99 unread', '99+'],
])('BEY-03 the bell shows the number of unread notifications: %s', async (unread, name, badge) => {
  const { settled } = setUp({ unread });
  const button = await bell(name);
  await settled();
  expect(button).toHaveTextContent(new RegExp(`^${badge.replace('+', '\\+')}$`));
});

it('BEY-03 what was read in another tab is no longer counted on returning to this one', async () => {
  const { api, queryClient, settled } = setUp({ unread: 2 });
  queryClient.setDefaultOptions({ queries: { staleTime: 30_000 } });
  await bell('Notifications, 2 unread');
  api.routes['rpc get_unread_notification_count'] = 0;
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await bell('Notifications');
  await settled();
});

it('BEY-03 a screen reader announces an increase, but neither the first count nor a decrease', async () => {
  const { countAgain } = setUp({ unread: 2 });
  await bell('Notifications, 2 unread');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  await countAgain(3);
  await bell('Notifications, 3 unread');
  expect(screen.getByRole('status')).toHaveTextContent('You have 3 unread notifications');
  await countAgain(1);
  await bell('Notifications, 1 unread');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('BEY-03 opens the latest; a notification links to its subject and is marked read', async () => {
  const { user, api, router } = setUp();
  await user.click(await bell('Notifications, 2 unread'));
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }));
  const [first, second] = await panel.findAllByRole('listitem');
  expect(first).toHaveTextContent('Unread: Your proof for “Read the guide” was not accepted. You can send a new one.');
  expect(first).toHaveTextContent('Acme: The proof is incomplete.');
  expect(second).not.toHaveTextContent('Unread');
  expect(panel.getByRole('link', { name: 'See all notifications' })).toHaveAttribute('href', '/notifications');

  await user.click(within(first as HTMLElement).getByRole('link'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/community/quest/q2'));
  expect(api.calls.find(({ path }) => path === 'rpc/mark_notification_read')?.body).toEqual({ p_notification_id: 7 });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('a read notification is not marked again', async () => {
  const { user, api, router } = setUp({ rows: [notificationRow({ read_at: '2026-02-01T13:00:00Z' })] });
  await user.click(await bell('Notifications, 2 unread'));
  await user.click(await screen.findByRole('link', { name: /Your proof for “Try it”/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/community/quest/q1'));
  expect(api.calls.some(({ path }) => path === 'rpc/mark_notification_read')).toBe(false);
});

describe('a project notification', () => {
  const waiting = notificationRow({
    kind: 'proofs_waiting',
    type: 'ProofsWaiting',
    data: { campaign_id: 'q1', quest: 'Tour' },
    waiting: 3,
  });

  it.each([
    ['community', true],
    ['startup_verified', false],
  ] as const)('BEY-03 opens for %s on the project’s side', async (role, switches) => {
    const { user, api, router, settled } = setUp({ rows: [waiting], role });
    await user.click(await bell(/Notifications/));
    await user.click(await screen.findByRole('link', { name: /3 proofs of “Tour” are waiting/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/startup/campaigns/q1/submissions'));
    await settled();
    expect(api.calls.some(({ path }) => path === 'rpc/switch_role')).toBe(switches);
  });

  it('carries nobody away who has gone elsewhere while the side was being switched', async () => {
    const { user, api, router, settled } = setUp({ rows: [waiting], role: 'community' });
    const answer = Promise.withResolvers<unknown>();
    api.routes['rpc switch_role'] = () => answer.promise;
    await user.click(await bell(/Notifications/));
    await user.click(await screen.findByRole('link', { name: /3 proofs of “Tour” are waiting/ }));
    await act(() => router.navigate('/rewards'));
    answer.resolve(profileRow({ role: 'startup_verified' }));
    await settled();
    await requestsSent();
    expect(router.state.location.pathname).toBe('/rewards');
  });
});

it('BEY-03 marks all as read up to the newest one', async () => {
  const { user, api } = setUp();
  await user.click(await bell('Notifications, 2 unread'));
  await user.click(await screen.findByRole('button', { name: 'Mark all read' }));
  await waitFor(() =>
    expect(api.calls.find(({ path }) => path === 'rpc/mark_all_notifications_read')?.body).toEqual({ p_up_to: 7 }),
  );
});

it('keeps the focus in the panel when all is read and the button has gone', async () => {
  const { user, api } = setUp();
  await user.click(await bell('Notifications, 2 unread'));
  const button = await screen.findByRole('button', { name: 'Mark all read' });
  api.routes['rpc get_unread_notification_count'] = 0;
  await user.click(button);
  await waitFor(() => expect(button).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('dialog', { name: 'Notifications' })).toHaveFocus());
});

it('TRUST-14 a list that failed to load says so, not that it is empty', async () => {
  const { user, api } = setUp({ rows: [] });
  api.routes['rpc list_notifications'] = refuse(400, 'INVALID_LIMIT', 'Please ask for 1 to 100 rows');
  await user.click(await bell('Notifications, 2 unread'));
  expect(await screen.findByText('Your notifications could not be loaded')).toBeVisible();
  expect(screen.queryByText(/Nothing yet/)).not.toBeInTheDocument();
  api.routes['rpc list_notifications'] = [];
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/Nothing yet/)).toBeVisible();
});

it('an idle member costs one request every 30 s, for the count only, until the bell is opened', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { api, user } = setUp();
  const button = await bell('Notifications, 2 unread');
  await act(() => vi.advanceTimersByTimeAsync(100_000));
  const asked = api.calls.map(({ path }) => path);
  expect(new Set(asked)).toEqual(new Set(['rpc/get_unread_notification_count']));
  expect(asked.length).toBeGreaterThanOrEqual(1 + 3);
  expect(asked.length).toBeLessThanOrEqual(1 + 3 + 1);
  await user.click(button);
  await screen.findByRole('dialog', { name: 'Notifications' });
  await waitFor(() => expect(api.calls.map(({ path }) => path)).toContain('rpc/list_notifications'));
});

it('visitors have no bell, and nothing is requested for them', async () => {
  const api = fakeApi({});
  renderApp(<NotificationBell />, { identity: signedOut });
  await requestsSent();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  expect(api.calls).toEqual([]);
});
