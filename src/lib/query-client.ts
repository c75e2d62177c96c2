import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { isRefusal } from './errors';

/**
 * One factor for this browser between 0.9 and 1.1. Everyone polls every 30 s; without it, everyone who came with the
 * same newsletter would do so in the same second.
 */
const jitter = 0.9 + Math.random() * 0.2;

/** Seconds until a read that failed for want of a working server is tried again: screens recover by themselves. */
const recoverySeconds = 15;

const interval = (seconds: number) => Math.round(seconds * 1000 * jitter);

type QueryLike = { state: { status: string; error: Error | null } };
type RefetchInterval = (query: QueryLike) => number | false;

/** True when only trying again can help; a refusal stays one. */
const isDown = ({ state }: QueryLike) => state.status === 'error' && !isRefusal(state.error);

/** Query options that refetch about every `seconds`, sooner after a failure, and not at all while the tab is hidden. */
export function poll(seconds: number): { refetchInterval: RefetchInterval; refetchIntervalInBackground: false } {
  return {
    refetchInterval: (query) => interval(isDown(query) ? Math.min(seconds, recoverySeconds) : seconds),
    refetchIntervalInBackground: false,
  };
}

/** Retries twice what may succeed at the next try: no answer, or a failing server. Never a refusal. */
function shouldRetry(failures: number, error: Error): boolean {
  return !isRefusal(error) && failures < 2;
}

/**
 * A cache in which a query that failed and has nothing to show stays failed while it is tried again. By itself it would go
 * back to pending, and screens would swap the error for a skeleton and back as long as the server is down. Forgotten
 * when nobody looks any more: whoever comes later sees a skeleton first.
 */
function createQueryCache(): QueryCache {
  const cache = new QueryCache();
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
 * The client with the app's rules: fresh for 30 s, retried with backing off, refetched on focus and on reconnecting, and
 * after a failure every 15 s until the server is back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: createQueryCache(),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Without a network, too: people are told that it failed, rather than left waiting without a word.
        networkMode: 'always',
        retry: shouldRetry,
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 8000) * jitter,
        refetchOnReconnect: true,
        refetchInterval: (query) => (isDown(query) ? interval(recoverySeconds) : false),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
