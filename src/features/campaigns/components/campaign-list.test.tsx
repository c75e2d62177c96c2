import { screen, waitFor, within } from '@testing-library/react';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { campaign, startupId } from '../testing';
import { CampaignList } from './campaign-list';

const noEmails = () => new Response(null, { headers: { 'content-range': '*/0' } });
const emailsCounted = (count: number) => () => new Response(null, { headers: { 'content-range': `0-0/${count}` } });

function open(routes: Record<string, unknown>, canCreate = true) {
  const api = fakeApi({ 'HEAD campaign_email_collections': noEmails, ...routes });
  const element = <CampaignList startupId={startupId} canCreate={canCreate} />;
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
  api.routes['GET campaigns'] = [campaign()];
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Test our app' })).toBeVisible();
});

test('SDASH-07 a draft is published and the list is read again', async () => {
  const { user, api } = open({ 'GET campaigns': [campaign({ status: 'draft' })], 'rpc publish_campaign': campaign() });
  const publish = await screen.findByRole('button', { name: 'Publish' });
  api.routes['GET campaigns'] = [campaign()];
  await user.click(publish);
  expect(await screen.findByText('Published')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Publish' })).not.toBeInTheDocument();
});

test('SDASH-07 publishing is told although its button is gone before everything is read again', async () => {
  const draft = campaign({ title: 'Second wave', status: 'draft', collect_emails: true });
  const { user, api } = open({ 'GET campaigns': [draft], 'rpc publish_campaign': campaign() });
  const publish = await screen.findByRole('button', { name: 'Publish' });
  api.routes['GET campaigns'] = [{ ...draft, status: 'published' }];
  const emails = Promise.withResolvers<Response>();
  api.routes['HEAD campaign_email_collections'] = () => emails.promise;
  await user.click(publish);
  await waitFor(() => expect(publish).not.toBeInTheDocument());
  expect(screen.queryByText(/Second wave.* is live/)).not.toBeInTheDocument();
  emails.resolve(noEmails());
  expect(await screen.findByText('“Second wave” is live')).toBeVisible();
});

test('SDASH-07 a failed publishing says why', async () => {
  const { user } = open({
    'GET campaigns': [campaign({ status: 'draft' })],
    'rpc publish_campaign': refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance'),
  });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Failed to publish campaign: Insufficient points balance')).toBeVisible();
});

test('SDASH-08 a live quest shows its four figures and leads to its submissions', async () => {
  open({
    'GET campaigns': [campaign({ participant_count: 7, submission_count: 9, approved_count: 6, pending_count: 3 })],
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
    `/startup/campaigns/${campaign().id}/submissions`,
  );
});

test('SDASH-08 Download Emails is there only when there are some', async () => {
  const { api } = open({ 'GET campaigns': [campaign({ collect_emails: true })] });
  await screen.findByRole('heading', { name: 'Test our app' });
  await waitFor(() => expect(api.calls.some((call) => call.method === 'HEAD')).toBe(true));
  expect(screen.queryByRole('button', { name: 'Download Emails' })).not.toBeInTheDocument();
});

test('SDASH-09 the e-mails come as a file with their name; when none are left it says so', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  URL.createObjectURL = () => 'blob:emails';
  const { user, api } = open({
    'GET campaigns': [campaign({ collect_emails: true, title: 'Beta Wave #2' })],
    'HEAD campaign_email_collections': emailsCounted(1),
    'GET campaign_email_collections': [{ id: 'e1', email: 'robin@example.org', collected_at: '2026-02-03T00:00:00Z' }],
  });
  const button = await screen.findByRole('button', { name: 'Download Emails' });
  await user.click(button);
  await waitFor(() => expect(click).toHaveBeenCalled());
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('beta_wave__2_emails.csv');
  api.routes['GET campaign_email_collections'] = [];
  await user.click(button);
  expect(await screen.findByText('No emails collected for this campaign yet.')).toBeVisible();
});

test('RULE-13 a live quest is taken back to draft, or closed after asking', async () => {
  const { user, api } = open({
    'GET campaigns': [campaign()],
    'rpc unpublish_campaign': campaign({ status: 'draft' }),
    'rpc close_campaign': campaign({ status: 'closed' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Close “Test our app”?' });
  api.routes['GET campaigns'] = [campaign({ status: 'closed', closed_at: '2026-01-08T00:00:00Z' })];
  await user.click(within(dialog).getByRole('button', { name: 'Close quest' }));
  expect(await screen.findByText('Closed')).toBeVisible();
  expect(api.calls.find((call) => call.path === 'rpc/close_campaign')?.body).toEqual({ p_campaign_id: campaign().id });
});

test('C-25 a quest on hold shows the reason and cannot be published', async () => {
  open({
    'GET campaigns': [
      campaign({ status: 'draft', hold_reason: 'Misleading link', held_by: 'a', held_at: '2026-01-07T00:00:00Z' }),
    ],
  });
  expect(await screen.findByText('Misleading link')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Publish' })).toBeDisabled();
});
