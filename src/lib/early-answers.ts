declare global {
  interface Window {
    /** Answers to what index.html has asked for with the page, by address; null: there was none, it was no success, or it was empty. */
    earlyAnswers?: Map<string, Promise<Response | null>>;
  }
}

/** Milliseconds after the start of the page for which such an answer counts as new: as long as any other (lib/query-client.ts). */
const FRESH_MS = 30_000;

/**
 * The answer to a request that was sent before the app's scripts were there, once. Null when there is none to wait for, or when
 * it failed: then the request has to be made.
 */
export async function takeEarlyAnswer(url: string): Promise<Response | null> {
  const answers = typeof window === 'undefined' ? undefined : window.earlyAnswers;
  const answer = answers?.get(url);
  if (!answer) return null;
  answers?.delete(url);
  return performance.now() < FRESH_MS ? answer : null;
}
