import { setTokenSource } from './auth/token';
import { callFunction } from './edge-functions';
import { fakeApi, offline, refuse } from './testing/fake-api';

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
