import { QueryClient } from '@tanstack/react-query';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { questId, submissionRow } from '@/lib/testing/quest-rows';
import { allOfQuest, fetchAllSubmissions, findOpenSubmission, type ReviewFilters, submissionQueries } from './queries';
import { reviewedRow, reviewServer } from './testing/review-server';

const foreign = reviewedRow({ id: 'foreign', campaign_id: 'other', submitted_at: '2026-03-01T00:00:00+00:00' });

const readPages = async (filters: ReviewFilters, pages = 5) => {
  const query = submissionQueries.review(filters);
  return (await new QueryClient().fetchInfiniteQuery({ ...query, pages })).pages.map(idsOf);
};

describe("a member's own submissions", () => {
  it("QUEST-03 are the member's for this quest", async () => {
    fakeApi({
      'GET submissions': [
        submissionRow({ id: 'mine' }),
        submissionRow({ id: 'hers', user_id: 'user_other' }),
        submissionRow({ id: 'elsewhere', campaign_id: 'other' }),
      ],
    });
    expect(idsOf(await fetchQuery(submissionQueries.mine('user_test', questId)))).toEqual(['mine']);
  });
});

describe('the review list', () => {
  it('BEY-01 is filtered, searched and sorted on the server, and requests nothing else', async () => {
    const api = fakeApi(reviewServer([]).routes);
    await readPages({
      ...allOfQuest('q'),
      taskId: 't',
      status: 'pending',
      isFlagged: true,
      search: 'ada',
      sort: '-task',
    });
    await readPages({ questId: null, taskId: null, status: null, isFlagged: false, search: '', sort: 'status' });
    expect(api.calls.map(({ params }) => Object.fromEntries(params))).toEqual([
      {
        p_campaign_id: 'q',
        p_task_id: 't',
        p_status: 'pending',
        p_is_flagged: 'true',
        p_search: 'ada',
        p_sort: '-task',
        p_limit: '100',
      },
      { p_sort: 'status', p_limit: '100' },
    ]);
  });

  it('SUBM-05 continues at the cursor of the last of 100 rows, also after exactly 100', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => reviewedRow({ id: `s${String(index).padStart(3, '0')}` }));
    const api = fakeApi(reviewServer([...rows, foreign]).routes);
    const pages = await readPages({ ...allOfQuest(questId), sort: 'status' });
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 0]);
    expect(pages.flat()).toEqual(idsOf(rows));
    expect(api.calls.map(({ params }) => params.get('p_cursor'))).toEqual([null, 's099', 's199']);
  });
});

it("QUEST-11 the owner sees the quest's latest three", async () => {
  const rows = [3, 1, 4, 2].map((day) =>
    reviewedRow({ id: `s${day}`, submitted_at: `2026-01-0${day}T00:00:00+00:00` }),
  );
  fakeApi(reviewServer([...rows, foreign]).routes);
  expect(idsOf(await fetchQuery(submissionQueries.recent(questId)))).toEqual(['s4', 's3', 's2']);
});

it('SUBM-04 submissions are counted by task, without loading them', async () => {
  const api = fakeApi({
    'GET submissions': [
      submissionRow(),
      submissionRow({ id: 's2', status: 'approved' }),
      submissionRow({ id: 's3', task_id: 't2' }),
    ],
  });
  expect(await fetchQuery(submissionQueries.taskTotals(['t1', 't2', 't3']))).toEqual({ t1: 2, t2: 1, t3: 0 });
  expect(api.calls.map(({ method }) => method)).toEqual(['HEAD', 'HEAD', 'HEAD']);
});

it("C-108 a quest's figures are counted by the database, for this quest", async () => {
  const days = [{ day: '2026-01-03', submissions: 2 }];
  const stats = { rejected: 1, completion_rate: 50, median_review_seconds: null, days };
  const api = fakeApi({ 'rpc get_campaign_performance_stats': { ...stats, tasks: [] } });
  expect(await fetchQuery(submissionQueries.performance('q1'))).toEqual(stats);
  expect(Object.fromEntries(api.calls[0]?.params ?? [])).toEqual({ p_campaign_id: 'q1' });
});

it('SUBM-10 exports across several pages, for the quest or for one task', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) => reviewedRow({ id: `s${String(index).padStart(4, '0')}` }));
  fakeApi(reviewServer([...rows, foreign, reviewedRow({ id: 'other-task', task_id: 't2' })]).routes);
  const heard: number[] = [];
  const ofTask = { ...allOfQuest(questId), taskId: 't1' };
  expect(idsOf(await fetchAllSubmissions(ofTask, (count) => heard.push(count)))).toEqual(idsOf(rows).toReversed());
  expect(heard).toEqual([1000, 1001]);
  expect(await fetchAllSubmissions(allOfQuest(questId), () => undefined)).toHaveLength(1002);
});

