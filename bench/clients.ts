import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface Call {
  path: string;
  headers: OutgoingHttpHeaders;
  /** Sent by POST; without it the call is a GET. */
  body?: string;
}

export interface Answer {
  path: string;
  /** 0: no response at all. */
  status: number;
  milliseconds: number;
}

/** The workload. */
export type Load =
  /** Open loop: each call once, at a fixed rate per second, whatever the server does. */
  | { kind: 'rate'; url: string; calls: Call[]; perSecond: number }
  /**
   * Closed loop: a number of clients over keep-alive connections, each of which sends its next call as soon as the last one is answered. A
   * client that is told to retry later does so when the product's own client would.
   */
  | { kind: 'clients'; url: string; calls: Call[]; clients: number; seconds: number }
  /** One client retrying until it is answered within this many milliseconds, for a minute at most. */
  | { kind: 'recovery'; url: string; calls: Call[]; within: number };

export interface Measured {
  answers: Answer[];
  seconds: number;
}

/** Runs the clients in their own thread: the gateway runs in the caller's, and neither should wait for the other. */
export function runClients(load: Load): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));

/**
 * One call, and the retry delay in seconds that the server asked for; `since` is when it should have been sent, so that a late client does
 * not flatter it.
 */
function send(
  url: string,
  { path, headers, body }: Call,
  agent: Agent,
  since = performance.now(),
): Promise<Answer & { retryAfter: number }> {
  return new Promise((resolve) => {
    const done = (incoming?: IncomingMessage) =>
      resolve({
        path,
        status: incoming?.statusCode ?? 0,
        milliseconds: performance.now() - since,
        retryAfter: Number(incoming?.headers['retry-after'] ?? 0),
      });
    const outgoing = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers, agent });
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('end', () => done(incoming));
      incoming.on('error', () => done());
    });
    outgoing.on('error', () => done());
    outgoing.end(body);
  });
}

async function run(load: Load): Promise<Measured> {
  const { url, calls } = load;
  const agent = new Agent({ keepAlive: true, ...(load.kind === 'clients' && { maxSockets: load.clients }) });
  const start = performance.now();
  const answers: Answer[] = [];
  const ask = async (call: Call, since?: number) => {
    const { retryAfter, ...answer } = await send(url, call, agent, since);
    answers.push(answer);
    return { ...answer, retryAfter };
  };
  const nth = (index: number) => calls[index % calls.length] as Call;

  if (load.kind === 'rate') {
    const oneAfterTheOther = calls.map(async (call, index) => {
      const since = start + (index * 1000) / load.perSecond;
      await pause(since - performance.now());
      await ask(call, since);
    });
    await Promise.all(oneAfterTheOther);
  } else if (load.kind === 'clients') {
    const isOver = () => performance.now() - start >= load.seconds * 1000;
    const visit = async (client: number) => {
      for (let round = 0; !isOver(); round += 1) {
        const { retryAfter } = await ask(nth(client + round));
        if (retryAfter > 0) await pause(retryAfter * 1000 * (1 + Math.random()));
      }
    };
    await Promise.all(Array.from({ length: load.clients }, (_, client) => visit(client)));
  } else {
    const isOver = () => performance.now() - start >= 60_000;
    for (let isBack = false; !isBack && !isOver(); ) {
      const { status, milliseconds } = await ask(nth(0));
      isBack = status === 200 && milliseconds <= load.within;
    }
  }
  agent.destroy();
  return { answers, seconds: (performance.now() - start) / 1000 };
}

if (!isMainThread) parentPort?.postMessage(await run(workerData as Load));
