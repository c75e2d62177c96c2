import { isoDay } from '@/lib/format';

/** Submissions of one day in UTC, `day` as '2026-01-31'. */
export type DayCount = { day: string; count: number };

const dayLength = 86_400_000;

/** The last `days` days, today last, including empty ones; `counted`: the days with submissions. */
export function participationByDay(
  counted: readonly { day: string; submissions: number }[],
  days: number,
  now: Date,
): DayCount[] {
  const counts = new Map(counted.map(({ day, submissions }) => [day, submissions]));
  return Array.from({ length: days }, (_, index) => {
    const day = isoDay(new Date(now.getTime() - (days - 1 - index) * dayLength));
    return { day, count: counts.get(day) ?? 0 };
  });
}
