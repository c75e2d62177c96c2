import { readdirSync, readFileSync } from 'node:fs';
import { onlineManager } from '@tanstack/react-query';
import { setTokenSource } from './auth/token';
import { authorizedFetch, callFunction } from './authorized-fetch';
import { type AppError, describeError, hadNoEffect } from './errors';
import { supabase, unwrap } from './supabase';
import { fakeApi, offline, refuse } from './testing/fake-api';

const answer = (status: number, headers: Record<string, string>) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValue(Response.json({ message: 'down', code: 'XX000' }, { status, headers }));

describe('authorizedFetch', () => {
  it.each(['sb-request-id', 'x-request-id'])(
    'an error of the database carries the %s of a failed request',
    async (name) => {
      answer(500, { [name]: '1a2b3c4d-0000-4000-8000-000000000000' });
      const error = await unwrap(supabase().from('campaigns').select('id')).catch((thrown: unknown) => thrown);
      expect(describeError(error)).toBe('Something went wrong on our side. Please try again. (Reference 1a2b3c4d)');
    },
  );

  it.each([429, 503])('an error of status %i carries the retry delay', async (status) => {
    answer(status, { 'retry-after': '7' });
    const error = await unwrap(supabase().from('campaigns').select('id')).catch((thrown: unknown) => thrown);
    expect((error as AppError).retryAfter).toBe(7);
  });

  it('leaves other responses unchanged', async () => {
    answer(400, { 'sb-request-id': '1a2b3c4d' });
    expect(await (await authorizedFetch('http://x.test')).json()).toEqual({ message: 'down', code: 'XX000' });
    answer(500, {});
    expect(await (await authorizedFetch('http://x.test')).json()).toEqual({ message: 'down', code: 'XX000' });
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(
      new Response('Bad gateway', { status: 502, headers: { 'x-request-id': '1' } }),
    );
    expect(await (await authorizedFetch('http://x.test')).text()).toBe('Bad gateway');
  });

  it('passes on a response that breaks off, instead of failing itself', async () => {
    const headers = { 'x-request-id': '1', 'content-type': 'application/json' };
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{"message":', { status: 503, headers }));
    const response = await authorizedFetch('http://x.test');
    expect([response.status, await response.text()]).toEqual([503, '{"message":']);
  });
});

it('a call of a member fails at once without a network, instead of waiting until the provider gives up', async () => {
  const fetched = answer(200, {});
  setTokenSource(() => new Promise(() => undefined));
  onlineManager.setOnline(false);
  const error = await unwrap(supabase().from('campaigns').select('id')).catch((thrown: unknown) => thrown);
  onlineManager.setOnline(true);
  setTokenSource(null);
  expect(error).toMatchObject({ code: 'NETWORK' });
  expect(hadNoEffect(error)).toBe(true);
  expect(fetched).not.toHaveBeenCalled();
});

describe('a request without an answer', () => {
  /** Like a connection that has died: nothing comes, and only the caller can end it. */
  const hang = () =>
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    );
  const outcome = (call: PromiseLike<unknown>) => {
    const seen: { error?: unknown } = {};
    Promise.resolve(call).catch((error: unknown) => (seen.error = error));
    return seen;
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['a read', 25, () => unwrap(supabase().from('campaigns').select('id'))],
    ['a write', 25, () => unwrap(supabase().rpc('withdraw_email_consent'))],
    ['the copy of the data', 75, () => unwrap(supabase().rpc('export_data'))],
    ['the check of the ledger', 75, () => unwrap(supabase().rpc('reconcile_ledger', {}, { get: true }))],
    ['an edge function', 75, () => callFunction('check-link', {})],
  ])('%s is lost after %i seconds, and may have had its effect', async (_, seconds, send) => {
    hang();
    const seen = outcome(send());
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(seen.error).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.error).toMatchObject({ code: 'NETWORK', status: 0 });
    expect(hadNoEffect(seen.error)).toBe(false);
  });

  it('a body that does not end is lost too', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
      const body = new ReadableStream({
        start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
      });
      return new Response(body);
    });
    const seen = outcome(unwrap(supabase().from('campaigns').select('id')));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(seen.error).toMatchObject({ code: 'NETWORK' });
  });

  it('a file is waited for, and its caller can end it', async () => {
    hang();
    const caller = new AbortController();
    const seen = outcome(
      authorizedFetch('http://x.test/storage/v1/object/proofs/a.webp', { method: 'POST', signal: caller.signal }),
    );
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(seen.error).toBeUndefined();
    caller.abort('closed');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.error).toBe('closed');
  });

  it.each([
    ['before', 0],
    ['while', 5000],
  ])('ends for the reason of its caller, %s it is sent', async (_, after) => {
    hang();
    const caller = new AbortController();
    if (after === 0) caller.abort('left');
    const seen = outcome(authorizedFetch('http://x.test/rest/v1/campaigns', { signal: caller.signal }));
    await vi.advanceTimersByTimeAsync(after);
    caller.abort('left');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.error).toBe('left');
  });

  it('the longer time is for exactly the procedures whose statements may take longer', () => {
    const folder = new URL('../../supabase/schemas/', import.meta.url);
    const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const slow = /create function public\.(\w+)\([^$]*set statement_timeout = '(\d+)s'/g;
    const found = sources.flatMap((source) => [...source.matchAll(slow)].map(([, name, seconds]) => [name, seconds]));
    expect(found).toEqual([
      ['reconcile_ledger', '55'],
      ['export_data', '55'],
    ]);
  });
});

