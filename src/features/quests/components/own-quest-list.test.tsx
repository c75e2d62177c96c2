import { useQuery } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { pagedRows } from '@/lib/testing/paged-rows';
import { renderApp, signedIn } from '@/lib/testing/render';
import { emailsCsv, emailsFileName } from '../collected-emails';
import { questQueries } from '../queries';
import type { OwnQuest } from '../quest';
import { projectId, questId, questRow } from '../testing/rows';
import { ownQuest } from '../testing/samples';
import { OwnQuestList } from './own-quest-list';

const emails = (rows: object[]) =>
  pagedRows((params) => (params.get('p_campaign_id') === questId ? rows : [{ id: 'e2', email: 'sam@example.org' }]));
const email = { id: 'e1', email: 'robin@example.org', collected_at: '2026-02-03T00:00:00Z' };

function TaskCount() {
  return <p>{useQuery(questQueries.tasks(questId)).data?.length} tasks</p>;
}

function open(routes: Record<string, unknown>, canCreate = true) {
  const api = fakeApi(routes);
  const element = <OwnQuestList projectId={projectId} canCreate={canCreate} />;
  return { ...renderApp(element, { identity: signedIn('startup_verified') }), api };
}

test('SDASH-06 the empty list offers the first quest to verified projects only', async () => {
  const view = open({ 'rpc list_own_quests': [] });
  expect(await screen.findByRole('link', { name: 'Create Your First Quest' })).toHaveAttribute(
    'href',
    '/startup/campaigns/new',
  );
  view.unmount();
  open({ 'rpc list_own_quests': [] }, false);
  expect(await screen.findByText('No quests yet')).toBeVisible();
  expect(screen.queryByText(/Pick a template/)).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Create Your First Quest' })).not.toBeInTheDocument();
});

test('SDASH-06 a poll does not take the empty list away, with the focus on its link', async () => {
  const { api, queryClient } = open({ 'rpc list_own_quests': [] });
  const link = await screen.findByRole('link', { name: 'Create Your First Quest' });
  link.focus();
  const answer = Promise.withResolvers<unknown>();
  api.routes['rpc list_own_quests'] = () => answer.promise;
  void queryClient.refetchQueries();
  await waitFor(() => expect(api.calls).toHaveLength(2));
  expect(link).toHaveFocus();
  answer.resolve([ownQuest()]);
  expect(await screen.findByRole('heading', { name: 'Test our app' })).toBeVisible();
});

test('TRUST-14 a failed read is not shown as an empty list', async () => {
  const { user, api } = open({ 'rpc list_own_quests': refuse(500, null, 'broken') });
  expect(await screen.findByText('Your quests could not be loaded')).toBeVisible();
  expect(screen.queryByText('No quests yet')).not.toBeInTheDocument();
  api.routes['rpc list_own_quests'] = [ownQuest()];
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { name: 'Test our app' })).toBeVisible();
});

test('SDASH-07 a draft is published and the list is refetched', async () => {
  const { user, api } = open({
    'rpc list_own_quests': [ownQuest({ status: 'draft' })],
    'rpc publish_campaign': questRow(),
  });
  const publish = await screen.findByRole('button', { name: 'Publish' });
  api.routes['rpc list_own_quests'] = [ownQuest()];
  await user.click(publish);
  expect(await screen.findByText('Published')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Publish' })).not.toBeInTheDocument();
});

test('SDASH-07 publishing, pausing and closing leave the focus with the quest, whose pressed button goes, and in the window', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  const draft = ownQuest({ status: 'draft' });
  const { user, api } = open({
    'rpc list_own_quests': [ownQuest({ id: 'other', title: 'Another quest' }), draft],
    'rpc publish_campaign': questRow(),
    'rpc unpublish_campaign': questRow(),
    'rpc close_campaign': questRow(),
  });
  const quest = within(await screen.findByRole('listitem', { name: draft.title }));
  const setStatus = (status: OwnQuest['status']) => {
    api.routes['rpc list_own_quests'] = [ownQuest({ id: 'other', title: 'Another quest' }), { ...draft, status }];
  };
  quest.getByRole('button', { name: 'Publish' }).focus();
  setStatus('published');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(quest.getByRole('button', { name: 'Pause' })).toHaveFocus());
  expect(scroll.mock.contexts).toEqual([quest.getByRole('button', { name: 'Pause' })]);
  setStatus('draft');
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Pause quest' }));
  await waitFor(() => expect(quest.getByRole('button', { name: 'Publish' })).toHaveFocus());
  setStatus('published');
  await user.keyboard('{Enter}');
  (await quest.findByRole('button', { name: 'Close' })).focus();
  setStatus('closed');
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Close quest' }));
  await waitFor(() => expect(quest.getByRole('button', { name: 'Publish again' })).toHaveFocus());
});

