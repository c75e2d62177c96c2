import { setTokenSource } from './auth/token';
import { supabase, unwrap } from './supabase';

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
  it('SEC-11 C-13 sends the session token of whoever is signed in, and no identity otherwise', async () => {
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

  it('gives data, or throws the sentence of a known code', async () => {
    answerWith(200, [{ id: 'r1' }]);
    await expect(read()).resolves.toEqual([{ id: 'r1' }]);
    answerWith(403, { message: 'Forbidden', hint: 'FORBIDDEN', code: 'PT403', details: null });
    await expect(read()).rejects.toMatchObject({ name: 'AppError', code: 'FORBIDDEN', status: 403 });
  });

  it('words a lost connection', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(unwrap(supabase().rpc('get_site_stats'))).rejects.toMatchObject({ code: 'NETWORK' });
  });
});
