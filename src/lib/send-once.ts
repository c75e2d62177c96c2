import { AppError, hadNoEffect, toAppError } from './errors';
import { readSessionStorage, writeSessionStorage } from './storage';

// Calls that move points have an idempotency key that is kept until they are answered, so that retrying after closing a
// dialog or a reload has a single effect (TRUST-21).

type UnansweredCall = { key: string; content?: string };

/**
 * The unanswered calls by name. Session storage has their keys only: contents may be secret, such as a quest's completion codes, so after a
 * reload a content is unknown. Without session storage the keys too last until a reload.
 */
const keptInMemory = new Map<string, UnansweredCall>();

/** The unanswered call with this name, null when there is none. */
function unansweredCall(name: string): UnansweredCall | null {
  const kept = keptInMemory.get(name);
  const key = readSessionStorage('unansweredCall', name) ?? kept?.key;
  if (!key) return null;
  return kept?.key === key ? kept : { key };
}

/** The key of an unanswered call with this name and content, null when there is none. */
export function unansweredKey(name: string, content?: string): string | null {
  const call = unansweredCall(name);
  return call && call.content === content ? call.key : null;
}

function keepKey(name: string, call: UnansweredCall): void {
  keptInMemory.set(name, call);
  writeSessionStorage('unansweredCall', call.key, name);
}

/** Call when the outcome is known: the next call gets a new key. */
export function forgetKey(name: string): void {
  keptInMemory.delete(name);
  writeSessionStorage('unansweredCall', null, name);
}

/** Delays before each lookup in milliseconds, because a call whose answer was lost may still be running. */
const lookAfter = [0, 1000, 2000];

type Call<Result> = {
  /** For a call that sets values: the values. A call with other values must not be taken for this one. */
  content?: string;
  /**
   * For a call that creates something: the message when an earlier call with other content, whose answer was lost, turns out to have
   * succeeded. It is thrown once, instead of sending this call.
   */
  tellMade?: (made: Result) => string;
  send: (key: string) => Promise<Result>;
  /** Looks up the result of the call with this key, null when there is none. */
  find: (key: string) => Promise<Result | null>;
  /** Called when the answer was lost and the outcome is being looked up. */
  onChecking?: () => void;
};

/**
 * Sends a call with the key stored for its name. When the answer is lost, it looks up the outcome instead of reporting
 * a failure (C-99). Throws the server's refusal, or that it is busy; NOT_APPLIED when the call had no effect;
 * OUTCOME_UNKNOWN when the lookup failed. After the last two the same key is reused until an answer settles the first
 * call: a refusal of the second says nothing about it.
 */
export async function sendOnce<Result>(
  name: string,
  { content, tellMade, send, find, onChecking }: Call<Result>,
): Promise<Result> {
  const earlierKey = tellMade ? await keyToMakeWith(name, content, tellMade, find) : unansweredKey(name, content);
  const key = earlierKey ?? crypto.randomUUID();
  keepKey(name, { key, content });
  try {
    const result = await send(key);
    forgetKey(name);
    return result;
  } catch (error) {
    if (hadNoEffect(error)) {
      if (earlierKey === null) forgetKey(name);
      throw error;
    }
    onChecking?.();
    const found = await findOut(() => find(key), error);
    forgetKey(name);
    return found;
  }
}

/**
 * The key of an unanswered call. It may still be in flight, so a call with other content reuses its key and both create one thing. Throws if
 * the earlier call has succeeded.
 */
async function keyToMakeWith<Result>(
  name: string,
  content: string | undefined,
  tellMade: (made: Result) => string,
  find: (key: string) => Promise<Result | null>,
): Promise<string | null> {
  const earlier = unansweredCall(name);
  if (!earlier || earlier.content === content) return earlier?.key ?? null;
  const made = await find(earlier.key);
  if (made === null) return earlier.key;
  forgetKey(name);
  throw new AppError('EARLIER_APPLIED', tellMade(made), 409);
}

/**
 * The result of a call that failed with `lost`, when only its answer was lost. Throws a refusal as it is, and otherwise as `sendOnce` does
 * when it had no effect.
 */
export async function findOut<Result>(find: () => Promise<Result | null>, lost: unknown): Promise<Result> {
  if (hadNoEffect(lost)) throw lost;
  let isKnown = false;
  for (const pause of lookAfter) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const found = await find();
      if (found !== null) return found;
      isKnown = true;
    } catch {
      isKnown = false;
    }
  }
  throw isKnown
    ? notApplied(lost)
    : new AppError('OUTCOME_UNKNOWN', outcomeUnknownSentence, toAppError(lost).status, lost);
}

/** The error for a failed call that was not refused, but is known to have had no effect. */
export const notApplied = (failure: unknown): AppError =>
  new AppError('NOT_APPLIED', 'It did not go through. Please try again.', toAppError(failure).status, failure);

/** Whether the database itself has failed, which rolls the call back: there is no outcome to look up. */
export const isRolledBack = (error: unknown): boolean => toAppError(error).status === 500;

/**
 * Sends an idempotent call again when only its answer was lost, for callers who may not read what it has changed (C-99). Throws as `findOut`
 * does.
 */
export const untilAnswered = <Result>(send: () => Promise<Result>): Promise<Result> =>
  send().catch((error: unknown) => {
    if (isRolledBack(error)) throw error;
    return findOut(send, error);
  });

/**
 * For `.catch()` of a deletion: what is gone has been deleted, perhaps by an earlier press, or by this one whose answer was lost (C-99).
 * Throws as `findOut` does.
 */
export function orIsGone(look: () => Promise<object | null>): (error: unknown) => Promise<void> {
  return async (error) => {
    if (toAppError(error).code.endsWith('_NOT_FOUND')) return;
    if (isRolledBack(error)) throw error;
    await findOut(async () => ((await look()) === null ? true : null), error);
  };
}

/** Message when the outcome could not be looked up. */
export const outcomeUnknownSentence =
  'We could not confirm whether it went through. Try again when you are online: it counts only once.';

/** Message while the outcome is being looked up (C-99). */
export const checkingSentence = 'We are checking whether it went through…';