test('SDASH-07 publishing is announced although its button is another before everything is refetched', async () => {
  const draft = ownQuest({ title: 'Second wave', status: 'draft' });
  const api = fakeApi({
    'rpc list_own_quests': [draft],
    'rpc publish_campaign': questRow(),
    'GET tasks': [],
  });
  const page = (
    <>
      <OwnQuestList projectId={projectId} canCreate />
      <TaskCount />
    </>
  );
  const { user } = renderApp(page, { identity: signedIn('startup_verified') });
  const publish = await screen.findByRole('button', { name: 'Publish' });
  await screen.findByText('0 tasks');
  api.routes['rpc list_own_quests'] = [{ ...draft, status: 'published' }];
  const tasks = Promise.withResolvers<object[]>();
  api.routes['GET tasks'] = () => tasks.promise;
  await user.click(publish);
  await waitFor(() => expect(publish).toHaveTextContent('Pause'));
  expect(screen.queryByText(/Second wave.* is live/)).not.toBeInTheDocument();
  tasks.resolve([]);
  expect(await screen.findByText('“Second wave” is live')).toBeVisible();
});

test('SDASH-07 a failed publish says why', async () => {
  const { user } = open({
    'rpc list_own_quests': [ownQuest({ status: 'draft' })],
    'rpc publish_campaign': refuse(409, 'INSUFFICIENT_POINTS', 'Insufficient points balance'),
  });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Failed to publish quest: Insufficient points balance')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Buy points' })).toHaveAttribute('href', '/startup/billing');
});

test('SDASH-07 a refusal that points cannot lift offers none', async () => {
  const { user } = open({
    'rpc list_own_quests': [ownQuest({ status: 'draft' })],
    'rpc publish_campaign': refuse(409, 'NO_TASKS', 'Add at least one task before publishing'),
  });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('Failed to publish quest: Add at least one task before publishing')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Buy points' })).not.toBeInTheDocument();
});

test('C-99 publishing whose outcome is unknown is not called failed', async () => {
  const { user } = open({
    'rpc list_own_quests': [ownQuest({ status: 'draft' })],
    'rpc publish_campaign': offline(),
    'GET campaigns': offline(),
  });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  // The outcome is looked up three times.
  expect(await screen.findByText(outcomeUnknownSentence)).toBeVisible();
});

test('BEY-07 a published quest with a later start is not called live', async () => {
  const draft = ownQuest({ title: 'Second wave', status: 'draft' });
  const startsAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const { user } = open({
    'rpc list_own_quests': [draft],
    'rpc publish_campaign': questRow({ status: 'published', starts_at: startsAt }),
  });
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  expect(await screen.findByText('“Second wave” is published and starts in 3 days')).toBeVisible();
});

