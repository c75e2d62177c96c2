import type { OwnTransaction } from '@/features/wallet';

/** The id of what caused a movement, for whoever looks it up: a submission, a redemption or a referral. */
export function sourceOf(row: Pick<OwnTransaction, 'submission_id' | 'redemption_id' | 'referral_id'>): string | null {
  if (row.submission_id) return `submission ${row.submission_id}`;
  if (row.redemption_id) return `redemption ${row.redemption_id}`;
  return row.referral_id && `referral ${row.referral_id}`;
}
