import { environmentProblem, localClerkKey } from '../../vite/guard-environment';

const right = {
  VITE_SUPABASE_URL: 'https://x.supabase.co',
  VITE_SUPABASE_ANON_KEY: 'sb_publishable_x',
  VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_Y2xlcmsuZXhhbXBsZS5jb20k',
};

it('a build for production accepts a real key, no key, and no variables at all', () => {
  expect(environmentProblem(right)).toBeNull();
  expect(environmentProblem({ ...right, VITE_CLERK_PUBLISHABLE_KEY: '' })).toBeNull();
  expect(environmentProblem({})).toBeNull();
});

it.each([
  ['the key of the local identity emulator', { VITE_CLERK_PUBLISHABLE_KEY: localClerkKey }],
  ['the proxy of the local identity emulator', { VITE_CLERK_PROXY_URL: '/__clerk' }],
  ["the project's secret key", { VITE_SUPABASE_ANON_KEY: 'sb_secret_x' }],
  ['no address of the project', { VITE_SUPABASE_URL: '' }],
  ['no key of the project', { VITE_SUPABASE_ANON_KEY: '' }],
  ['an address without https://', { VITE_SITE_URL: 'questboard.example' }],
  ["the example's identity provider", { VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_…' }],
  ['a shortened key of the identity provider', { VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_abc' }],
])('a build for production refuses %s', (_what, changes) => {
  expect(environmentProblem({ ...right, ...changes })).toContain(Object.keys(changes)[0]);
});
