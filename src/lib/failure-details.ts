/** Seconds of a Retry-After header, which may also be a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const until = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/**
 * Copies the request id and `Retry-After` from the headers of a failed response into its JSON body, where toAppError finds them.
 * Lazy-loaded with the first failure.
 */
export async function withDetails(response: Response): Promise<Response> {
  const { status, headers } = response;
  const isFailure = status >= 500;
  const requestId = isFailure ? (headers.get('x-request-id') ?? headers.get('sb-request-id')) : null;
  const retryAfter = secondsOf(headers.get('retry-after'));
  const isJson = headers.get('content-type')?.includes('json');
  if (!isJson || (requestId === null && retryAfter === undefined)) return response;
  return Response.json(
    { ...(await response.json()), ...(requestId && { requestId }), retryAfter },
    { status, headers },
  );
}
