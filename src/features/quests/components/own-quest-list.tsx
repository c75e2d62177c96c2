import { useQuery } from '@tanstack/react-query';
import { ClipboardCheck, Download, Eye, Lock, Megaphone, Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { SpotProgress } from '@/components/spot-progress';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { downloadBlob } from '@/lib/csv';
import { errorMessage } from '@/lib/errors';
import { formatAge, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { emailsCsv, emailsFileName } from '../emails-csv';
import { useCloseQuest, usePublishQuest, useUnpublishQuest } from '../mutations';
import { fetchCollectedEmails, type Quest, questQueries } from '../queries';
import { HoldNotice, statusLabel } from './quest-status';

type OwnQuestListProps = {
  projectId: string;
  /** Only verified projects are offered to create a quest (SDASH-06). */
  canCreate: boolean;
};

/** All quests of the own project. */
export function OwnQuestList({ projectId, canCreate }: OwnQuestListProps) {
  const query = useQuery(questQueries.byProject(projectId));
  if (query.isLoadingError) {
    return (
      <ErrorState
        title="Your quests could not be loaded"
        error={query.error}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const quests = query.data ?? [];
  // An empty list that is being read again may be the one from before the first quest: it is not shown as final.
  if (query.isPending || (quests.length === 0 && query.isFetching)) return <Skeleton className="h-48 rounded-card" />;
  if (quests.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No quests yet"
        text="Pick a template, say where, and your first quest is live in two minutes."
        action={
          canCreate && (
            <Button asChild>
              <Link to={paths.questNew}>Create Your First Quest</Link>
            </Button>
          )
        }
      />
    );
  }
  return (
    <ul className="grid gap-4">
      {quests.map((quest) => (
        <OwnQuestCard key={quest.id} quest={quest} />
      ))}
    </ul>
  );
}

/** The quest's counters, kept by the database in step with its submissions (SDASH-08). */
function QuestFigures({ quest }: { quest: Quest }) {
  const figures = [
    ['Participants', quest.participant_count],
    ['Submissions', quest.submission_count],
    ['Approved', quest.approved_count],
    ['Pending', quest.pending_count],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([label, count]) => (
        <div key={label} className="rounded-control bg-sunken px-3 py-2">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="font-bold font-display text-xl tabular-nums">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function when(quest: Quest): string {
  if (quest.status === 'published' && quest.published_at) return `Live since ${formatAge(quest.published_at)}`;
  if (quest.status === 'closed' && quest.closed_at) return `Closed ${formatAge(quest.closed_at)}`;
  return `Created ${formatAge(quest.created_at)}`;
}

/** An own quest on the dashboard: how it is doing, and what its owner can do with it (SDASH-07, SDASH-08). */
function OwnQuestCard({ quest }: { quest: Quest }) {
  const isPublished = quest.status === 'published';
  const hasFigures = isPublished || quest.submission_count > 0;
  return (
    <Card as="li" aria-label={quest.title} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h3 className="text-xl [overflow-wrap:anywhere]">{quest.title}</h3>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
            {when(quest)}
            <span className="inline-flex items-center gap-1.5">
              Budget <Points value={quest.budget_points} />
            </span>
          </p>
        </div>
        <StatusBadge status={statusLabel(quest.status)} />
      </div>
      <HoldNotice quest={quest} />
      {hasFigures && <QuestFigures quest={quest} />}
      {isPublished && <SpotProgress left={Math.max(0, quest.open_slots ?? 0)} total={quest.total_slots} />}
      <div className="flex flex-wrap gap-2">
        {hasFigures && (
          <Button asChild>
            <Link to={paths.questSubmissions(quest.id)}>
              <ClipboardCheck aria-hidden="true" />
              View Submissions
            </Link>
          </Button>
        )}
        {!isPublished && <PublishQuest quest={quest} />}
        <Button variant="secondary" asChild>
          <Link to={paths.questEdit(quest.id)}>
            <Pencil aria-hidden="true" />
            Edit
          </Link>
        </Button>
        {isPublished && (
          <>
            <Button variant="secondary" asChild>
              <Link to={paths.communityQuest(quest.id)}>
                <Eye aria-hidden="true" />
                View Quest
              </Link>
            </Button>
            <UnpublishQuest quest={quest} />
            <CloseQuest quest={quest} />
          </>
        )}
        <DownloadEmails quest={quest} />
      </div>
    </Card>
  );
}

/** Publishes a draft, or opens a closed quest again; not while it is on hold (SDASH-07, C-25). */
function PublishQuest({ quest }: { quest: Quest }) {
  const publish = usePublishQuest();
  const alert = useAlert();
  const handleClick = async () => {
    try {
      // Awaited, and not told by a callback of mutate(): this button is gone once the quest is read again.
      await publish.mutateAsync(quest.id);
      toast.success(`“${quest.title}” is live`);
    } catch (error) {
      alert(`Failed to publish quest: ${errorMessage(error)}`);
    }
  };
  return (
    <Button isLoading={publish.isPending} disabled={quest.held_at !== null} onClick={handleClick}>
      <Megaphone aria-hidden="true" />
      {quest.status === 'closed' ? 'Publish again' : 'Publish'}
    </Button>
  );
}

/** Takes a live quest off the board for now: members stop seeing it, its points stay reserved. */
function UnpublishQuest({ quest }: { quest: Quest }) {
  const unpublish = useUnpublishQuest();
  const handleClick = async () => {
    try {
      await unpublish.mutateAsync(quest.id);
      toast.success(`“${quest.title}” is a draft again`);
    } catch (error) {
      toast.error(errorMessage(error));
    }
  };
  return (
    <Button variant="secondary" isLoading={unpublish.isPending} onClick={handleClick}>
      <Undo2 aria-hidden="true" />
      Unpublish
    </Button>
  );
}

/** Ends a quest after asking; what nobody was promised comes back to the wallet. */
function CloseQuest({ quest }: { quest: Quest }) {
  const [isAsking, setIsAsking] = useState(false);
  const close = useCloseQuest();
  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Lock aria-hidden="true" />
        Close
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Close “${quest.title}”?`}
        consequence="Members can no longer take part. Points that nobody was promised come back to your wallet; pending submissions can still be reviewed."
        confirmLabel="Close quest"
        isDangerous={false}
        onConfirm={() => close.mutateAsync(quest.id)}
      />
    </>
  );
}

/** Downloads the quest's e-mail addresses; there only when it has collected some (SDASH-08, SDASH-09). */
function DownloadEmails({ quest }: { quest: Quest }) {
  const count = useQuery(questQueries.emailCount(quest.id)).data ?? 0;
  const [isReading, setIsReading] = useState(false);
  const alert = useAlert();
  if (count === 0) return null;

  const handleClick = async () => {
    setIsReading(true);
    try {
      const emails = await fetchCollectedEmails(quest.id);
      // A member can have withdrawn the only address since it was counted.
      if (emails.length === 0) alert('No emails collected for this quest yet.');
      else downloadBlob(emailsCsv(quest.title, emails), emailsFileName(quest.title));
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setIsReading(false);
    }
  };

  return (
    <Button variant="secondary" isLoading={isReading} onClick={handleClick}>
      <Download aria-hidden="true" />
      Download Emails
    </Button>
  );
}
