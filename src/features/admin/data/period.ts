/** Lengths of period that can be chosen, in days (DATA-01). */
export const periods = ['7', '30', '90'] as const;
export type Period = (typeof periods)[number];

/** Midnight UTC of the period's first day; today is its last (as get_platform_stats counts). */
export function periodStart(days: number, now: Date = new Date()): string {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (days - 1)));
  return start.toISOString();
}
