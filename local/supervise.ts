import { setTimeout as sleep } from 'node:timers/promises';
import type { PartFailure } from './process/child.ts';

/** Ctrl-C reaches every process of the terminal; a part may die a moment before we get the signal. */
const SIGNAL_GRACE_MS = 200;

export interface Supervision {
  /** Resolves with the exit code when the work has to end, for whatever reason. */
  ended: Promise<number>;
  /** To be called when a part ended unexpectedly. */
  onFailure(failure: PartFailure): void;
}

/**
 * Waits for the end: a signal, the death of the process that started us, or the failure of a part, which is reported
 * with its last log lines and gives exit code 1.
 */
export function supervise(): Supervision {
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  let isEnding = false;
  const end = (code: number) => {
    isEnding = true;
    resolve(code);
  };
  process.on('SIGINT', () => end(130));
  process.on('SIGTERM', () => end(143));
  process.on('SIGHUP', () => end(129));
  process.on('disconnect', () => end(1));

  const onFailure = async ({ name, lastLines }: PartFailure) => {
    await sleep(SIGNAL_GRACE_MS);
    if (isEnding) return;
    const log = lastLines.length > 0 ? ` Its last lines:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
    console.error(`\n${name} ended unexpectedly, so everything stops.${log}`);
    end(1);
  };
  return { ended, onFailure: (failure) => void onFailure(failure) };
}
