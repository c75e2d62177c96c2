import type { ReactNode } from 'react';
import { Points } from '@/components/points';
import { Skeleton } from '@/components/ui/skeleton';
import { formatNumber } from '@/lib/format';
import type { ReferralStats as Stats } from '../queries';

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 rounded-control bg-sunken px-4 py-3 last:max-sm:col-span-full">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="flex min-h-8 items-center font-display font-semibold text-2xl tabular-nums">{children}</dd>
    </div>
  );
}

/** Clicks, successful referrals and points earned (REF-01); places for them while they load. */
export function ReferralStats({ stats }: { stats: Stats | undefined }) {
  const place = <Skeleton className="h-6 w-16" />;
  return (
    <dl aria-busy={!stats} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <Figure label="Clicks">{stats ? formatNumber(stats.clicks) : place}</Figure>
      <Figure label="Successful referrals">{stats ? formatNumber(stats.successfulReferrals) : place}</Figure>
      <Figure label="Total points earned">{stats ? <Points value={stats.pointsEarned} /> : place}</Figure>
    </dl>
  );
}
