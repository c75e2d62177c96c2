import { EnvError, getEnv, isAuthConfigured, parseEnv } from './env';

const minimal = { VITE_SUPABASE_URL: 'http://127.0.0.1:4000', VITE_SUPABASE_ANON_KEY: 'sb_publishable_local' };

describe('parseEnv', () => {
  it('accepts the two required variables alone and treats empty optional ones as unset', () => {
    expect(parseEnv({ ...minimal, VITE_CLERK_PUBLISHABLE_KEY: '', VITE_SITE_URL: '' })).toMatchObject(minimal);
    expect(parseEnv(minimal).VITE_CLERK_PUBLISHABLE_KEY).toBeUndefined();
  });

  it('accepts an address with or without a trailing slash', () => {
    const env = parseEnv({
      ...minimal,
      VITE_SUPABASE_URL: 'https://x.supabase.co/',
      VITE_SITE_URL: 'https://x.test//',
    });
    expect(env).toMatchObject({ VITE_SUPABASE_URL: 'https://x.supabase.co', VITE_SITE_URL: 'https://x.test' });
  });

  it('names every missing variable', () => {
    expect(() => parseEnv({})).toThrow(EnvError);
    expect(() => parseEnv({})).toThrow('VITE_SUPABASE_URL is missing, VITE_SUPABASE_ANON_KEY is missing');
  });

  it('names a malformed one', () => {
    expect(() => parseEnv({ ...minimal, VITE_CLERK_PUBLISHABLE_KEY: 'sk_test_secret' })).toThrow(
      'VITE_CLERK_PUBLISHABLE_KEY is not valid',
    );
    expect(() => parseEnv({ ...minimal, VITE_SITE_URL: 'javascript:alert(1)' })).toThrow('VITE_SITE_URL is not valid');
  });

  const all = {
    ...minimal,
    VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_abc',
    VITE_CLERK_PROXY_URL: '/__clerk',
    VITE_SITE_URL: 'https://x.test',
    VITE_ANALYTICS_SRC: 'https://stats.test/script.js/',
    VITE_LEGAL_NAME: 'Questboard Ltd',
    VITE_LEGAL_ADDRESS: '1 Street',
    VITE_LEGAL_EMAIL: 'legal@x.test',
    VITE_REALTIME: 'on',
    VITE_SENTRY_DSN: 'https://key1@reports.test/42',
  };

  it('accepts every variable, and trims the slash only from base addresses', () => {
    expect(parseEnv({ ...all, UNKNOWN: 'x' })).toEqual(all);
    expect(parseEnv({ ...minimal, VITE_CLERK_PUBLISHABLE_KEY: 'pk_test_abc' })).toMatchObject({
      VITE_CLERK_PUBLISHABLE_KEY: 'pk_test_abc',
    });
    const local = { VITE_SENTRY_DSN: 'http://key@127.0.0.1:9000/1' };
    expect(parseEnv({ ...minimal, ...local })).toMatchObject(local);
    expect(parseEnv({ ...minimal, VITE_SITE_URL: 'http://x.test' })).toMatchObject({ VITE_SITE_URL: 'http://x.test' });
  });

  it.each([
    ['VITE_SUPABASE_URL', 'ftp://x.supabase.co'],
    ['VITE_SUPABASE_URL', 'see https://x.supabase.co'],
    ['VITE_SUPABASE_URL', 'https://'],
    ['VITE_SITE_URL', 'xhttps://x.test'],
    ['VITE_SUPABASE_ANON_KEY', 12],
    ['VITE_CLERK_PUBLISHABLE_KEY', 'my pk_test_abc'],
    ['VITE_ANALYTICS_SRC', '/script.js'],
    ['VITE_LEGAL_EMAIL', 'legal'],
    ['VITE_LEGAL_EMAIL', 'legal @x.test'],
    ['VITE_LEGAL_EMAIL', 'legal@x.test, other'],
    ['VITE_LEGAL_EMAIL', 'a@b@x.test'],
    ['VITE_REALTIME', 'yes'],
    ['VITE_SENTRY_DSN', 'see https://key@reports.test/1'],
    ['VITE_SENTRY_DSN', 'https://key@reports.test/1/2'],
    ['VITE_SENTRY_DSN', 'https://reports.test/1'],
    ['VITE_SENTRY_DSN', 'https://@reports.test/1'],
    ['VITE_SENTRY_DSN', 'https://key@reports test/1'],
    ['VITE_SENTRY_DSN', 'https://key@reports.test/project'],
  ])('says that %s is not valid: %s', (name, value) => {
    expect(() => parseEnv({ ...all, [name]: value })).toThrow(
      `Questboard is not configured: ${name} is not valid. See .env.example.`,
    );
  });

  it('reports one missing required variable although the other is set', () => {
    expect(() => parseEnv({ VITE_SUPABASE_URL: minimal.VITE_SUPABASE_URL })).toThrow(
      'Questboard is not configured: VITE_SUPABASE_ANON_KEY is missing. See .env.example.',
    );
    expect(new EnvError('x').name).toBe('EnvError');
  });
});

describe('the environment of this build', () => {
  it('ROUTE-17 says whether there is an identity provider', async () => {
    expect(getEnv().VITE_SUPABASE_URL).toBe('http://supabase.test');
    expect(isAuthConfigured()).toBe(true);
    vi.resetModules();
    vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', '');
    const { isAuthConfigured: isConfigured } = await import('./env');
    expect(isConfigured()).toBe(false);
    vi.stubEnv('VITE_CLERK_PUBLISHABLE_KEY', 'pk_test_Y2xlcmsuZXhhbXBsZS50ZXN0JA');
  });
});
