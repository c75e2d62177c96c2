import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type Caller, CallerRefused } from '../gateway/caller.ts';
import type { StorageDatabase } from '../storage/database.ts';

const PATH = '/realtime/v1/websocket';
const PREFIX = 'realtime:';
/** Of a frame, in bytes; the platform's limit for a message on its free plan. */
const LARGEST_FRAME = 256 * 1024;

export interface RealtimeOptions {
  /** Used as the caller, to check whether the policies allow listening. */
  database: StorageDatabase;
  /** As the role authenticator; listens for what realtime.send emits. */
  databaseUrl: string;
  identify(headers: Headers): Promise<Caller>;
  /** Origins whose pages may connect. */
  origins: string[];
}

/** A frame of the protocol's version 2: [join reference, reference, topic, event, payload]. */
const frameSchema = z.tuple([z.string().nullable(), z.string().nullable(), z.string(), z.string(), z.looseObject({})]);
const joinSchema = z.object({ config: z.object({ private: z.literal(true) }), access_token: z.string().nullish() });
const tokenSchema = z.object({ access_token: z.string() });
const signalSchema = z.object({ topic: z.string(), event: z.string(), payload: z.unknown(), private: z.boolean() });

/** One joined channel of one connection. */
interface Member {
  topic: string;
  joinReference: string | null;
  /** Closes the channel when the token expires, as on the platform. */
  expiry?: NodeJS.Timeout;
}

/**
 * Replaces Supabase's Realtime: private channels on which the database sends messages (`realtime.send`). The policies
 * on realtime.messages decide who may listen. Features that this product does not use are refused: public channels,
 * sending by clients, presence and table changes.
 */
export class Realtime {
  readonly #options: RealtimeOptions;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME });
  readonly #members = new Map<WebSocket, Map<string, Member>>();
  #listening: Promise<pg.Client> | undefined;

