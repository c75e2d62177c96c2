import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Notice } from '@/components/notice';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { AppealDialog, AppealState, appealQueries } from '@/features/appeals';
import { useSession } from '@/lib/auth';
import { formatDate } from '@/lib/format';
import type { Submission } from '../queries';
import { reviewText } from '../submission';

type RejectionNoticeProps = {
  submission: Pick<
    Submission,
    'id' | 'status' | 'rejection_reason' | 'review_note' | 'reviewed_at' | 'kept_until' | 'appealed_at'
  >;
};

/** Why a member's proof was rejected, and the one appeal against it; nothing for other proofs (BEY-23). */
export function RejectionNotice({ submission }: RejectionNoticeProps) {
  const { id, status, kept_until: keptUntil, appealed_at: appealedAt } = submission;
  const [isAppealing, setIsAppealing] = useState(false);
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
            Your spot is kept until {formatDate(lastDay(keptUntil))}: send a new proof, or appeal once if you think that
            the decision is wrong.
          </p>
        )}
        {appealedAt !== null && <OwnAppeal submission={submission} />}
      </Notice>
      {canAppeal && (
        <AppealDialog kind="rejection" submissionId={id} isOpen={isAppealing} onOpenChange={setIsAppealing} />
      )}
    </>
  );
}

/** The deadline is midnight, so the day to name is the one that ends then. */
const lastDay = (end: string): Date => new Date(Date.parse(end) - 1);

function OwnAppeal({ submission: { id, reviewed_at } }: RejectionNoticeProps) {
  const userId = useSession().userId ?? '';
  const decision = { userId, kind: 'rejection', at: reviewed_at ?? '', submissionId: id } as const;
  const appeal = useQuery(appealQueries.against(decision));
  return (
    <QueryView query={appeal} failure="Your appeal could not be loaded" pending={<Skeleton className="h-6 w-48" />}>
      {(loaded) => loaded && <AppealState appeal={loaded} />}
    </QueryView>
  );
}
