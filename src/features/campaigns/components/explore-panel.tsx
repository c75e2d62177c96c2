import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { Skeleton } from '@/components/ui/skeleton';
import { StartupLogo } from '@/features/startups';
import { formatAge } from '@/lib/format';
import { paths } from '@/lib/paths';
import { type Eligibility, questsToExplore, recentCompletions } from '../eligibility';
import { eligibilityQueries } from '../eligibility-queries';

function AvailableQuests({ userId }: { userId: string }) {
  const query = useQuery(eligibilityQueries.available(userId));
  if (query.isPending) return <Skeleton className="h-40" />;
  if (query.isError) {
    return <ErrorState title="The quests could not be loaded" error={query.error} onRetry={() => query.refetch()} />;
  }
  const quests = questsToExplore(query.data);
  if (quests.length === 0) return <EmptyState level={3} title="No quests to try right now" />;
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {quests.map((quest) => (
        <li key={quest.campaign_id}>
          <Link
            to={paths.shortQuest(quest.campaign_id)}
            className="flex min-h-11 items-center gap-3 rounded-card border bg-card p-3 shadow-card hover:bg-sunken"
          >
            <StartupLogo name={quest.startup_name} logoUrl={quest.startup_logo} className="size-10" />
            <span className="grid min-w-0 grow">
              <span className="font-semibold [overflow-wrap:anywhere]">{quest.campaign_title}</span>
              <span className="text-muted text-sm">{quest.startup_name}</span>
            </span>
            <Points value={quest.reward_points} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Quests to try, up to 8, and what the founder has completed lately, up to 3 (QNEW-06). */
export function ExplorePanel({ userId, eligibility }: { userId: string; eligibility: Eligibility }) {
  const completions = recentCompletions(eligibility);
  return (
    <div className="grid gap-6">
      <section aria-label="Quests to try" className="grid gap-3">
        <h2 className="text-xl">Quests to try</h2>
        <AvailableQuests userId={userId} />
      </section>
      {completions.length > 0 && (
        <section aria-label="Recently completed" className="grid gap-3">
          <h2 className="text-xl">Recently completed</h2>
          <ul className="grid gap-2">
            {completions.map((quest) => (
              <li key={`${quest.campaign_title}${quest.completed_at}`} className="flex flex-wrap items-center gap-2">
                <CircleCheckBig aria-hidden="true" className="size-4 text-action" />
                <span className="font-medium">{quest.campaign_title}</span>
                <span className="text-muted text-sm">
                  {quest.startup_name}
                  {quest.completed_at && `, ${formatAge(quest.completed_at)}`}
                </span>
                <Points value={quest.reward_points} hasSign />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
