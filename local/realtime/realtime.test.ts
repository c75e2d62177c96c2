import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { RealtimeClient } from '@supabase/realtime-js';
import { afterAll, afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { closeSql, newPersona, type Persona, sql, testEnv, tokenFor } from '../testing/clients.ts';

const env = testEnv();
const url = `${env.SUPABASE_URL.replace(/^http/, 'ws')}/realtime/v1`;
const clients: RealtimeClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
});
afterAll(closeSql);

const topicOf = ({ id }: Persona) => `notifications:${id}`;
const tell = (who: Persona) =>
  sql().query('select private.enqueue_event(\'PointsCorrected\', $1, \'{"points": 5, "reason": "secret"}\')', [who.id]);

/** Joins a channel as this person; `heard` collects the messages. Resolves with the first status. */
async function join(topic: string, token: () => Promise<string | null>, isPrivate = true) {
  const client = new RealtimeClient(url, { params: { apikey: env.SUPABASE_ANON_KEY }, accessToken: token });
  clients.push(client);
  await client.setAuth();
  const heard: unknown[] = [];
  const channel = client.channel(topic, { config: { private: isPrivate } });
  channel.on('broadcast', { event: '*' }, (message) => heard.push(message));
  const statuses: string[] = [];
  const status = await new Promise<string>((resolve) => {
    channel.subscribe((next) => {
      statuses.push(next);
      resolve(next);
    });
  });
  return { client, channel, heard, status, statuses };
}

it('C-88 a member is notified at once that something has changed, but not what', async () => {
  const [member, other] = [newPersona(), newPersona()];
  const { heard, status } = await join(topicOf(member), () => tokenFor(member));
  expect(status).toBe('SUBSCRIBED');
  await tell(other);
  await tell(member);
  await expect.poll(() => heard).toEqual([{ type: 'broadcast', event: 'look', payload: {} }]);
});

it('C-88 a rolled-back message is not sent', async () => {
  const member = newPersona();
  const { heard } = await join(topicOf(member), () => tokenFor(member));
  const client = await sql().connect();
  await client.query('begin');
  await client.query("select private.enqueue_event('PointsCorrected', $1, '{}')", [member.id]);
  await client.query('rollback');
  client.release();
  // The next one is the first to arrive.
  await tell(member);
  await expect.poll(() => heard.length).toBe(1);
});

it.each<[string, (who: Persona) => Promise<string | null>]>([
  ['another member', () => tokenFor(newPersona())],
  ['an admin', () => tokenFor(newPersona(), { claims: { public_metadata: { role: 'admin' } } })],
  ['a visitor', async () => null],
  ['an expired token', (who) => tokenFor(who, { ttlSeconds: -60 })],
  ['a token of another issuer', (who) => tokenFor(who, { claims: { iss: 'https://other.example' } })],
])('C-88 the channel of a person is closed to %s', async (_who, token) => {
  const [member, witness] = [newPersona(), newPersona()];
  const seen = await join(topicOf(witness), () => tokenFor(witness));
  const { heard, status } = await join(topicOf(member), () => token(member));
  expect(status).toBe('CHANNEL_ERROR');
  await tell(member);
  // Messages arrive in order: once the witness has theirs, the first one has been delivered, and the member's own channel receives only the
  // second.
  await tell(witness);
  await expect.poll(() => seen.heard.length).toBe(1);
  const own = await join(topicOf(member), () => tokenFor(member));
  await tell(member);
  await expect.poll(() => own.heard.length).toBe(1);
  expect(heard).toEqual([]);
});

it('a channel that is not private is refused', async () => {
  const member = newPersona();
  expect((await join(topicOf(member), () => tokenFor(member), false)).status).toBe('CHANNEL_ERROR');
});

it('a channel closes when the token that opened it expires', async () => {
  const member = newPersona();
  // Counted from the beginning of the second, a token of one second may have expired before anybody is let in.
  const { statuses } = await join(topicOf(member), () => tokenFor(member, { ttlSeconds: 5 }));
  await expect.poll(() => statuses).toEqual(['SUBSCRIBED', 'CLOSED']);
});

it.each([
  ['another site', 'https://evil.example', env.SUPABASE_ANON_KEY, 403],
  ['a wrong key', env.APP_URL, 'sb_publishable_other', 401],
])('a connection from %s is refused', async (_from, origin, apikey, status) => {
  const socket = new WebSocket(`${url}/websocket?${new URLSearchParams({ apikey, vsn: '2.0.0' })}`, { origin });
  const answer = new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.on('open', () => reject(new Error('it was accepted')));
    socket.on('error', reject);
  });
  await expect(answer).resolves.toBe(status);
  socket.terminate();
});

it('a channel that is left before its join is answered hears nothing', async () => {
  const [member, witness] = [newPersona(), newPersona()];
  const seen = await join(topicOf(witness), () => tokenFor(witness));
  const query = new URLSearchParams({ apikey: env.SUPABASE_ANON_KEY, vsn: '2.0.0' });
  const socket = new WebSocket(`${url}/websocket?${query}`, { origin: env.APP_URL });
  const heard: unknown[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data)).slice(1, 4)));
  await once(socket, 'open');
  const topic = `realtime:${topicOf(member)}`;
  const token = await tokenFor(member);
  socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: { private: true }, access_token: token }]));
  socket.send(JSON.stringify(['1', '2', topic, 'phx_leave', {}]));
  const answers = ['1', '2'].map((reference) => [reference, topic, 'phx_reply']);
  await expect.poll(() => heard).toEqual(answers);
  await tell(member);
  await tell(witness);
  await expect.poll(() => seen.heard.length).toBe(1);
  expect(heard).toEqual(answers);
  socket.terminate();
});

it('a frame of more than 256 KB ends the connection that sent it, and one below does not', async () => {
  const socket = new WebSocket(
    `${url}/websocket?${new URLSearchParams({ apikey: env.SUPABASE_ANON_KEY, vsn: '2.0.0' })}`,
  );
  await once(socket, 'open');
  const frame = (bytes: number) => JSON.stringify([null, '1', 'phoenix', 'heartbeat', { filler: 'x'.repeat(bytes) }]);
  socket.send(frame(255_000));
  const [answer] = await once(socket, 'message');
  expect(String(answer)).toContain('"status":"ok"');
  socket.send(frame(262_144));
  const [code] = await once(socket, 'close');
  expect(code).toBe(1009);
});

it.each(['//', '/rest/v1/campaigns'])('an upgrade of %j is answered 404, and the stack goes on', async (path) => {
  const { hostname, port } = new URL(env.SUPABASE_URL);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`);
  expect(await text(socket)).toContain('HTTP/1.1 404 Not Found');
  expect((await fetch(env.SUPABASE_URL)).status).toBe(404);
});
