import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { fetchQuery } from '@/lib/testing/fetch-query';
import {
  assumedEligible,
  eligibilityFromCompleted,
  questFormQueries,
  questsToExplore,
  recentCompletions,
} from './form-queries';
import { questRow, taskRow } from './testing/rows';

const missing = refuse(404, null, 'Could not find the function');
const completed = (title: string) => ({
  campaign_title: title,
  startup_name: 'Paper Kite',
  reward_points: 25,
  completed_at: '2026-01-01',
});
const check = () => fetchQuery(questFormQueries.eligibility('user_test'));
const available = () => fetchQuery(questFormQueries.available('user_test'));

describe('QNEW-05 eligibility for the first own quest', () => {
  it("is the server's answer, requested every time", async () => {
    const answer = {
      is_eligible: false,
      requirement_message: 'Do one first',
      trial_message: null,
      quest_completion: { quest_details: [completed('A')] },
    };
    const api = fakeApi({ 'rpc validate_campaign_creation_eligibility': answer });
    expect(await check()).toEqual(answer);
    expect(api.calls[0]?.body).toEqual({ p_user_id: 'user_test' });
    expect(questFormQueries.eligibility('user_test').staleTime).toBe(0);
  });

  it.each([
    ['the check fails', refuse(500, null, 'out of memory')],
    ['the check is refused', refuse(403, 'FORBIDDEN', 'Forbidden')],
    ['the answer is empty', { is_eligible: 'maybe' }],
  ])('C-38 does not block quest creation when %s', async (_, answer) => {
    fakeApi({ 'rpc validate_campaign_creation_eligibility': answer });
    expect(await check()).toEqual(assumedEligible);
    expect(assumedEligible).toEqual({
      is_eligible: true,
      requirement_message: 'Quest eligibility check failed. Proceeding with quest creation.',
      quest_completion: { quest_details: [] },
    });
  });

  it('DB-28 is counted from approved submissions where the procedure is missing, the latest twenty first', async () => {
    const row = (id: number, overrides = {}) => ({
      user_id: 'user_test',
      status: 'approved',
      reward_points: id,
      reviewed_at: `2026-01-${10 + id}`,
      campaigns: { title: `Quest ${id}`, startup_profiles: { name: 'Paper Kite' } },
      ...overrides,
    });
    const api = fakeApi({
      'rpc validate_campaign_creation_eligibility': missing,
      'GET submissions': [
        row(1),
        row(3, { campaigns: null }),
        row(2, { campaigns: { title: 'Quest 2', startup_profiles: null } }),
        row(4, { user_id: 'user_other' }),
        row(5, { status: 'pending' }),
      ],
    });
    const { is_eligible, quest_completion } = await check();
    expect(is_eligible).toBe(true);
    expect(quest_completion.quest_details).toEqual([
      { campaign_title: 'Quest', startup_name: '', reward_points: 3, completed_at: '2026-01-13' },
      { campaign_title: 'Quest 2', startup_name: '', reward_points: 2, completed_at: '2026-01-12' },
      { campaign_title: 'Quest 1', startup_name: 'Paper Kite', reward_points: 1, completed_at: '2026-01-11' },
    ]);
    expect(api.calls.at(-1)?.params.get('limit')).toBe('20');
  });

  it('says what is missing, or that nothing is', () => {
    expect(eligibilityFromCompleted([])).toEqual({
      is_eligible: false,
      requirement_message: 'Complete at least 1 quest before you create your own, to see what members see.',
      quest_completion: { quest_details: [] },
    });
    expect(eligibilityFromCompleted([completed('A')]).requirement_message).toBe(
      'Requirement met: you have completed a quest and can create your own.',
    );
  });
});

