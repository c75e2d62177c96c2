/**
 * Copies the request id of a failed response into its body, where toAppError looks for it. Lazy-loaded with the first
 * failure.
 */
export async function withRequestId(response: Response): Promise<Response> {
  const requestId = response.headers.get('x-request-id') ?? response.headers.get('sb-request-id');
  const isJson = response.headers.get('content-type')?.includes('json');
  if (!requestId || !isJson) return response;
  const { status, headers } = response;
  return Response.json({ ...(await response.json()), requestId }, { status, headers });
}
