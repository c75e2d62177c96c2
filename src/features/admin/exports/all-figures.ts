import type { CsvColumn } from '@/lib/csv';
import { keyFigures } from '../data/figures';
import type { PlatformStats } from '../data/queries';

export type FigureLine = { section: string; name: string; value: string | number };

/** Everything that the data dashboard shows, one figure a line. */
export function allFigures(stats: PlatformStats): FigureLine[] {
  const { totals, period } = stats;
  return [
    { section: 'period', name: 'days', value: stats.period_days },
    { section: 'cards', name: 'Total Users', value: totals.users },
    { section: 'cards', name: 'Verified Startups', value: totals.verified_startups },
    { section: 'cards', name: 'Completed Tasks in period', value: period.completed_tasks },
    { section: 'cards', name: 'Completed Tasks in all', value: totals.completed_tasks },
    { section: 'cards', name: 'Points Awarded in period', value: period.points_awarded },
    { section: 'cards', name: 'Points Awarded in all', value: totals.points_awarded },
    ...keyFigures(stats).map(({ label, value }) => ({ section: 'figures', name: label, value })),
    ...stats.top_campaigns.flatMap(({ title, approved, completion_rate }) => [
      { section: 'top campaigns: completions', name: title, value: approved },
      { section: 'top campaigns: completion rate in percent', name: title, value: completion_rate },
    ]),
    ...stats.top_industries.map(({ industry, startups }) => ({
      section: 'top industries: startups',
      name: industry,
      value: startups,
    })),
    ...stats.days.flatMap(({ day, ...figures }) =>
      Object.entries(figures).map(([name, value]) => ({ section: `per day: ${name}`, name: day, value })),
    ),
  ];
}

export const figureColumns: CsvColumn<FigureLine>[] = [
  { header: 'section', value: ({ section }) => section },
  { header: 'name', value: ({ name }) => name },
  { header: 'value', value: ({ value }) => value },
];
