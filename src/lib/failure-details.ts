/** Seconds of a Retry-After header, which may also be a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const until = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/**
 * The answer of a server that failed or has too much to do, with what its headers say put into its body, where toAppError looks for
 * it: the request's id, and when to ask again. Loaded with the first one.
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
