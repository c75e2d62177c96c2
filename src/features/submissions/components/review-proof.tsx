import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { questQueries } from '@/features/quests';
import { formatAge, formatDateTime, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { screenshotName } from '../proof';
import type { ReviewedSubmission } from '../queries';
import { decidedBy, isOverdue, reviewText } from '../submission';
import { FlagList } from './flag-list';
import { ProofView } from './proof-view';
import { ReviewStatus } from './submission-list';

type ReviewProofProps = {
  submission: ReviewedSubmission;
  /** Its position in the list, from 1, and how many the list has, '100+' where only those loaded are counted. */
  place: number;
  count: string;
  hasQuest: boolean;
  failure: string | undefined;
  onMove: (step: 1 | -1) => void;
  onOpen: () => void;
};

/** One proof with everything needed to decide: the proof, its flags, the instructions (BEY-01). */
export function ReviewProof({ submission, place, count, hasQuest, failure, onMove, onOpen }: ReviewProofProps) {
  return (
    <article aria-label="Proof" className="grid gap-4">
      <header className="grid gap-1">
        <div className="flex items-start gap-2">
          <h2 className="flex min-w-0 grow flex-wrap items-center gap-x-3 text-lg [overflow-wrap:anywhere]">
            {submission.task_title} <Points value={submission.reward_points} className="text-sm" />
          </h2>
          <div className="-my-2 flex shrink-0 items-center">
            <Button variant="ghost" size="icon" aria-label="Previous submission" onClick={() => onMove(-1)}>
              <ChevronLeft aria-hidden="true" />
            </Button>
            <span className="text-muted text-sm tabular-nums">
              {formatNumber(place)}
              <VisuallyHidden> of {count}</VisuallyHidden>
              <span aria-hidden="true">/{count}</span>
            </span>
            <Button variant="ghost" size="icon" aria-label="Next submission" onClick={() => onMove(1)}>
              <ChevronRight aria-hidden="true" />
            </Button>
          </div>
        </div>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          {/* Isolated: a name in a right-to-left script would take the figures after it along. */}
          <bdi title={submission.user_id}>{submission.member_name}</bdi>
          {submission.participant_email && ` · ${submission.participant_email}`}
          {` · ${formatAge(submission.submitted_at)}`}
          {submission.status === 'pending' && submission.review_due_at && (
            <>
              {' · '}
              <strong className="font-semibold text-ink">
                {isOverdue(submission.review_due_at) && 'was '}due {formatAge(submission.review_due_at)}
              </strong>
            </>
          )}
          {hasQuest && (
            <>
              {' · '}
              <Link to={paths.questSubmissions(submission.campaign_id)} className="underline underline-offset-4">
                {submission.campaign_title}
              </Link>
            </>
          )}
        </p>
      </header>
      {submission.status !== 'pending' && (
        <div className="grid justify-items-start gap-1">
          <ReviewStatus submission={submission} />
          <div className="grid gap-1 text-sm">
            <ReviewWords submission={submission} />
          </div>
        </div>
      )}
      {failure && (
        <div role="alert" className="text-danger">
          {failure !== outcomeUnknownSentence && <p className="font-semibold">Failed to review submission</p>}
          <p>{failure}</p>
        </div>
      )}
      <section aria-label="Submitted proof" className="grid gap-3 rounded-control bg-sunken p-3">
        <LinkPreview url={submission.proof_url} />
        <ProofView proof={submission} />
      </section>
      <FlagList flags={submission.flags} />
      <details open className="text-sm">
        <summary className="min-h-8 cursor-pointer font-semibold">Task instructions</summary>
        <TaskInstructions submission={submission} />
      </details>
      <Button variant="link" className="justify-self-start" onClick={onOpen}>
        Submission Details
      </Button>
    </article>
  );
}

/** Why it was decided so, and Questboard's answer to an appeal after which that stands (BEY-23). */
function ReviewWords({ submission }: { submission: ReviewedSubmission }) {
  const said = reviewText(submission);
  return (
    <>
      {said && <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{said}</p>}
      {submission.appeal_note && (
        <>
          <p className="text-muted">The member appealed. Questboard let your decision stand:</p>
          <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{submission.appeal_note}</p>
        </>
      )}
    </>
  );
}

/** Target of a link, derived from the URL alone, without a request to a third party. */
function LinkPreview({ url }: { url: string | null }) {
  if (!url || screenshotName(url) || !URL.canParse(url)) return null;
  const { host, pathname, search, protocol } = new URL(url);
  const path = pathname === '/' && !search ? null : pathname + search;
  return (
    <p className="grid rounded-control border bg-card px-3 py-2 [overflow-wrap:anywhere]">
      <span className="flex items-center gap-2 font-bold font-display text-lg">
        <ExternalLink aria-hidden="true" className="size-4 shrink-0 text-muted" />
        {host}
      </span>
      {path && <span className="text-muted text-sm">{path}</span>}
      {protocol === 'http:' && <span className="text-sm text-warning">Not encrypted (http).</span>}
    </p>
  );
}

type SubmissionDialogProps = {
  submission: ReviewedSubmission;
  onApprove: () => void;
  onReject: () => void;
  onClose: () => void;
};

/** Details of a submission, and its review while it is pending (SUBM-07, SUBM-09). */
export function SubmissionDialog({ submission, onApprove, onReject, onClose }: SubmissionDialogProps) {
  const isPending = submission.status === 'pending';
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Submission Details" size="lg">
      <dl className="grid gap-4">
        <Row label="Status">
          <ReviewStatus submission={submission} />
        </Row>
        <Row label="Task">
          <span className="flex flex-wrap items-center gap-x-3">
            <strong>{submission.task_title}</strong>
            <Points value={submission.task_points} />
          </span>
          <TaskInstructions submission={submission} />
        </Row>
        <Row label="Proof">
          <ProofView proof={submission} />
          <FlagList flags={submission.flags} withDismissed />
        </Row>
        <Row label="Member">{submission.member_name}</Row>
        <Row label="User ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.user_id}</code>
        </Row>
        <Row label="Participant email">{submission.participant_email ?? 'No email'}</Row>
        <Row label="Submitted">{formatDateTime(submission.submitted_at)}</Row>
        {submission.reviewed_at && (
          <Row label="Review">
            {formatDateTime(submission.reviewed_at)} by {decidedBy(submission.reviewed_by, 'you')}
            <ReviewWords submission={submission} />
          </Row>
        )}
        <Row label="Submission ID">
          <code className="text-sm [overflow-wrap:anywhere]">{submission.id}</code>
        </Row>
      </dl>
      {isPending && (
        <DialogActions>
          <Button variant="secondary" onClick={onReject}>
            Reject
          </Button>
          <Button onClick={onApprove}>Approve</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[9rem_1fr]">
      <dt className="text-muted text-sm sm:pt-0.5">{label}</dt>
      <dd className="grid min-w-0 gap-1.5">{children}</dd>
    </div>
  );
}

/** The task's instructions. */
function TaskInstructions({ submission }: { submission: ReviewedSubmission }) {
  const tasks = useQuery(questQueries.tasks(submission.campaign_id));
  const instructions = tasks.data?.find(({ id }) => id === submission.task_id)?.instructions_md;
  return instructions ? <Markdown text={instructions} /> : null;
}
