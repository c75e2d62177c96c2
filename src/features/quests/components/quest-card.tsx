import { BadgeCheck, Gift } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { useCameFrom } from '@/components/page-header';
import { Points } from '@/components/points';
import { SpotProgress } from '@/components/spot-progress';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { ProjectLogo } from '@/features/projects';
import { useSessionStatus } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { formatAge, formatCount, formatHours, formatPercent, formatSpan } from '@/lib/format';
import { paths, questPath } from '@/lib/paths';
import { type QuestListItem, type QuestState, questPhase, scheduleText, timeNeeded } from '../quest';

type CardQuest = Pick<
  QuestListItem,
  | 'id'
  | 'title'
  | 'summary'
  | 'startup_id'
  | 'startup_name'
  | 'startup_logo_url'
  | 'startup_verified'
  | 'custom_reward_title'
  | 'reward_points'
  | 'task_count'
  | 'total_slots'
  | 'open_slots'
  | 'is_full'
  | 'published_at'
> &
  Partial<
    Pick<
      QuestListItem,
      | 'ends_at'
      | 'review_hours'
      | 'reserved_points'
      | 'decided'
      | 'accepted'
      | 'overturned'
      | 'median_seconds'
      | 'median_minutes'
    > & { starts_at: string | null }
  >;

type QuestCardProps = {
  quest: CardQuest;
  /** The member's state in the quest; omitted when not started. */
  state?: QuestState;
  /** Link target; by default the page for members or for visitors (HUB-04). */
  to?: string;
  as?: 'li' | 'article';
  /** An extra button in the corner, such as Save. */
  corner?: ReactNode;
  /** Heading level of the title. */
  level?: 2 | 3;
};

/** Badge and button label for the member's state (C-104). */
const states: Record<QuestState, { status: Status; label: string }> = {
  started: { status: 'Started', label: 'Continue Quest' },
  waiting: { status: 'In Review', label: 'View Quest' },
  rejected: { status: 'Try Again', label: 'Try Again' },
  complete: { status: 'Done', label: 'View Quest' },
  closed: { status: 'Closed', label: 'View Quest' },
};

/**
 * A quest card. The title's link covers the card; the project's name, the corner and the button are layered above it, those
 * before the title by their z-index.
 */
