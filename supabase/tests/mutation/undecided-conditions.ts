import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { PROJECT_ROOT } from '../../../local/paths.ts';
import type { ObservedCondition, Report } from './observed-conditions.ts';
import { KEPT_DIRECTORY } from './session.ts';

/** The conditions of a run, and what they reported: one JSON document, and one a line. */
export const CONDITIONS = join(KEPT_DIRECTORY, 'conditions.json');
export const REPORTS = join(KEPT_DIRECTORY, 'condition-reports.jsonl');

/**
 * Runs all database tests once and describes the conditions of functions that were never true, never false, or never reached: no test can
 * notice that they are gone. What only tests of edge functions reach is among them, and what a slower function makes a test fail before.
 */
export async function undecidedConditions(workers: number): Promise<{ total: number; undecided: string[] }> {
  const config = join(PROJECT_ROOT, 'supabase/tests/mutation/observing.config.ts');
  const vitest = await createVitest('test', { config, watch: false, maxWorkers: workers, reporters: [{}] });
  try {
    await vitest.start();
  } finally {
    await vitest.close();
  }
  const conditions: ObservedCondition[] = JSON.parse(readFileSync(CONDITIONS, 'utf8'));
  const lines = readFileSync(REPORTS, 'utf8').split('\n').filter(Boolean);
  const reports = Map.groupBy(
    lines.map((line): Report => JSON.parse(line)),
    ({ id }) => id,
  );
  const undecided = conditions.flatMap(({ id, description }) => {
    const values = (reports.get(id) ?? []).map(({ value }) => value);
    if (values.length === 2) return [];
    const missing = values.length === 0 ? 'never reached' : values[0] ? 'never false' : 'never true';
    return [`${missing}: ${description}`];
  });
  return { total: conditions.length, undecided };
}
