// @vitest-environment jsdom
import { type MutationMeta, onlineManager, QueryObserver } from '@tanstack/react-query';
import { AppError } from './errors';
import { createQueryClient, poll, pollPages } from './query-client';

const succeeded = { state: { status: 'success', error: null } };

describe('query client', () => {
  it('does not retry a refused request', async () => {
    const queryFn = vi.fn(() => Promise.reject(new AppError('FORBIDDEN', 'Forbidden', 403)));
    await expect(createQueryClient().fetchQuery({ queryKey: ['a'], queryFn, retryDelay: 0 })).rejects.toThrow(
      'Forbidden',
    );
    expect(queryFn).toHaveBeenCalledOnce();
  });

  it('retries what may succeed the next time', () => {
    const { retry } = createQueryClient().getDefaultOptions().queries ?? {};
    const decide = typeof retry === 'function' ? retry : () => false;
    expect(decide(0, new AppError('NETWORK', 'Network error.', 0))).toBe(true);
    expect(decide(1, new AppError('UNKNOWN', 'Something went wrong.', 503))).toBe(true);
    expect(decide(2, new AppError('NETWORK', 'Network error.', 0))).toBe(false);
    expect(decide(0, new AppError('FORBIDDEN', 'Forbidden', 403))).toBe(false);
  });

  it('backs off up to 8 seconds, and retries even when the browser reports being offline', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    const delay = (attempt: number) =>
      typeof queries?.retryDelay === 'function' ? queries.retryDelay(attempt, new Error('failed')) : Number.NaN;
    const jitter = delay(0) / 1000;
    expect(jitter).toBeGreaterThanOrEqual(0.9);
    expect(jitter).toBeLessThanOrEqual(1.1);
    expect([0, 1, 2, 3, 9].map((attempt) => Math.round(delay(attempt) / jitter))).toEqual([
      1000, 2000, 4000, 8000, 8000,
    ]);
    expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true });
    expect(mutations).toEqual({ retry: false, networkMode: 'always' });
  });

  it('polls near the requested interval, stable across renders, and not in hidden tabs', () => {
    const { refetchInterval, refetchIntervalInBackground } = poll(30);
    expect(refetchInterval(succeeded)).toBeGreaterThanOrEqual(27_000);
    expect(refetchInterval(succeeded)).toBeLessThanOrEqual(33_000);
    expect(poll(30).refetchInterval(succeeded)).toBe(refetchInterval(succeeded));
    expect(refetchIntervalInBackground).toBe(false);
  });

  it('retries automatically while the server is down, but not after a refusal', async () => {
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

    const down = { state: { status: 'error', error: new AppError('UNKNOWN', 'Something went wrong.', 503) } };
    expect(poll(60).refetchInterval(down)).toBeLessThanOrEqual(16_500);
    expect(poll(3).refetchInterval(down)).toBeLessThanOrEqual(3300);
  });

  it('polls a list with few open pages, so that the requests per poll do not grow with the list', () => {
    const listOf = (pages: number) => ({ state: { ...succeeded.state, data: { pages: Array(pages).fill([]) } } });
    expect(pollPages(30).refetchInterval(listOf(5))).toBe(poll(30).refetchInterval(succeeded));
    expect(pollPages(30).refetchInterval(listOf(6))).toBe(false);
    expect(pollPages(30).refetchInterval(succeeded)).toBe(poll(30).refetchInterval(succeeded));
    const odd = { state: { ...succeeded.state, data: { pages: 'none' } } };
    expect(pollPages(30).refetchInterval(odd)).toBe(poll(30).refetchInterval(succeeded));
  });
});

