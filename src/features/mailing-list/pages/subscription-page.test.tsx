import { screen } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp } from '@/lib/testing/render';
import SubscriptionPage from './subscription-page';

function setUp(path: string, answer: unknown = undefined) {
  const [action, procedure] = path.startsWith('/unsubscribe')
    ? (['unsubscribe', 'unsubscribe_from_mailing_list'] as const)
    : (['confirm', 'confirm_mailing_list_subscription'] as const);
  const api = fakeApi({ [`rpc ${procedure}`]: answer });
  return { api, ...renderApp(<SubscriptionPage action={action} />, { path }) };
}

describe('confirmation page', () => {
  it('C-82 subscribes the address by the token of the link, after a press', async () => {
    const { api, user } = setUp('/confirm-subscription?token=abc');
    expect(api.calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Confirm subscription' }));
    expect(await screen.findByRole('heading', { name: 'You are on the list' })).toBeInTheDocument();
    expect(screen.getByRole('status')).toHaveFocus();
    expect(api.calls.map(({ body }) => body)).toEqual([{ p_token: 'abc' }]);
  });

  it('C-82 says when a link is invalid or incomplete', async () => {
    const sentence = 'This link is no longer valid. Please subscribe again.';
    const answer = refuse(404, 'INVALID_CONFIRMATION_TOKEN', sentence);
    const { user, unmount } = setUp('/confirm-subscription?token=abc', answer);
    await user.click(screen.getByRole('button', { name: 'Confirm subscription' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    // Pressing again cannot help.
    expect(screen.queryByRole('button', { name: 'Confirm subscription' })).not.toBeInTheDocument();
    expect(screen.queryByText(/Press the button/)).not.toBeInTheDocument();
    unmount();
    setUp('/confirm-subscription');
    expect(screen.queryByRole('button', { name: 'Confirm subscription' })).not.toBeInTheDocument();
    expect(screen.getByText(/not complete/)).toBeInTheDocument();
  });
});

describe('unsubscribe page', () => {
  it('offers the button again when there was no answer', async () => {
    const { api, user } = setUp('/unsubscribe?token=abc', offline());
    await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByText(/^We could not confirm/)).toBeInTheDocument();
    api.routes['rpc unsubscribe_from_mailing_list'] = undefined;
    await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeInTheDocument();
  });

  it('C-50 unsubscribes by the token of the link, after a press', async () => {
    const { api, user } = setUp('/unsubscribe?token=abc');
    expect(api.calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeInTheDocument();
    expect(api.calls.map(({ body }) => body)).toEqual([{ p_token: 'abc' }]);
  });

  it('says what a refused link may mean: with an account, its links and its subscription are gone', async () => {
    const refusal = refuse(404, 'INVALID_UNSUBSCRIBE_TOKEN', 'This unsubscribe link is not valid');
    const { user } = setUp('/unsubscribe?token=abc', refusal);
    const advice = /If you have deleted your account, we have forgotten your address/;
    expect(screen.queryByText(advice)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByText(advice)).toBeVisible();
  });

  it('says when a link is invalid or incomplete', async () => {
    const sentence = 'This unsubscribe link is not valid';
    const { user, unmount } = setUp('/unsubscribe?token=abc', refuse(404, 'INVALID_UNSUBSCRIBE_TOKEN', sentence));
    await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    unmount();
    setUp('/unsubscribe');
    expect(screen.queryByRole('button', { name: 'Unsubscribe' })).not.toBeInTheDocument();
    expect(screen.getByText(/not complete/)).toBeInTheDocument();
  });
});
