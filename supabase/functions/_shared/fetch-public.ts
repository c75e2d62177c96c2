import ipaddr from 'ipaddr.js';

/** Why a fetch was refused: the URL itself, an unreachable host, a timeout, or the response. */
export type FetchTrouble = 'address' | 'unreachable' | 'slow' | 'answer';

/** A refused fetch. The URL is untrusted, so the message is for its owner and the log only. */
export class FetchRefused extends Error {
  readonly trouble: FetchTrouble;

  constructor(trouble: FetchTrouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** Name resolution and connections, replaceable in tests. */
export interface Network {
  /** All addresses of a host name. */
  resolve(host: string): Promise<string[]>;
  /** A TLS connection to this IP address, with the certificate verified for the host name. */
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
 * Fetches a file from an untrusted URL, protected against SSRF: only https on its default port, only public IP
 * addresses. The name is resolved first and the connection goes to one of the checked addresses, which prevents DNS
 * rebinding. Redirects are checked the same way.
 * @throws FetchRefused when the URL is not public, the response is not a file, is too slow or too large.
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
    const next = status >= 300 && status < 400 && location ? URL.parse(location, address) : null;
    if (!next) throw new FetchRefused('answer', `answered ${status}`);
    address = next.href;
  }
  throw new FetchRefused('answer', 'too many redirects');
}

async function getOnce(address: string, { maxBytes, accept }: FetchLimits, deadline: number, network: Network) {
  const url = parse(address);
  const ip = await within(deadline, publicAddress(url.hostname, network));
  const connection = await connect(ip, url.hostname, deadline, network);
  try {
    // One request per connection. Not HTTP/1.0, which some proxies answer with 426.
    const lines = [
      `GET ${url.pathname}${url.search} HTTP/1.1`,
      `Host: ${url.host}`,
      `Accept: ${accept}`,
      // Some hosts refuse requests without one.
      'User-Agent: Questboard',
      'Connection: close',
    ];
    const writer = connection.writable.getWriter();
    await within(deadline, writer.write(new TextEncoder().encode(`${lines.join('\r\n')}\r\n\r\n`)));
    return await readAnswer(connection.readable, maxBytes, deadline);
  } catch (error) {
    throw error instanceof FetchRefused ? error : new FetchRefused('unreachable', 'the connection broke');
  } finally {
    connection.close();
  }
}

/** A connection that is established after the timeout is closed. */
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

/** One of the host's addresses, if all of them are public. */
async function publicAddress(host: string, network: Network): Promise<string> {
  const literal = host.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(literal) ? [literal] : await network.resolve(host).catch(() => []);
  const [first] = addresses;
  if (!first || !addresses.every(isPublic)) throw new FetchRefused('address', 'not a public address');
  return first;
}

/** All public IPv6 addresses are in here; `::7f00:1`, which means 127.0.0.1, is not. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Also recognises IPv4-mapped IPv6 addresses. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return ip.range() === 'unicast' && (ip instanceof ipaddr.IPv4 || ip.match(PUBLIC_IPV6));
}

const MAX_HEAD_BYTES = 32 * 1024;
const HEAD_END = '\r\n\r\n';

/** Ends where the answer says that it does, because some servers close their connections late or impolitely; else with the connection. */
async function readAnswer(stream: ReadableStream<Uint8Array>, maxBytes: number, deadline: number) {
  const bytes = new Uint8Array(MAX_HEAD_BYTES + maxBytes);
  let size = 0;
  let head: Head | undefined;
  let body: Bytes | undefined;
  const reader = stream.getReader();
  while (!body) {
    const { done, value = new Uint8Array() } = await within(deadline, reader.read());
    if (size + value.byteLength > bytes.byteLength) throw new FetchRefused('answer', 'too large');
    bytes.set(value, size);
    size += value.byteLength;
    head ??= readHead(bytes.subarray(0, Math.min(size, MAX_HEAD_BYTES)));
    // Looking for its end again with each piece of a large answer would take more time than the platform gives a function.
    if (!head && size >= MAX_HEAD_BYTES) throw new FetchRefused('answer', 'no HTTP answer');
    body = head?.readBody(bytes.subarray(head.end, size), done);
    if (done && !body) throw new FetchRefused('answer', head ? 'sent less than announced' : 'no HTTP answer');
  }
  if (!head?.status) throw new FetchRefused('answer', 'no HTTP answer');
  if (body.byteLength > maxBytes) throw new FetchRefused('answer', 'too large');
  return { status: head.status, location: head.location, body: body.slice() };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The body, once all bytes that have come after the head complete it. `isClosed`: no more will come. */
type ReadBody = (bytes: Bytes, isClosed: boolean) => Bytes | undefined;

const untilClosed: ReadBody = (bytes, isClosed) => (isClosed ? bytes : undefined);

const ofLength =
  (length: number): ReadBody =>
  (bytes) =>
    bytes.byteLength < length ? undefined : bytes.subarray(0, length);

const MAX_CHUNK_LINE = 1024;
const LINE_FEED = 10;

/**
 * Each chunk is `SIZE IN HEX;extension CRLF BYTES CRLF`, and one of size 0 is the last. Goes on where it stopped. Moves the chunks together
 * in place and decodes no more than their lines: a host may send a million chunks of one byte, and whatever is kept or done for each of them
 * would take more memory and time than the platform gives a function.
 */
function inChunks(): ReadBody {
  const decoder = new TextDecoder('latin1');
  let at = 0;
  let length = 0;
  return (bytes) => {
    for (;;) {
      const lineLength = bytes.subarray(at, at + MAX_CHUNK_LINE).indexOf(LINE_FEED) + 1;
      const line = decoder.decode(bytes.subarray(at, at + lineLength));
      const [, digits] = /^([0-9a-f]{1,8})[^\r\n]*\r\n$/i.exec(line) ?? [];
      if (digits === undefined) return undefined;
      const start = at + lineLength;
      const end = start + Number.parseInt(digits, 16);
      if (end === start) return bytes.subarray(0, length);
      if (bytes.byteLength < end + 2) return undefined;
      bytes.copyWithin(length, start, end);
      length += end - start;
      at = end + 2;
    }
  };
}

interface Head {
  status: number;
  location: string | undefined;
  readBody: ReadBody;
  /** Where the body begins. */
  end: number;
}

/** Undefined while it is incomplete. */
function readHead(bytes: Uint8Array): Head | undefined {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = text.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const field = (name: string) => new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]+)`, 'i').exec(text.slice(0, end))?.[1];
  const length = /^\d+(?= *$)/.exec(field('content-length') ?? '')?.[0];
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0),
    location: field('location'),
    readBody: /\bchunked *$/i.test(field('transfer-encoding') ?? '')
      ? inChunks()
      : length === undefined
        ? untilClosed
        : ofLength(Number(length)),
    end: end + HEAD_END.length,
  };
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
