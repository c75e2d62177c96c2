/** One request that the code under test made. `body` is parsed JSON, null when there was none or a file was sent. */
export type ApiCall = { method: string; path: string; params: URLSearchParams; body: unknown };

/** The answer to a request: rows or a value (200), or what `refuse` and `offline` make. */
type Answer = unknown | ((call: ApiCall) => unknown);

class Refusal {
  readonly status: number;
  readonly body: { message: string; hint: string | null; code: string };

  constructor(status: number, hint: string | null, message: string) {
    this.status = status;
    this.body = { message, hint, code: `PT${status}` };
  }
}

const noConnection = Symbol('no connection');

/** A refusal as `private.raise_error` makes it: refuse(409, 'OUT_OF_STOCK', 'This reward …'). */
export function refuse(status: number, hint: string | null, message: string): unknown {
  return new Refusal(status, hint, message);
}

/** No answer at all. */
export function offline(): unknown {
  return noConnection;
}

function respond(answer: unknown): Response {
  if (answer === noConnection) throw new TypeError('Failed to fetch');
  if (answer instanceof Response) return answer;
  if (answer instanceof Refusal) return Response.json(answer.body, { status: answer.status });
  return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
}

/**
 * Stands for the server at the network's edge, for one test. Routes are named 'GET wallets' (a table), 'rpc submit_proof'
 * (a procedure, by GET or POST) or 'POST /api/send-email' (any other path); a request without a route fails the test.
 * Routes can be changed while it runs: `api.routes['GET wallets'] = offline()`.
 */
export function fakeApi(routes: Record<string, Answer>): { calls: ApiCall[]; routes: Record<string, Answer> } {
  const api = { calls: [] as ApiCall[], routes };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, window.location.origin) : input, init);
    const url = new URL(request.url);
    const text = request.headers.get('content-type')?.includes('json') ? await request.text() : '';
    const path = url.pathname.replace(/^\/rest\/v1\//, '');
    const call = { method: request.method, path, params: url.searchParams, body: text ? JSON.parse(text) : null };
    api.calls.push(call);
    const name = path.startsWith('rpc/') ? `rpc ${path.slice(4)}` : `${request.method} ${path}`;
    if (!(name in api.routes)) throw new Error(`fakeApi has no route '${name}'`);
    const answer = api.routes[name];
    return respond(typeof answer === 'function' ? await answer(call) : answer);
  });
  return api;
}
