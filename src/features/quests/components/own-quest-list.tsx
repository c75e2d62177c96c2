import { useQuery } from '@tanstack/react-query';
import { ClipboardCheck, Copy, Download, Eye, Lock, Megaphone, Pause, Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { ConfirmDialog, useAlert } from '@/components/alert-dialogs';
import { EmptyState } from '@/components/empty-state';
import { useCameFrom } from '@/components/page-header';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { SpotProgress } from '@/components/spot-progress';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useDownload } from '@/components/use-download';
import { describeError } from '@/lib/errors';
import { formatAge, formatCount, formatDateTime, formatNumber, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useCloseQuest, useDuplicateQuest, usePublishQuest, useUnpublishQuest } from '../mutations';
import { pointsAction } from '../points-action';
import { fetchCollectedEmails, questQueries } from '../queries';
import { type OwnQuest, publishedText, questPhase, scheduleText } from '../quest';
import { HoldNotice, statusLabel, TakenBackNotice } from './quest-status';
import { JustPublished } from './share-quest';

type OwnQuestListProps = {
  projectId: string;
  /** Creating a quest is offered to verified projects only (SDASH-06). */
  canCreate: boolean;
};

/** All quests of the owner's project. */
export function OwnQuestList({ projectId, canCreate }: OwnQuestListProps) {
  const query = useQuery(questQueries.own(projectId));
  // An empty list that is being refetched may predate the first quest. Once it is known to be empty, a poll does not hide it again.
  const isEmpty = query.data?.length === 0;
  const [isKnownEmpty, setIsKnownEmpty] = useState(false);
  if (isEmpty && !query.isFetching && !isKnownEmpty) setIsKnownEmpty(true);
  return (
    <QueryView
      query={query}
      failure="Your quests could not be loaded"
      isWaiting={isEmpty && !isKnownEmpty}
      pending={<Skeleton shape="card" className="h-48" />}
    >
      {(quests) =>
        quests.length === 0 ? (
          <EmptyState
            level={3}
            title="No quests yet"
            text={canCreate && 'Pick a template, add your link, and your first quest is ready in two minutes.'}
            action={
              canCreate && (
                <Button asChild>
                  <Link to={paths.questNew}>Create Your First Quest</Link>
                </Button>
              )
            }
          />
        ) : (
          <div className="grid gap-4">
            <JustPublished quests={quests} />
            <ul className="grid gap-4">
              {quests.map((quest) => (
                <OwnQuestCard key={quest.id} quest={quest} />
              ))}
            </ul>
          </div>
        )
      }
    </QueryView>
  );
}