it('C-59 a screenshot is shown by a signed link of five minutes, renewed a minute before it expires', async () => {
  const url = '/storage/v1/object/sign/proofs/user/a.png?token=x';
  const api = fakeApi({ 'POST /functions/v1/sign-proof': { ok: true, url } });
  const query = submissionQueries.proofLink('user/a.png');
  expect(await fetchQuery(query)).toBe('http://supabase.test/storage/v1/object/sign/proofs/user/a.png?token=x');
  expect(api.calls[0]?.body).toEqual({ path: 'user/a.png' });
  expect(query).toMatchObject({ staleTime: 240_000, gcTime: 240_000, refetchInterval: 240_000 });
});

it('C-59 an address outside the storage is no screenshot', async () => {
  fakeApi({ 'POST /functions/v1/sign-proof': { ok: true, url: 'https://evil.example/a.png' } });
  await expect(fetchQuery(submissionQueries.proofLink('user/a.png'))).rejects.toThrow();
});

it('C-99 the pending or approved submission is found for this task and this person', async () => {
  const others = [
    submissionRow({ id: 'rejected', status: 'rejected' }),
    submissionRow({ id: 'hers', user_id: 'user_other' }),
    submissionRow({ id: 'elsewhere', task_id: 't2' }),
  ];
  const api = fakeApi({ 'GET submissions': [...others, submissionRow()] });
  expect(await findOpenSubmission('t1', 'user_test')).toEqual(submissionRow());
  api.routes['GET submissions'] = others;
  expect(await findOpenSubmission('t1', 'user_test')).toBeNull();
});

it('one submission is read with its task and quest, and is null when it does not exist', async () => {
  const joined = { ...submissionRow(), tasks: { title: 'Try it' }, campaigns: { title: 'Test our app' } };
  const api = fakeApi({ 'GET submissions': [{ ...joined, id: 's2' }, joined] });
  expect(await fetchQuery(submissionQueries.detail('s1'))).toEqual(joined);
  expect(await fetchQuery(submissionQueries.detail('gone'))).toBeNull();
  expect(api.calls[0]?.params.get('select')).toBe('*,tasks(title),campaigns(title)');
});

it('pending proofs are counted by the server, and read by GET', async () => {
  const counts = [{ campaign_id: questId, pending_count: 2 }];
  const api = fakeApi({ 'rpc get_review_counts': counts });
  expect(await fetchQuery(submissionQueries.counts())).toEqual(counts);
  expect(api.calls[0]?.method).toBe('GET');
});

it("BEY-10 a quest's consent is read by GET, and the member's own are newest first", async () => {
  const consent = (id: string, given_at: string, user_id = 'user_test') => ({ id, given_at, user_id });
  const api = fakeApi({
    'rpc get_consent_statement': Response.json('We write to you once.'),
    'GET email_consents': [
      consent('b', '2026-01-01'),
      consent('a', '2026-01-01'),
      consent('new', '2026-02-01'),
      consent('hers', '2026-03-01', 'user_other'),
    ],
  });
  expect(await fetchQuery(submissionQueries.consentStatement('q1'))).toBe('We write to you once.');
  expect([api.calls[0]?.method, api.calls[0]?.params.get('p_campaign_id')]).toEqual(['GET', 'q1']);
  expect(idsOf(await fetchQuery(submissionQueries.consents('user_test')))).toEqual(['new', 'a', 'b']);
});

it('views are cached separately', () => {
  const queries = [
    submissionQueries.mine('a', 'q'),
    submissionQueries.mine('b', 'q'),
    submissionQueries.mine('a', 'r'),
    submissionQueries.review(allOfQuest('q')),
    submissionQueries.review(allOfQuest('r')),
    submissionQueries.review({ ...allOfQuest('q'), sort: 'oldest' }),
    submissionQueries.counts(),
    submissionQueries.recent('q'),
    submissionQueries.recent('r'),
    submissionQueries.taskTotals(['q']),
    submissionQueries.taskTotals(['r']),
    submissionQueries.performance('q'),
    submissionQueries.performance('r'),
    submissionQueries.detail('q'),
    submissionQueries.detail('r'),
    submissionQueries.consentStatement('q'),
    submissionQueries.consentStatement('r'),
    submissionQueries.consents('q'),
    submissionQueries.consents('r'),
  ];
  const keys = queries.map(({ queryKey }) => queryKey as readonly unknown[]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(queries.length);
  expect(keys.every(([first]) => first === submissionQueries.keys.all[0])).toBe(true);
});
