import { screen } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp } from '@/lib/testing/render';
import UnsubscribePage from './unsubscribe-page';

function setUp(path: string, answer: unknown = undefined) {
  const api = fakeApi({ 'rpc unsubscribe_from_mailing_list': answer });
  return { api, ...renderApp(<UnsubscribePage />, { path }) };
}

describe('unsubscribe page', () => {
  it('C-50 unsubscribes by the token of the link, after a press', async () => {
    const { api, user } = setUp('/unsubscribe?token=abc');
    expect(api.calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('heading', { name: 'You are unsubscribed' })).toBeInTheDocument();
    expect(api.calls.map(({ body }) => body)).toEqual([{ p_token: 'abc' }]);
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
