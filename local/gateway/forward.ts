import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { toWebStream } from '../process/web-stream.ts';

/** Idle connections are dropped before PostgREST (30 s) drops them, or the next request would meet a closed one. */
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 20_000 });

/** Headers that concern one connection only. */
const NOT_FORWARDED = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host', 'te', 'trailer', 'expect'];
const HAS_NO_BODY = new Set([204, 205, 304]);

/**
 * Passes a request on and streams the answer back. `headers` replaces the request's own. Method, status, caching, range
 * and CORS headers go through unchanged, so that a GET or HEAD of a stable function stays cacheable.
 */
export function forward(request: Request, target: string, headers: Headers): Promise<Response> {
  for (const name of NOT_FORWARDED) headers.delete(name);
  return new Promise((resolve) => {
    const outgoing = httpRequest(target, { method: request.method, headers: Object.fromEntries(headers), agent });
    outgoing.once('response', (incoming) => resolve(toResponse(incoming, request.method)));
    outgoing.on('error', () => resolve(unreachable()));
    request.signal.addEventListener('abort', () => outgoing.destroy());
    if (request.body)
      Readable.from(request.body)
        .on('error', () => outgoing.destroy())
        .pipe(outgoing);
    else outgoing.end();
  });
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const status = incoming.statusCode ?? 502;
  const headers = new Headers();
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    const name = incoming.rawHeaders[index]?.toLowerCase() ?? '';
    const value = incoming.rawHeaders[index + 1] ?? '';
    if (!NOT_FORWARDED.includes(name)) headers.append(name, value);
  }
  if (method === 'HEAD' || HAS_NO_BODY.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(toWebStream(incoming), { status, headers });
}

const unreachable = (): Response =>
  Response.json({ code: 'upstream', message: 'This part of the local stack does not answer.' }, { status: 502 });