test('BEY-20 the card of a quest that lost its points to a dispute says why it is a draft again', async () => {
  const draft = ownQuest({ status: 'draft', published_at: null });
  const view = open({ 'rpc list_own_quests': [{ ...draft, points_taken_back_at: '2026-02-03T12:00:00Z' }] });
  expect(await screen.findByText('Back to draft: a payment was returned')).toBeVisible();
  expect(screen.getByText(/refunded or disputed, and on Feb 3, 2026 the points/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See your payments' })).toHaveAttribute('href', '/startup/billing');
  view.unmount();
  open({ 'rpc list_own_quests': [draft] });
  expect(await screen.findByRole('button', { name: 'Publish' })).toBeVisible();
  expect(screen.queryByText(/a payment was returned/)).not.toBeInTheDocument();
});

test('C-73 Back on the page of an own quest leads to the list that linked to it', async () => {
  const { user, router } = open({ 'rpc list_own_quests': [ownQuest()] });
  const { pathname } = router.state.location;
  await user.click(await screen.findByRole('link', { name: 'View Quest' }));
  expect(router.state.location.state).toEqual({ from: pathname });
});

test('C-114 BEY-20 a copy beyond the limit offers points, which lift it', async () => {
  const { user } = open({
    'rpc list_own_quests': [ownQuest()],
    'rpc duplicate_campaign': refuse(409, 'QUEST_LIMIT', 'Beta limit reached'),
  });
  await user.click(await screen.findByRole('button', { name: 'Duplicate' }));
  expect(await screen.findByRole('alertdialog')).toHaveTextContent('Beta limit reached');
  expect(screen.getByRole('link', { name: 'Buy points' })).toHaveAttribute('href', '/startup/billing');
});

test('C-112 BEY-06 a card distinguishes reserved, paid and maximum points', async () => {
  open({
    'rpc list_own_quests': [ownQuest({ reserved_points: 120, points_distributed: 80, budget_points: 500 })],
  });
  const card = await screen.findByRole('listitem', { name: 'Test our app' });
  expect(card).toHaveTextContent(/Reserved ?120/);
  expect(card).toHaveTextContent(/Paid ?80/);
  expect(card).toHaveTextContent('Pays up to 500');
  expect(card).not.toHaveTextContent('Budget');
});

test('SDASH-08 a live quest shows its four figures and links to its submissions', async () => {
  open({
    'rpc list_own_quests': [
      ownQuest({ participant_count: 7, submission_count: 9, approved_count: 6, pending_count: 3 }),
    ],
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

test('SDASH-08 Download Emails is shown only when there are some, without requesting their count', async () => {
  const { api } = open({ 'rpc list_own_quests': [ownQuest(), ownQuest({ id: 'q2', title: 'With', email_count: 1 })] });
  const card = await screen.findByRole('listitem', { name: 'With' });
  expect(within(card).getByRole('button', { name: 'Download Emails' })).toBeVisible();
  const other = screen.getByRole('listitem', { name: 'Test our app' });
  expect(within(other).queryByRole('button', { name: 'Download Emails' })).not.toBeInTheDocument();
  expect(api.calls.map(({ path }) => path)).toEqual(['rpc/list_own_quests']);
});

test('SDASH-09 the e-mails are downloaded as a named file; when none are left it says so', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const files: Blob[] = [];
  URL.createObjectURL = (file: Blob) => `blob:emails-${files.push(file)}`;
  const { user, api } = open({
    'rpc list_own_quests': [ownQuest({ email_count: 1, title: 'Beta Wave #2' })],
    'rpc list_collected_emails': emails([email]),
  });
  const button = await screen.findByRole('button', { name: 'Download Emails' });
  await user.click(button);
  await waitFor(() => expect(click).toHaveBeenCalled());
  expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('beta_wave__2_emails.csv');
  const file = await files[0]?.text();
  expect(file).toContain('robin@example.org');
  expect(file).not.toContain('sam@example.org');
  api.routes['rpc list_collected_emails'] = emails([]);
  await user.click(button);
  expect(await screen.findByText('No emails collected for this quest yet.')).toBeVisible();
});

test('RULE-13 BEY-07 a live quest is paused after confirmation, and can be published again', async () => {
  const other = ownQuest({ id: 'other', title: 'Another quest', status: 'closed' });
  const { user, api } = open({
    'rpc list_own_quests': [ownQuest(), other],
    'rpc unpublish_campaign': questRow({ status: 'draft' }),
  });
  const pause = await screen.findByRole('button', { name: 'Pause' });
  expect(screen.getByText('Published')).toBeVisible();
  api.routes['rpc list_own_quests'] = [ownQuest({ status: 'draft' }), other];
  await user.click(pause);
  const dialog = await screen.findByRole('alertdialog', { name: 'Pause “Test our app”?' });
  expect(dialog).toHaveTextContent('Its points stay reserved');
  expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Pause quest' }));
  expect(await screen.findByText('Paused')).toBeVisible();
  expect(screen.queryByText('Published')).not.toBeInTheDocument();
  // Behind the dialog until that has closed.
  expect(await screen.findByRole('button', { name: 'Publish' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Pause' })).not.toBeInTheDocument();
  const calls = api.calls.filter(({ method }) => method === 'POST');
  expect(calls).toMatchObject([{ path: 'rpc/unpublish_campaign', body: { p_campaign_id: questId } }]);
});

test('RULE-13 C-50 a live quest is closed after confirmation', async () => {
  const { user, api } = open({
    'rpc list_own_quests': [ownQuest()],
    'rpc close_campaign': questRow({ status: 'closed' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Close “Test our app”?' });
  expect(api.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  api.routes['rpc list_own_quests'] = [ownQuest({ status: 'closed', closed_at: '2026-01-08T00:00:00Z' })];
  await user.click(within(dialog).getByRole('button', { name: 'Close quest' }));
  expect(await screen.findByText('Closed')).toBeVisible();
  expect(await screen.findByText('“Test our app” is closed')).toBeVisible();
  const calls = api.calls.filter(({ method }) => method === 'POST');
  expect(calls).toMatchObject([{ path: 'rpc/close_campaign', body: { p_campaign_id: questId } }]);
});

test.each([
  ['moderation', 'On hold by moderation', /An admin took this quest down on Jan 7, 2026.*once an admin has lifted/],
  [
    'suspension',
    'On hold because your account is suspended',
    /since Jan 7, 2026.*once your account is reinstated.*appeal once/,
  ],
  [
    'revocation',
    /the verification of your project was revoked/,
    /since Jan 7, 2026.*once your project is verified again.*appeal/,
  ],
] as const)(
  'C-25 C-91 TRUST-18 a quest on hold by %s says so, since when, why and what to do, and cannot be published',
  async (cause, title, words) => {
    const held = { hold_reason: 'Misleading link', held_at: '2026-01-07T12:00:00Z', hold_cause: cause };
    open({ 'rpc list_own_quests': [ownQuest({ status: 'draft', ...held })] });
    expect(await screen.findByText('Misleading link')).toBeVisible();
    expect(screen.getByText(title)).toBeVisible();
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Publish' })).toBeDisabled();
  },
);

test('BEY-07 a copy is made once per key, and a draft can be previewed as a member sees it', async () => {
  const { user, api } = open({
    'rpc list_own_quests': [ownQuest({ status: 'draft', published_at: null })],
    'rpc duplicate_campaign': refuse(429, 'RATE_LIMITED', 'Rate limit exceeded'),
  });
  expect(await screen.findByRole('link', { name: 'Preview' })).toHaveAttribute('href', `/community/quest/${questId}`);
  await user.click(screen.getByRole('button', { name: 'Duplicate' }));
  const failure = await screen.findByText('Rate limit exceeded');
  api.routes['rpc duplicate_campaign'] = questRow({ id: 'copy', status: 'draft' });
  api.calls.length = 0;
  await user.click(screen.getByRole('button', { name: 'Duplicate' }));
  expect(await screen.findByText('Copied as a draft')).toBeVisible();
  expect(failure).not.toBeInTheDocument();
  const calls = api.calls.filter(({ path }) => path === 'rpc/duplicate_campaign');
  expect(calls).toMatchObject([{ body: { p_campaign_id: questId, p_idempotency_key: expect.any(String) } }]);
});

test('BEY-07 a card shows when its quest starts and ends', async () => {
  open({
    'rpc list_own_quests': [
      ownQuest({ starts_at: '2099-05-01T09:00:00Z' }),
      ownQuest({ id: 'q2', title: 'Ending', ends_at: '2099-06-01T09:00:00Z' }),
    ],
  });
  expect(await screen.findByText(/^Starts in \d+ years \(May 1, 2099/)).toBeVisible();
  expect(screen.getByText(/^Ends in \d+ years \(Jun 1, 2099/)).toBeVisible();
});

test.each([
  ['a quest that has not started', { status: 'published', starts_at: '2027-01-01T09:00:00Z' }, /Ends on Feb 1, 2027/],
  ['a paused one', { status: 'draft' }, /Ends on Feb 1, 2027/],
  ['a draft whose end has passed', { status: 'draft', ends_at: '2026-01-01T09:00:00Z' }, /It ended on Jan 1, 2026/],
] as const)('BEY-07 the card tells the end of %s', async (_, quest, words) => {
  vi.useFakeTimers({ now: new Date('2026-06-01T09:00:00Z'), toFake: ['Date'] });
  open({ 'rpc list_own_quests': [ownQuest({ ends_at: '2027-02-01T09:00:00Z', ...quest })] });
  expect(await screen.findByText(words)).toBeVisible();
});

test('SDASH-09 the file is named with the lowercase title, everything else as underscores', () => {
  expect(emailsFileName('Beta Wave #2!')).toBe('beta_wave__2__emails.csv');
});

test('SDASH-09 C-104 the file has the columns Email Address, Quest, Collected Date', async () => {
  const rows = [{ id: '1', email: '=cmd@example.org', collected_at: '2026-02-03T23:00:00Z' }];
  expect(await emailsCsv('A "quoted" title', rows).text()).toBe(
    '"Email Address","Quest","Collected Date"\r\n"\'=cmd@example.org","A ""quoted"" title","2026-02-03"\r\n',
  );
});
