import { setTokenSource } from './auth/token';
import { AppError, hadNoEffect } from './errors';
import { keepaliveClient, readWithFallback, storage, supabase, unwrap } from './supabase';

afterEach(() => setTokenSource(null));

function answerWith(status: number, body: unknown) {
  return vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(
      async () => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
    );
}

const read = () => unwrap(supabase().from('rewards').select('id'));

describe('the database client', () => {
  it('SEC-11 C-13 sends the session token of the signed-in user, and no identity otherwise', async () => {
    const fetch = answerWith(200, []);
    setTokenSource(() => Promise.resolve('session-jwt'));
    await read();
    setTokenSource(null);
    await read();
    const bearers = fetch.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'));
    expect(bearers[0]).toBe('Bearer session-jwt');
    expect(bearers[1]).toBeNull();
    expect(new Headers(fetch.mock.calls[1]?.[1]?.headers).get('apikey')).toBe('sb_publishable_test');
  });

  it('returns data, or throws the sentence of a known code', async () => {
    answerWith(200, [{ id: 'r1' }]);
    await expect(read()).resolves.toEqual([{ id: 'r1' }]);
    answerWith(403, { message: 'Forbidden', hint: 'FORBIDDEN', code: 'PT403', details: null });
    await expect(read()).rejects.toMatchObject({ name: 'AppError', code: 'FORBIDDEN', status: 403 });
  });

  it.each([200, 404])(
    'C-99 takes an empty body with status %i for a lost answer, not for an effect or none',
    async (status) => {
      vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('', { status }));
      const error = await unwrap(supabase().rpc('get_site_stats')).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'UNKNOWN', status: 502 });
      expect(hadNoEffect(error)).toBe(false);
    },
  );

  it('passes on null, counts, and the empty answer of a procedure without a result', async () => {
    answerWith(200, null);
    await expect(unwrap(supabase().rpc('get_site_stats'))).resolves.toBeNull();
    vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(null, { headers: { 'content-range': '*/3' } }));
    const { count } = await supabase().from('rewards').select('*', { head: true, count: 'exact' });
    expect(count).toBe(3);
    vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(null, { status: 204 }));
    await expect(unwrap(supabase().rpc('get_site_stats'))).resolves.toBeNull();
  });

  it('words a lost connection', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(unwrap(supabase().rpc('get_site_stats'))).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it.each([
    ['the default client', supabase],
    ['the keepalive client', keepaliveClient],
  ])('leaves retries to the queries: %s', async (_, client) => {
    const fetch = answerWith(503, { message: 'down' });
    await expect(unwrap(client().from('rewards').select('id'))).rejects.toMatchObject({ status: 503 });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('sends keepalive requests that outlive the page, as the same user', async () => {
    const fetch = answerWith(200, []);
    setTokenSource(() => Promise.resolve('session-jwt'));
    await unwrap(keepaliveClient().from('rewards').select('id'));
    await read();
    expect(fetch.mock.calls.map(([, init]) => init?.keepalive ?? false)).toEqual([true, false]);
    expect(String(fetch.mock.calls[0]?.[0])).toMatch(/^http:\/\/supabase\.test\/rest\/v1\/rewards/);
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get('authorization')).toBe('Bearer session-jwt');
  });

  it('accesses storage as the same user', async () => {
    const fetch = answerWith(200, []);
    setTokenSource(() => Promise.resolve('session-jwt'));
    await (await storage()).from('proofs').list();
    expect(String(fetch.mock.calls[0]?.[0])).toBe('http://supabase.test/storage/v1/object/list/proofs');
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get('authorization')).toBe('Bearer session-jwt');
  });
});

describe('DB-28 a read through a procedure', () => {
  const fromTables = vi.fn(async () => 'tables');
  beforeEach(() => void fromTables.mockClear());
  const fail = (code: string, status: number) => Promise.reject<string>(new AppError(code, 'x', status));

  it('falls back to the tables only if the procedure does not exist', async () => {
    expect(await readWithFallback(Promise.resolve('procedure'), fromTables)).toBe('procedure');
    expect(fromTables).not.toHaveBeenCalled();
    expect(await readWithFallback(fail('NOT_FOUND', 404), fromTables)).toBe('tables');
  });

  it.each([
    ['finds nothing', 'CAMPAIGN_NOT_FOUND', 404],
    ['refuses', 'NOT_FOUND', 403],
    ['fails', 'UNKNOWN', 500],
  ])('passes on that it %s', async (_, code, status) => {
    await expect(readWithFallback(fail(code, status), fromTables)).rejects.toMatchObject({ code, status });
    expect(fromTables).not.toHaveBeenCalled();
  });
});
