import { prerender } from 'react-dom/static';
import { createMemoryRouter, matchRoutes } from 'react-router-dom';
import { EnvError, isAuthConfigured } from '@/lib/env';
import type { EarlyRequest } from '@/lib/head/early-requests';
import { noteEarlyRequests } from './early-requests';
import { prerenderedPages } from './prerendered-pages';
import { Root } from './root';
import { appRoutes } from './routes';

/**
 * For the build (vite/prerendered-pages.ts): the prerendered markup by path, and the first requests of each page. Empty when the
 * app is not configured.
 */
export async function prerenderPages(): Promise<{
  markup: Record<string, string>;
  requests: Record<string, EarlyRequest[]>;
}> {
  const paths = Object.keys(prerenderedPages).filter(isRouted());
  const markup = await Promise.all(paths.map(async (path) => [path, await renderPath(path)] as const));
  return { markup: Object.fromEntries(markup), requests: paths.length > 0 ? await noteEarlyRequests() : {} };
}

/** Without an identity provider some of the pages do not exist (ROUTE-17). */
function isRouted(): (path: string) => boolean {
  try {
    const routes = appRoutes({ isAuthConfigured: isAuthConfigured() });
    return (path) => matchRoutes(routes, path)?.at(-1)?.route.path === path;
  } catch (error) {
    if (error instanceof EnvError) return () => false;
    throw error;
  }
}

async function renderPath(path: string): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <Root createRouter={(routes) => createMemoryRouter(routes, { initialEntries: [path] })} />,
    {
      onError: (error) => void failures.push(error),
      // Otherwise React sends large boundaries hidden and reveals them by a script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
    },
  );
  const markup = await new Response(prelude).text();
  if (failures.length > 0) throw new AggregateError(failures, `${path} could not be rendered`);
  return markup;
}
