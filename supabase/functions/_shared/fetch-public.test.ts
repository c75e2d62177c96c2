import { describe, expect, it } from 'vitest';
import { type Connection, FetchRefused, fetchPublic, type Network } from './fetch-public.ts';

/** The time is only for the host that never responds: nothing else here waits for anything. */
const LIMITS = { maxBytes: 1_000, timeoutMs: 10_000, maxRedirects: 3, accept: 'image/*' };

/** A fake internet: names with their addresses, and each host's responses by path. Records every connection and request. */
function internet(names: Record<string, string[]>, answers: Record<string, string | ReadableStream<Uint8Array>> = {}) {
  const connections: string[] = [];
  const requests: string[] = [];
  const network: Network = {
    resolve: async (host) => names[host] ?? Promise.reject(new Error('no such name')),
    connect: async (address, host): Promise<Connection> => {
      connections.push(`${host} at ${address}`);
      let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
      let asked: (path: string) => void = () => undefined;
      const path = new Promise<string>((resolve) => {
        asked = resolve;
      });
      return {
        writable: new WritableStream({
          write: (chunk) => {
            const request = new TextDecoder().decode(chunk);
            requests.push(request);
            asked(request.split(' ')[1] ?? '');
          },
        }),
        // Sends a chunk on demand, like a connection with backpressure.
        readable: new ReadableStream({
          pull: async (controller) => {
            reader ??= toStream(answers[`${host}${await path}`] ?? 'HTTP/1.0 404 Not Found\r\n\r\n').getReader();
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          },
        }),
        close: () => undefined,
      };
    },
  };
  return { network, connections, requests };
}

const toStream = (answer: string | ReadableStream<Uint8Array>) =>
  typeof answer === 'string' ? new Blob([answer]).stream() : answer;

