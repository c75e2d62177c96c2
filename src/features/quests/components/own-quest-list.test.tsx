import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { projectId, questId, questRow } from '../testing/edit-form';
import { OwnQuestList } from './own-quest-list';

const email = {
  id: 'e1',
  campaign_id: questId,
  email: 'robin@example.org',
  collected_at: '2026-02-03T00:00:00Z',
};
const foreignEmail = { ...email, id: 'e2', campaign_id: 'other', email: 'sam@example.org' };

function open(routes: Record<string, unknown>, canCreate = true) {
  const api = fakeApi({ 'GET campaign_email_collections': [foreignEmail], ...routes });
  const element = <OwnQuestList projectId={projectId} canCreate={canCreate} />;
  return { ...renderApp(element, { identity: signedIn('startup_verified') }), api };
}

test('SDASH-06 the empty list offers the first quest to verified projects only', async () => {
  const view = open({ 'GET campaigns': [] });
  expect(await screen.findByRole('link', { name: 'Create Your First Quest' })).toHaveAttribute(
    'href',
    '/startup/campaigns/new',
  );
  view.unmount();
  open({ 'GET campaigns': [] }, false);
  expect(await screen.findByText('No quests yet')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Create Your First Quest' })).not.toBeInTheDocument();
});

test('TRUST-14 a failed read is not shown as an empty list', async () => {
  const { user, api } = open({ 'GET campaigns': refuse(500, null, 'broken') });
  expect(await screen.findByText('Your quests could not be loaded')).toBeVisible();
  expect(screen.queryByText('No quests yet')).not.toBeInTheDocument();
  api.routes['GET campaigns'] = [questRow()];
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Test our app' })).toBeVisible();
});

test('SDASH-07 a draft is published and the list is read again', async () => {
  const { user, api } = open({ 'GET campaigns': [questRow({ status: 'draft' })], 'rpc publish_campaign': questRow() });
  const publish = await screen.findByRole('button', { name: 'Publish' });
  api.routes['GET campaigns'] = [questRow()];
  await user.click(publish);
  expect(await screen.findByText('Published')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Publish' })).not.toBeInTheDocument();
});

test('SDASH-07 publishing is told although its button is gone before everything is read again', async () => {
  const draft = questRow({ title: 'Second wave', status: 'draft', collect_emails: true });
  const { user, api } = open({ 'GET campaigns': [draft], 'rpc publish_campaign': questRow() });
  const publish = await screen.findByRole('button', { name: 'Publish' });
  api.routes['GET campaigns'] = [{ ...draft, status: 'published' }];
  const emails = Promise.withResolvers<object[]>();
  api.routes['HEAD campaign_email_collections'] = () => emails.promise;
  await user.click(publish);
  await waitFor(() => expect(publish).not.toBeInTheDocument());
  expect(screen.queryByText(/Second wave.* is live/)).not.toBeInTheDocument();
  emails.resolve([]);
  expect(await screen.findByText('“Second wave” is live')).toBeVisible();
});

test('SDASH-07 a failed publishing says why', async () => {
  const { user } = open({
    'GET campaigns': [questRow({ status: 'draft' })],
    'rpc publish_campaign': refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance'),
  });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Failed to publish quest: Insufficient points balance')).toBeVisible();
});

test('SDASH-08 a live quest shows its four figures and leads to its submissions', async () => {
  open({
    'GET campaigns': [questRow({ participant_count: 7, submission_count: 9, approved_count: 6, pending_count: 3 })],
  });
  const card = await screen.findByRole('listitem', { name: 'Test our app' });
  const figure = (label: string) => within(card).getByText(label).nextElementSibling?.textContent;
  expect([figure('Participants'), figure('Submissions'), figure('Approved'), figure('Pending')]).toEqual([
    '7',
    '9',
    '6',
    '3',
  ]);
  expect(within(card).getByRole('link', { name: 'View Submissions' })).toHaveAttribute(
    'href',
    `/startup/campaigns/${questRow().id}/submissions`,
  );
});

test('SDASH-08 Download Emails is there only when there are some', async () => {
  const { api } = open({ 'GET campaigns': [questRow({ collect_emails: true })] });
  await screen.findByRole('heading', { name: 'Test our app' });
  await waitFor(() => expect(api.calls.some((call) => call.method === 'HEAD')).toBe(true));
  expect(screen.queryByRole('button', { name: 'Download Emails' })).not.toBeInTheDocument();
});

test('SDASH-09 the e-mails come as a file with their name; when none are left it says so', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const files: Blob[] = [];
  URL.createObjectURL = (file: Blob) => `blob:emails-${files.push(file)}`;
  const { user, api } = open({
    'GET campaigns': [questRow({ collect_emails: true, title: 'Beta Wave #2' })],
    'GET campaign_email_collections': [email, foreignEmail],
  });
  const button = await screen.findByRole('button', { name: 'Download Emails' });
  await user.click(button);
  await waitFor(() => expect(click).toHaveBeenCalled());
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('beta_wave__2_emails.csv');
  const file = await files[0]?.text();
  expect(file).toContain('robin@example.org');
  expect(file).not.toContain('sam@example.org');
  api.routes['GET campaign_email_collections'] = [foreignEmail];
  await user.click(button);
  expect(await screen.findByText('No emails collected for this quest yet.')).toBeVisible();
});

test('RULE-13 a live quest is taken back to draft, with its new status', async () => {
  const other = questRow({ id: 'other', title: 'Another quest', startup_id: 'other' });
  const { user, api } = open({
    'GET campaigns': [questRow(), other],
    'rpc unpublish_campaign': questRow({ status: 'draft' }),
  });
  const unpublish = await screen.findByRole('button', { name: 'Unpublish' });
  expect(screen.getByText('Published')).toBeVisible();
  api.routes['GET campaigns'] = [questRow({ status: 'draft' }), other];
  await user.click(unpublish);
  expect(await screen.findByText('Draft')).toBeVisible();
  expect(screen.queryByText('Published')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Publish' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Unpublish' })).not.toBeInTheDocument();
  const calls = api.calls.filter(({ path }) => path.startsWith('rpc/'));
  expect(calls).toMatchObject([{ path: 'rpc/unpublish_campaign', body: { p_campaign_id: questId } }]);
});

test('RULE-13 a live quest is closed after asking', async () => {
  const { user, api } = open({ 'GET campaigns': [questRow()], 'rpc close_campaign': questRow({ status: 'closed' }) });
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Close “Test our app”?' });
  expect(api.calls.filter(({ path }) => path.startsWith('rpc/'))).toEqual([]);
  api.routes['GET campaigns'] = [questRow({ status: 'closed', closed_at: '2026-01-08T00:00:00Z' })];
  await user.click(within(dialog).getByRole('button', { name: 'Close quest' }));
  expect(await screen.findByText('Closed')).toBeVisible();
  const calls = api.calls.filter(({ path }) => path.startsWith('rpc/'));
  expect(calls).toMatchObject([{ path: 'rpc/close_campaign', body: { p_campaign_id: questId } }]);
});

test('C-25 a quest on hold shows the reason and cannot be published', async () => {
  open({
    'GET campaigns': [
      questRow({ status: 'draft', hold_reason: 'Misleading link', held_by: 'a', held_at: '2026-01-07T00:00:00Z' }),
    ],
  });
  expect(await screen.findByText('Misleading link')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Publish' })).toBeDisabled();
});
