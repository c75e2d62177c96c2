import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { vi } from 'vitest';
import { setTokenSource } from '@/lib/auth/token';
import { testEnv, tokenFor } from '../../../local/testing/clients.ts';
import type { Member } from './factories.ts';

/**
 * Connects the app's own queries and mutations to the stack under test. Call it before the first of them. The app keeps its client for as
 * long as its modules live, so that the file must be an isolated one: in a shared worker, its client would call an earlier file's gateway.
 */
export function configureApp({ url, key }: { url?: string; key?: string } = {}): void {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  vi.stubEnv('VITE_SUPABASE_URL', url ?? SUPABASE_URL);
  vi.stubEnv('VITE_SUPABASE_ANON_KEY', key ?? SUPABASE_ANON_KEY);
}

/** Makes the app's calls as this member, or as a visitor. */
export function actAs(who: Member | 'visitor'): void {
  setTokenSource(who === 'visitor' ? null : () => tokenFor(who, { claims: who.claims }));
}

function Probe({ run }: { run: () => void }) {
  run();
  return null;
}

/** Runs a hook, such as one of the app's mutations, without a screen and returns its result. */
export function fromHook<Result>(useIt: () => Result): Result {
  const results: Result[] = [];
  const probe = createElement(Probe, { run: () => results.push(useIt()) });
  renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, probe));
  const [result] = results;
  if (result === undefined) throw new Error('the hook has given nothing');
  return result;
}
