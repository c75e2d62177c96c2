import { screen, waitFor, within } from '@testing-library/react';
import type { Identity } from '@/lib/auth/session';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { ReportButton } from './report-button';

async function openDialog(identity: Identity, answer: unknown = 'feedback-1') {
  const api = fakeApi({ 'rpc submit_beta_feedback': answer });
  const button = <ReportButton what="quest" name="Draw a leaf" path="/browse/quest/quest-1" />;
  const view = renderApp(button, { identity });
  await view.user.click(screen.getByRole('button', { name: 'Report this quest' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Report this quest' }));
  return { ...view, api, dialog, send: () => view.user.click(dialog.getByRole('button', { name: 'Send report' })) };
}

describe('reporting', () => {
  it("sends a member's reason and words with the address of the quest, and their own", async () => {
    const { user, api, dialog, send } = await openDialog(signedIn());
    await send();
    expect(await dialog.findByText('Please choose what is wrong')).toBeInTheDocument();
    expect(dialog.getByLabelText(/In a few words/)).toHaveAccessibleDescription(
      'Please say in a few words what is wrong',
    );
    expect(api.calls).toEqual([]);
    await user.click(dialog.getByRole('radio', { name: 'Asks for passwords, money or private data' }));
    await waitFor(() => expect(dialog.queryByText('Please choose what is wrong')).not.toBeInTheDocument());
    await user.type(dialog.getByLabelText(/In a few words/), ' It wants my bank card. ');
    expect(dialog.queryByLabelText(/Email/)).not.toBeInTheDocument();
    await send();
    expect(await screen.findByText('Thank you. Our admins will look at it.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls.map(({ body }) => body)).toEqual([
      {
        p_type: 'other',
        p_title: 'Report of a quest: Draw a leaf',
        p_description: `Asks for passwords, money or private data\n\nIt wants my bank card.\n\n${window.location.origin}/browse/quest/quest-1`,
        p_email: 'member@example.org',
      },
    ]);
  });

  it('asks visitors for an address, which they may leave out', async () => {
    const { user, api, dialog, send } = await openDialog(signedOut);
    expect(dialog.getByLabelText(/Email/)).toHaveValue('');
    await user.click(dialog.getByRole('radio', { name: 'Something else' }));
    await user.type(dialog.getByLabelText(/In a few words/), 'It is twice on the board');
    await send();
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(api.calls[0]?.body).not.toHaveProperty('p_email');
  });

  it('keeps what was typed when it cannot be sent, and names a limit', async () => {
    const limited = refuse(429, 'RATE_LIMITED', 'Too many requests. Please try again in a minute.');
    const { user, dialog, send } = await openDialog(signedIn(), limited);
    await user.click(dialog.getByRole('radio', { name: 'Misleading or a scam' }));
    await user.type(dialog.getByLabelText(/In a few words/), 'Nothing is paid');
    await send();
    expect(await dialog.findByRole('alert')).toHaveTextContent('Too many requests. Please try again in a minute.');
    expect(dialog.getByLabelText(/In a few words/)).toHaveValue('Nothing is paid');
  });
});
