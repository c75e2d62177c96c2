import type { ReactNode } from 'react';
import { Points } from '@/components/points';
import { formatNumber } from '@/lib/format';
import type { ReferralStats as Stats } from '../queries';

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 rounded-control bg-sunken px-4 py-3 last:max-sm:col-span-full">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-display font-semibold text-2xl tabular-nums">{children}</dd>
    </div>
  );
}

/** Clicks, successful referrals and points earned (REF-01). */
export function ReferralStats({ stats }: { stats: Stats }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <Figure label="Clicks">{formatNumber(stats.clicks)}</Figure>
      <Figure label="Successful referrals">{formatNumber(stats.successfulReferrals)}</Figure>
      <Figure label="Total points earned">
        <Points value={stats.pointsEarned} />
      </Figure>
    </dl>
  );
}