describe('while the server is busy', () => {
  const busy = (retryAfter?: number) =>
    new AppError('BUSY', 'We are very busy right now.', 503, { message: 'busy', retryAfter });
  const { queries } = createQueryClient().getDefaultOptions();
  const shouldRetry = (failures: number, error: Error) =>
    typeof queries?.retry === 'function' && queries.retry(failures, error);
  const delays = (error: Error, failures = 0) =>
    Array.from({ length: 200 }, () =>
      typeof queries?.retryDelay === 'function' ? queries.retryDelay(failures, error) : Number.NaN,
    );
  const stateOf = (error: Error) => ({ state: { status: 'error', error } });

  it('reads are retried, not before the server allows it, and with jitter', () => {
    expect([0, 1, 2].map((failures) => shouldRetry(failures, busy()))).toEqual([true, true, false]);
    for (const [asked, failures, least] of [
      [undefined, 0, 1],
      [undefined, 1, 2],
      [1, 1, 2],
      [5, 0, 5],
    ] as const) {
      const times = delays(busy(asked), failures);
      expect(Math.min(...times)).toBeGreaterThanOrEqual(least * 900);
      expect(Math.max(...times)).toBeLessThanOrEqual(least * 2200);
      expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(least * 400);
    }
  });

  it('nobody waits for long: the failure is shown, and the query is retried when the server allows it', () => {
    expect(shouldRetry(0, busy(8))).toBe(true);
    expect(shouldRetry(0, busy(9))).toBe(false);
    const { refetchInterval } = queries ?? {};
    const next = typeof refetchInterval === 'function' ? refetchInterval(stateOf(busy(60)) as never) : 0;
    expect(next).toBeGreaterThanOrEqual(54_000);
    expect(next).toBeLessThanOrEqual(132_000);
  });

  it('the retry delay of a failing server is honoured as well, up to two minutes', () => {
    const failing = (retryAfter: number) =>
      new AppError('UNKNOWN', 'Something went wrong.', 503, { message: 'down', retryAfter });
    expect(Math.min(...delays(failing(5)))).toBeGreaterThanOrEqual(4500);
    expect(shouldRetry(0, failing(60))).toBe(false);
    expect(poll(30).refetchInterval(stateOf(failing(60)))).toBeGreaterThanOrEqual(54_000);
    expect(poll(30).refetchInterval(stateOf(failing(86_400)))).toBeLessThanOrEqual(132_000);
  });

  it('polling slows down, whereas it speeds up while the server is down', () => {
    for (const seconds of [3, 15, 60]) {
      const slowed = Array.from({ length: 200 }, () => Number(poll(seconds).refetchInterval(stateOf(busy()))));
      const least = Math.max(seconds, 15) * 900;
      expect(Math.min(...slowed)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...slowed) - Math.min(...slowed)).toBeGreaterThan(least * 0.4);
    }
  });

  it('a write is never retried automatically', async () => {
    const client = createQueryClient();
    const mutationFn = vi.fn(() => Promise.reject(busy()));
    const run = client.getMutationCache().build(client, { mutationFn }).execute(undefined);
    await expect(run).rejects.toMatchObject({ code: 'BUSY' });
    expect(mutationFn).toHaveBeenCalledTimes(1);
  });
});

