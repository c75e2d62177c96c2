import { act, screen, waitFor, within } from '@testing-library/react';
import { use, useState } from 'react';
import { setAnalytics } from '@/lib/analytics';
import { AuthContext, type Identity } from '@/lib/auth/session';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { FeedbackProvider, FeedbackTab } from './feedback-tab';

async function openDialog(answer: unknown = 'feedback-1', identity: Identity = signedOut) {
  const api = fakeApi({ 'rpc submit_beta_feedback': answer });
  const tab = (
    <FeedbackProvider>
      <FeedbackTab />
    </FeedbackProvider>
  );
  const view = renderApp(tab, { identity });
  await view.user.click(screen.getByRole('button', { name: 'Share Feedback' }));
  const dialog = await screen.findByRole('dialog', { name: 'Beta Feedback' });
  return { ...view, api, dialog: within(dialog), send: () => screen.getByRole('button', { name: 'Send feedback' }) };
}

/** A member's visit, until somebody else is there. */
function Visit({ next }: { next: Identity }) {
  const [identity, setIdentity] = useState<Identity>(signedIn());
  return (
    <AuthContext value={{ ...use(AuthContext), identity }}>
      <FeedbackProvider>
        <FeedbackTab />
      </FeedbackProvider>
      <button type="button" onClick={() => setIdentity(next)}>
        Leave
      </button>
    </AuthContext>
  );
}

afterEach(() => {
  setAnalytics(null);
});

