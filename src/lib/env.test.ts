import { EnvError, parseEnv } from './env';

const minimal = { VITE_SUPABASE_URL: 'http://127.0.0.1:4000', VITE_SUPABASE_ANON_KEY: 'sb_publishable_local' };

describe('parseEnv', () => {
  it('accepts the two required variables alone and treats empty optional ones as unset', () => {
    expect(parseEnv({ ...minimal, VITE_CLERK_PUBLISHABLE_KEY: '', VITE_SITE_URL: '' })).toMatchObject(minimal);
    expect(parseEnv(minimal).VITE_CLERK_PUBLISHABLE_KEY).toBeUndefined();
  });

  it('takes an address with or without a slash at its end', () => {
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
});
