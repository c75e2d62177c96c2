// @vitest-environment jsdom
import { QueryObserver } from '@tanstack/react-query';
import { AppError } from './errors';
import { createQueryClient, poll, pollPages } from './query-client';

const succeeded = { state: { status: 'success', error: null } };

describe('query client', () => {
  it('does not repeat a refused request', async () => {
    const queryFn = vi.fn(() => Promise.reject(new AppError('FORBIDDEN', 'Forbidden', 403)));
    await expect(createQueryClient().fetchQuery({ queryKey: ['a'], queryFn, retryDelay: 0 })).rejects.toThrow(
      'Forbidden',
    );
    expect(queryFn).not.toHaveBeenCalledTimes(2);
  });

  it('repeats what may succeed the next time', () => {
    const { retry } = createQueryClient().getDefaultOptions().queries ?? {};
    const decide = typeof retry === 'function' ? retry : () => false;
    expect(decide(0, new AppError('NETWORK', 'Network error.', 0))).toBe(true);
    expect(decide(1, new AppError('UNKNOWN', 'Something went wrong.', 503))).toBe(true);
    expect(decide(2, new AppError('NETWORK', 'Network error.', 0))).toBe(false);
    expect(decide(0, new AppError('FORBIDDEN', 'Forbidden', 403))).toBe(false);
  });

  it('polls near the asked rhythm, the same at every render, and not in hidden tabs', () => {
    const { refetchInterval, refetchIntervalInBackground } = poll(30);
    expect(refetchInterval(succeeded)).toBeGreaterThanOrEqual(27_000);
    expect(refetchInterval(succeeded)).toBeLessThanOrEqual(33_000);
    expect(poll(30).refetchInterval(succeeded)).toBe(refetchInterval(succeeded));
    expect(refetchIntervalInBackground).toBe(false);
  });

  it('tries again by itself while the server is down, but not after a refusal', async () => {
    vi.useFakeTimers();
    const queryFn = vi.fn(() => Promise.reject(new AppError('NETWORK', 'Network error.', 0)));
    const refusal = vi.fn(() => Promise.reject(new AppError('FORBIDDEN', 'Forbidden', 403)));
    const client = createQueryClient();
    const stops = [
      new QueryObserver(client, { queryKey: ['down'], queryFn, retry: false }),
      new QueryObserver(client, { queryKey: ['refused'], queryFn: refusal }),
    ].map((observer) => observer.subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(17_000);
    expect(queryFn).toHaveBeenCalledTimes(2);
    expect(refusal).toHaveBeenCalledTimes(1);
    for (const stop of stops) stop();
    vi.useRealTimers();

    const down = { state: { status: 'error', error: new AppError('UNKNOWN', 'Something went wrong.', 503) } };
    expect(poll(60).refetchInterval(down)).toBeLessThanOrEqual(16_500);
    expect(poll(3).refetchInterval(down)).toBeLessThanOrEqual(3300);
  });

  it('polls a list with few open pages; the requests of a poll do not grow with the list', () => {
    const listOf = (pages: number) => ({ state: { ...succeeded.state, data: { pages: Array(pages).fill([]) } } });
    expect(pollPages(30).refetchInterval(listOf(5))).toBe(poll(30).refetchInterval(succeeded));
    expect(pollPages(30).refetchInterval(listOf(6))).toBe(false);
    expect(pollPages(30).refetchInterval(succeeded)).toBe(poll(30).refetchInterval(succeeded));
  });
});
