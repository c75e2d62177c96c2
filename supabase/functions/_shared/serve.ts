import type { SiteConfig } from './config.ts';
import { corsHeaders } from './cors.ts';
import { DatabaseError, FunctionError, reasonOf } from './errors.ts';
import { log } from './log.ts';
import { RELEASE } from './release.ts';

export interface FunctionOptions<Config extends SiteConfig> {
  name: string;
  /** Validated environment; read per request so that a missing variable is an error response, not a crash. */
  config: () => Config;
  /** Handles POST; without it POST is not allowed. Throw FunctionError or DatabaseError for an error response. */
  post?: (request: Request, config: Config) => Promise<Response>;
  /** Handles GET and HEAD other than the health check; without it each of them is the health check. */
  get?: (request: Request, config: Config) => Promise<Response>;
}

/**
 * Serves one edge function: CORS for the configured origins, health check (`GET /<name>/health`), errors as JSON
 * `{ ok: false, code, message, details?, requestId }` and one log line per request.
 */
export function serveFunction<Config extends SiteConfig>(options: FunctionOptions<Config>): void {
  Deno.serve((request) => answer(request, options));
}

async function answer<Config extends SiteConfig>(
  request: Request,
  options: FunctionOptions<Config>,
): Promise<Response> {
  const startedAt = performance.now();
  const requestId = crypto.randomUUID();
  let headers: Record<string, string> = { 'x-request-id': requestId };
  let response: Response;
  let code: string | null = null;
  try {
    const config = options.config();
    headers = { ...headers, ...corsHeaders(request, config) };
    response = await route(request, config, options);
  } catch (error) {
    const failure = failureOf(error);
    code = failure.code;
    response = Response.json({ ok: false, ...failure.body, requestId }, { status: failure.status });
    if (failure.status >= 500) {
      log('error', 'failure', { function: options.name, requestId, code, reason: reasonOf(error) }, error);
    }
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  const ms = Math.round(performance.now() - startedAt);
  const { method } = request;
  log('info', 'request', { function: options.name, requestId, method, status: response.status, code, ms });
  return response;
}

async function route<Config extends SiteConfig>(
  request: Request,
  config: Config,
  { name, post, get }: FunctionOptions<Config>,
): Promise<Response> {
  switch (request.method) {
    case 'OPTIONS':
      return new Response(null, { status: 204 });
    case 'POST':
      if (!post) throw new FunctionError('METHOD_NOT_ALLOWED');
      return await post(request, config);
    // Monitors and link previews ask for the headers first; the server leaves the body out.
    case 'HEAD':
    case 'GET':
      if (get && !new URL(request.url).pathname.endsWith('/health')) return await get(request, config);
      return Response.json({ ok: true, function: name, release: RELEASE });
    default:
      throw new FunctionError('METHOD_NOT_ALLOWED');
  }
}

function failureOf(error: unknown): { code: string; status: number; body: Record<string, unknown> } {
  if (error instanceof FunctionError || error instanceof DatabaseError) {
    const details = error instanceof FunctionError && error.details.length > 0 ? { details: error.details } : {};
    const { code, status, message } = error;
    return { code, status, body: { code, message, ...details } };
  }
  return failureOf(new FunctionError('UNEXPECTED', [], error));
}
