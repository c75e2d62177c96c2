/** The answer of a server that failed, with the request's id in its body, where toAppError looks for it. Loaded with the first one. */
export async function withRequestId(response: Response): Promise<Response> {
  const requestId = response.headers.get('x-request-id') ?? response.headers.get('sb-request-id');
  const isJson = response.headers.get('content-type')?.includes('json');
  if (!requestId || !isJson) return response;
  const { status, headers } = response;
  return Response.json({ ...(await response.json()), requestId }, { status, headers });
}
