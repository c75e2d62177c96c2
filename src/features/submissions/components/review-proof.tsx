import { ChevronLeft, ChevronRight, ExternalLink } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { formatAge, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { screenshotName } from '../proof-file';
import type { ReviewedSubmission } from '../queries';
import { reviewText } from '../rejection';
import { FlagList } from './flag-list';
import { ProofView } from './proof-view';
import { TaskInstructions } from './submission-dialog';
import { ReviewStatus } from './submission-table';

type ReviewProofProps = {
  submission: ReviewedSubmission;
  /** Its position among the loaded ones, from 1, and their number. */
  place: number;
  count: number;
  hasQuest: boolean;
  failure: string | undefined;
  onMove: (step: 1 | -1) => void;
  onOpen: () => void;
};

/** One proof with everything needed to decide: the proof, its flags, the instructions (BEY-01). */
export function ReviewProof({ submission, place, count, hasQuest, failure, onMove, onOpen }: ReviewProofProps) {
  const said = reviewText(submission);
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
              <VisuallyHidden> of {formatNumber(count)}</VisuallyHidden>
              <span aria-hidden="true">/{formatNumber(count)}</span>
            </span>
            <Button variant="ghost" size="icon" aria-label="Next submission" onClick={() => onMove(1)}>
              <ChevronRight aria-hidden="true" />
            </Button>
          </div>
        </div>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <span title={submission.user_id}>{submission.member_name}</span>
          {submission.participant_email && ` · ${submission.participant_email}`}
          {` · ${formatAge(submission.submitted_at)}`}
          {submission.status === 'pending' && submission.review_due_at && (
            <>
              {' · '}
              <strong className="font-semibold text-ink">due {formatAge(submission.review_due_at)}</strong>
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
          {said && <p className="dir-auto whitespace-pre-line text-sm">{said}</p>}
        </div>
      )}
      {failure && (
        <div role="alert" className="text-danger">
          <p className="font-semibold">Failed to review submission</p>
          <p>{failure}</p>
        </div>
      )}
      <section aria-label="What was sent" className="grid gap-3 rounded-control bg-sunken p-3">
        <LinkPreview url={submission.proof_url} />
        <ProofView proof={submission} />
      </section>
      <FlagList flags={submission.flags} />
      <details open className="text-sm">
        <summary className="min-h-8 cursor-pointer font-semibold">What was asked</summary>
        <TaskInstructions submission={submission} />
      </details>
      <Button variant="link" className="justify-self-start" onClick={onOpen}>
        Submission Details
      </Button>
    </article>
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
