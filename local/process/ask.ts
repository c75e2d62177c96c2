/** Long enough for functions that all have to start on a busy machine. */
const DEADLINE_MS = 30_000;

export interface Answer {
  /** HTTP status; 0 without a response. */
  status: number;
  headers: Headers;
  /** The body as JSON, or as text when it is none. */
  body: unknown;
}

/** `fetch` that never throws and never waits long. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const fetched = async (): Promise<Answer> => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  };
  // A connection that was kept may be closed just when it is used again.
  return fetched()
    .catch(fetched)
    .catch(() => ({ status: 0, headers: new Headers(), body: null }));
}

/** A field of a JSON object; undefined when missing. */
export function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
