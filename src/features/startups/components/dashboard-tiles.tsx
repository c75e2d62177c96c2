import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { PointsBalance } from '@/components/points-balance';
import { Skeleton } from '@/components/ui/skeleton';
import { campaignQueries } from '@/features/campaigns';
import { walletQueries } from '@/features/wallet';
import { formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { poll } from '@/lib/query-client';
import { StatTiles } from './stat-tiles';

/** What the project's quests brought, at a glance (SDASH-02). A figure that could not be read is a dash, never a zero. */
export function DashboardTiles({ startupId }: { startupId: string }) {
  const campaigns = useQuery({ ...campaignQueries.byStartup(startupId), ...poll(30) });
  const wallet = useQuery(walletQueries.startup(startupId));

  const sum = (count: (campaign: NonNullable<typeof campaigns.data>[number]) => number) => {
    if (campaigns.isPending) return <Skeleton className="h-8 w-16" />;
    if (!campaigns.data) return '–';
    return formatNumber(campaigns.data.reduce((total, campaign) => total + count(campaign), 0));
  };
  const balance = () => {
    if (wallet.isPending) return <Skeleton className="h-8 w-16" />;
    return wallet.data === undefined ? '–' : <PointsBalance value={wallet.data?.points ?? 0} />;
  };

  return (
    <StatTiles
      label="Your figures"
      stats={[
        { label: 'Live quests', value: sum((campaign) => (campaign.status === 'published' ? 1 : 0)) },
        { label: 'Participants', value: sum((campaign) => campaign.participant_count) },
        { label: 'Approved submissions', value: sum((campaign) => campaign.approved_count) },
        {
          label: 'Points to spend',
          value: balance(),
          note: (
            <Link to={paths.startupWallet} className="text-action underline underline-offset-4">
              Open wallet
            </Link>
          ),
        },
      ]}
    />
  );
}
