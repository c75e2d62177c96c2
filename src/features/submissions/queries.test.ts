import { QueryClient } from '@tanstack/react-query';
import { storage } from '@/lib/supabase';
import { fakeApi } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { questId, submissionRow } from '@/lib/testing/quest-rows';
import { fetchAllSubmissions, type ListView, submissionQueries } from './queries';
import type { SubmissionSort } from './submission-order';

/** A submission as the review list reads it: with its task's place in the quest. */
const listed = (id: string, overrides: Parameters<typeof submissionRow>[0] = {}) => ({
  ...submissionRow({ id, ...overrides }),
  tasks: { order_index: overrides.task_id === 't2' ? 1 : 0 },
});
const foreign = listed('foreign', { campaign_id: 'other', submitted_at: '2026-03-01T00:00:00+00:00' });

const readPages = async (view: ListView, pages = 5) => {
  const query = submissionQueries.byQuest(questId, view);
  return (await new QueryClient().fetchInfiniteQuery({ ...query, pages })).pages.map(idsOf);
};

describe("a member's own submissions", () => {
  it('QUEST-03 are those of this quest and of nobody else', async () => {
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
  it('SUBM-02 holds the submissions of one quest, newest first', async () => {
    fakeApi({
      'GET submissions': [
        listed('a', { submitted_at: '2026-01-01T00:00:00+00:00' }),
        listed('c', { submitted_at: '2026-01-02T00:00:00+00:00', task_id: 't2' }),
        foreign,
        listed('b', { submitted_at: '2026-01-02T00:00:00+00:00' }),
      ],
    });
    expect(await readPages({ taskId: null, sort: 'newest', taskIds: ['t1', 't2'] })).toEqual([['c', 'b', 'a']]);
    expect(await readPages({ taskId: 't2', sort: 'newest', taskIds: ['t1', 't2'] })).toEqual([['c']]);
  });

  it.each<[SubmissionSort, string[]]>([
    ['oldest', ['1', '2', '3', '4']],
    ['newest', ['4', '3', '2', '1']],
    ['task', ['3', '2', '4', '1']],
    ['-task', ['4', '1', '3', '2']],
    ['member', ['4', '2', '3', '1']],
    ['-member', ['3', '1', '4', '2']],
    ['status', ['3', '1', '4', '2']],
    ['-status', ['4', '2', '3', '1']],
  ])('SUBM-03 is sorted by %s', async (sort, expected) => {
    const at = (day: number) => `2026-01-0${day}T00:00:00+00:00`;
    fakeApi({
      'GET submissions': [
        listed('1', { submitted_at: at(1), task_id: 't2', user_id: 'user_b', status: 'approved' }),
        listed('2', { submitted_at: at(2), task_id: 't1', user_id: 'user_a', status: 'rejected' }),
        listed('3', { submitted_at: at(3), task_id: 't1', user_id: 'user_b', status: 'approved' }),
        listed('4', { submitted_at: at(4), task_id: 't2', user_id: 'user_a', status: 'rejected' }),
      ],
    });
    expect(await readPages({ taskId: null, sort, taskIds: ['t1', 't2'] })).toEqual([expected]);
  });

  it.each<SubmissionSort>(['newest', 'oldest', 'task', '-task', 'member', '-member', 'status', '-status'])(
    'SUBM-05 sorted by %s, goes on exactly below the last of 100 rows',
    async (sort) => {
      const rows = Array.from({ length: 250 }, (_, index) =>
        listed(`s${String(index).padStart(3, '0')}`, {
          // Groups across the pages' ends, so that every part of the cursor counts.
          submitted_at: `2026-01-01T00:00:0${Math.floor(index / 40)}+00:00`,
          task_id: index % 2 === 0 ? 't1' : 't2',
          user_id: index % 3 === 0 ? 'a "quoted\\" name' : 'user_b',
          status: index % 5 === 0 ? 'approved' : 'rejected',
        }),
      );
      const api = fakeApi({ 'GET submissions': [...rows, foreign] });
      const pages = await readPages({ taskId: null, sort, taskIds: ['t1', 't2'] });
      expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
      expect(new Set(pages.flat()).size).toBe(250);
      const whole = api.calls[0]?.params;
      whole?.delete('limit');
      const response = await fetch(`http://supabase.test/rest/v1/submissions?${whole}`);
      expect(pages.flat()).toEqual(idsOf((await response.json()) as { id: string }[]));
    },
  );

  it('SUBM-05 looks for more after exactly 100 rows', async () => {
    const api = fakeApi({ 'GET submissions': Array.from({ length: 100 }, (_, index) => listed(`s${index}`)) });
    expect((await readPages({ taskId: null, sort: 'newest', taskIds: ['t1'] })).map(({ length }) => length)).toEqual([
      100, 0,
    ]);
    expect(api.calls).toHaveLength(2);
  });
});

it('QUEST-11 the owner sees the latest three of the quest', async () => {
  const rows = [3, 1, 4, 2].map((day) => listed(`s${day}`, { submitted_at: `2026-01-0${day}T00:00:00+00:00` }));
  fakeApi({ 'GET submissions': [...rows, foreign] });
  expect(idsOf(await fetchQuery(submissionQueries.recent(questId)))).toEqual(['s4', 's3', 's2']);
});

it('SUBM-04 submissions are counted by task, without reading them', async () => {
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

it('QUEST-12 the chart reads the latest 1000 submissions of each task', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) =>
    submissionRow({ id: `s${index}`, submitted_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString() }),
  );
  const api = fakeApi({
    'GET submissions': [...rows, submissionRow({ id: 'x', task_id: 't2' }), submissionRow({ id: 'y', task_id: 't3' })],
  });
  const points = await fetchQuery(submissionQueries.chart(['t1', 't2']));
  expect(api.calls.map(({ params }) => params.get('limit'))).toEqual(['1000', '1000']);
  expect(points).toHaveLength(1001);
  expect(points[0]).toEqual({ task_id: 't1', user_id: 'user_test', submitted_at: rows[1000]?.submitted_at });
  expect(points.at(-2)?.submitted_at).toBe(rows[1]?.submitted_at);
  expect(points.at(-1)?.task_id).toBe('t2');
});

it('SUBM-10 exports past the rows that one answer holds, of the quest or of one task', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) => listed(`s${String(index).padStart(4, '0')}`));
  fakeApi({ 'GET submissions': [...rows, foreign, listed('other-task', { task_id: 't2' })] });
  const heard: number[] = [];
  const all = await fetchAllSubmissions(questId, 't1', (count) => heard.push(count));
  expect(idsOf(all)).toEqual(idsOf(rows).toReversed());
  expect(heard).toEqual([1000, 1001]);
  expect(await fetchAllSubmissions(questId, null, () => undefined)).toHaveLength(1002);
});

