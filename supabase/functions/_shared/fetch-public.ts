import ipaddr from 'ipaddr.js';

/** What stood in the way: the address itself, the host that could not be reached, its slowness, or its answer. */
export type FetchTrouble = 'address' | 'unreachable' | 'slow' | 'answer';

/** Why nothing was fetched. The address is a stranger's, so the message is for its owner and the log only. */
export class FetchRefused extends Error {
  readonly trouble: FetchTrouble;

  constructor(trouble: FetchTrouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** How names are resolved and connections opened. */
export interface Network {
  /** All addresses of a host name. */
  resolve(host: string): Promise<string[]>;
  /** An encrypted connection to this very address, whose certificate is that of the host. */
  connect(address: string, host: string): Promise<Connection>;
}

export interface Connection {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
  close(): void;
}

export interface FetchLimits {
  /** Of the answer's body. */
  maxBytes: number;
  timeoutMs: number;
  /** How many redirects are followed. */
  maxRedirects: number;
  /** The header of that name. */
  accept: string;
}

/**
 * Fetches a file from an address that anybody may have written. Only https on its usual port, only public addresses: the name
 * is resolved first and the connection goes to one of the addresses that were looked at, so that a name which changes its
 * answer gains nothing. Each redirect is looked at alike.
 * @throws FetchRefused when the address is none of the public web's, answers with no file, is too slow or too large.
 */
export async function fetchPublic(
  url: string,
  limits: FetchLimits,
  network: Network,
): Promise<Uint8Array<ArrayBuffer>> {
  const deadline = Date.now() + limits.timeoutMs;
  let address = url;
  for (let redirects = 0; redirects <= limits.maxRedirects; redirects += 1) {
    const { status, location, body } = await getOnce(address, limits, deadline, network);
    if (status === 200) return body;
    if (status < 300 || status > 399 || !location) throw new FetchRefused('answer', `answered ${status}`);
    address = new URL(location, address).href;
  }
  throw new FetchRefused('answer', 'too many redirects');
}

async function getOnce(address: string, { maxBytes, accept }: FetchLimits, deadline: number, network: Network) {
  const url = parse(address);
  const ip = await within(deadline, publicAddress(url.hostname, network));
  const connection = await connect(ip, url.hostname, deadline, network);
  try {
    // HTTP/1.0: one request, one answer that ends with the connection.
    const lines = [
      `GET ${url.pathname}${url.search} HTTP/1.0`,
      `Host: ${url.host}`,
      `Accept: ${accept}`,
      'Connection: close',
    ];
    const writer = connection.writable.getWriter();
    await within(deadline, writer.write(new TextEncoder().encode(`${lines.join('\r\n')}\r\n\r\n`)));
    return readAnswer(await readAll(connection.readable, maxBytes + MAX_HEAD_BYTES, deadline), maxBytes);
  } catch (error) {
    throw error instanceof FetchRefused ? error : new FetchRefused('unreachable', 'the connection broke');
  } finally {
    connection.close();
  }
}

/** A connection that comes too late is closed again. */
async function connect(ip: string, host: string, deadline: number, network: Network): Promise<Connection> {
  const connecting = network.connect(ip, host);
  try {
    return await within(deadline, connecting);
  } catch (error) {
    void connecting.then((late) => late.close()).catch(() => undefined);
    throw error instanceof FetchRefused ? error : new FetchRefused('unreachable', 'no connection');
  }
}

function parse(address: string): URL {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') throw new FetchRefused('address', 'not https');
  if (url.port !== '' || url.username || url.password) throw new FetchRefused('address', 'unusual address');
  return url;
}

/** One of the host's addresses, when all of them are of the public internet. */
async function publicAddress(host: string, network: Network): Promise<string> {
  const literal = host.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(literal) ? [literal] : await network.resolve(host).catch(() => []);
  const [first] = addresses;
  if (!first || !addresses.every(isPublic)) throw new FetchRefused('address', 'not a public address');
  return first;
}

/** Also an IPv4 address in the clothes of an IPv6 one is taken for what it is. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

const MAX_HEAD_BYTES = 32 * 1024;

async function readAll(stream: ReadableStream<Uint8Array>, maxBytes: number, deadline: number) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await within(deadline, reader.read());
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) throw new FetchRefused('answer', 'too large');
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function readAnswer(bytes: Uint8Array<ArrayBuffer>, maxBytes: number) {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEAD_BYTES));
  const end = head.indexOf('\r\n\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  if (end < 0 || status === 0) throw new FetchRefused('answer', 'no HTTP answer');
  const body = bytes.slice(end + 4);
  if (body.byteLength > maxBytes) throw new FetchRefused('answer', 'too large');
  return { status, location: /\r\nlocation:[ \t]*([^\r\n]+)/i.exec(head.slice(0, end))?.[1], body };
}

async function within<T>(deadline: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FetchRefused('slow', 'too slow')), Math.max(0, deadline - Date.now()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
