import { useQuery } from '@tanstack/react-query';
import { CoinMark } from '@/components/points';
import { Skeleton } from '@/components/ui/skeleton';
import { settingsQueries } from '@/features/settings';
import { formatNumber, formatPoints } from '@/lib/format';
import { homeQueries } from '../queries';
import { siteFigures } from '../site-figures';

/** Members, quests and points of this moment. A failure shows the floors instead (HOME-01, HOME-09, HOME-10). */
export function LiveFigures() {
  const stats = useQuery(homeQueries.siteStats());
  const settings = useQuery(settingsQueries.app());
  const isWaiting = stats.isPending || settings.isPending;
  const { members, quests, points } = siteFigures(stats.data, settings.data);

  const figures = [
    { label: 'members', value: formatNumber(members) },
    { label: 'live quests', value: formatNumber(quests) },
    { label: 'points earned', value: formatPoints(points), hasCoin: true },
  ];
  return (
    <dl aria-busy={isWaiting} className="grid max-w-lg grid-cols-3 divide-x border-y py-4">
      {figures.map(({ label, value, hasCoin }) => (
        <div key={label} className="flex flex-col-reverse px-2 first:pl-0 sm:px-4">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="flex h-8 items-center gap-1.5 font-bold font-display text-xl tabular-nums sm:text-2xl">
            {hasCoin && <CoinMark className="max-[24rem]:hidden" />}
            {isWaiting ? <Skeleton className="h-6 w-16" /> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
