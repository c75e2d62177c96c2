import { prerender } from 'react-dom/static';
import { createMemoryRouter, matchRoutes } from 'react-router-dom';
import { EnvError, isAuthConfigured } from '@/lib/env';
import { paintedPages } from './painted-pages';
import { Root } from './root';
import { appRoutes } from './routes';

/** Prerendered markup by path, for the build (vite/painted-pages.ts). Empty when the app is not configured. */
export async function paintPages(): Promise<Record<string, string>> {
  const paths = Object.keys(paintedPages).filter(isThere());
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await paint(path)] as const)));
}

/** Without an identity provider some of the pages do not exist (ROUTE-17). */
function isThere(): (path: string) => boolean {
  try {
    const routes = appRoutes({ isAuthConfigured: isAuthConfigured() });
    return (path) => matchRoutes(routes, path)?.at(-1)?.route.path === path;
  } catch (error) {
    if (error instanceof EnvError) return () => false;
    throw error;
  }
}

async function paint(path: string): Promise<string> {
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
