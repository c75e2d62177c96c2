import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../process/listen.ts';
import { asAnon, asService, closeSql, newPersona, sql, testEnv, tokenFor, withToken } from '../testing/clients.ts';
import { createGateway } from './gateway.ts';

afterAll(closeSql);

const env = testEnv();
const rpc = `${env.SUPABASE_URL}/rest/v1/rpc/current_user_id`;

/** Asks PostgREST for the current user, with this session token. */
async function whoAmI(token?: string, apiKey = env.SUPABASE_ANON_KEY) {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      apikey: apiKey,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: '{}',
  });
  return { status: response.status, body: await response.json() };
}

const claims = { iss: env.IDENTITY_ISSUER, sub: 'user_forged', role: 'authenticated' };
const inAMinute = () => Math.floor(Date.now() / 1000) + 60;

describe('session tokens', () => {
  it('a token of the identity provider identifies its subject', async () => {
    const who = newPersona();
    expect(await whoAmI(await tokenFor(who))).toEqual({ status: 200, body: who.id });
  });

  it('a token signed by another key is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const own = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'mine' }).setExpirationTime('1m');
    expect((await whoAmI(await own.sign(privateKey))).status).toBe(401);
  });

  it('a token without a signature is refused', async () => {
    const unsigned = new UnsecuredJWT({ ...claims, exp: inAMinute() }).encode();
    expect((await whoAmI(unsigned)).status).toBe(401);
  });

  it('a token signed with something public, an API key or the modulus of the provider, is refused', async () => {
    const { keys } = await (await fetch(`${env.IDENTITY_URL}/.well-known/jwks.json`)).json();
    for (const known of [env.SUPABASE_ANON_KEY.padEnd(32, '_'), String(keys[0].n)]) {
      const token = new SignJWT({ ...claims, role: 'service_role' }).setProtectedHeader({
        alg: 'HS256',
        kid: keys[0].kid,
      });
      const signed = await token.setExpirationTime('1m').sign(new TextEncoder().encode(known));
      expect((await whoAmI(signed)).status, known).toBe(401);
    }
  });

  it('an expired token is refused with the reason', async () => {
    const answer = await whoAmI(await tokenFor(newPersona(), { ttlSeconds: -60 }));
    expect(answer).toMatchObject({ status: 401, body: { message: 'JWT expired' } });
  });

  it('a token without an expiry is refused', async () => {
    const token = await tokenFor(newPersona(), { claims: { exp: undefined } });
    expect((await whoAmI(token)).status).toBe(401);
  });

  it('a token of another issuer is refused', async () => {
    const token = await tokenFor(newPersona(), { claims: { iss: 'https://clerk.example.com' } });
    expect((await whoAmI(token)).status).toBe(401);
  });

  it.each(['service_role', 'postgres', 'anon', undefined])(
    'a well-signed token that claims the role %s is refused',
    async (role) => {
      const token = await tokenFor(newPersona(), { claims: { role } });
      expect((await whoAmI(token)).status).toBe(401);
    },
  );

  it.each(['abc', 'a.b.c'])('the text %j is not a token', async (token) => {
    expect((await whoAmI(token)).status).toBe(401);
  });

  it('without a token the caller is a visitor', async () => {
    expect(await whoAmI()).toEqual({ status: 200, body: null });
  });
});

