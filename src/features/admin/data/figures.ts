import { formatNumber, formatPercent, formatUsd } from '@/lib/format';
import type { PlatformStats } from './queries';

/** Placeholder for missing data: never a made-up number (C-52). */
const none = '—';

/** Members gained in the period per member before it; none without earlier members (C-52). */
export function userGrowth({ totals, period }: Pick<PlatformStats, 'totals' | 'period'>): string {
  const before = totals.users - period.users;
  return before > 0 ? `+${formatPercent(period.users / before)}` : none;
}

/** Payments of the period for plans and points, less those refunded or disputed; none while there has been none (C-52, BEY-20). */
export function revenue({ totals, period }: Pick<PlatformStats, 'totals' | 'period'>): string {
  return totals.revenue_cents > 0 ? formatUsd(period.revenue_cents) : none;
}

/** Average time from the first to the last event of a visit; none without measured visits (C-52). */
export function sessionTime({ period }: Pick<PlatformStats, 'period'>): string {
  return period.average_session_minutes === null ? none : `${period.average_session_minutes} min`;
}

/** The page's figures besides the four cards, by the specified formulas (DATA-06, DATA-07). */
export function keyFigures(stats: PlatformStats): { label: string; value: string; note: string }[] {
  const { totals, period } = stats;
  return [
    { label: 'Conversion Rate', value: `${totals.conversion_rate}%`, note: 'published quests per member' },
    { label: 'Engagement', value: String(totals.engagement), note: 'submissions per member' },
    {
      label: 'Points Distributed',
      value: formatNumber(totals.points_distributed),
      note: 'budgets of quests with approved work',
    },
    { label: 'Points Redeemed', value: formatNumber(period.points_redeemed), note: 'in this period, less refunds' },
    { label: 'User Growth', value: userGrowth(stats), note: 'new members in this period' },
    { label: 'Average Session Time', value: sessionTime(stats), note: 'measured from visits' },
    { label: 'Total Revenue', value: revenue(stats), note: 'plans and points, less payments returned' },
    { label: 'Submissions', value: formatNumber(period.submissions), note: 'in this period' },
  ];
}
