import { screen } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import MailTab from './mail-tab';
import type { OutboxEvent } from './queries';

const givenUp: OutboxEvent = {
  id: 7,
  type: 'AccountSuspended',
  user_id: 'user_robin',
  username: 'robin',
  attempts: 8,
  last_error: 'Resend answered 422',
  created_at: '2026-02-01T10:00:00Z',
  processed_at: null,
  next_attempt_at: '2026-02-02T10:00:00Z',
  payload: {},
  failed_at: '2026-02-02T10:00:00Z',
  cursor: 'cursor-1',
};

it('a mail that another admin has tried again meanwhile leaves the list of those that failed', async () => {
  const api = fakeApi({
    'rpc admin_list_outbox': [givenUp],
    'rpc requeue_outbox_event': refuse(409, 'EVENT_NOT_FAILED', 'Only an event that has failed can be tried again'),
  });
  const { user } = renderApp(<MailTab />, { identity: signedIn('admin'), path: '/admin?tab=mail' });
  const again = await screen.findByRole('button', { name: 'Try again' });
  api.routes['rpc admin_list_outbox'] = [];
  await user.click(again);
  expect(await screen.findByText(/Only an event that has failed/)).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'No failed mails' })).toBeInTheDocument();
});

it('keeps the focus on the button that has tried all of them again, which then does nothing', async () => {
  const api = fakeApi({ 'rpc admin_list_outbox': [givenUp] });
  const { user } = renderApp(<MailTab />, { identity: signedIn('admin'), path: '/admin?tab=mail' });
  await screen.findByRole('table');
  api.routes['rpc requeue_failed_events'] = () => {
    api.routes['rpc admin_list_outbox'] = [];
    return 1;
  };
  await user.click(screen.getByRole('button', { name: 'Try all again' }));
  expect(await screen.findByRole('heading', { name: 'No failed mails' })).toBeInTheDocument();
  const again = screen.getByRole('button', { name: 'Try all again' });
  expect(again).toHaveFocus();
  expect(again).toHaveAttribute('aria-disabled', 'true');
  await user.click(again);
  expect(api.calls.filter(({ path }) => path === 'rpc/requeue_failed_events')).toHaveLength(1);
});

it('C-99 mails that a lost call has tried again leave the list of those that failed', async () => {
  const api = fakeApi({ 'rpc admin_list_outbox': [givenUp] });
  const { user } = renderApp(<MailTab />, { identity: signedIn('admin'), path: '/admin?tab=mail' });
  const again = await screen.findByRole('button', { name: 'Try all again' });
  api.routes['rpc requeue_failed_events'] = () => {
    api.routes['rpc admin_list_outbox'] = [];
    return offline();
  };
  await user.click(again);
  expect(await screen.findByText(/it may have gone through/)).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'No failed mails' })).toBeInTheDocument();
});
