import { QueryClient } from '@tanstack/react-query';
import { prerender } from 'react-dom/static';
import { createMemoryRouter, matchRoutes } from 'react-router-dom';
import { feedbackQueries } from '@/features/feedback';
import { homeQueries } from '@/features/home';
import { projectQueries } from '@/features/projects';
import { questQueries } from '@/features/quests';
import { rewardQueries } from '@/features/rewards';
import { settingsQueries } from '@/features/settings';
import { EnvError, isAuthConfigured } from '@/lib/env';
import { type EarlyRequest, PLACEHOLDERS } from '@/lib/head/early-requests';
import { prerenderedPages } from './pages';
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

const { key, projectId } = PLACEHOLDERS;

/**
 * Public queries of each page's first view, by path, or by kind for pages with a key in their URL. Signed-in users get the same
 * responses, so no query may depend on the user. A query that the page does not make is a wasted request, which
 * e2e/early-data.spec.ts detects.
 */
const firstReads: Readonly<Record<string, (client: QueryClient) => Promise<unknown>[]>> = {
  '/': (client) => [
    client.fetchQuery(homeQueries.liveQuests()),
    client.fetchQuery(homeQueries.siteStats()),
    client.fetchQuery(settingsQueries.app()),
  ],
  '/browse': (client) => [client.fetchInfiniteQuery(questQueries.pages({ sort: 'new', view: 'open' }))],
  quest: (client) => [
    client.fetchQuery(questQueries.detail(key)),
    client.fetchQuery(questQueries.tasks(key)),
    client.fetchQuery(projectQueries.detail(projectId)),
    client.fetchQuery(settingsQueries.app()),
  ],
  project: (client) => [
    client.fetchQuery(projectQueries.detail(key)),
    client.fetchQuery(questQueries.ofProject(key)),
    client.fetchQuery(feedbackQueries.projectStats(key)),
    client.fetchQuery(projectQueries.promises(key)),
  ],
  member: (client) => [client.fetchQuery(rewardQueries.memberProfile(key))],
};

/** Records the requests of these queries by running them with a fake fetch. The host embeds them in the page. */
async function noteEarlyRequests(): Promise<Record<string, EarlyRequest[]>> {
  const original = globalThis.fetch;
  try {
    const noted: Record<string, EarlyRequest[]> = {};
    for (const [page, reads] of Object.entries(firstReads)) {
      const requests: EarlyRequest[] = [];
      globalThis.fetch = async (input, init) => {
        requests.push([String(input), Object.fromEntries(new Headers(init?.headers))]);
        return Response.json([]);
      };
      await Promise.all(reads(new QueryClient()));
      noted[page] = requests;
    }
    return noted;
  } finally {
    globalThis.fetch = original;
  }
}