describe('API keys', () => {
  it('a missing key is refused', async () => {
    expect((await fetch(rpc)).status).toBe(401);
  });

  it('the secret key cannot be derived from the sources', () => {
    expect(env.SUPABASE_SECRET_KEY).toMatch(/^sb_secret_[A-Za-z0-9_-]{32}$/);
  });

  it('a wrong key is refused even with a valid token', async () => {
    expect((await whoAmI(await tokenFor(newPersona()), 'sb_secret_guess')).status).toBe(401);
  });

  it('a valid token, or a key as bearer token, without the key in its own header is refused, as on the platform', async () => {
    for (const token of [await tokenFor(newPersona()), env.SUPABASE_ANON_KEY, env.SUPABASE_SECRET_KEY]) {
      expect((await fetch(rpc, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    }
  });

  it('the secret key as bearer token beside the publishable key is refused', async () => {
    expect((await whoAmI(env.SUPABASE_SECRET_KEY)).status).toBe(401);
  });

  it('the publishable key makes a visitor', async () => {
    const { data, error } = await asAnon().rpc('current_user_id');
    expect({ data, error }).toEqual({ data: null, error: null });
  });

  it('the secret key acts as service_role, the publishable one does not', async () => {
    const probe = { p_user_id: 'user_nobody' };
    expect((await asService().rpc('get_user_email_by_clerk_id', probe)).error).toBeNull();
    expect((await asAnon().rpc('get_user_email_by_clerk_id', probe)).status).toBe(401);
    const user = withToken(await tokenFor(newPersona()));
    expect((await user.rpc('get_user_email_by_clerk_id', probe)).status).toBe(403);
  });

  it('only the secret key is told what the API consists of', async () => {
    const describe = async (apikey: string, token?: string) => {
      const headers = { apikey, ...(token && { authorization: `Bearer ${token}` }) };
      const answers = ['', '/', '/?select=*', '//'].map((path) =>
        fetch(`${env.SUPABASE_URL}/rest/v1${path}`, { headers }),
      );
      return (await Promise.all(answers)).map(({ ok }) => ok);
    };
    const nothing = [false, false, false, false];
    expect(await describe(env.SUPABASE_ANON_KEY)).toEqual(nothing);
    expect(await describe(env.SUPABASE_ANON_KEY, await tokenFor(newPersona()))).toEqual(nothing);
    expect(await describe(env.SUPABASE_SECRET_KEY)).toContain(true);
  });

  it('a session token takes precedence over the secret key', async () => {
    const who = newPersona();
    expect((await whoAmI(await tokenFor(who), env.SUPABASE_SECRET_KEY)).body).toBe(who.id);
  });
});

describe('requests', () => {
  it("answers the app's preflight, with every header that it requests", async () => {
    const response = await fetch(rpc, {
      method: 'OPTIONS',
      headers: {
        origin: env.APP_URL,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'apikey,authorization,x-client-info',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(env.APP_URL);
    expect(response.headers.get('vary')).toContain('Origin');
    expect(response.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(response.headers.get('access-control-allow-headers')).toContain('x-client-info');
  });

  describe.each(['/functions/v1/send-email', '/api/send-email'])('%s', (path) => {
    const preflight = (origin: string) =>
      fetch(`${env.SUPABASE_URL}${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });

    it('leaves the preflight to the function, which knows its own origins', async () => {
      const response = await preflight(env.APP_URL);
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe(env.APP_URL);
      expect(response.headers.get('vary')).toBe('Origin');
    });

    it('allows no other origin', async () => {
      const response = await preflight('https://evil.example.com');
      expect(response.status).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    });

    it("passes on the function's own headers", async () => {
      const response = await fetch(`${env.SUPABASE_URL}${path}`, { method: 'POST', headers: { origin: env.APP_URL } });
      expect(response.headers.get('access-control-allow-origin')).toBe(env.APP_URL);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  it("TRUST-24 passes on the caller's headers as the platform does: only cf-connecting-ip is trustworthy", async () => {
    await sql().query(`
      create function public.test_addresses() returns json language sql stable
      as $$ select json_build_array(h ->> 'x-forwarded-for', h ->> 'cf-connecting-ip')
        from (select current_setting('request.headers', true)::json as h) x $$;
      grant execute on function public.test_addresses() to anon;
      notify pgrst, 'reload schema'`);
    try {
      const ask = async (headers: Record<string, string>) => {
        const response = await fetch(`${env.SUPABASE_URL}/rest/v1/rpc/test_addresses`, {
          headers: { apikey: env.SUPABASE_ANON_KEY, ...headers },
        });
        return response.json();
      };
      await expect.poll(() => ask({})).toEqual(['127.0.0.1', '127.0.0.1']);
      expect(await ask({ 'x-forwarded-for': '203.0.113.7, 10.0.0.1', 'cf-connecting-ip': '203.0.113.7' })).toEqual([
        '203.0.113.7, 10.0.0.1, 127.0.0.1',
        '127.0.0.1',
      ]);
    } finally {
      await sql().query('drop function public.test_addresses()');
    }
  });

  describe.each(['/rest/v1/rpc/current_user_id', '/storage/v1/object/public/site/x.xml'])('%s', (path) => {
    it('is closed to pages of other sites, whatever key they use', async () => {
      for (const origin of ['https://evil.example.com', 'null', env.APP_URL.replace(/:\d+$/, ':1')]) {
        for (const method of ['GET', 'OPTIONS']) {
          const response = await fetch(`${env.SUPABASE_URL}${path}`, {
            method,
            headers: { origin, apikey: env.SUPABASE_SECRET_KEY, 'access-control-request-method': 'GET' },
          });
          expect([origin, method, response.status]).toEqual([origin, method, 403]);
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
        }
      }
    });
  });

  it('adds a request id to each response, as the platform does, and lets pages read it', async () => {
    for (const path of [
      '/rest/v1/rpc/get_site_stats',
      '/storage/v1/object/public/site/none.xml',
      '/functions/v1/send-email',
    ]) {
      const response = await fetch(`${env.SUPABASE_URL}${path}`, {
        headers: { apikey: env.SUPABASE_ANON_KEY, origin: env.APP_URL },
      });
      expect(response.headers.get('sb-request-id'), path).toMatch(/^[0-9a-f-]{36}$/);
      const exposed = response.headers.get('access-control-expose-headers');
      expect(exposed, path).toMatch(path.includes('functions') ? /x-request-id/ : /sb-request-id/);
    }
  });

  it('logs a failed request under its id, without its content', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const gateway = createGateway({
      restUrl: 'http://127.0.0.1:9',
      functionsUrl: 'http://127.0.0.1:9',
      storage: new Hono(),
      identify: async () => ({ role: 'anon', claims: {} }),
      origins: [],
      sites: {},
    });
    const { url, close } = await listen(gateway, 0);
    onTestFinished(close);
    onTestFinished(() => errors.mockRestore());
    const response = await fetch(`${url}/rest/v1/user_profiles?email=eq.mina@example.com`);
    expect(response.status).toBe(502);
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)));
    const requestId = response.headers.get('sb-request-id');
    expect(lines).toEqual([
      { level: 'error', event: 'gateway', requestId, method: 'GET', path: '/rest/v1/user_profiles', status: 502 },
    ]);
  });

  it('lets the browser read the row count', async () => {
    const response = await fetch(`${env.SUPABASE_URL}/rest/v1/campaigns?select=id&limit=1`, {
      headers: { apikey: env.SUPABASE_ANON_KEY, prefer: 'count=exact', origin: env.APP_URL },
    });
    expect(response.headers.get('content-range')).toMatch(/^(0-0|\*)\/\d+$/);
    expect(response.headers.get('access-control-expose-headers')).toContain('content-range');
  });

  it('passes on HEAD and GET of a stable function', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(rpc, { method, headers: { apikey: env.SUPABASE_ANON_KEY } });
      expect([method, response.status]).toEqual([method, 200]);
    }
  });

  it('drops the body of a GET with its length, so that the next call on the connection is read from its start', async () => {
    const upstream = new Hono().get('*', ({ req, text }) =>
      text(`${req.path} ${req.header('content-length') ?? 'none'}`),
    );
    const { url: restUrl, close: closeUpstream } = await listen(upstream, 0);
    onTestFinished(closeUpstream);
    const gateway = createGateway({
      restUrl,
      functionsUrl: restUrl,
      storage: new Hono(),
      identify: async () => ({ role: 'anon', claims: {} }),
      origins: [],
      sites: {},
      // One connection, which all calls share.
      limits: { running: 1 },
    });
    const { url, close } = await listen(gateway, 0);
    onTestFinished(close);
    const withBody = await new Promise<string>((resolve, reject) => {
      const call = request(`${url}/functions/v1/first`, { headers: { 'content-length': 9 } }, (response) => {
        text(response).then(resolve, reject);
      });
      call.on('error', reject).end('something');
    });
    expect(withBody).toBe('/first none');
    expect(await (await fetch(`${url}/functions/v1/second`)).text()).toBe('/second none');
  });

  it('takes a URL with 200 ids, the most that a procedure takes, and refuses one that the platform would refuse', async () => {
    const ask = (ids: number) => {
      const list = Array.from({ length: ids }, () => crypto.randomUUID()).join(',');
      const search = new URLSearchParams({ p_task_ids: `{${list}}` });
      const url = `${env.SUPABASE_URL}/rest/v1/rpc/get_task_completion_counts?${search}`;
      return fetch(url, { headers: { apikey: env.SUPABASE_ANON_KEY } });
    };
    expect((await ask(200)).status).toBe(200);
    const refused = await ask(205);
    expect([refused.status, await refused.json()]).toMatchObject([414, { message: 'URI too long' }]);
  });

  it('refuses a body of more than 2 MB', async () => {
    const response = await fetch(rpc, {
      method: 'POST',
      headers: { apikey: env.SUPABASE_ANON_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) }),
    });
    expect(response.status).toBe(413);
  });

  it('answers 404 for other paths', async () => {
    expect((await fetch(`${env.SUPABASE_URL}/auth/v1/user`)).status).toBe(404);
  });
});
