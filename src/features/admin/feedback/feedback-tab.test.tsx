import { act, screen, waitFor, within } from '@testing-library/react';
import * as csv from '@/lib/csv';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import FeedbackTab from './feedback-tab';
import type { Feedback } from './queries';

function feedback(overrides: Partial<Feedback> = {}): Feedback & { cursor: string } {
  return {
    id: 'feedback-1',
    user_id: 'user_robin',
    email: 'robin@example.org',
    type: 'bug',
    title: 'The dialog closes',
    description: '=HYPERLINK("x") on my phone',
    rating: 4,
    status: 'new',
    priority: 'high',
    admin_notes: '',
    created_at: '2026-02-01T10:00:00Z',
    updated_at: '2026-02-02T10:00:00Z',
    cursor: 'cursor-1',
    ...overrides,
  };
}

function open(listed = feedback(), path = '/admin?tab=feedback') {
  const { cursor: _, ...row } = listed;
  const api = fakeApi({
    'rpc admin_list_feedback': [listed],
    'rpc get_beta_feedback_stats': { total: 26, average_rating: 3.04, by_type: { bug: 5, feature: 6 } },
    'rpc update_beta_feedback': {},
    'rpc set_feedback_priority': {},
    'rpc record_admin_export': undefined,
    'GET beta_feedback': [row],
  });
  return { ...renderApp(<FeedbackTab />, { identity: signedIn('admin'), path }), api };
}

async function openDialog(user: ReturnType<typeof open>['user']) {
  await user.click(await screen.findByRole('button', { name: 'View The dialog closes' }));
  return within(await screen.findByRole('dialog', { name: 'Feedback details' }));
}

