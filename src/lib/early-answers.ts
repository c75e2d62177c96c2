declare global {
  interface Window {
    /** Responses to the requests that index.html has sent, by URL; null if one failed or was empty. */
    earlyAnswers?: Map<string, Promise<Response | null>>;
  }
}

/** How long such a response counts as fresh, in milliseconds; the same as staleTime in lib/query-client.ts. */
const freshMs = 30_000;

/**
 * The response to a request that was sent before the app's scripts had loaded; each is returned once. Null if there was no such
 * request, or if it failed or is too old: then the caller has to send it.
 */
export async function takeEarlyAnswer(url: string): Promise<Response | null> {
  const answers = typeof window === 'undefined' ? undefined : window.earlyAnswers;
  const answer = answers?.get(url);
  if (!answer) return null;
  answers?.delete(url);
  return performance.now() < freshMs ? answer : null;
}