/** The quest's counters, maintained by the database (SDASH-08). */
function QuestFigures({ quest }: { quest: OwnQuest }) {
  const figures = [
    ['Participants', quest.participant_count],
    ['Submissions', quest.submission_count],
    ['Approved', quest.approved_count],
    ['Pending', quest.pending_count],
  ] as const;
  return (
    <div className="grid gap-2">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {figures.map(([label, count]) => (
          <div key={label} className="rounded-control bg-sunken px-3 py-2">
            <dt className="text-muted text-sm">{label}</dt>
            <dd className="font-bold font-display text-xl tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-sm">
        Participants have sent at least one proof. A proof that is sent again counts as one submission.
      </p>
    </div>
  );
}

/** Submissions by outcome and per day of the last 14 days, with text alternatives. */
function QuestProgress({ quest }: { quest: OwnQuest }) {
  const rejected = quest.submission_count - quest.approved_count - quest.pending_count;
  const days = quest.daily_submissions;
  const top = Math.max(...days, 1);
  const lately = days.reduce((sum, count) => sum + count, 0);
  const share = (count: number) => ({ width: `${(count / Math.max(quest.submission_count, 1)) * 100}%` });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <figure className="grid content-between gap-1.5">
        <div aria-hidden="true" className="flex h-2.5 overflow-hidden rounded-full bg-sunken">
          <div className="bg-action" style={share(quest.approved_count)} />
          <div className="bg-points" style={share(quest.pending_count)} />
          <div className="bg-danger" style={share(rejected)} />
        </div>
        <figcaption className="text-muted text-sm">
          {formatCount(quest.submission_count, 'proof')} sent: {formatNumber(quest.approved_count)} approved,{' '}
          {formatNumber(quest.pending_count)} waiting, {formatNumber(rejected)} rejected
        </figcaption>
      </figure>
      <figure className="grid gap-1.5">
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${days.length} 10`}
          preserveAspectRatio="none"
          className="h-8 w-full border-b"
        >
          <path
            d={days.map((count, day) => `M${day + 0.5} 10V${10 - (10 * count) / top}`).join('')}
            strokeWidth={0.7}
            className="stroke-action"
          />
        </svg>
        <figcaption className="text-muted text-sm">
          {formatCount(lately, 'proof')} in 14 days, {formatNumber(days.at(-1) ?? 0)} today (UTC)
        </figcaption>
      </figure>
    </div>
  );
}

/** When it starts or ends, otherwise since when it has been what it is. */
function lifecycleText(quest: OwnQuest): string {
  const schedule = scheduleText(quest);
  const phase = questPhase(quest);
  const at = phase === 'upcoming' ? quest.starts_at : quest.ends_at;
  if (schedule && at) return phase === 'ended' ? schedule : `${schedule} (${formatDateTime(at)})`;
  if (quest.status === 'published' && quest.published_at) return `Published ${formatAge(quest.published_at)}`;
  if (quest.status === 'closed' && quest.closed_at) return `Closed ${formatAge(quest.closed_at)}`;
  return `Created ${formatAge(quest.created_at)}`;
}

/** End of a quest that has not started or is a draft; for a live one the line above shows it. */
function EndTime({ quest }: { quest: OwnQuest }) {
  const isTold = quest.status === 'published' && questPhase(quest) !== 'upcoming';
  if (quest.ends_at === null || quest.status === 'closed' || isTold) return null;
  return (
    <span>
      {questPhase(quest) === 'ended' ? 'It ended on ' : 'Ends on '}
      {formatDateTime(quest.ends_at)}
    </span>
  );
}

/** Dashboard card for one of the owner's quests: its figures and its actions (SDASH-07, SDASH-08). */
function OwnQuestCard({ quest }: { quest: OwnQuest }) {
  const from = useCameFrom();
  const isPublished = quest.status === 'published';
  const hasFigures = isPublished || quest.submission_count > 0;
  const actions = useRef<HTMLDivElement>(null);

  // Figures come or go above the button that was pressed, which would leave the window with the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status is what changes the card.
  useEffect(() => {
    const { activeElement } = document;
    if (actions.current?.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
  }, [quest.status]);

  return (
    <Card as="li" aria-label={quest.title} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h3 className="text-xl [overflow-wrap:anywhere]">{quest.title}</h3>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
            {lifecycleText(quest)}
            <EndTime quest={quest} />
            <span className="inline-flex items-center gap-1.5">
              Reserved <Points value={quest.reserved_points} />
            </span>
            <span className="inline-flex items-center gap-1.5">
              Paid <Points value={quest.points_distributed} />
            </span>
            <span>Pays up to {formatPoints(quest.budget_points)}</span>
          </p>
        </div>
        <StatusBadge status={statusLabel(quest)} />
      </div>
      <HoldNotice quest={quest} />
      <TakenBackNotice quest={quest} />
      {hasFigures && <QuestFigures quest={quest} />}
      {hasFigures && <QuestProgress quest={quest} />}
      {isPublished && <SpotProgress left={quest.open_slots} total={quest.total_slots} />}
      <div ref={actions} className="flex flex-wrap gap-2">
        {hasFigures && (
          <Button asChild variant="secondary">
            <Link to={paths.questSubmissions(quest.id)}>
              <ClipboardCheck aria-hidden="true" />
              View Submissions
            </Link>
          </Button>
        )}
        <PublishOrPause quest={quest} />
        <Button variant="secondary" asChild>
          <Link to={paths.questEdit(quest.id)}>
            <Pencil aria-hidden="true" />
            Edit
          </Link>
        </Button>
        {quest.status !== 'closed' && (
          <Button variant="secondary" asChild>
            <Link to={paths.communityQuest(quest.id)} state={from}>
              <Eye aria-hidden="true" />
              {isPublished ? 'View Quest' : 'Preview'}
            </Link>
          </Button>
        )}
        {isPublished && <CloseQuest quest={quest} />}
        <DuplicateQuest quest={quest} />
        <DownloadEmails quest={quest} />
      </div>
    </Card>
  );
}

/**
 * Publishes a draft, or opens a closed quest again; not while it is on hold (SDASH-07, C-25). Pauses a live quest: members no longer see it,
 * its points stay reserved. One button, so that the focus stays where the press was.
 */
function PublishOrPause({ quest }: { quest: OwnQuest }) {
  const [isAsking, setIsAsking] = useState(false);
  const publish = usePublishQuest();
  const pause = useUnpublishQuest();
  const alert = useAlert();
  const isPublished = quest.status === 'published';
  const handlePublish = async () => {
    try {
      const published = await publish.mutateAsync(quest.id);
      toast.success(publishedText(`“${quest.title}”`, published));
    } catch (error) {
      alert(
        describeError(error, { prefix: 'Failed to publish quest', isMessageUseful: () => true }),
        pointsAction(error),
      );
    }
  };
  const handleConfirm = async () => {
    await pause.mutateAsync(quest.id);
    toast.success(`“${quest.title}” is paused`);
  };
  return (
    <>
      {isPublished ? (
        <Button variant="secondary" onClick={() => setIsAsking(true)}>
          <Pause aria-hidden="true" />
          Pause
        </Button>
      ) : (
        <Button isLoading={publish.isPending} disabled={quest.held_at !== null} onClick={handlePublish}>
          <Megaphone aria-hidden="true" />
          {quest.status === 'closed' ? 'Publish again' : 'Publish'}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Pause “${quest.title}”?`}
        consequence="It leaves the board until you publish it again. Its points stay reserved, and waiting proofs can still be reviewed."
        confirmLabel="Pause quest"
        isDangerous={false}
        onConfirm={handleConfirm}
      />
    </>
  );
}

/** Copies the quest into a draft with the same tasks. */
function DuplicateQuest({ quest }: { quest: OwnQuest }) {
  const duplicate = useDuplicateQuest();
  const alert = useAlert();
  const handleClick = async () => {
    try {
      await duplicate.mutateAsync(quest.id);
      toast.success('Copied as a draft', `copy of ${quest.id}`);
    } catch (error) {
      const action = pointsAction(error);
      if (action) alert(describeError(error), action);
      else toast.error(describeError(error), `copy of ${quest.id}`);
    }
  };
  return (
    <Button variant="secondary" isLoading={duplicate.isPending} onClick={handleClick}>
      <Copy aria-hidden="true" />
      Duplicate
    </Button>
  );
}

/** Closes a quest after confirmation; unpromised points return to the wallet. */
function CloseQuest({ quest }: { quest: OwnQuest }) {
  const [isAsking, setIsAsking] = useState(false);
  const close = useCloseQuest();
  const handleConfirm = async () => {
    await close.mutateAsync(quest.id);
    toast.success(`“${quest.title}” is closed`);
  };
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
        onConfirm={handleConfirm}
      />
    </>
  );
}

/** Downloads the quest's e-mail addresses; shown only when it has collected some (SDASH-08, SDASH-09). */
function DownloadEmails({ quest }: { quest: OwnQuest }) {
  const alert = useAlert();
  const { isDownloading, handleDownload } = useDownload({
    about: `emails of ${quest.id}`,
    save: async () => {
      const emails = await fetchCollectedEmails(quest.id);
      // The only member may have withdrawn their address since the count.
      if (emails.length === 0) return void alert('No emails collected for this quest yet.');
      const { downloadEmails } = await import('../collected-emails');
      downloadEmails(quest.title, emails);
      return 'The emails have been downloaded';
    },
  });
  if (quest.email_count === 0) return null;
  return (
    <Button variant="secondary" isLoading={isDownloading} onClick={handleDownload}>
      <Download aria-hidden="true" />
      Download Emails
    </Button>
  );
}