describe('QNEW-06 the explore panel', () => {
  const task = (task_id: string, campaign_id: string) => ({
    task_id,
    campaign_id,
    campaign_title: 'A',
    startup_name: 'B',
    startup_logo: null,
    reward_points: 5,
  });

  it('lists each quest once with the points of its tasks, eight at most, and the latest three completions', () => {
    const tasks = Array.from({ length: 10 }, (_, index) => task(`t${index}`, `q${index}`));
    const listed = questsToExplore([task('t0', 'q0'), task('again', 'q0'), ...tasks.slice(1)]);
    expect(listed.map(({ campaign_id, reward_points }) => [campaign_id, reward_points])).toEqual([
      ['q0', 10],
      ...tasks.slice(1, 8).map(({ campaign_id }) => [campaign_id, 5]),
    ]);
    const four = eligibilityFromCompleted(['A', 'B', 'C', 'D'].map(completed));
    expect(recentCompletions(four).map(({ campaign_title }) => campaign_title)).toEqual(['A', 'B', 'C']);
  });

  it('shows what the server lists', async () => {
    const api = fakeApi({ 'rpc get_available_quests_for_new_user': [task('t', 'q')] });
    expect(await available()).toEqual([task('t', 'q')]);
    expect(api.calls[0]?.body).toEqual({ p_user_id: 'user_test', p_limit: 20 });
  });

  it('DB-28 C-40 reads the tables where the procedure is missing: open quests of others, without completed ones', async () => {
    const project = { name: 'Paper Kite', logo_url: '/kite.svg' };
    const quest = (id: string, overrides = {}) => ({
      ...questRow({ id, title: id, startup_id: 'p-other', published_at: '2026-01-01T00:00:00+00:00' }),
      startup_profiles: project,
      tasks: [taskRow({ id: `${id}-1` })],
      ...overrides,
    });
    const past = '2020-01-01T00:00:00+00:00';
    const future = '2099-01-01T00:00:00+00:00';
    const api = fakeApi({
      'rpc get_available_quests_for_new_user': missing,
      'GET campaigns': [
        quest('older'),
        quest('newer', { published_at: '2026-02-01T00:00:00+00:00', starts_at: past, ends_at: future }),
        quest('two-tasks', {
          startup_profiles: null,
          published_at: '2025-01-01T00:00:00+00:00',
          tasks: [
            taskRow({ id: 'b', order_index: 1, reward_points: 7 }),
            taskRow({ id: 'a', order_index: 0, reward_points: 6 }),
            taskRow({ id: 'full', order_index: 2, max_completions: 1, approved_count: 1 }),
            taskRow({ id: 'done', order_index: 3 }),
          ],
        }),
        quest('long', {
          published_at: '2024-01-01T00:00:00+00:00',
          tasks: Array.from({ length: 20 }, (_, order_index) => taskRow({ id: `long-${order_index}`, order_index })),
        }),
        quest('own', { startup_id: 'p-own' }),
        quest('draft', { status: 'draft' }),
        quest('full', { is_full: true }),
        quest('upcoming', { starts_at: future }),
        quest('ended', { ends_at: past }),
      ],
      'GET submissions': [
        { task_id: 'done', user_id: 'user_test', status: 'pending' },
        { task_id: 'a', user_id: 'user_test', status: 'rejected' },
        { task_id: 'b', user_id: 'user_other', status: 'approved' },
      ],
      'GET wallets': [
        { startup_id: 'p-own', owner_user_id: 'user_test', kind: 'startup' },
        { startup_id: 'p-other', owner_user_id: 'user_other', kind: 'startup' },
      ],
    });
    const list = await available();
    expect(list.map(({ task_id }) => task_id)).toEqual([
      ...['newer-1', 'older-1', 'a', 'b'],
      ...Array.from({ length: 16 }, (_, index) => `long-${index}`),
    ]);
    expect(list[0]).toEqual({
      task_id: 'newer-1',
      campaign_id: 'newer',
      campaign_title: 'newer',
      startup_name: 'Paper Kite',
      startup_logo: '/kite.svg',
      reward_points: 25,
    });
    expect(list[2]).toMatchObject({ startup_name: '', startup_logo: null, reward_points: 6 });
    expect(api.calls.find(({ path }) => path === 'campaigns')?.params.get('limit')).toBe('200');
  });
});

it('BEY-13 requests the possible targets of a check, and rejects unknown ones', async () => {
  const api = fakeApi({ 'POST /functions/v1/check-task': { sources: ['endpoint', 'github_pull_request'] } });
  expect(await fetchQuery(questFormQueries.checkSources())).toEqual(['endpoint', 'github_pull_request']);
  expect(api.calls[0]?.body).toEqual({ listSources: true });
  api.routes['POST /functions/v1/check-task'] = { sources: ['telepathy'] };
  await expect(fetchQuery(questFormQueries.checkSources())).rejects.toThrow();
  api.routes['POST /functions/v1/check-task'] = refuse(503, 'UNAVAILABLE', 'Not now');
  await expect(fetchQuery(questFormQueries.checkSources())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
