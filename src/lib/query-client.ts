import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasNetwork } from './auth/token';
import { reportError } from './error-tracking';
import { AppError, isBusy, isRefusal } from './errors';
import { invalidateStaleQueries, type KnownCall } from './stale-queries';

/**
 * `calls`: the procedures that the mutation may call. Queries that they make stale are invalidated when it settles, after a refusal
 * too, which often means that the screen was out of date.
 *
 * - `awaited` (the default): the mutation resolves when the active queries have been refetched, at the latest after `longestReading`.
 * - `background`: it resolves immediately, while they are being refetched.
 * - `later`: they are only marked stale, because the screen is being left.
 */
type MutationMeta = { calls: readonly KnownCall[]; refetch?: 'awaited' | 'background' | 'later' };

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationMeta;
  }
}

/**
 * How long a mutation waits for a refetch, in milliseconds. Its outcome is known: while the server is slow or busy, neither the message nor
 * the button may wait for every read and its retries.
 */
const longestReading = 5000;

const waitAtMost = (reading: Promise<void>): Promise<void> =>
  Promise.race([reading, new Promise<void>((resolve) => setTimeout(resolve, longestReading))]);

/** Refetches what a mutation made stale, by its `meta` and the table in stale-queries.ts. */
export function createMutationCache(): MutationCache {
  return new MutationCache({
    onError: reportError,
    onSettled: (_data, _error, _variables, _onMutateResult, mutation, { client }) => {
      if (!mutation.meta) return;
      const { calls, refetch = 'awaited' } = mutation.meta;
      const reading = invalidateStaleQueries(client, calls, refetch === 'later' ? 'none' : 'active');
      // Without a network, nothing can be refetched: the message must not wait until that has been tried again.
      return refetch === 'background' || !hasNetwork() ? undefined : waitAtMost(reading);
    },
  });
}

/**
 * One factor for this browser between 0.9 and 1.1. Everyone polls every 30 s; without it, everyone who came with the
 * same newsletter would do so in the same second.
 */
const jitter = 0.9 + Math.random() * 0.2;

/** Interval in seconds at which a query is retried while the server is unreachable, so that screens recover by themselves. */
const recoverySeconds = 15;

const interval = (seconds: number) => Math.round(seconds * 1000 * jitter);

/** Upper bound in seconds for `Retry-After`, because the server's clock or ours may be wrong. */
const longestWait = 120;

/** `Retry-After` of a failure in seconds, 0 without one. */
const askedToWait = (error: unknown) => (error instanceof AppError ? Math.min(error.retryAfter ?? 0, longestWait) : 0);

/** Adds jitter: between once and twice the amount, so that clients refused at the same moment do not return together. */
const spread = (amount: number) => amount * (1 + Math.random());

type QueryLike = { state: { status: string; error: Error | null } };
type RefetchInterval = (query: QueryLike) => number | false;

/** True when retrying can help; a refusal would only be repeated. */
const isDown = ({ state }: QueryLike) => state.status === 'error' && !isRefusal(state.error);

/**
 * Next refetch of a query that polls every `seconds` (null: does not poll): sooner after a failure, but later when the server is
 * busy or sent `Retry-After`.
 */
function nextInterval(seconds: number | null, query: QueryLike): number | false {
  if (!isDown(query)) return seconds === null ? false : interval(seconds);
  const { error } = query.state;
  const asked = askedToWait(error);
  if (isBusy(error)) return interval(spread(Math.max(seconds ?? 0, recoverySeconds, asked)));
  return interval(Math.max(Math.min(seconds ?? recoverySeconds, recoverySeconds), asked));
}

/**
 * Query options that refetch about every `seconds`, sooner after a failure, later while the server is busy, and not at all while the
 * tab is hidden.
 */
export function poll(seconds: number): { refetchInterval: RefetchInterval; refetchIntervalInBackground: false } {
  return { refetchInterval: (query) => nextInterval(seconds, query), refetchIntervalInBackground: false };
}

/** Maximum number of loaded pages for which a list is polled. */
const polledPages = 5;

/**
 * The same for an infinite query while few pages are loaded, because a refetch requests all of them one after the other. A longer
 * list is refetched on returning to the tab and after an action.
 */
export function pollPages(seconds: number) {
  const every = poll(seconds);
  const countPages = (data: unknown) =>
    typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages) ? data.pages.length : 0;
  return {
    ...every,
    refetchInterval: (query: QueryLike & { state: { data?: unknown } }) =>
      countPages(query.state.data) > polledPages ? false : every.refetchInterval(query),
  };
}

const longestRetryDelay = 8;

/** Retries a network or server failure twice; never a refusal, nor if the server asks to wait longer than the longest delay. */
function shouldRetry(failures: number, error: Error): boolean {
  return !isRefusal(error) && failures < 2 && askedToWait(error) <= longestRetryDelay;
}

/** Exponential backoff in milliseconds, at least `Retry-After`, with more jitter while the server is busy. */
function retryDelay(failures: number, error: Error): number {
  const seconds = Math.max(Math.min(2 ** failures, longestRetryDelay), askedToWait(error));
  return (isBusy(error) ? spread(seconds) : seconds) * 1000 * jitter;
}

/**
 * Keeps a failed query without data in the error state while it is retried. By default it would return to pending, and screens would
 * alternate between error and skeleton for as long as the server is down. Once nothing observes the query, the next screen
 * starts with its skeleton.
 */
function createQueryCache(): QueryCache {
  const cache = new QueryCache({ onError: reportError });
  const failures = new WeakMap<Query, Error>();
  cache.subscribe((event) => {
    const { query, type } = event;
    if (type === 'observerRemoved' && query.getObserversCount() === 0) failures.delete(query);
    if (type !== 'updated') return;
    const failure = failures.get(query);
    if (event.action.type === 'error' && query.state.error) failures.set(query, query.state.error);
    else if (event.action.type === 'success') failures.delete(query);
    else if (event.action.type === 'fetch' && failure && query.state.data === undefined) {
      query.setState({ status: 'error', error: failure });
    }
  });
  return cache;
}

/**
 * The client with the app's defaults: data is fresh for 30 s, refetched on focus and reconnect; failures are retried with backoff, then
 * polled every 15 s until the server is back, less often while it is busy.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: createQueryCache(),
    mutationCache: createMutationCache(),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A query fails while offline, instead of pausing and leaving people to wait.
        networkMode: 'always',
        retry: shouldRetry,
        retryDelay,
        refetchOnReconnect: true,
        refetchInterval: (query) => nextInterval(null, query),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/**
 * Called when the signed-in user changes: discards all cached answers, because not every query key contains the user. Active queries are
 * fetched again and are pending until then.
 */
export async function resetQueryCache(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  await queryClient.resetQueries();
}
