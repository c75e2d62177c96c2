// @vitest-environment jsdom
import { QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from './query-client';
import { invalidateNews, invalidateStaleQueries } from './stale-queries';

/** A client with a mounted query: `read` is called on each fetch, `leave` unmounts it. */
function screens() {
  const client = createQueryClient();
  const show = (queryKey: string[]) => {
    const read = vi.fn(() => Promise.resolve('read'));
    const options = { queryKey, queryFn: read, initialData: 'old', staleTime: Number.POSITIVE_INFINITY };
    return { read, leave: new QueryObserver(client, options).subscribe(() => undefined) };
  };
  return { client, show, observe: (queryKey: string[]) => show(queryKey).read };
}

it('refetches exactly the queries that are mounted and stale', async () => {
  const { client, show, observe } = screens();
  const left = show(['wallets', 'left']);
  left.leave();
  const [leaderboard, rewards, wallets] = [
    observe(['rewards', 'leaderboard']),
    observe(['rewards', 'list']),
    observe(['wallets', 'own']),
  ];
  await invalidateStaleQueries(client, ['submit_proof', 'review_submission']);
  expect(leaderboard).toHaveBeenCalledOnce();
  expect(wallets).toHaveBeenCalledOnce();
  expect(rewards).not.toHaveBeenCalled();
  expect(left.read).not.toHaveBeenCalled();
  await invalidateStaleQueries(client, ['redeem_reward_safe'], 'none');
  expect(rewards).not.toHaveBeenCalled();
  expect(client.getQueryState(['rewards', 'list'])?.isInvalidated).toBe(true);
});

it('refetches whatever a notification may be about', async () => {
  const { client, observe } = screens();
  const asked = ['notifications', 'submissions', 'wallets', 'rewards', 'referrals', 'startups', 'appeals'];
  const reads = asked.map((key) => observe([key]));
  const settings = observe(['settings']);
  await invalidateNews(client);
  expect(asked.filter((_, index) => reads[index]?.mock.calls.length !== 1)).toEqual([]);
  expect(settings).not.toHaveBeenCalled();
});