export function QuestCard({ quest, state, to, as = 'li', corner, level = 3 }: QuestCardProps) {
  const isSignedIn = useSessionStatus() === 'signed-in';
  const titleId = useId();
  const from = useCameFrom();
  const path = to ?? questPath(quest.id, isSignedIn);
  const Heading = level === 2 ? 'h2' : 'h3';

  return (
    <Card
      as={as}
      className="relative isolate flex flex-col gap-4 overflow-clip pb-0 transition-colors hover:border-field sm:pb-0"
    >
      <div className="flex items-center justify-between gap-3">
        <QuestProject quest={quest} />
        <div className={cn('-my-1 flex shrink-0 items-center gap-1', corner && '-mr-2')}>
          {state ? (
            <StatusBadge status={states[state].status} />
          ) : (
            <span className="text-muted text-sm">{timeLeftOrAge(quest)}</span>
          )}
          {corner && <div className="relative z-1">{corner}</div>}
        </div>
      </div>
      <div className="grid grow content-start gap-1.5">
        <Heading id={titleId} className="line-clamp-2 text-xl">
          <Link to={path} state={from} className="card-link">
            {quest.title}
          </Link>
        </Heading>
        {quest.summary && <p className="dir-auto line-clamp-2 text-muted">{quest.summary}</p>}
      </div>
      <SpotProgress left={quest.open_slots} total={quest.total_slots} />
      <QuestPromises quest={quest} />
      <div className="tear-line" />
      <div className="-mx-4 flex flex-wrap items-center justify-end gap-3 bg-sunken/50 px-4 py-3 sm:-mx-5 sm:px-5">
        <QuestReward quest={quest} />
        {quest.is_full && !state ? (
          <Button disabled variant="secondary" className="shrink-0 whitespace-nowrap">
            Quest Full
          </Button>
        ) : (
          <Button variant={state && states[state].label === 'View Quest' ? 'secondary' : 'primary'} asChild>
            {/* The title's link is the one for keyboards and screen readers; this one duplicates it for pointer
                users. */}
            <Link to={path} state={from} tabIndex={-1} aria-describedby={titleId} className="relative shrink-0">
              {state ? states[state].label : isSignedIn ? 'Join Quest' : 'View Details'}
            </Link>
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Time left if the quest has an end, otherwise its age. The date of a past end would take the room of the project's name. */
function timeLeftOrAge({ starts_at = null, ends_at = null, published_at }: CardQuest): string {
  if (ends_at !== null && questPhase({ starts_at, ends_at }) === 'ended') return `Ended ${formatAge(ends_at)}`;
  return scheduleText({ status: 'published', starts_at, ends_at }) ?? formatAge(published_at);
}

function QuestProject({ quest }: { quest: CardQuest }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <ProjectLogo name={quest.startup_name} logoUrl={quest.startup_logo_url} className="size-10" />
      <Link
        to={paths.project(quest.startup_id)}
        className="relative z-1 inline-flex min-h-11 min-w-0 items-center gap-1.5 font-medium hover:underline"
      >
        <span className="truncate">{quest.startup_name}</span>
        {quest.startup_verified && (
          <>
            <BadgeCheck aria-hidden="true" className="size-4 shrink-0 text-action" />
            <VisuallyHidden>Verified</VisuallyHidden>
          </>
        )}
      </Link>
    </div>
  );
}

/** The reward: points that one member can still earn (C-70), the custom reward, or both. */
function QuestReward({ quest }: { quest: CardQuest }) {
  const { reward_points: points } = quest;
  return (
    // Under a number that leaves it no room, the button gets a line of its own; a long title is cut off instead.
    <div className="flex min-w-min flex-1 flex-col gap-0.5">
      {(points > 0 || !(quest.custom_reward_title || quest.is_full)) && (
        <Points value={points} weight="bold" className="font-display text-2xl leading-tight" />
      )}
      {quest.custom_reward_title && (
        <p className="flex min-w-0 items-center gap-1.5 font-medium">
          <Gift aria-hidden="true" className="size-4 shrink-0 text-action" />
          <span className="w-0 grow truncate">{quest.custom_reward_title}</span>
        </p>
      )}
      <p className="text-muted text-sm">
        {[formatCount(quest.task_count, 'task'), timeNeeded(quest)].filter(Boolean).join(', ')}
      </p>
    </div>
  );
}

/** The project's review promise and, from ten decisions on, its record (BEY-05). */
function QuestPromises({ quest }: { quest: CardQuest }) {
  const { review_hours: hours, reserved_points: reserved = 0, decided, accepted, overturned, median_seconds } = quest;
  if (hours === undefined) return null;
  const hasRecord = decided != null && accepted != null;
  const rejected = hasRecord ? decided - accepted : 0;
  const usual = hasRecord && median_seconds != null ? `, usually ${formatSpan(median_seconds)}` : '';
  const facts = [
    reserved > 0 && `${formatCount(reserved, 'point')} reserved`,
    hours === null ? 'Approved at once' : `Answer within ${formatHours(hours)}${usual}`,
    hasRecord && `${formatPercent(accepted / decided)} accepted`,
    hasRecord && rejected > 0 && `${formatPercent((overturned ?? 0) / rejected)} of rejections overturned`,
  ];
  return (
    <ul aria-label="Promises" className="flex flex-wrap gap-x-3 text-muted text-sm">
      {facts.map((fact) => fact && <li key={fact}>{fact}</li>)}
    </ul>
  );
}

/** Skeleton of a quest card. */
export function QuestCardSkeleton() {
  return (
    <Card as="li" className="grid gap-4">
      <div className="flex items-center gap-3">
        <Skeleton className="size-10" />
        <Skeleton className="h-4 w-32" />
      </div>
      <Skeleton className="h-6 w-4/5" />
      <Skeleton className="h-12" />
      <Skeleton className="h-7" />
      <Skeleton className="h-11 w-28 justify-self-end" />
    </Card>
  );
}