it('C-59 a screenshot is shown by a link of five minutes, renewed a minute before', async () => {
  const path = '/storage/v1/object/sign/proofs/user/a.png';
  const api = fakeApi({ [`POST ${path}`]: { signedURL: '/object/sign/proofs/user/a.png?token=x' } });
  await storage();
  const query = submissionQueries.proofLink('user/a.png');
  expect(await fetchQuery(query)).toBe('http://supabase.test/storage/v1/object/sign/proofs/user/a.png?token=x');
  expect(api.calls[0]?.body).toEqual({ expiresIn: 300 });
  expect(query).toMatchObject({ staleTime: 240_000, gcTime: 240_000, refetchInterval: 240_000 });
});

it('what is kept of one view is not shown for another', () => {
  const view: ListView = { taskId: null, sort: 'newest', taskIds: [] };
  const queries = [
    submissionQueries.mine('a', 'q'),
    submissionQueries.mine('b', 'q'),
    submissionQueries.mine('a', 'r'),
    submissionQueries.byQuest('q', view),
    submissionQueries.byQuest('r', view),
    submissionQueries.byQuest('q', { ...view, sort: 'oldest' }),
    submissionQueries.recent('q'),
    submissionQueries.recent('r'),
    submissionQueries.taskTotals(['q']),
    submissionQueries.taskTotals(['r']),
    submissionQueries.chart(['q']),
    submissionQueries.chart(['r']),
  ];
  const keys = queries.map(({ queryKey }) => queryKey as readonly unknown[]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(queries.length);
  expect(keys.every(([first]) => first === submissionQueries.keys.all[0])).toBe(true);
});
