import { sql } from '../../../local/testing/clients.ts';
import type { Database, Tables } from '../../../src/types/database.ts';

type Public = Database['public'];

/** All rows of a table or view as role postgres, with bigints as numbers. */
export async function allRows<Name extends keyof (Public['Tables'] & Public['Views'])>(
  table: Name,
): Promise<Tables<Name>[]> {
  const { rows } = await sql().query<{ row: Tables<Name> }>(`select to_jsonb(t) as row from public.${table} t`);
  return rows.map(({ row }) => row);
}

/** UTC day of a time, as the reports name days. */
export const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);

/** The days of a period: today and those before it, oldest first. */
export function daysOf(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(now.getTime() - (count - 1 - index) * 86_400_000).toISOString()),
  );
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** How many of the rows fall on each of these days. */
export function perDay<Row>(
  rows: readonly Row[],
  days: readonly string[],
  timeOf: (row: Row) => string | null,
  amount: (row: Row) => number = () => 1,
): number[] {
  const sums = new Map(days.map((day) => [day, 0]));
  for (const row of rows) {
    const time = timeOf(row);
    const day = time && dayOf(time);
    if (day && sums.has(day)) sums.set(day, (sums.get(day) ?? 0) + amount(row));
  }
  return days.map((day) => sums.get(day) ?? 0);
}