  constructor(options: RealtimeOptions) {
    this.#options = options;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node leaves the socket's errors to whoever takes it: without a listener, a caller who disconnects now would end the stack.
    socket.on('error', () => socket.destroy());
    const refusal = this.#refusal(request);
    if (refusal) {
      socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\n\r\n`);
      return;
    }
    void this.#accept(request, socket, head);
  }

  #refusal({ url = '', headers }: IncomingMessage): string | null {
    const address = URL.parse(url, 'http://localhost');
    if (address?.pathname !== PATH) return '404 Not Found';
    if (headers.origin !== undefined && !this.#options.origins.includes(headers.origin)) return '403 Forbidden';
    return address.searchParams.get('vsn') === '2.0.0' ? null : '400 Bad Request';
  }

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const apiKey = new URL(request.url ?? '', 'http://localhost').searchParams.get('apikey') ?? '';
    try {
      await this.#options.identify(new Headers({ apikey: apiKey }));
    } catch {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (connection) => {
      this.#members.set(connection, new Map());
      connection.on('close', () => {
        for (const { expiry } of this.#members.get(connection)?.values() ?? []) clearTimeout(expiry);
        this.#members.delete(connection);
      });
      connection.on('error', () => connection.terminate());
      // One after the other: a channel that is left before its join is answered must not be joined after that.
      let received = Promise.resolve();
      connection.on('message', (data, isBinary) => {
        received = received
          .then(() => this.#receive(connection, apiKey, isBinary ? '' : String(data)))
          .catch(() => connection.terminate());
      });
    });
  }

  async #receive(connection: WebSocket, apiKey: string, text: string): Promise<void> {
    const [joinReference, reference, topic, event, payload] = frameSchema.parse(JSON.parse(text));
    const reply = (status: 'ok' | 'error', response: object = {}) =>
      send(connection, [joinReference, reference, topic, 'phx_reply', { status, response }]);

    if (topic === 'phoenix' && event === 'heartbeat') return reply('ok');
    const members = this.#members.get(connection);
    switch (event) {
      case 'phx_join': {
        const join = joinSchema.safeParse(payload);
        const token = join.success ? join.data.access_token : null;
        const until = token ? await this.#allowedUntil(apiKey, token, topic) : null;
        if (until === null)
          return reply('error', { reason: 'Unauthorized: You do not have permissions to read from this Channel' });
        this.#listening ??= this.#listen();
        await this.#listening;
        const member: Member = { topic, joinReference };
        members?.set(topic, member);
        this.#expireAt(connection, member, until);
        return reply('ok', { postgres_changes: [] });
      }
      case 'access_token': {
        const member = members?.get(topic);
        const { access_token } = tokenSchema.parse(payload);
        const until = await this.#allowedUntil(apiKey, access_token, topic);
        if (!member) return;
        return until === null
          ? this.#end(connection, member, 'Unauthorized')
          : this.#expireAt(connection, member, until);
      }
      case 'phx_leave': {
        clearTimeout(members?.get(topic)?.expiry);
        members?.delete(topic);
        return reply('ok');
      }
      default:
        return reply('error', { reason: 'Unauthorized: You do not have permissions to write to this Channel' });
    }
  }

  /** When the token's holder has to send a new one, in milliseconds; null when they may not listen to the topic. */
  async #allowedUntil(apiKey: string, token: string, channel: string): Promise<number | null> {
    const topic = channel.startsWith(PREFIX) ? channel.slice(PREFIX.length) : null;
    if (topic === null) return null;
    try {
      const caller = await this.#options.identify(new Headers({ apikey: apiKey, authorization: `Bearer ${token}` }));
      return (await this.#maySee(caller, topic)) ? (caller.claims.exp ?? 0) * 1000 : null;
    } catch (error) {
      if (error instanceof CallerRefused) return null;
      throw error;
    }
  }

  /** As the platform does it: whether the caller would see a message of the topic. */
  async #maySee({ role, claims }: Caller, topic: string): Promise<boolean> {
    let isSeen = false;
    const service = { role: 'service_role' as const, claims: { role: 'service_role' } };
    await this.#options.database.rehearse(service, async (client) => {
      const { rows } = await client.query(
        "insert into realtime.messages (topic, extension, private) values ($1, 'broadcast', true) returning id",
        [topic],
      );
      await client.query(
        "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('realtime.topic', $3, true)",
        [role, JSON.stringify(claims), topic],
      );
      const seen = await client.query('select 1 from realtime.messages where id = $1', [rows[0].id]);
      isSeen = seen.rowCount === 1;
    });
    return isSeen;
  }

  #expireAt(connection: WebSocket, member: Member, time: number): void {
    clearTimeout(member.expiry);
    member.expiry = setTimeout(() => this.#end(connection, member, 'Token has expired'), time - Date.now());
    member.expiry.unref();
  }

  #end(connection: WebSocket, { topic, joinReference }: Member, message: string): void {
    this.#members.get(connection)?.delete(topic);
    send(connection, [joinReference, null, topic, 'system', { status: 'error', extension: 'system', message }]);
    send(connection, [joinReference, joinReference, topic, 'phx_close', {}]);
  }

  async #listen(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#options.databaseUrl });
    // A server that stops closes the connection; the supervisor reports that.
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => this.#broadcast(signalSchema.parse(JSON.parse(payload ?? ''))));
    await client.connect();
    await client.query('listen realtime');
    return client;
  }

  #broadcast({ topic, event, payload, private: isPrivate }: z.infer<typeof signalSchema>): void {
    if (!isPrivate) return;
    const channel = `${PREFIX}${topic}`;
    for (const [connection, members] of this.#members) {
      if (members.has(channel))
        send(connection, [null, null, channel, 'broadcast', { type: 'broadcast', event, payload }]);
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#members.keys()) connection.terminate();
    this.#server.close();
    await (await this.#listening)?.end();
  }
}

function send(connection: WebSocket, frame: z.infer<typeof frameSchema>): void {
  connection.send(JSON.stringify(frame));
}
