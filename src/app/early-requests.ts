import { QueryClient } from '@tanstack/react-query';
import { feedbackQueries } from '@/features/feedback';
import { homeQueries } from '@/features/home';
import { projectQueries } from '@/features/projects';
import { questQueries } from '@/features/quests';
import { rewardQueries } from '@/features/rewards';
import { settingsQueries } from '@/features/settings';
import { type EarlyRequest, PLACEHOLDERS } from '@/lib/head/early-requests';

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
export async function noteEarlyRequests(): Promise<Record<string, EarlyRequest[]>> {
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
