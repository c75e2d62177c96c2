import { toAppError } from '@/lib/errors';
import { paths } from '@/lib/paths';

/** Refusals that bought points lift (BEY-20). */
const liftedByPoints = new Set([
  'INSUFFICIENT_POINTS',
  'QUEST_LIMIT',
  'TRIAL_QUEST_LIMIT',
  'BUDGET_LIMIT',
  'POINTS_BUDGET_LIMIT',
]);

/** What helps after a refusal, for the alert that shows it; null when nothing is for sale that would. */
export function pointsAction(error: unknown): { href: string; label: string } | null {
  return liftedByPoints.has(toAppError(error).code) ? { href: paths.billing, label: 'Buy points' } : null;
}
