import { AppError, isRefusal, toAppError } from './errors';

/**
 * Calls that move points have a key that is kept until their answer came: closing a dialog or reloading the page in between, and
 * pressing again, has one effect (TRUST-21). Kept for the tab; where storage is forbidden, for the page.
 */
const forPage = new Map<string, string>();
const storageName = (name: string) => `questboard.unanswered.${name}`;

/** The key of the call of this name that was sent and never answered, null when there is none. */
export function unansweredKey(name: string): string | null {
  try {
    return sessionStorage.getItem(storageName(name)) ?? forPage.get(name) ?? null;
  } catch {
    return forPage.get(name) ?? null;
  }
}

function keepKey(name: string, key: string): void {
  forPage.set(name, key);
  try {
    sessionStorage.setItem(storageName(name), key);
  } catch {
    // Storage is forbidden or full; the page's own memory keeps it.
  }
}

/** The outcome is known: the next call gets a key of its own. */
export function forgetKey(name: string): void {
  forPage.delete(name);
  try {
    sessionStorage.removeItem(storageName(name));
  } catch {
    // There was nothing to remove.
  }
}

/** Pauses before each look in milliseconds: a call whose answer was lost may still be under way. */
const lookAfter = [0, 1000, 2000];

type Call<Result> = {
  send: (key: string) => Promise<Result>;
  /** What the call with this key has made, null when nothing. */
  find: (key: string) => Promise<Result | null>;
  /** The answer was lost, and the outcome is being looked up. */
  onChecking?: () => void;
};

/**
 * Sends a call under the key kept for its name. When the answer is lost it finds out what happened, instead of saying that it failed
 * (C-99). Throws the server's refusal; NOT_APPLIED when nothing happened; OUTCOME_UNKNOWN when that could not be found out. After
 * the last two the same key is used again.
 */
export async function sendOnce<Result>(name: string, { send, find, onChecking }: Call<Result>): Promise<Result> {
  const key = unansweredKey(name) ?? crypto.randomUUID();
  keepKey(name, key);
  try {
    const result = await send(key);
    forgetKey(name);
    return result;
  } catch (error) {
    if (isRefusal(error)) {
      forgetKey(name);
      throw error;
    }
    onChecking?.();
    const found = await findOut(() => find(key), error);
    forgetKey(name);
    return found;
  }
}

/** The result of a call whose answer was lost; throws as `sendOnce` does when it had no effect. */
export async function findOut<Result>(find: () => Promise<Result | null>, lost: unknown): Promise<Result> {
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
  const { status } = toAppError(lost);
  throw isKnown
    ? new AppError('NOT_APPLIED', 'It did not go through. Please try again.', status, lost)
    : new AppError(
        'OUTCOME_UNKNOWN',
        'We could not find out whether it went through. Try again when you are online: it counts only once.',
        status,
        lost,
      );
}

/** Shown while the outcome is being looked up (C-99). */
export const checkingSentence = 'We are checking whether it went through …';
