import { screen, waitFor, within } from '@testing-library/react';
import { projectId, projectRow } from '@/features/projects/testing';
import { questListItem } from '@/features/quests/testing/samples';
import { type ApiCall, fakeApi, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import ProjectPage from './project-page';

const quest = questListItem({
  id: 'quest-1',
  startup_id: projectId,
  title: 'Fly a kite',
  budget_points: 300,
  total_slots: 10,
  open_slots: 6,
});
const ratings = [{ average_rating: 4.5, total_reviews: 2, rating_distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 } }];

const promises = {
  reserved_points: 240,
  least_review_hours: 24,
  most_review_hours: 72,
  decided: null,
  accepted: null,
  in_time: null,
  overturned: null,
  median_seconds: null,
};

function open(overrides: Record<string, unknown> = {}, { id = projectId, identity = signedIn() } = {}) {
  const api = fakeApi({
    'GET startup_profiles': [projectRow({ id: 'other', name: 'Another project' }), projectRow()],
    'rpc list_published_quests': ({ params }: ApiCall) =>
      params.get('p_startup_id') === projectId ? [quest] : [questListItem({ id: 'quest-3', title: 'Elsewhere' })],
    'rpc get_own_quest_states': [{ campaign_id: 'quest-1', state: 'waiting' }],
    'rpc get_project_feedback_stats': ratings,
    'GET project_feedback': [],
    'rpc list_project_feedback': [],
    'rpc get_project_promises': promises,
    'GET followed_projects': [],
    ...overrides,
  });
  const routes = [
    { path: '*', element: <p>Elsewhere</p> },
    { path: '/community/project/:id', element: <ProjectPage /> },
  ];
  return { ...renderApp(null, { identity, path: `/community/project/${id}`, routes }), api };
}

test('PROJ-01 the header introduces the project and links back to the projects', async () => {
  const { unmount } = open({ 'GET startup_profiles': [projectRow({ logo_url: '/kite.svg' })] });
  const title = await screen.findByRole('heading', { level: 1, name: 'Paper Kite' });
  const header = title.closest('header') ?? document.body;
  expect(header.querySelector('img')).toHaveAttribute('src', '/kite.svg');
  expect(screen.getByText('Kites for small offices')).toBeVisible();
  expect(within(header).getByText('Verified')).toBeVisible();
  expect(screen.getByRole('link', { name: 'paperkite.example.com' })).toHaveAttribute(
    'href',
    'https://paperkite.example.com',
  );
  expect(screen.getByRole('link', { name: 'Back to Projects' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/browse(\?|$)/),
  );
  unmount();
  open({ 'GET startup_profiles': [projectRow({ status: 'pending' })], 'rpc list_published_quests': [] });
  await screen.findByRole('heading', { level: 1, name: 'Paper Kite' });
  expect(screen.queryByText('Verified')).not.toBeInTheDocument();
});

test('BEY-18 a member follows and unfollows the project; visitors sign in first, and then follow it', async () => {
  const { api, user, unmount } = open({ 'rpc set_project_followed': true });
  const button = await screen.findByRole('button', { name: 'Follow' });
  expect(button).toHaveAttribute('aria-pressed', 'false');
  api.routes['GET followed_projects'] = [{ startup_id: projectId }];
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'true'));
  expect(button).toHaveTextContent('Following');
  expect(api.calls.find(({ path }) => path === 'rpc/set_project_followed')?.body).toEqual({
    p_startup_id: projectId,
    p_is_followed: true,
  });
  api.routes['GET followed_projects'] = [];
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'false'));
  unmount();
  const visitor = open({}, { identity: signedOut });
  await visitor.user.click(await screen.findByRole('button', { name: 'Follow' }));
  expect(visitor.router.state.location).toMatchObject({
    pathname: '/auth/signin',
    search: `?redirect=${encodeURIComponent(`/community/project/${projectId}`)}`,
  });
  visitor.unmount();
  const back = open({ 'rpc set_project_followed': true, 'GET followed_projects': [{ startup_id: projectId }] });
  await screen.findByRole('button', { name: 'Following' });
  expect(back.api.calls.filter(({ path }) => path === 'rpc/set_project_followed')).toMatchObject([
    { body: { p_startup_id: projectId, p_is_followed: true } },
  ]);
});

test('C-96 a renamed project shows its former name for 30 days', async () => {
  const renamed = (days: number) =>
    projectRow({ former_name: 'Paper Plane', renamed_at: new Date(Date.now() - days * 86_400_000).toISOString() });
  const view = open({ 'GET startup_profiles': [renamed(29)] });
  expect(await screen.findByText('formerly Paper Plane')).toBeVisible();
  view.unmount();
  open({ 'GET startup_profiles': [renamed(31)] });
  await screen.findByRole('heading', { level: 1, name: 'Paper Kite' });
  expect(screen.queryByText(/formerly/)).not.toBeInTheDocument();
});

