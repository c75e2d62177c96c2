import { localClerkKey, localIdentityProblem } from '../../../vite/guard-local-identity';

describe('building for production', () => {
  it('refuses the key and the proxy of the local identity emulator', () => {
    expect(localIdentityProblem({ VITE_CLERK_PUBLISHABLE_KEY: localClerkKey })).toContain('VITE_CLERK_PUBLISHABLE_KEY');
    expect(localIdentityProblem({ VITE_CLERK_PROXY_URL: '/__clerk' })).toContain('VITE_CLERK_PROXY_URL');
  });

  it('accepts a real key and no key at all', () => {
    expect(localIdentityProblem({ VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_Y2xlcmsuZXhhbXBsZS5jb20k' })).toBeNull();
    expect(localIdentityProblem({})).toBeNull();
  });
});
