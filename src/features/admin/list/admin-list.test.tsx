import { act, screen, waitFor } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import MailTab from '../mail/mail-tab';
import type { OutboxEvent } from '../mail/queries';

const event = (id: number, overrides: Partial<OutboxEvent> = {}): OutboxEvent => ({
  id,
  type: `Event${'ABCDEF'[id] ?? 'X'}`,
  user_id: 'user_robin',
  username: 'robin',
  payload: {},
  created_at: '2026-02-01T10:00:00Z',
  attempts: 8,
  next_attempt_at: '2026-02-01T10:00:00Z',
  processed_at: null,
  failed_at: '2026-02-01T11:00:00Z',
  last_error: 'MAIL_NOT_SENT',
  cursor: `cursor-${id}`,
  ...overrides,
});
const shown = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent);

const focused = () => document.activeElement as HTMLElement;

async function open(rows: OutboxEvent[]) {
  const api = fakeApi({ 'rpc admin_list_outbox': rows, 'rpc requeue_outbox_event': [{ id: 1 }] });
  const view = renderApp(<MailTab />, { identity: signedIn('admin'), path: '/admin?tab=mail' });
  if (rows.length > 0) await screen.findByRole('table');
  const refresh = () => act(() => view.queryClient.refetchQueries());
  return { ...view, api, refresh };
}

describe('ADMIN-01 a list that refreshes', () => {
  it('does not move by itself: new rows wait until they are requested', async () => {
    const { api, refresh, user } = await open([event(2), event(1)]);
    api.routes['rpc admin_list_outbox'] = [event(3), event(2, { last_error: 'Other reason' }), event(1)];
    await refresh();
    await waitFor(() => expect(screen.getByText('Other reason')).toBeInTheDocument());
    expect(shown()).toEqual(['Event c', 'Event b']);
    await user.click(screen.getByRole('button', { name: 'Show 1 new failed mail' }));
    expect(shown()).toEqual(['Event d', 'Event c', 'Event b']);
  });

  it("shows the effect of the admin's own action at once", async () => {
    const { api, user } = await open([event(2), event(1)]);
    api.routes['rpc admin_list_outbox'] = [event(2)];
    const [, second] = screen.getAllByRole('button', { name: 'Try again' });
    if (!second) throw new Error('no button');
    await user.click(second);
    await waitFor(() => expect(shown()).toEqual(['Event c']));
    expect(api.calls.find(({ path }) => path === 'rpc/requeue_outbox_event')?.body).toEqual({ p_event_id: 1 });
  });

  it('keeps the focus in the list: a row that goes gives it to the next one, the last to the list', async () => {
    const { api, user } = await open([event(3), event(2)]);
    const retry = async (rows: OutboxEvent[]) => {
      api.routes['rpc admin_list_outbox'] = rows;
      screen.getAllByRole('button', { name: 'Try again' })[0]?.focus();
      await user.keyboard('{Enter}');
    };
    await retry([event(2)]);
    await waitFor(() => expect(shown()).toEqual(['Event c']));
    await waitFor(() => expect(screen.getByRole('row', { name: /Event c/ })).toContainElement(focused()));
    await retry([]);
    const empty = await screen.findByText('No failed mails');
    await waitFor(() => expect(focused()).toContainElement(empty));
    expect(focused()).not.toBe(document.body);
  });

  it('a failure goes once the next press has succeeded', async () => {
    const { api, user } = await open([event(1)]);
    for (const [name, procedure, answer, words] of [
      ['Try again', 'rpc requeue_outbox_event', [{ id: 1 }], 'It will be tried again now'],
      ['Try all again', 'rpc requeue_failed_events', 1, '1 mail will be tried again now'],
    ] as const) {
      api.routes[procedure] = refuse(429, 'RATE_LIMITED', 'Rate limit exceeded');
      await user.click(screen.getByRole('button', { name }));
      expect(await screen.findByText(/Failed to try again/)).toBeInTheDocument();
      api.routes[procedure] = answer;
      await user.click(screen.getByRole('button', { name }));
      expect(await screen.findByText(words)).toBeInTheDocument();
      expect(screen.queryByText(/Failed to try again/)).not.toBeInTheDocument();
    }
  });

  it('requeues all dead mails, and says how many', async () => {
    const { api, user } = await open([event(2), event(1)]);
    api.routes['rpc requeue_failed_events'] = 2;
    api.routes['rpc admin_list_outbox'] = [];
    await user.click(screen.getByRole('button', { name: 'Try all again' }));
    expect(await screen.findByText('2 mails will be tried again now')).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Try all again' })).toHaveAttribute('aria-disabled', 'true'),
    );
  });

  it('TRUST-14 keeps its rows when a refresh fails, and says so', async () => {
    const { api, refresh } = await open([event(1)]);
    api.routes['rpc admin_list_outbox'] = offline();
    await refresh();
    expect(await screen.findByText(/Refreshing failed/)).toBeInTheDocument();
    expect(shown()).toEqual(['Event b']);
  });

  it('TRUST-14 shows a failed first read as such, not as empty', async () => {
    fakeApi({ 'rpc admin_list_outbox': offline() });
    renderApp(<MailTab />, { identity: signedIn('admin') });
    expect(await screen.findByText('The failed mails could not be loaded')).toBeInTheDocument();
  });
});
