import { QueryClient } from '@tanstack/react-query';
import { type ApiCall, fakeApi } from '@/lib/testing/fake-api';
import { submission } from '@/lib/testing/quest-rows';
import { fetchAllSubmissions, submissionQueries } from './queries';

const rows = (count: number) => Array.from({ length: count }, (_, index) => submission({ id: `s${index}` }));
/** A full first page, then one more row. */
const pages =
  (size: number) =>
  ({ params }: ApiCall) =>
    params.has('or') ? [submission({ id: 'last' })] : rows(size);

it('SUBM-05 reads 100 submissions of a task, then those below the last row', async () => {
  const api = fakeApi({ 'GET submissions': pages(100) });
  const list = submissionQueries.byCampaign('c1', { taskId: 't1', sort: 'newest', taskIds: ['t1'] });
  const { pages: read } = await new QueryClient().fetchInfiniteQuery({ ...list, pages: 3 });
  expect(read.map((page) => page.length)).toEqual([100, 1]);
  expect(api.calls[0]?.params.get('limit')).toBe('100');
  expect(api.calls[0]?.params.get('task_id')).toBe('eq.t1');
  expect(api.calls[0]?.params.get('order')).toBe('submitted_at.desc,id.desc');
  expect(api.calls[1]?.params.get('or')).toBe(
    '(submitted_at.lt."2026-01-02T03:04:05+00:00",and(submitted_at.eq."2026-01-02T03:04:05+00:00",id.lt.s99))',
  );
});

it('SUBM-10 exports past the rows that one answer holds', async () => {
  fakeApi({ 'GET submissions': pages(1000) });
  const heard: number[] = [];
  const all = await fetchAllSubmissions('c1', null, (count) => heard.push(count));
  expect(all).toHaveLength(1001);
  expect(heard).toEqual([1000, 1001]);
});
