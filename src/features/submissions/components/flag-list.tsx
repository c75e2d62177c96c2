import { useQuery } from '@tanstack/react-query';
import { Flag as FlagIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { QueryView } from '@/components/query-view';
import { StatusBadge } from '@/components/status-badge';
import { Button, ButtonDescription } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Spinner } from '@/components/ui/spinner';
import { cn } from '@/lib/cn';
import { formatDateTime } from '@/lib/format';
import { type Flag, flagSentence, parseFlags } from '../flags';
import { submissionQueries } from '../queries';
import { reviewStatus } from '../submission';
import { ProofView } from './proof-view';

type FlagListProps = {
  /** The row's field `flags`. */
  flags: unknown;
  /** Also shows dismissed flags, with the reason. */
  withDismissed?: boolean;
  onDismiss?: (flag: Flag) => void;
  className?: string;
};

/**
 * Compact marker for a row: a repeated link is named, anything else is "Flagged". The details are shown with the proof.
 */
export function FlagMark({ flags }: { flags: unknown }) {
  const open = parseFlags(flags).filter((flag) => !flag.dismissed_at);
  if (open.length === 0) return null;
  return (
    <span
      title={open.map(flagSentence).join(' ')}
      className="inline-flex shrink-0 items-center gap-1 rounded border border-warning px-1 text-warning text-xs"
    >
      <FlagIcon aria-hidden="true" className="size-3" />
      {open.some(({ kind }) => kind === 'same_link') ? 'Repeated link' : 'Flagged'}
    </span>
  );
}

/** The flags of a submission, one sentence each; the submission that it resembles opens next to it (BEY-02). */
export function FlagList({ flags, withDismissed = false, onDismiss, className }: FlagListProps) {
  const id = useId();
  const [twinId, setTwinId] = useState<string | null>(null);
  const shown = parseFlags(flags).filter((flag) => withDismissed || !flag.dismissed_at);
  if (shown.length === 0) return null;
  return (
    <>
      <ul aria-label="Flags" className={cn('grid gap-2', className)}>
        {shown.map((flag) => (
          <li key={flag.id} className={cn('flex gap-2 text-sm', flag.dismissed_at && 'text-muted')}>
            <FlagIcon
              aria-hidden="true"
              className={cn('mt-0.5 size-4 shrink-0', !flag.dismissed_at && 'text-warning')}
            />
            <div className="grid min-w-0 justify-items-start gap-x-3 text-left [overflow-wrap:anywhere]">
              <p id={`${id}-${flag.id}`}>
                {flagSentence(flag)}
                {flag.has_twin && !flag.twin && ' It belongs to another project’s quest, so you cannot open it.'}
                {flag.dismissed_at && ` Dismissed: ${flag.dismissal_reason}`}
              </p>
              <ButtonDescription value={`${id}-${flag.id}`}>
                <span className="flex flex-wrap gap-x-4">
                  {flag.twin && (
                    <Button variant="link" onClick={() => setTwinId(flag.twin?.id ?? null)}>
                      Open the other submission
                    </Button>
                  )}
                  {onDismiss && !flag.dismissed_at && (
                    <Button variant="link" onClick={() => onDismiss(flag)}>
                      Dismiss
                    </Button>
                  )}
                </span>
              </ButtonDescription>
            </div>
          </li>
        ))}
      </ul>
      {twinId && <TwinDialog submissionId={twinId} onClose={() => setTwinId(null)} />}
    </>
  );
}

/** The other submission, for comparison only. */
function TwinDialog({ submissionId, onClose }: { submissionId: string; onClose: () => void }) {
  const twin = useQuery(submissionQueries.detail(submissionId));
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="The other submission"
      description={twin.data ? `${twin.data.tasks.title} · ${twin.data.campaigns.title}` : undefined}
      size="lg"
    >
      <QueryView query={twin} failure="The submission could not be loaded" pending={<Spinner label="Loading..." />}>
        {(submission) =>
          submission ? (
            <div className="grid justify-items-start gap-4">
              <StatusBadge status={reviewStatus(submission)} />
              <ProofView proof={submission} />
              <p className="text-muted text-sm [overflow-wrap:anywhere]">
                <code>{submission.user_id}</code>, {formatDateTime(submission.submitted_at)}
              </p>
            </div>
          ) : (
            <p className="text-muted">It has been deleted in the meantime.</p>
          )
        }
      </QueryView>
    </Dialog>
  );
}
