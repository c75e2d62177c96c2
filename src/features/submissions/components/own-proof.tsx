import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Notice } from '@/components/notice';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { AppealDialog, type AppealedDecision, AppealState, appealQueries } from '@/features/appeals';
import { useSession } from '@/lib/auth';
import { formatAge, formatDate, formatDateTime } from '@/lib/format';
import type { Submission } from '../queries';
import { approvedHow, decidedBy, isByDeadline, isOverdue, reviewText } from '../submission';
import { ProofView } from './proof-view';

type RejectionNoticeProps = {
  submission: Pick<
    Submission,
    'id' | 'status' | 'rejection_reason' | 'review_note' | 'reviewed_at' | 'kept_until' | 'appealed_at'
  >;
};

/** Why a member's proof was rejected, and the one appeal against it; nothing for other proofs (BEY-23). */
export function RejectionNotice({ submission }: RejectionNoticeProps) {
  const { id, status, reviewed_at, kept_until: keptUntil, appealed_at: appealedAt } = submission;
  const userId = useSession().userId ?? '';
  const [isAppealing, setIsAppealing] = useState(false);
  const decision = { userId, kind: 'rejection', at: reviewed_at ?? '', submissionId: id } as const;
  if (status !== 'rejected') return null;
  const canAppeal = appealedAt === null && keptUntil !== null && new Date(keptUntil) > new Date();
  return (
    <>
      <Notice
        tone="danger"
        title="Your proof was not accepted"
        actions={
          canAppeal && (
            <Button variant="secondary" onClick={() => setIsAppealing(true)}>
              Appeal
            </Button>
          )
        }
      >
        <p className="dir-auto whitespace-pre-line text-ink [overflow-wrap:anywhere]">{reviewText(submission)}</p>
        {canAppeal && (
          <p>
            Your spot is reserved until {formatDate(lastDay(keptUntil))}: send a new proof while the quest is open, or
            appeal once if you think the decision is wrong.
          </p>
        )}
        {appealedAt !== null && <OwnAppeal decision={decision} />}
      </Notice>
      {canAppeal && <AppealDialog decision={decision} isOpen={isAppealing} onOpenChange={setIsAppealing} />}
    </>
  );
}

/** The deadline is at midnight, so the last day is the one before it. */
const lastDay = (end: string): Date => new Date(Date.parse(end) - 1);

function OwnAppeal({ decision }: { decision: AppealedDecision }) {
  const appeal = useQuery(appealQueries.against(decision));
  return (
    <QueryView query={appeal} failure="Your appeal could not be loaded" pending={<Skeleton className="h-6 w-48" />}>
      {(loaded) => loaded && <AppealState appeal={loaded} />}
    </QueryView>
  );
}

type SentProofProps = {
  submission: Pick<
    Submission,
    | 'proof_url'
    | 'proof_text'
    | 'status'
    | 'submitted_at'
    | 'reviewed_at'
    | 'reviewed_by'
    | 'review_due_at'
    | 'review_note'
    | 'appealed_at'
  >;
};

/** The member's submitted proof, collapsed, with the time and who decided (BEY-21). */
export function SentProof({ submission }: SentProofProps) {
  const { status, appealed_at: appealedAt, review_note: answer } = submission;
  return (
    <>
      <SentProofDetails submission={submission} />
      {/* The answer to a granted appeal; for a proof that stays rejected, RejectionNotice shows it. */}
      {status === 'approved' && appealedAt !== null && answer && (
        <Notice tone="success" title="Your appeal was granted">
          <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{answer}</p>
        </Notice>
      )}
    </>
  );
}

function SentProofDetails({ submission }: SentProofProps) {
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
    if (!review_due_at) return sent;
    return `${sent}, ${isOverdue(review_due_at) ? 'was ' : ''}to be reviewed by ${formatDateTime(review_due_at)}`;
  }
  const verb = status === 'approved' ? 'Approved' : 'Not accepted';
  const how = approvedHow({ status, reviewed_by });
  if (how) return `${how} ${formatAge(reviewed_at)}`;
  if (isByDeadline(reviewed_by)) return `Approved ${formatAge(reviewed_at)}, because it was not reviewed in time`;
  return `${verb} by ${decidedBy(reviewed_by, 'the project') ?? 'Questboard'} ${formatAge(reviewed_at)}`;
}
