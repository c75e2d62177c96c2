import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { UserError } from '../local/process/user-error.ts';

/** Temporary key and certificate for 127.0.0.1. */
export interface Certificate {
  key: string;
  cert: string;
  /** Path of the certificate, for NODE_EXTRA_CA_CERTS. */
  certFile: string;
}

export function makeCertificate(directory: string): Certificate {
  const [keyFile, certFile] = [join(directory, 'front.key'), join(directory, 'front.crt')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile],
  ]);
  if (made.status !== 0) throw new UserError(`openssl made no certificate: ${made.error?.message ?? made.stderr}`);
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile };
}

export interface Front {
  url: string;
  /** Forwards requests to the server at this address, which sees the page's origin `pages.front` as `pages.behind`. */
  forwardTo: (target: string, pages: { front: string; behind: string }) => void;
  stop: () => Promise<void>;
}

/** Adds HTTP/2 and Brotli, as hosts have them, to a server without either. Immutable files are compressed once. */
export async function startFront({ key, cert }: Certificate): Promise<Front> {
  let handle = (_request: Http2ServerRequest, response: Http2ServerResponse): void =>
    void response.writeHead(503).end();
  // Chromium's WebSockets and Playwright's requests use HTTP/1.1.
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (incoming, outgoing) =>
    handle(incoming, outgoing),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (target, pages) => {
      handle = (incoming, outgoing) => void forward(incoming, outgoing, target, pages);
    },
    stop: async () => {
      server.close();
    },
  };
}

const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'http2-settings', 'content-length'];

const withoutConnection = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_CONNECTION.includes(name)),
  );

async function forward(
  incoming: Http2ServerRequest,
  outgoing: Http2ServerResponse,
  target: string,
  pages: { front: string; behind: string },
): Promise<void> {
  const headers = withoutConnection(incoming.headers);
  const { host } = new URL(target);
  Object.assign(headers, { host, 'accept-encoding': 'identity' });
  for (const name of ['origin', 'referer'])
    if (typeof headers[name] === 'string') headers[name] = headers[name].replace(pages.front, pages.behind);
  const behind = request(new URL(incoming.url, target), { method: incoming.method, headers });
  incoming.pipe(behind);
  behind.on('error', () => outgoing.writeHead(502).end());
  const [answer] = await once(behind, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const sent = withoutConnection(answer.headers);
  if (sent['access-control-allow-origin'] === pages.behind) sent['access-control-allow-origin'] = pages.front;
  const body = Buffer.concat(chunks);
  const compressed = takesBrotli(incoming) ? await compress(incoming.url, sent, body) : null;
  if (compressed) Object.assign(sent, { 'content-encoding': 'br', vary: 'accept-encoding' });
  outgoing.writeHead(answer.statusCode, sent).end(compressed ?? body);
}

const takesBrotli = ({ headers }: Http2ServerRequest) => String(headers['accept-encoding']).includes('br');

const brotli = promisify(brotliCompress);
const SMALLEST = 500;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*json|javascript|manifest)|image\/svg)/;
const BEST = 11;
/** The compression level that hosts use for dynamic responses. */
const QUICK = 5;
const kept = new Map<string, Promise<Buffer>>();

async function compress(path: string, headers: OutgoingHttpHeaders, body: Buffer): Promise<Buffer | null> {
  if (body.length < SMALLEST || !COMPRESSIBLE.test(String(headers['content-type']))) return null;
  const squeeze = (quality: number) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  if (!String(headers['cache-control']).includes('immutable')) return squeeze(QUICK);
  const known = kept.get(path) ?? squeeze(BEST);
  kept.set(path, known);
  return known;
}
