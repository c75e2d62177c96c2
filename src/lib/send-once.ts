import { AppError, hadNoEffect, toAppError } from './errors';

/**
 * Calls that move points have a key that is kept until their answer came: closing a dialog or reloading the page in between, and
 * pressing again, has one effect (TRUST-21). Kept for the tab; where storage is forbidden, for the page.
 */
const forPage = new Map<string, string>();
const storageName = (name: string) => `questboard.unanswered.${name}`;

function readKept(name: string): string | null {
  try {
    return sessionStorage.getItem(storageName(name)) ?? forPage.get(name) ?? null;
  } catch {
    return forPage.get(name) ?? null;
  }
}

/** What is kept: the key, then what was sent with it. */
const separator = ' ';

/** The key of the call of this name that was sent with this content and never answered, null when there is none. */
export function unansweredKey(name: string, content = ''): string | null {
  const [key = '', ...rest] = readKept(name)?.split(separator) ?? [];
  return key !== '' && rest.join(separator) === content ? key : null;
}

function keepKey(name: string, key: string, content: string): void {
  const kept = content === '' ? key : key + separator + content;
  forPage.set(name, kept);
  try {
    sessionStorage.setItem(storageName(name), kept);
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
  /** Where a call sets something to new values: those. Others are another call, and must not be taken for this one. */
  content?: string;
  send: (key: string) => Promise<Result>;
  /** What the call with this key has made, null when nothing. */
  find: (key: string) => Promise<Result | null>;
  /** The answer was lost, and the outcome is being looked up. */
  onChecking?: () => void;
};

/**
 * Sends a call under the key kept for its name. When the answer is lost it finds out what happened, instead of saying that it failed
 * (C-99). Throws the server's refusal, or that it is busy; NOT_APPLIED when nothing happened; OUTCOME_UNKNOWN when that could not be
 * found out. After the last two the same key is used again, and stays in use until there is an answer that says what became of it: a
 * refusal of the second call says nothing about the first.
 */
export async function sendOnce<Result>(
  name: string,
  { content, send, find, onChecking }: Call<Result>,
): Promise<Result> {
  const earlierKey = unansweredKey(name, content);
  const key = earlierKey ?? crypto.randomUUID();
  keepKey(name, key, content ?? '');
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
    : new AppError('OUTCOME_UNKNOWN', outcomeUnknownSentence, status, lost);
}

/** Shown when that could not be found out. */
export const outcomeUnknownSentence =
  'We could not find out whether it went through. Try again when you are online: it counts only once.';

/** Shown while the outcome is being looked up (C-99). */
export const checkingSentence = 'We are checking whether it went through …';