describe('responses that the page requested before its scripts', () => {
  const address = 'http://x.test/rest/v1/rpc/list';
  const early = (answer: Promise<Response | null>) =>
    vi.stubGlobal('window', { earlyAnswers: new Map([[address, answer]]) });
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(1000));
  afterEach(() => setTokenSource(null));

  it('are used once, even while in flight', async () => {
    const fetched = answer(200, {});
    const { promise, resolve } = Promise.withResolvers<Response | null>();
    early(promise);
    const first = authorizedFetch(address);
    resolve(Response.json('early'));
    expect(await (await first).json()).toBe('early');
    expect(fetched).not.toHaveBeenCalled();
    await authorizedFetch(address);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('are requested again when they failed or have become stale', async () => {
    const fetched = answer(200, {});
    early(Promise.resolve(null));
    await authorizedFetch(address);
    expect(fetched).toHaveBeenCalledTimes(1);
    early(Promise.resolve(Response.json('early')));
    vi.mocked(performance.now).mockReturnValue(30_001);
    await authorizedFetch(address);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('are requested again when there is no answer until they would be stale', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const fetched = answer(200, {});
    early(new Promise(() => undefined));
    const call = authorizedFetch(address);
    await vi.advanceTimersByTimeAsync(28_999);
    expect(fetched).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await call;
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('are used only for the same read, for members too', async () => {
    const fetched = answer(200, {});
    early(Promise.resolve(Response.json('early')));
    await authorizedFetch(`${address}?x=1`);
    await authorizedFetch(address, { method: 'POST' });
    await authorizedFetch(address, { method: 'HEAD' });
    expect(fetched).toHaveBeenCalledTimes(3);
    setTokenSource(async () => 'token');
    expect(await (await authorizedFetch(address)).json()).toBe('early');
    expect(fetched).toHaveBeenCalledTimes(3);
  });
});

const route = 'POST /functions/v1/check-link';
const call = (signal?: AbortSignal) => callFunction('check-link', { url: 'https://x.test' }, signal);

afterEach(() => setTokenSource(null));

describe('a call of an edge function', () => {
  it('sends JSON as the signed-in user, and returns the answer', async () => {
    setTokenSource(() => Promise.resolve('session-jwt'));
    const { calls } = fakeApi({ [route]: { isReachable: true } });
    expect(await call()).toEqual({ isReachable: true });
    expect(calls.map(({ body }) => body)).toEqual([{ url: 'https://x.test' }]);
    const [address, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(address).toBe('http://supabase.test/functions/v1/check-link');
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer session-jwt');
  });

  it('returns null for an empty response', async () => {
    fakeApi({ [route]: undefined });
    expect(await call()).toBeNull();
  });

  it("throws the function's own error, and a safe sentence for anything else", async () => {
    fakeApi({ [route]: refuse(409, 'UPLOAD_LIMIT', 'You have uploaded too many files.') });
    await expect(call()).rejects.toMatchObject({ code: 'UPLOAD_LIMIT', status: 409 });
    fakeApi({ [route]: new Response('<h1>Not found</h1>', { status: 404 }) });
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    fakeApi({ [route]: new Response('Bad gateway', { status: 502 }) });
    await expect(call()).rejects.toMatchObject({ code: 'UNKNOWN', status: 502 });
  });

  it('reports a failed connection, and passes on an abort', async () => {
    fakeApi({ [route]: offline() });
    await expect(call()).rejects.toMatchObject({ code: 'NETWORK' });
    await expect(call(new AbortController().signal)).rejects.toMatchObject({ code: 'NETWORK' });
    const reason = new Error('The screen was left');
    await expect(call(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