describe('a query that failed without data', () => {
  const failed = new AppError('FORBIDDEN', 'Forbidden', 403);

  /** A query whose answers are given one by one, and the states of its observer. */
  function observe() {
    const client = createQueryClient();
    const answers: ((answer: Promise<string>) => void)[] = [];
    const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
    const observer = new QueryObserver(client, { queryKey: ['screen'], queryFn });
    const unsubscribe = observer.subscribe(() => undefined);
    const answer = async (value: Promise<string>) => {
      value.catch(() => undefined);
      answers.at(-1)?.(value);
      await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe('idle');
    };
    return { client, observer, unsubscribe, answer };
  }

  it('remains failed during retries, and shows the next answer', async () => {
    const { observer, unsubscribe, answer } = observe();
    expect(observer.getCurrentResult().status).toBe('pending');
    await answer(Promise.reject(failed));
    expect(observer.getCurrentResult()).toMatchObject({ status: 'error', error: failed });

    void observer.refetch();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'error', error: failed, fetchStatus: 'fetching' });
    await answer(Promise.resolve('rows'));
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', data: 'rows', error: null });

    void observer.refetch();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', fetchStatus: 'fetching' });
    unsubscribe();
  });

  it('keeps its data when a later read fails', async () => {
    const { observer, unsubscribe, answer } = observe();
    await answer(Promise.resolve('rows'));
    void observer.refetch();
    await answer(Promise.reject(failed));
    expect(observer.getCurrentResult()).toMatchObject({ status: 'error', data: 'rows' });
    void observer.refetch();
    expect(observer.getCurrentResult()).toMatchObject({ data: 'rows', fetchStatus: 'fetching' });
    unsubscribe();
  });

  it('is pending, not failed, after a reset', async () => {
    const { client, observer, unsubscribe, answer } = observe();
    await answer(Promise.reject(failed));
    void observer.refetch();
    await answer(Promise.resolve('rows'));
    void client.resetQueries();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', error: null });
    unsubscribe();
  });

  it('is pending again for the next screen, but not while another one still shows it', async () => {
    const { client, observer, unsubscribe, answer } = observe();
    await answer(Promise.reject(failed));
    const queryFn = () => new Promise<string>(() => undefined);
    const second = new QueryObserver(client, { queryKey: ['screen'], queryFn, enabled: false });
    const leaveSecond = second.subscribe(() => undefined);
    leaveSecond();
    void observer.refetch();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'fetching' });
    await answer(Promise.reject(failed));

    unsubscribe();
    const next = new QueryObserver(client, { queryKey: ['screen'], queryFn });
    const leave = next.subscribe(() => undefined);
    expect(next.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'fetching' });
    leave();
  });
});

describe('after a mutation', () => {
  /** Runs a mutation that makes the leaderboard stale; `read` delays the refetch. */
  async function mutate(meta: MutationMeta | undefined) {
    const client = createQueryClient();
    let finishReading: () => void = () => undefined;
    const queryFn = vi.fn(() => new Promise<string>((resolve) => (finishReading = () => resolve('new'))));
    const observer = new QueryObserver(client, {
      queryKey: ['rewards', 'leaderboard'],
      queryFn,
      initialData: 'old',
      staleTime: Number.POSITIVE_INFINITY,
    });
    const unsubscribe = observer.subscribe(() => undefined);
    let isSettled = false;
    const run = client
      .getMutationCache()
      .build(client, { mutationFn: () => Promise.resolve('done'), meta })
      .execute(undefined)
      .then(() => {
        isSettled = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 0));
    const state = { isSettled, reads: queryFn.mock.calls.length };
    finishReading();
    await run;
    unsubscribe();
    return state;
  }

  const calls = ['submit_proof'] as const;

  it('waits for the refetch of stale queries, unless it may happen in the background or later', async () => {
    expect(await mutate({ calls })).toEqual({ isSettled: false, reads: 1 });
    expect(await mutate({ calls, refetch: 'background' })).toEqual({ isSettled: true, reads: 1 });
    expect(await mutate({ calls, refetch: 'later' })).toEqual({ isSettled: true, reads: 0 });
    expect(await mutate(undefined)).toEqual({ isSettled: true, reads: 0 });
  });

  it('does not wait long for a refetch that gets no answer, so that what has become of the call is said', async () => {
    vi.useFakeTimers();
    const client = createQueryClient();
    const queryFn = vi.fn(() => new Promise<string>(() => undefined));
    const observer = new QueryObserver(client, { queryKey: ['rewards', 'leaderboard'], queryFn, initialData: 'old' });
    const unsubscribe = observer.subscribe(() => undefined);
    const settle = vi.fn();
    const mutation = client.getMutationCache().build(client, { mutationFn: () => Promise.resolve(), meta: { calls } });
    void mutation.execute(undefined).then(settle);
    await vi.advanceTimersByTimeAsync(4900);
    expect(settle).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(settle).toHaveBeenCalledOnce();
    unsubscribe();
  });

  it('C-99 does not wait for it without a network, so that the message is there at once', async () => {
    onlineManager.setOnline(false);
    const state = await mutate({ calls });
    onlineManager.setOnline(true);
    expect(state).toEqual({ isSettled: true, reads: 1 });
  });
});
