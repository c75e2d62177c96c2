import { errorMessage } from '@/lib/errors';
import { formatNumber } from '@/lib/format';
import { keepaliveClient, unwrap } from '@/lib/supabase';
import type { Submission } from './queries';

export type Decision = 'approve' | 'reject';

/** One decision about several submissions, with the note that each of them gets. */
export type Batch = { ids: readonly string[]; decision: Decision; note: string };

/** What came of a batch: the submissions as they are now, and why the others were refused, by id. */
export type Outcome = { reviewed: Submission[]; failures: ReadonlyMap<string, string> };

/** Notes that a review carries when the owner gives none (SUBM-09). */
export const defaultNotes = { approve: 'Approved by project owner', reject: 'Rejected by project owner' } as const;

/** Reviews at a time: they all wait for the same quest's row, so more would only queue up. */
const atOnce = 4;
/** Bytes of requests that may outlive the page, in all browsers; the rest of 64 KB is left to others. */
const lastingBytes = 48_000;

/**
 * Sends a batch, one call per submission. The server reviews each exactly once, so an answer that got lost can be asked for
 * again without paying twice. A page that is going away has no time to take turns: its calls start all together, as many as
 * the browser lets outlive it.
 */
export async function sendBatch({ ids, decision, note }: Batch, isLeaving: boolean): Promise<Outcome> {
  const reviewed: Submission[] = [];
  const failures = new Map<string, string>();
  const left = [...ids];
  const takeTurns = async () => {
    for (let id = left.shift(); id; id = left.shift()) {
      const call = { p_submission_id: id, p_decision: decision, p_note: note };
      try {
        reviewed.push(await unwrap(keepaliveClient().rpc('review_submission', call)));
      } catch (error) {
        failures.set(id, errorMessage(error));
      }
    }
  };
  const bytesPerCall = 150 + 4 * note.length;
  const turns = isLeaving ? Math.max(atOnce, Math.floor(lastingBytes / bytesPerCall)) : atOnce;
  await Promise.all(Array.from({ length: Math.min(turns, ids.length) }, takeTurns));
  return { reviewed, failures };
}

const decisionLabels = { approve: 'approved', reject: 'rejected' } as const;

/** '1 submission approved', as the owner sees it at once. */
export function formatDecision({ ids, decision }: Batch): string {
  return `${formatNumber(ids.length)} ${ids.length === 1 ? 'submission' : 'submissions'} ${decisionLabels[decision]}`;
}

/** '18 approved, 2 failed: This submission has already been reviewed' */
export function failureText({ decision }: Batch, { reviewed, failures }: Outcome): string {
  const reasons = [...new Set(failures.values())].join(' ');
  return `${formatNumber(reviewed.length)} ${decisionLabels[decision]}, ${formatNumber(failures.size)} failed: ${reasons}`;
}
