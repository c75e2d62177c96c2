import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { toWebStream } from '../process/web-stream.ts';

/** Limits for an upstream. */
export interface Limits {
  /** Concurrent calls. */
  running: number;
  /** Calls that may wait for one of those to end; at least 1. */
  waiting: number;
  /** The longest wait. */
  waitMs: number;
  /** The longest time from the start of a call to its answer; 504 after that. */
  answerMs: number;
}

/**
 * About as many may wait as are answered in half a second; PostgREST also waits 10 s for one of its database connections. The hosted
 * platform ends a call of its API after 60 s.
 */
export const DEFAULT_LIMITS: Limits = { running: 64, waiting: 500, waitMs: 10_000, answerMs: 60_000 };

/** The upstream has not seen the call, so it may be retried. */
export class Overloaded extends Error {
  override name = 'Overloaded';
}

/** Headers that concern one connection only. */
const NOT_FORWARDED = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host', 'te', 'trailer', 'expect'];
const HAS_NO_BODY = new Set([204, 205, 304]);

export interface Upstream {
  /** Forwards a request to an address and streams the response back. `headers` replaces the request's own. */
  forward(request: Request, target: string, headers: Headers): Promise<Response>;
  /** Whether the next call would be refused at once. */
  isFull(): boolean;
}

/**
 * Forwards to one upstream, within limits: calls beyond them throw Overloaded, at once or after the wait, instead of making everybody wait
 * longer and longer. Method, status, caching, range and CORS headers are passed on unchanged, so that a GET or HEAD of a stable function
 * remains cacheable.
 */
export function createUpstream(limits: Limits): Upstream {
  // Idle connections are dropped before PostgREST (30 s) drops them, or the next request would use a closed one.
  const agent = new Agent({ keepAlive: true, maxSockets: limits.running, timeout: 20_000 });
  // Disconnected callers stay in the agent's queue until it advances. So a stalled queue refuses at once.
  const countWaiting = () => Object.values(agent.requests).reduce((count, queue = []) => count + queue.length, 0);
  const isFull = () => countWaiting() >= limits.waiting;

  const forward: Upstream['forward'] = async (request, target, headers) => {
    if (isFull()) throw new Overloaded();
    for (const name of NOT_FORWARDED) headers.delete(name);
    // A GET has no body here, even if the caller has sent one: the upstream would wait for it, or take the next call's bytes for it.
    if (!request.body) headers.delete('content-length');
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(target, { method: request.method, headers: Object.fromEntries(headers), agent });
      const giveUp = setTimeout(() => {
        reject(new Overloaded());
        outgoing.destroy();
      }, limits.waitMs);
      let tooSlow: NodeJS.Timeout | undefined;
      outgoing.once('socket', () => {
        clearTimeout(giveUp);
        tooSlow = setTimeout(() => {
          resolve(timedOut());
          outgoing.destroy();
        }, limits.answerMs);
      });
      outgoing.once('close', () => clearTimeout(tooSlow));
      outgoing.once('response', (incoming) => {
        clearTimeout(tooSlow);
        resolve(toResponse(incoming, request.method));
      });
      outgoing.on('error', () => resolve(unreachable()));
      request.signal.addEventListener('abort', () => outgoing.destroy());
      if (request.body)
        Readable.from(request.body)
          .on('error', () => outgoing.destroy())
          .pipe(outgoing);
      else outgoing.end();
    });
  };
  return { forward, isFull };
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

const timedOut = (): Response =>
  Response.json({ code: 'timeout', message: 'The upstream server is timing out' }, { status: 504 });

const unreachable = (): Response =>
  Response.json({ code: 'upstream', message: 'This part of the local stack does not answer.' }, { status: 502 });