describe('beta feedback', () => {
  it('FEED-01 the Share Feedback button opens the dialog, which thanks the sender and closes itself after 2 seconds', async () => {
    const { user, dialog, send } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'Nice board');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await user.click(send());
    expect(await screen.findByRole('status')).toHaveTextContent('Thank you');
    act(() => void vi.advanceTimersByTime(1700));
    expect(screen.getByRole('dialog')).toBeInTheDocument();
    act(() => void vi.advanceTimersByTime(400));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Share Feedback' }));
    expect(await screen.findByRole('textbox', { name: /Your feedback/ })).toHaveValue('');
  });

  it('FEED-02 requires text and sends nothing without it', async () => {
    const { user, api, dialog, send } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), '   ');
    await user.click(send());
    expect(await dialog.findByText('Please enter your feedback')).toBeInTheDocument();
    expect(api.calls).toEqual([]);
  });

  it('FEED-02 FEED-03 sends trimmed text, type and title; rating and email are optional and the rating can be cleared', async () => {
    const { user, api, dialog, send } = await openDialog();
    await user.click(dialog.getByRole('radio', { name: 'Feature' }));
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), '  A dark board  ');
    await user.click(dialog.getByRole('radio', { name: '4 stars: Very Good' }));
    await user.click(dialog.getByRole('button', { name: 'Clear rating' }));
    await user.click(send());
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(api.calls[0]?.body).toEqual({
      p_type: 'feature',
      p_title: 'Feature Request',
      p_description: 'A dark board',
    });
  });

  it("FEED-03 a member's address is prefilled and sent with the rating", async () => {
    const { user, api, dialog, send } = await openDialog('feedback-1', signedIn());
    await user.click(dialog.getByRole('radio', { name: 'Bug' }));
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'It blinks');
    await user.click(dialog.getByRole('radio', { name: '2 stars: Fair' }));
    await user.click(send());
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(api.calls[0]?.body).toEqual({
      p_type: 'bug',
      p_title: 'Bug Report',
      p_description: 'It blinks',
      p_rating: 2,
      p_email: 'member@example.org',
    });
  });

  it('FEED-03 two presses before the first is rendered send it once', async () => {
    const { user, api, dialog, send } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'Nice board');
    const form = send().closest('form');
    act(() => {
      form?.requestSubmit();
      form?.requestSubmit();
    });
    expect(await screen.findByRole('status')).toHaveTextContent('Thank you');
    expect(api.calls).toHaveLength(1);
  });

  it('FEED-05 a failure is shown and keeps the text', async () => {
    const { user, dialog, send } = await openDialog(refuse(500, null, 'down'));
    const text = dialog.getByRole('textbox', { name: /Your feedback/ });
    await user.type(text, 'Nice board');
    await user.click(send());
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to submit feedback. Please try again.');
    expect(text).toHaveValue('Nice board');
  });

  it.each([
    ['a visitor without an address is told what sending again may do', signedOut, 'it may arrive twice', 1],
    ['a member, that it counts once', signedIn(), 'it counts only once', 4],
  ])('C-99 without any answer, nothing is called failed: %s', async (_, identity, sentence, calls) => {
    const { user, api, dialog, send } = await openDialog(offline(), identity);
    const text = dialog.getByRole('textbox', { name: /Your feedback/ });
    await user.type(text, 'Nice board');
    await user.click(send());
    expect(await dialog.findByRole('alert')).toHaveTextContent(sentence);
    expect(api.calls).toHaveLength(calls);
    expect(text).toHaveValue('Nice board');
  });

  it('FEED-05 a limit is named, because trying again does not help against it', async () => {
    const answer = refuse(
      429,
      'VISITORS_LIMITED',
      'Too many visitors are writing right now. Please sign in, or try again later.',
    );
    const { user, dialog, send } = await openDialog(answer);
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'Nice board');
    await user.click(send());
    expect(await dialog.findByRole('alert')).toHaveTextContent('Please sign in, or try again later.');
  });

  it('FEED-05 stays open while it is being sent, so that a failure is seen', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { user, api, dialog, send } = await openDialog(() => answer.promise);
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'Nice board');
    await user.click(send());
    await waitFor(() => expect(api.calls).toHaveLength(1));
    const text = dialog.getByRole('textbox', { name: /Your feedback/ });
    // Nor can more be typed, which would be neither sent nor kept.
    await user.type(text, ' and more');
    expect(text).toHaveValue('Nice board');
    await user.keyboard('{Escape}');
    answer.resolve(refuse(500, null, 'down'));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to submit feedback. Please try again.');
    await user.type(text, ' and more');
    expect(text).toHaveValue('Nice board and more');
  });

  it('keeps unsent text when the dialog is closed', async () => {
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'Half a');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Share Feedback' }));
    expect(await screen.findByRole('textbox', { name: /Your feedback/ })).toHaveValue('Half a');
  });

  it.each([
    ['signed out', signedOut, ''],
    [
      'given way to somebody else',
      signedIn('community', { userId: 'user_2', email: 'two@example.org' }),
      'two@example.org',
    ],
  ])('what a member typed is gone, and their address, when they have %s', async (_, next, email) => {
    const { user } = renderApp(<Visit next={next} />);
    const open = () => user.click(screen.getByRole('button', { name: 'Share Feedback' }));
    await open();
    await user.type(await screen.findByRole('textbox', { name: /Your feedback/ }), 'My own');
    expect(screen.getByRole('textbox', { name: /Email/ })).toHaveValue('member@example.org');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    await open();
    expect(await screen.findByRole('textbox', { name: /Your feedback/ })).toHaveValue('');
    expect(screen.getByRole('textbox', { name: /Email/ })).toHaveValue(email);
  });

  it('ANA-03 sent feedback is reported as an event, failed feedback is not', async () => {
    const track = vi.fn();
    setAnalytics(({ name, data }) => track(name, data));
    const { user, api, dialog, send } = await openDialog(refuse(500, null, 'down'));
    await user.type(dialog.getByRole('textbox', { name: /Your feedback/ }), 'Nice board');
    await user.click(send());
    await dialog.findByRole('alert');
    expect(track).not.toHaveBeenCalled();
    api.routes['rpc submit_beta_feedback'] = 'feedback-1';
    await user.click(send());
    await screen.findByRole('status');
    expect(track).toHaveBeenCalledExactlyOnceWith('beta_feedback', { label: 'general', value: null });
  });
});
