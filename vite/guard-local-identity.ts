import type { Plugin } from 'vite';

/** The publishable key of the local identity emulator, valid for nothing else. */
export const localClerkKey = `pk_test_${btoa('clerk.questboard.local$')}`;

/** Why these variables must not be built for production; null if they may. */
export function localIdentityProblem(env: Record<string, string | undefined>): string | null {
  if (env.VITE_CLERK_PUBLISHABLE_KEY === localClerkKey) {
    return 'VITE_CLERK_PUBLISHABLE_KEY is the key of the local identity emulator';
  }
  if (env.VITE_CLERK_PROXY_URL) return 'VITE_CLERK_PROXY_URL is set, which only the local identity emulator needs';
  return null;
}

/** Fails a production build that would let anyone sign in as anyone: the local identity must never be deployed. */
export function guardLocalIdentity(): Plugin {
  return {
    name: 'guard-local-identity',
    apply: 'build',
    configResolved({ mode, env }) {
      const problem = mode === 'production' ? localIdentityProblem(env) : null;
      if (problem)
        throw new Error(`Refusing to build for production: ${problem}. Use --mode development for a local build.`);
    },
  };
}
