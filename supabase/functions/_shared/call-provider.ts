const RETRY_PAUSE_MS = 200;

/**
 * `fetch` with a deadline for each attempt and one retry after a network failure, a timeout, 429 or 5xx. Only for
 * calls that may be repeated: they carry an idempotency key or change nothing.
 * @throws the last network error or a TimeoutError
 */
export async function callProvider(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  const attempt = () => fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  try {
    const response = await attempt();
    if (response.status !== 429 && response.status < 500) return response;
    await response.body?.cancel();
  } catch {
    // Retried below; a second failure is the caller's to handle.
  }
  await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
  return attempt();
}
