import { ChevronDown } from 'lucide-react';
import { formatAge, formatDateTime } from '@/lib/format';
import type { Submission } from '../queries';
import { approvedHow, decidedBy, isByDeadline } from '../submission';
import { ProofView } from './proof-view';

type SentProofProps = {
  submission: Pick<
    Submission,
    'proof_url' | 'proof_text' | 'status' | 'submitted_at' | 'reviewed_at' | 'reviewed_by' | 'review_due_at'
  >;
};

/** The member's submitted proof, collapsed, with the time and who decided (BEY-21). */
export function SentProof({ submission }: SentProofProps) {
  return (
    <details className="group rounded-control border px-3">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-2 py-1 [&::-webkit-details-marker]:hidden">
        <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
        <span className="font-medium">Your proof</span>
        <span className="text-muted text-sm">{decisionText(submission)}</span>
      </summary>
      <div className="border-t py-3">
        <ProofView proof={submission} />
      </div>
    </details>
  );
}

/** 'Sent 2 hours ago', and who decided when: 'Approved by the project 3 days ago'. */
function decisionText(submission: SentProofProps['submission']): string {
  const { status, submitted_at, reviewed_at, reviewed_by, review_due_at } = submission;
  if (status === 'pending' || reviewed_at === null) {
    const sent = `Sent ${formatAge(submitted_at)}`;
    return review_due_at ? `${sent}, answer by ${formatDateTime(review_due_at)}` : sent;
  }
  const verb = status === 'approved' ? 'Approved' : 'Not accepted';
  const how = approvedHow({ status, reviewed_by });
  if (how) return `${how} ${formatAge(reviewed_at)}`;
  if (isByDeadline(reviewed_by)) return `Approved ${formatAge(reviewed_at)}, because nobody had answered in time`;
  return `${verb} by ${decidedBy(reviewed_by, 'the project') ?? 'Questboard'} ${formatAge(reviewed_at)}`;
}
