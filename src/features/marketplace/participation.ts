import { lastDays } from '@/lib/format';

/** Submissions of one day in UTC, `day` as '2026-01-31'. */
export type DayCount = { day: string; count: number };

/** The last `days` days, today last, including empty ones; `counted`: the days with submissions. */
export function participationByDay(
  counted: readonly { day: string; submissions: number }[],
  days: number,
  now: Date,
): DayCount[] {
  const counts = new Map(counted.map(({ day, submissions }) => [day, submissions]));
  return lastDays(days, now).map((day) => ({ day, count: counts.get(day) ?? 0 }));
}
