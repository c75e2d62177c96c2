import { setTimeout as sleep } from 'node:timers/promises';

/** Short, so that a mail soon appears in the inbox; hosted projects tick every minute or so (docs/deploy.md). */
const TICK_MS = 2_000;

export interface TickerOptions {
  /** Base URL of the functions. */
  functionsUrl: string;
  /** CRON_SECRET of the functions. */
  secret: string;
  functionName: string;
  /** Milliseconds between the end of one tick and the next. */
  tickMs?: number;
}

/** Calls a worker periodically, like pg_cron on the hosted platform. */
export function startTicker({ functionsUrl, secret, functionName, tickMs = TICK_MS }: TickerOptions): {
  stop(): Promise<void>;
} {
  const stopped = new AbortController();
  const { signal } = stopped;
  const tick = async () => {
    while (!signal.aborted) {
      await sleep(tickMs, undefined, { signal });
      // Errors are in the function's log and on the event; the next tick retries.
      const url = `${functionsUrl}/${functionName}`;
      const call = fetch(url, { method: 'POST', headers: { authorization: `Bearer ${secret}` }, signal });
      await call.then((response) => response.body?.cancel()).catch(() => undefined);
    }
  };
  const running = tick().catch(() => undefined);
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}
