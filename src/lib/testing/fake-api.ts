import { PostgrestError, readTable } from './postgrest';

/** A request made by the code under test. `body` is parsed JSON, null when there was none or a file was sent. */
export type ApiCall = { method: string; path: string; params: URLSearchParams; body: unknown };

/** The answer to a request: rows or a value (200), or the result of `refuse` or `offline`. */
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

/** A network failure. */
export function offline(): unknown {
  return noConnection;
}

function respond(answer: unknown): Response {
  if (answer === noConnection) throw new TypeError('Failed to fetch');
  if (answer instanceof Response) return answer;
  if (answer instanceof Refusal) return Response.json(answer.body, { status: answer.status });
  return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
}

/** A table's rows as selected by the request. */
function respondFromTable(rows: Record<string, unknown>[], request: Request): Response {
  try {
    return readTable(rows, request);
  } catch (error) {
    if (error instanceof PostgrestError) return Response.json(error.body, { status: error.status });
    throw error;
  }
}

/** The user whom `renderApp` signs in. */
const signedInUser = 'user_test';

/** Procedures that only filter a table for the caller's rows: without a route of their own they use the table's. */
const ownRows: Readonly<Record<string, { table: string; column: string; of?: { argument: string; column: string } }>> =
  {
    'rpc get_own_startup': { table: 'GET startup_profiles', column: 'owner_user_id' },
    'rpc get_own_project_feedback': {
      table: 'GET project_feedback',
      column: 'user_id',
      of: { argument: 'p_project_id', column: 'project_id' },
    },
  };

/** The base URL of the app's own paths; without a document there is none. */
const origin = globalThis.location?.origin ?? 'http://localhost';

/** A mistake in the test itself. The code under test may swallow what `fetch` throws; a console error fails the test. */
function misuse(message: string): never {
  console.error(message);
  throw new Error(message);
}

/**
 * Fakes the server at the network boundary, for one test. Routes are named 'GET wallets' (all rows of a table, of which
 * the request gets those it selects), 'rpc submit_proof' (a procedure, by GET or POST) or 'POST /api/send-email' (any
 * other path); a request without a route fails the test. Only the database knows what a procedure does with its
 * arguments: assert `calls`. Routes can be changed while it runs: `api.routes['GET wallets'] = offline()`.
 */
export function fakeApi(routes: Record<string, Answer>): { calls: ApiCall[]; routes: Record<string, Answer> } {
  const api = { calls: [] as ApiCall[], routes };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, origin) : input, init);
    const url = new URL(request.url);
    const text = request.headers.get('content-type')?.includes('json') ? await request.text() : '';
    const path = url.pathname.replace(/^\/rest\/v1\//, '');
    const call = { method: request.method, path, params: url.searchParams, body: text ? JSON.parse(text) : null };
    api.calls.push(call);
    const own = path.startsWith('rpc/') ? `rpc ${path.slice(4)}` : `${request.method} ${path}`;
    const picked = own in api.routes ? undefined : ownRows[own];
    const name = picked?.table ?? (own in api.routes ? own : own.replace(/^HEAD /, 'GET '));
    if (!(name in api.routes)) misuse(`fakeApi has no route '${name}'`);
    const route = api.routes[name];
    const all = typeof route === 'function' ? await route(call) : route;
    const isPicked = (row: Record<string, unknown>) =>
      !picked ||
      (row[picked.column] === signedInUser &&
        (!picked.of || row[picked.of.column] === url.searchParams.get(picked.of.argument)));
    const answer = picked && Array.isArray(all) ? all.filter(isPicked) : all;
    const isTable = /^(GET|HEAD) [a-z_]+$/.test(name);
    if (picked && Array.isArray(answer)) {
      for (const parameter of [...url.searchParams.keys()])
        if (parameter !== 'select') url.searchParams.delete(parameter);
      return respondFromTable(answer, new Request(url, { headers: request.headers }));
    }
    if (isTable && Array.isArray(answer)) return respondFromTable(answer, request);
    const isSpecial = answer === noConnection || answer instanceof Response || answer instanceof Refusal;
    if (isTable && !isSpecial) misuse(`'${name}' needs an array of rows`);
    return respond(answer);
  });
  return api;
}
