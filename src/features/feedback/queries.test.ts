import { QueryClient } from '@tanstack/react-query';
import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { fetchQuery, idsOf } from '@/lib/testing/fetch-query';
import { pagedRows } from '@/lib/testing/paged-rows';
import { countRatings, feedbackQueries, noFeedbackStats, toFeedbackStats } from './queries';

const review = (id: string, overrides: Record<string, unknown> = {}) => ({
  id,
  project_id: 'p1',
  user_id: `user_${id}`,
  rating: 5,
  feedback_text: `Review ${id}`,
  created_at: '2026-02-01T12:00:00.000001Z',
  updated_at: '2026-02-01T12:00:00Z',
  ...overrides,
});
const foreign = review('foreign', { project_id: 'p2', rating: 1, created_at: '2026-03-01T12:00:00Z' });

const readPages = async () =>
  (await new QueryClient().fetchInfiniteQuery({ ...feedbackQueries.project('p1'), pages: 9 })).pages;

it("FEED-09 a project's reviews are read five at a time, to the last", async () => {
  const reviews = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => review(id));
  const ofProject = (params: URLSearchParams) => (params.get('p_project_id') === 'p1' ? reviews : [foreign]);
  fakeApi({ 'rpc list_project_feedback': pagedRows(ofProject) });
  expect((await readPages()).map(idsOf)).toEqual([['a', 'b', 'c', 'd', 'e'], ['f']]);
  reviews.pop();
  expect((await readPages()).map(({ length }) => length)).toEqual([5, 0]);
});

describe('statistics', () => {
  const answer = {
    average_rating: 4.3,
    total_reviews: 3,
    rating_distribution: { '1': 0, '2': 0, '3': 1, '4': 0, '5': 2 },
  };
  const missing = refuse(404, null, 'Could not find the function in the schema cache');

  it('FEED-09 come from the procedure, for this project', async () => {
    const api = fakeApi({ 'rpc get_project_feedback_stats': [answer] });
    expect(await fetchQuery(feedbackQueries.projectStats('p1'))).toMatchObject({ averageRating: 4.3 });
    expect(api.calls[0]).toMatchObject({ method: 'GET' });
    expect(api.calls[0]?.params.get('p_project_id')).toBe('p1');
  });

  it('are zeros without a row', async () => {
    fakeApi({ 'rpc get_project_feedback_stats': [] });
    expect(await fetchQuery(feedbackQueries.projectStats('p1'))).toEqual(noFeedbackStats);
  });

  it("DB-28 are counted from the project's reviews where the procedure is missing", async () => {
    fakeApi({
      'rpc get_project_feedback_stats': missing,
      'GET project_feedback': [review('a', { rating: 2 }), review('b', { rating: 5 }), foreign],
    });
    expect(await fetchQuery(feedbackQueries.projectStats('p1'))).toMatchObject({ averageRating: 3.5 });
  });

  it('DB-28 other errors do not trigger the fallback', async () => {
    const api = fakeApi({ 'rpc get_project_feedback_stats': refuse(500, null, 'deadlock detected') });
    await expect(fetchQuery(feedbackQueries.projectStats('p1'))).rejects.toMatchObject({ status: 500 });
    expect(api.calls).toHaveLength(1);
  });
});

it("FEED-08 the own review is the caller's, for this project", async () => {
  fakeApi({
    'GET project_feedback': [
      review('theirs'),
      review('own', { user_id: 'user_test' }),
      review('elsewhere', { user_id: 'user_test', project_id: 'p2' }),
    ],
  });
  expect(await fetchQuery(feedbackQueries.own('p1', 'user_test'))).toMatchObject({ id: 'own' });
  expect(await fetchQuery(feedbackQueries.own('p3', 'user_test'))).toBeNull();
});

it('all queries of a project are invalidated together and cached separately', () => {
  const keys = [
    feedbackQueries.project('p1'),
    feedbackQueries.project('p2'),
    feedbackQueries.projectStats('p1'),
    feedbackQueries.projectStats('p2'),
    feedbackQueries.own('p1', 'a'),
    feedbackQueries.own('p1', 'b'),
    feedbackQueries.own('p2', 'a'),
  ].map(({ queryKey }) => queryKey as readonly unknown[]);
  expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  for (const key of keys) expect(key.slice(0, 2)).toEqual([...feedbackQueries.keys.all, key[1]]);
});

const distribution = { '1': 0, '2': 1, '3': 0, '4': 0, '5': 2 };

it('FEED-09 stats are the average with one decimal, the number and the distribution over 1 to 5', () => {
  const row = { average_rating: 4.04, total_reviews: 3, rating_distribution: distribution };
  expect(toFeedbackStats(row)).toEqual({ averageRating: 4, totalReviews: 3, ratingDistribution: distribution });
});

it('FEED-09 counting the ratings gives the same', () => {
  expect(countRatings([5, 2, 5])).toEqual({ averageRating: 4, totalReviews: 3, ratingDistribution: distribution });
  expect(countRatings([5, 4, 4]).averageRating).toBe(4.3);
  expect(countRatings([])).toEqual(noFeedbackStats);
});

it('throws on an unexpected shape', () => {
  expect(() => toFeedbackStats({ average_rating: 4 })).toThrow();
});
