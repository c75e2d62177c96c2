import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/lib/paths';
import { campaignQueries } from '../queries';
import { CampaignCard } from './campaign-card';

type CampaignListProps = {
  startupId: string;
  /** Only verified projects are offered to create a quest (SDASH-06). */
  canCreate: boolean;
};

/** All quests of the own project. */
export function CampaignList({ startupId, canCreate }: CampaignListProps) {
  const query = useQuery(campaignQueries.byStartup(startupId));
  if (query.isLoadingError) {
    return (
      <ErrorState
        title="Your quests could not be loaded"
        error={query.error}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const campaigns = query.data ?? [];
  // An empty list that is being read again may be the one from before the first quest: it is not shown as final.
  if (query.isPending || (campaigns.length === 0 && query.isFetching))
    return <Skeleton className="h-48 rounded-card" />;
  if (campaigns.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No quests yet"
        text="Pick a template, say where, and your first quest is live in two minutes."
        action={
          canCreate && (
            <Button asChild>
              <Link to={paths.campaignNew}>Create Your First Quest</Link>
            </Button>
          )
        }
      />
    );
  }
  return (
    <ul className="grid gap-4">
      {campaigns.map((campaign) => (
        <CampaignCard key={campaign.id} campaign={campaign} />
      ))}
    </ul>
  );
}
