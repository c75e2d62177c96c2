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
 * What the first view of a page reads and everybody sees alike: by the page's path, or by its kind for pages with a key in their address. Who is
 * signed in gets these answers too, so nothing of anybody's own may stand here. A page that asks for something else than what stands here asks twice; e2e/early-data.spec.ts notices.
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

/** Those reads as requests, noted by letting the app's own code make them: the host puts them into the page. */
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
