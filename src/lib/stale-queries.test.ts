// @vitest-environment jsdom
import { QueryObserver } from '@tanstack/react-query';
import { createQueryClient } from './query-client';
import { invalidateStaleQueries } from './stale-queries';

it('reads again what is on the screen and stale, and nothing else', async () => {
  const client = createQueryClient();
  const observe = (queryKey: string[]) => {
    const read = vi.fn(() => Promise.resolve('read'));
    new QueryObserver(client, {
      queryKey,
      queryFn: read,
      initialData: 'old',
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => undefined);
    return read;
  };
  const [leaderboard, rewards, wallets] = [
    observe(['rewards', 'leaderboard']),
    observe(['rewards', 'list']),
    observe(['wallets', 'own']),
  ];
  await invalidateStaleQueries(client, ['submit_proof', 'review_submission']);
  expect(leaderboard).toHaveBeenCalledOnce();
  expect(wallets).toHaveBeenCalledOnce();
  expect(rewards).not.toHaveBeenCalled();
  await invalidateStaleQueries(client, ['redeem_reward_safe'], 'none');
  expect(rewards).not.toHaveBeenCalled();
  expect(client.getQueryState(['rewards', 'list'])?.isInvalidated).toBe(true);
});