describe('feedback', () => {
  it('ADMIN-05 requests the first 20 rows and shows type, status and priority', async () => {
    const { api } = open();
    const table = within(await screen.findByRole('table', { name: 'feedback messages' }));
    expect(table.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(
      expect.arrayContaining(['Bug', 'New', 'High']),
    );
    expect(api.calls.find(({ path }) => path === 'rpc/admin_list_feedback')?.params.get('p_limit')).toBe('20');
  });

  it('ADMIN-05 rows with the same title show their text to distinguish them', async () => {
    const { api } = open();
    api.routes['rpc admin_list_feedback'] = [
      feedback({ id: 'f1', title: 'Bug Report', description: 'The dialog closes by itself' }),
      feedback({ id: 'f2', title: 'Bug Report', description: 'My points are not there' }),
    ];
    const table = within(await screen.findByRole('table', { name: 'feedback messages' }));
    const [, first, second] = table.getAllByRole('row');
    expect(first).toHaveTextContent(/^Bug Report.*The dialog closes by itself/);
    expect(second).toHaveTextContent(/^Bug Report.*My points are not there/);
  });

  it('ADMIN-06 the modal shows all details and its three buttons', async () => {
    const { user } = open();
    const dialog = await openDialog(user);
    const { title, description } = feedback();
    for (const text of ['Bug', 'High', 'New', title, description, '4 out of 5', 'robin@example.org', 'user_robin']) {
      expect(dialog.getByText(text, { ignore: 'option' })).toBeInTheDocument();
    }
    expect(dialog.getByText('Created').nextSibling).toHaveTextContent('Feb 1, 2026');
    expect(dialog.getByText('Last updated').nextSibling).toHaveTextContent('Feb 2, 2026');
    const names = dialog.getAllByRole('button').map((button) => button.textContent);
    expect(names).toEqual(expect.arrayContaining(['Close', 'Mark as Reviewed', 'Mark as Resolved']));
  });

  it('links to what was reported on this site, and to no other address', async () => {
    const own = `${window.location.origin}/browse/quest/quest-1`;
    const { user } = open(feedback({ description: `It copies https://elsewhere.example/a.\n\n${own}` }));
    const dialog = await openDialog(user);
    expect(dialog.getByText(/It copies https:\/\/elsewhere/)).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: own })).toHaveAttribute('href', '/browse/quest/quest-1');
    expect(dialog.queryByRole('link', { name: /elsewhere/ })).not.toBeInTheDocument();
  });

  it('C-108 ADMIN-06 sets the priority independently of the status', async () => {
    const { user, api } = open();
    const dialog = await openDialog(user);
    expect(dialog.getByLabelText('Priority')).toHaveDisplayValue('High');
    await user.selectOptions(dialog.getByLabelText('Priority'), 'Urgent');
    expect(await screen.findByText('Priority set to Urgent')).toBeInTheDocument();
    expect(api.calls.find(({ path }) => path === 'rpc/set_feedback_priority')?.body).toEqual({
      p_feedback_id: 'feedback-1',
      p_priority: 'urgent',
    });
    expect(api.calls.some(({ path }) => path === 'rpc/update_beta_feedback')).toBe(false);
  });

  it('ADMIN-06 marks as resolved with the notes, and then as reviewed without sending them again', async () => {
    const { user, api } = open();
    const dialog = await openDialog(user);
    await user.type(dialog.getByLabelText('Notes'), 'Fixed in May');
    await user.click(dialog.getByRole('button', { name: 'Mark as Resolved' }));
    expect(await screen.findByText('Marked as resolved')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Mark as Reviewed' }));
    expect(await screen.findByText('Marked as reviewed')).toBeInTheDocument();
    const sent = api.calls.filter(({ path }) => path === 'rpc/update_beta_feedback').map(({ body }) => body);
    expect(sent).toEqual([
      { p_feedback_id: 'feedback-1', p_status: 'resolved', p_admin_notes: 'Fixed in May' },
      { p_feedback_id: 'feedback-1', p_status: 'reviewed' },
    ]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('ADMIN-06 stays open over feedback that its marking takes out of the filtered list, and shows the new status', async () => {
    const { user, api } = open(feedback(), '/admin?tab=feedback&status=new');
    const dialog = await openDialog(user);
    api.routes['rpc update_beta_feedback'] = feedback({ status: 'reviewed', admin_notes: 'Fixed in May' });
    api.routes['rpc admin_list_feedback'] = [];
    await user.type(dialog.getByLabelText('Notes'), 'Fixed in May');
    await user.click(dialog.getByRole('button', { name: 'Mark as Reviewed' }));
    expect(await screen.findByText('Marked as reviewed')).toBeInTheDocument();
    expect(dialog.getByText('Reviewed')).toBeVisible();
    expect(dialog.getByLabelText('Notes')).toHaveValue('Fixed in May');
    await user.click(dialog.getByRole('button', { name: 'Mark as Resolved' }));
    expect(await screen.findByText('Marked as resolved')).toBeInTheDocument();
  });

  it('asks before it closes with notes that are not saved', async () => {
    const { user } = open();
    const dialog = await openDialog(user);
    await user.type(dialog.getByLabelText('Notes'), 'Fixed in May');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText('Notes')).toHaveValue('Fixed in May');
  });

  it('ADMIN-06 a note that was not touched is not sent, so that it replaces none that is newer', async () => {
    const { user, api } = open(feedback({ admin_notes: 'Known since May' }));
    const dialog = await openDialog(user);
    expect(dialog.getByLabelText('Notes')).toHaveValue('Known since May');
    await user.click(dialog.getByRole('button', { name: 'Mark as Resolved' }));
    expect(await screen.findByText('Marked as resolved')).toBeInTheDocument();
    const sent = api.calls.filter(({ path }) => path === 'rpc/update_beta_feedback').map(({ body }) => body);
    expect(sent).toEqual([{ p_feedback_id: 'feedback-1', p_status: 'resolved' }]);
  });

  it('ADMIN-06 shows a note that another admin has written meanwhile, before it is replaced', async () => {
    const { user, api, queryClient } = open();
    const dialog = await openDialog(user);
    const refresh = async (admin_notes: string) => {
      api.routes['rpc admin_list_feedback'] = [feedback({ admin_notes })];
      await act(() => queryClient.invalidateQueries());
    };
    await refresh('Known since May');
    await waitFor(() => expect(dialog.getByLabelText('Notes')).toHaveValue('Known since May'));
    await user.type(dialog.getByLabelText('Notes'), ', on phones');
    await refresh('Fixed in June');
    expect(await dialog.findByText(/^Another admin has written meanwhile: “Fixed in June”/)).toBeVisible();
    expect(dialog.getByLabelText('Notes')).toHaveValue('Known since May, on phones');
  });

  it('ADMIN-06 says that the update failed', async () => {
    const { user, api } = open();
    api.routes['rpc update_beta_feedback'] = refuse(500, null, 'deadlock detected');
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole('button', { name: 'Mark as Reviewed' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to update feedback status');
  });

  it('C-99 feedback that a lost call has marked has left the list when the dialog is closed', async () => {
    const { user, api } = open();
    api.routes['rpc update_beta_feedback'] = offline();
    const dialog = await openDialog(user);
    api.routes['rpc admin_list_feedback'] = [];
    await user.click(dialog.getByRole('button', { name: 'Mark as Reviewed' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(/it may have gone through/);
    const [close] = dialog.getAllByRole('button', { name: 'Close' });
    await user.click(close as HTMLElement);
    expect(await screen.findByText('No feedback messages yet')).toBeVisible();
  });

  it('ADMIN-05 C-55 exports all feedback as CSV without formulas, and audits the export', async () => {
    const files: { blob: Blob; name: string }[] = [];
    vi.spyOn(csv, 'downloadBlob').mockImplementation((blob, name) => void files.push({ blob, name }));
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Export Feedback' }));
    expect(await screen.findByText('Exported 1 row of feedback')).toBeInTheDocument();
    expect(files[0]?.name).toMatch(/^feedback_\d{4}-\d\d-\d\d\.csv$/);
    const text = await files[0]?.blob.text();
    expect(text).toContain('"user_id","email","type","title","description","rating","status","priority"');
    expect(text).toContain('"\'=HYPERLINK(""x"") on my phone"');
    expect(text).toContain('"2026-02-01"');
    expect(api.calls.find(({ path }) => path === 'rpc/record_admin_export')?.body).toEqual({
      p_what: 'feedback',
      p_rows: 1,
    });
  });

  it('ADMIN-05 says that the export failed', async () => {
    const { user, api } = open();
    api.routes['GET beta_feedback'] = refuse(500, null, 'deadlock detected');
    await user.click(await screen.findByRole('button', { name: 'Export Feedback' }));
    expect(await screen.findByText('Failed to export feedback')).toBeInTheDocument();
  });
});
