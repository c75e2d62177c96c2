import { act, screen, waitFor } from '@testing-library/react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp } from '@/lib/testing/render';
import { MailingListForm } from './mailing-list-form';

function setUp(answer: unknown = 'active') {
  const api = fakeApi({ 'rpc subscribe_to_mailing_list': answer });
  const view = renderApp(<MailingListForm />);
  return {
    ...view,
    api,
    field: screen.getByRole('textbox', { name: /by email/ }),
    button: screen.getByRole('button', { name: 'Subscribe' }),
  };
}

describe('newsletter form', () => {
  it('MAIL-01 requires an email', async () => {
    const { api, user, button, field } = setUp();
    await user.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('Please enter your email');
    await user.type(field, 'nobody');
    await user.click(button);
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid email address');
    expect(api.calls).toEqual([]);
  });

  it('MAIL-01 subscribes email, source and metadata, and confirms for 3 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api, user, field, button } = setUp();
    await user.type(field, ' ada@example.org ');
    await user.click(button);
    expect(await screen.findByText(/Subscribed/)).toBeInTheDocument();
    expect(api.calls.map(({ body }) => body)).toEqual([
      {
        p_email: 'ada@example.org',
        p_source: 'website',
        p_metadata: { page_url: `${window.location.origin}/`, timestamp: expect.any(String) },
      },
    ]);
    expect(field).toHaveValue('');
    act(() => void vi.advanceTimersByTime(2600));
    expect(screen.getByText(/Subscribed/)).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(500));
    expect(screen.queryByText(/Subscribed/)).not.toBeInTheDocument();
  });

  it('C-82 MAIL-01 asks a visitor to check their mail, and keeps showing that a step is left', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, field, button } = setUp('confirm');
    await user.type(field, 'ada@example.org');
    await user.click(button);
    expect(await screen.findByRole('status')).toHaveTextContent('Check your email: press the link in it to confirm.');
    expect(screen.queryByText(/Subscribed/)).not.toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(3100));
    expect(screen.getByRole('status')).toHaveTextContent('You are on the list once you press the link that we sent.');
    // Nothing is sent to an address that is on the list or was written to a moment ago, and the answer must not tell which.
    expect(screen.getByRole('status')).toHaveTextContent(
      'No email? Then an earlier one has the link, or you are on it already.',
    );
    await user.type(field, 'bob');
    await user.click(button);
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it('MAIL-01 ignores a second submit while one is in flight', async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const { api, user, field, button } = setUp(() => new Promise((resolve) => (answer = resolve)));
    await user.type(field, 'ada@example.org');
    await user.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
    await user.click(button);
    await user.type(field, '{Enter}');
    expect(api.calls).toHaveLength(1);
    act(() => answer('active'));
    expect(await screen.findByText(/Subscribed/)).toBeInTheDocument();
  });

  it('MAIL-01 a failure is shown and keeps the address', async () => {
    const { user, field, button } = setUp(refuse(500, null, 'down'));
    await user.type(field, 'ada@example.org');
    await user.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to subscribe. Please try again.');
    expect(field).toHaveValue('ada@example.org');
  });

  it('C-99 MAIL-01 without any answer, nothing is called failed, and the address stays', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, field, button } = setUp(offline());
    await user.type(field, 'ada@example.org');
    await user.click(button);
    await act(() => vi.advanceTimersByTimeAsync(3100));
    expect(await screen.findByRole('alert')).toHaveTextContent('We could not confirm whether it went through.');
    expect(field).toHaveValue('ada@example.org');
  });

  it('MAIL-01 a limit is named, because trying again does not help against it', async () => {
    const answer = refuse(
      429,
      'VISITORS_LIMITED',
      'Too many visitors are writing right now. Please sign in, or try again later.',
    );
    const { user, field, button } = setUp(answer);
    await user.type(field, 'ada@example.org');
    await user.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('Please sign in, or try again later.');
  });
});
