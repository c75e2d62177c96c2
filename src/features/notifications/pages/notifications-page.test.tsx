import { screen, waitFor } from '@testing-library/react';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import type { Notification } from '../queries';
import { notificationRow } from '../testing';
import NotificationsPage from './notifications-page';

/** Notifications 1 to `count`, the even ones unread. */
const inbox = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = count - index;
    return notificationRow({
      id,
      cursor: `after-${id}`,
      data: { campaign_id: 'q1', task: `Task ${id}`, points: 5 },
      read_at: id % 2 === 0 ? null : '2026-02-02T00:00:00Z',
    });
  });

/** Filters and paginates like the procedure. */
function answer(rows: Notification[]) {
  return ({ params }: ApiCall) => {
    const after = params.get('p_cursor');
    const kept = rows.filter(({ read_at }) => params.get('p_only_unread') !== 'true' || read_at === null);
    const start = after === null ? 0 : kept.findIndex(({ cursor }) => cursor === after) + 1;
    return kept.slice(start, start + Number(params.get('p_limit')));
  };
}

function setUp(rows: Notification[], path = '/notifications') {
  const api = fakeApi({
    'rpc get_unread_notification_count': rows.filter(({ read_at }) => read_at === null).length,
    'rpc list_notifications': answer(rows),
    'rpc mark_all_notifications_read': undefined,
  });
  const page = (
    <main id="main" tabIndex={-1}>
      <NotificationsPage />
    </main>
  );
  return { ...renderApp(page, { identity: signedIn(), path }), api };
}

const lines = () => screen.queryAllByRole('listitem').length;

it('BEY-03 shows all of them page by page', async () => {
  const { user } = setUp(inbox(45));
  await waitFor(() => expect(lines()).toBe(20));
  await user.click(screen.getByRole('button', { name: 'Show older notifications' }));
  await waitFor(() => expect(lines()).toBe(40));
  await user.click(screen.getByRole('button', { name: 'Show older notifications' }));
  await waitFor(() => expect(lines()).toBe(45));
  expect(screen.getAllByRole('listitem').at(-1)).toHaveTextContent('Task 1');
  expect(screen.queryByRole('button', { name: 'Show older notifications' })).not.toBeInTheDocument();
});

it('BEY-03 filters unread ones, and keeps the filter in the address', async () => {
  const { user, router } = setUp(inbox(5));
  await waitFor(() => expect(lines()).toBe(5));
  await user.click(screen.getByRole('tab', { name: 'Unread (2)' }));
  await waitFor(() => expect(lines()).toBe(2));
  expect(router.state.location.search).toBe('?show=unread');
});

it('BEY-03 marks all as read up to the newest one shown', async () => {
  const { user, api } = setUp(inbox(5));
  await user.click(await screen.findByRole('button', { name: 'Mark all read' }));
  await waitFor(() =>
    expect(api.calls.find(({ path }) => path === 'rpc/mark_all_notifications_read')?.body).toEqual({ p_up_to: 5 }),
  );
});

it('keeps the focus on the page when all is read and the button has gone', async () => {
  const rows = inbox(5);
  const { user, api } = setUp(rows);
  const button = await screen.findByRole('button', { name: 'Mark all read' });
  api.routes['rpc get_unread_notification_count'] = 0;
  await user.click(button);
  await waitFor(() => expect(button).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

it('an empty inbox invites to the quests, one without unread ones says so', async () => {
  const { unmount } = setUp([]);
  expect(await screen.findByRole('heading', { name: 'Nothing yet' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Explore the board' })).toHaveAttribute('href', '/browse');
  expect(screen.queryByRole('button', { name: 'Mark all read' })).not.toBeInTheDocument();
  unmount();
  const { user } = setUp(inbox(1), '/notifications?show=unread');
  expect(await screen.findByRole('heading', { name: 'You have read everything' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(lines()).toBe(1));
});