const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n${body}`;
const redirect = (to: string) => `HTTP/1.1 302 Found\r\nLocation: ${to}\r\n\r\n`;

describe('fetchPublic', () => {
  it('C-101 fetches a file from a public host, through the address that was checked', async () => {
    const { network, connections, requests } = internet(
      { 'a.example': ['93.184.216.34'] },
      { 'a.example/logo.png?x=1': ok('PNG') },
    );
    const bytes = await fetchPublic('https://a.example/logo.png?x=1', LIMITS, network);
    expect(new TextDecoder().decode(bytes)).toBe('PNG');
    expect(requests).toEqual([
      'GET /logo.png?x=1 HTTP/1.1\r\nHost: a.example\r\nAccept: image/*\r\nUser-Agent: Questboard\r\nConnection: close\r\n\r\n',
    ]);
    expect(connections).toEqual(['a.example at 93.184.216.34']);
  });

  it.each([
    'http://a.example/',
    'ftp://a.example/',
    'file:///etc/passwd',
    'https://a.example:8443/',
    'https://user:secret@a.example/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.0.2.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
    'https://inner.example/',
    'https://half.example/',
    'https://nowhere.example/',
    'not an address',
  ])('C-101 refuses %s without connecting', async (url) => {
    const { network, connections } = internet({
      'a.example': ['93.184.216.34'],
      localhost: ['127.0.0.1', '::1'],
      'inner.example': ['10.0.0.5'],
      'half.example': ['93.184.216.34', '192.168.0.1'],
    });
    await expect(fetchPublic(url, LIMITS, network)).rejects.toBeInstanceOf(FetchRefused);
    expect(connections).toEqual([]);
  });

  it.each(['https://127.0.0.1/x', 'http://a.example/x', 'https://inner.example/x'])(
    'C-101 follows no redirect to %s',
    async (target) => {
      const { network, connections } = internet(
        { 'a.example': ['93.184.216.34'], 'inner.example': ['10.0.0.5'] },
        { 'a.example/': redirect(target) },
      );
      await expect(fetchPublic('https://a.example/', LIMITS, network)).rejects.toBeInstanceOf(FetchRefused);
      expect(connections).toEqual(['a.example at 93.184.216.34']);
    },
  );

  it('follows a few redirects, but not endlessly', async () => {
    const names = { 'a.example': ['93.184.216.34'], 'b.example': ['93.184.216.35'] };
    const { network } = internet(names, { 'a.example/': redirect('https://b.example/x'), 'b.example/x': ok('there') });
    expect(new TextDecoder().decode(await fetchPublic('https://a.example/', LIMITS, network))).toBe('there');
    const circle = internet(names, { 'a.example/': redirect('/') });
    await expect(fetchPublic('https://a.example/', LIMITS, circle.network)).rejects.toThrow('too many redirects');
    expect(circle.connections).toHaveLength(4);
  });

  it('refuses a redirect to what is no address, as it refuses any other answer that is not a file', async () => {
    const { network } = internet({ 'a.example': ['1.1.1.1'] }, { 'a.example/': redirect('https://[nowhere') });
    const error = await fetchPublic('https://a.example/', LIMITS, network).catch((reason) => reason);
    expect(error).toBeInstanceOf(FetchRefused);
    expect(error.trouble).toBe('answer');
  });

  it('refuses an oversized response as soon as the size shows', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(new Uint8Array(10_000));
      },
    });
    const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': endless });
    await expect(fetchPublic('https://a.example/', LIMITS, network)).rejects.toThrow('too large');
    expect(sent).toBeLessThan(20);
    const long = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': ok('x'.repeat(1_001)) });
    await expect(fetchPublic('https://a.example/', LIMITS, long.network)).rejects.toThrow('too large');
  });

  it('refuses an answer whose head has not ended after 32 KB, whatever size its body may have', async () => {
    let sent = 0;
    const headOnly = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(
          new TextEncoder().encode(sent === 1 ? 'HTTP/1.1 200 OK\r\n' : `X-${sent}: ${'x'.repeat(990)}\r\n`),
        );
      },
    });
    const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': headOnly });
    const limits = { ...LIMITS, maxBytes: 1024 * 1024 };
    await expect(fetchPublic('https://a.example/', limits, network)).rejects.toThrow('no HTTP answer');
    expect(sent).toBeLessThan(50);
  });

  const announced = (length: number, body: string) => ok(body).replace('\r\n', `\r\nContent-Length: ${length}\r\n`);

  it('ends with the announced length when the server breaks the connection then, or keeps it open', async () => {
    for (const end of [
      (controller: ReadableStreamDefaultController) => controller.error(new Error('no close_notify')),
      () => undefined,
    ]) {
      const chunks = [announced(3, 'P'), 'NG'].map((text) => new TextEncoder().encode(text));
      const impolite = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const chunk = chunks.shift();
          if (chunk) controller.enqueue(chunk);
          else end(controller);
        },
      });
      const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': impolite });
      expect(new TextDecoder().decode(await fetchPublic('https://a.example/', LIMITS, network))).toBe('PNG');
    }
  });

  const chunked = (...parts: string[]) => ok(parts.join('')).replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n');

  it.each([
    [
      'one after the other',
      chunked('3\r\nPNG\r\n', 'A;name=value\r\n0\r\n\r\n12345\r\n', '0\r\n\r\n'),
      'PNG0\r\n\r\n12345',
    ],
    ['with trailing fields', chunked('3\r\nPNG\r\n', '0\r\nDigest: x\r\n\r\n'), 'PNG'],
    ['none', chunked('0\r\n\r\n'), ''],
  ])('joins the chunks of an answer without a length: %s', async (_what, answer, body) => {
    for (const size of [1, 7, answer.length]) {
      const pieces = answer.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          // Kept open afterwards, as by an impolite server.
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        },
      });
      const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': stream });
      expect(new TextDecoder().decode(await fetchPublic('https://a.example/', LIMITS, network))).toBe(body);
    }
  });

  it.each([
    ['without the last chunk', chunked('3\r\nPNG\r\n')],
    ['in the middle of one', chunked('8\r\nPNG\r\n0\r\n\r\n')],
    ['with a size that is none', chunked('x\r\nPNG\r\n0\r\n\r\n')],
  ])('takes chunks that end %s for no answer', async (_what, answer) => {
    const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': answer });
    await expect(fetchPublic('https://a.example/', LIMITS, network)).rejects.toThrow('sent less than announced');
  });

  it('refuses chunks that are too large together', async () => {
    const { network } = internet(
      { 'a.example': ['93.184.216.34'] },
      { 'a.example/': chunked(`258\r\n${'x'.repeat(600)}\r\n`.repeat(2), '0\r\n\r\n') },
    );
    await expect(fetchPublic('https://a.example/', LIMITS, network)).rejects.toThrow('too large');
  });

  it('joins almost a million chunks of one byte within the time and memory of a function', {
    timeout: 10_000,
  }, async () => {
    const chunks = 850_000;
    const many = new TextEncoder().encode('1\r\nx\r\n'.repeat(chunks / 85));
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = sent === 0 ? chunked() : '0\r\n\r\n';
        controller.enqueue(sent > 0 && sent <= 85 ? many : new TextEncoder().encode(piece));
        sent += 1;
      },
    });
    const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': stream });
    const limits = { ...LIMITS, maxBytes: 5 * 1024 * 1024 };
    expect((await fetchPublic('https://a.example/', limits, network)).byteLength).toBe(chunks);
  });

  it('takes an answer that was cut off for none', async () => {
    const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': announced(4, 'PNG') });
    await expect(fetchPublic('https://a.example/', LIMITS, network)).rejects.toThrow('sent less than announced');
  });

  it('gives up on a host that never responds', async () => {
    const silent = new ReadableStream<Uint8Array>();
    const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': silent });
    await expect(fetchPublic('https://a.example/', { ...LIMITS, timeoutMs: 50 }, network)).rejects.toThrow('too slow');
  });

  it.each(['HTTP/1.1 500 Oops\r\n\r\n', 'HTTP/1.1 404 Not Found\r\n\r\n', 'nonsense', ''])(
    'takes %j for no file',
    async (answer) => {
      const { network } = internet({ 'a.example': ['93.184.216.34'] }, { 'a.example/': answer });
      await expect(fetchPublic('https://a.example/', LIMITS, network)).rejects.toBeInstanceOf(FetchRefused);
    },
  );
});