test("PROJ-02 BEY-21 live quests are listed with slots and the member's progress, each linking to its page", async () => {
  open();
  const quests = await screen.findByRole('region', { name: 'Active quests' });
  expect(await within(quests).findByRole('link', { name: 'Fly a kite' })).toHaveAttribute(
    'href',
    '/community/quest/quest-1',
  );
  expect(within(quests).getByText('6 of 10 spots left')).toBeVisible();
  expect(await within(quests).findByText('In Review')).toBeVisible();
  expect(within(quests).queryByText('Elsewhere')).not.toBeInTheDocument();
});

test('BEY-21 a completed quest is listed last', async () => {
  const quests = ['a', 'b', 'c'].map((id) => questListItem({ id, title: `Quest ${id}` }));
  open({ 'rpc list_published_quests': quests, 'rpc get_own_quest_states': [{ campaign_id: 'a', state: 'complete' }] });
  await screen.findByText('Done');
  const titles = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(titles.filter((title) => title?.startsWith('Quest'))).toEqual(['Quest b', 'Quest c', 'Quest a']);
});

test('PROJ-03 the statistics show active quests, average rating, total points and joined date, followed by feedback', async () => {
  open({ 'rpc list_published_quests': [quest, { ...quest, id: 'quest-2', budget_points: 150 }] });
  const statistics = await screen.findByRole('region', { name: 'Statistics' });
  expect(await within(statistics).findByText('4.5')).toBeVisible();
  const value = (label: string) => within(statistics).getByText(label).nextElementSibling?.textContent;
  await waitFor(() => expect(value('Active quests')).toBe('2'));
  expect(value('Average rating')).toContain('4.5');
  expect(value('Total points')).toContain('450');
  expect(value('Joined')).toBe('Jan 5, 2026');
  expect(screen.getByRole('region', { name: 'Feedback' })).toBeInTheDocument();
});

test.each([
  ['an unknown id', { 'GET startup_profiles': [] }, projectId],
  ['no id at all', {}, 'nonsense'],
])('PROJ-04 %s shows Project Not Found', async (_, overrides, id) => {
  open(overrides, { id });
  expect(await screen.findByRole('heading', { name: 'Project Not Found' })).toBeVisible();
});

test('TRUST-14 a project that failed to load is not called unknown', async () => {
  open({ 'GET startup_profiles': refuse(500, null, 'broken') });
  expect(await screen.findByText('The project could not be loaded')).toBeVisible();
});

test("PROJ-02 a visitor's quest links have the same target, where the guard asks them to sign in (C-16)", async () => {
  open({}, { identity: signedOut });
  expect(await screen.findByRole('link', { name: 'Fly a kite' })).toHaveAttribute('href', '/community/quest/quest-1');
});

test("BEY-05 the project's promises are shown at once, its record from ten decisions on", async () => {
  const facts = async () => {
    const section = await screen.findByRole('region', { name: 'Promises' });
    return within(section)
      .getAllByRole('term')
      .map((term) => [
        term.textContent,
        ...Array.from(term.parentElement?.querySelectorAll('dd') ?? [], (dd) => dd.textContent),
      ]);
  };
  const view = open();
  expect(await facts()).toEqual([
    ['Points reserved', '240 points', 'For its open quests'],
    ['Answer promised within', '3 days', 'Or the proof is approved'],
    ['Usually answers in', '–'],
    ['Proofs accepted', '–'],
  ]);
  expect(screen.getByText('Review statistics appear after 10 decisions.')).toBeVisible();
  view.unmount();
  const beta = open({ 'rpc get_project_promises': { ...promises, least_review_hours: 0, most_review_hours: 0 } });
  expect((await facts())[1]).toEqual(['Proofs are approved', 'At once']);
  beta.unmount();
  const record = { decided: 40, accepted: 30, in_time: 36, overturned: 2, median_seconds: 1_800 };
  open({ 'rpc get_project_promises': { ...promises, ...record } });
  expect((await facts()).slice(2)).toEqual([
    ['Usually answers in', '30 minutes', '90% in time'],
    ['Proofs accepted', '75%', 'Of 40 decisions in 90 days; 20% of rejections overturned on appeal'],
  ]);
});

test('TRUST-14 BEY-05 a record that failed to load is not shown as missing', async () => {
  open({ 'rpc get_project_promises': refuse(500, 'X', 'Broken') });
  expect(await screen.findByText('The project’s record could not be loaded')).toBeVisible();
});
