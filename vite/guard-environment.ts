import type { Plugin } from 'vite';
import { parseEnv } from '../src/lib/env.ts';
import { type BuildEnv, isPublishableKey } from './hosting/policy.ts';

/** The publishable key of the local identity emulator, valid for nothing else. */
export const localClerkKey = `pk_test_${btoa('clerk.questboard.local$')}`;

/**
 * Why these variables must not be built for production; null if they may. With the local identity anyone could sign in as anyone, a secret
 * key would be public, and a site with half of its variables shows nothing. Without any the build only shows that it succeeds.
 */
export function environmentProblem(env: BuildEnv): string | null {
  if (env.VITE_CLERK_PUBLISHABLE_KEY === localClerkKey) {
    return 'VITE_CLERK_PUBLISHABLE_KEY is the key of the local identity emulator';
  }
  if (env.VITE_CLERK_PROXY_URL) return 'VITE_CLERK_PROXY_URL is set, which only the local identity emulator needs';
  if (env.VITE_SUPABASE_ANON_KEY?.startsWith('sb_secret_')) {
    return 'VITE_SUPABASE_ANON_KEY is a secret key, which everybody could read in the app';
  }
  if (isUnconfigured(env)) return null;
  try {
    const { VITE_CLERK_PUBLISHABLE_KEY: key } = parseEnv(env);
    return key && !isPublishableKey(key) ? 'VITE_CLERK_PUBLISHABLE_KEY is not valid' : null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  }
}

const isUnconfigured = ({ VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY }: BuildEnv): boolean =>
  !VITE_SUPABASE_URL && !VITE_SUPABASE_ANON_KEY;

/** Fails a production build that must not be deployed. */
export function guardEnvironment(): Plugin {
  return {
    name: 'guard-environment',
    apply: 'build',
    configResolved({ mode, env, logger }) {
      if (mode !== 'production') return;
      if (isUnconfigured(env))
        logger.warn('Without a project (.env.example) this site shows only that it is not configured.');
      const problem = environmentProblem(env);
      if (problem)
        throw new Error(`Refusing to build for production: ${problem}. Use --mode development for a local build.`);
    },
  };
}
