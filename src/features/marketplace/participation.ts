import type { SubmissionPoint } from '@/features/submissions';
import { isoDay } from '@/lib/format';

/** Submissions of one day in UTC, `day` as '2026-01-31'. */
export type DayCount = { day: string; count: number };

const dayLength = 86_400_000;

/** Submissions per day over the last `days` days, today last, days without any included. */
export function participationByDay(points: readonly SubmissionPoint[], days: number, now: Date): DayCount[] {
  const counts = new Map<string, number>();
  for (const { submitted_at } of points) {
    const day = isoDay(submitted_at);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return Array.from({ length: days }, (_, index) => {
    const day = isoDay(new Date(now.getTime() - (days - 1 - index) * dayLength));
    return { day, count: counts.get(day) ?? 0 };
  });
}
