import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { campaignQueries } from '@/features/campaigns';
import { QuestCard, QuestCardSkeleton } from '@/features/quests';
import { paths } from '@/lib/paths';
import { activeQuests } from '../project-quests';
import type { Startup } from '../queries';

/** The project's live quests. They lead to the members' page, from where visitors are sent to sign in (PROJ-02, C-16). */
export function ProjectQuests({ startup }: { startup: Startup }) {
  const query = useQuery(campaignQueries.byStartup(startup.id));
  const quests = activeQuests(startup, query.data ?? []);
  return (
    <section aria-label="Active quests" className="grid gap-4">
      <h2 className="text-2xl">Active quests</h2>
      {query.isLoadingError ? (
        <ErrorState title="The quests could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      ) : query.isSuccess && quests.length === 0 ? (
        <EmptyState level={3} title="No active quests" text="New quests of this project appear here." />
      ) : (
        <ul aria-busy={query.isPending} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {query.isPending && <QuestCardSkeleton />}
          {quests.map(({ quest, slots }) => (
            <QuestCard key={quest.id} quest={quest} slots={slots} to={paths.communityQuest(quest.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}
