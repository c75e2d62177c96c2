import { useQuery } from '@tanstack/react-query';
import { Flame, Snowflake } from 'lucide-react';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { cn } from '@/lib/cn';
import { formatCount, formatDateTime, formatDay } from '@/lib/format';
import { type Badge, rewardQueries, type Streak } from '../queries';

/** When the week ends: weeks begin on Monday at 0:00 UTC, which is still Sunday in America and noon in New Zealand. */
function weekEnd(now = new Date()): Date {
  const daysLeft = (8 - now.getUTCDay()) % 7 || 7;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + daysLeft));
}

/** What a streak asks for now, in a sentence. */
function streakText({ weeks, has_freeze, is_active_this_week, is_freeze_in_use }: Streak): string {
  if (weeks === 0) return 'Complete a task this week to start one.';
  const end = formatDateTime(weekEnd());
  if (is_active_this_week) return `This week counts. The next one starts on ${end}.`;
  if (has_freeze) return `Complete a task by ${end}. If you cannot, your freeze covers one week.`;
  const task = `Complete a task by ${end} to keep it.`;
  return is_freeze_in_use ? `You missed last week, and your freeze covered it. ${task}` : task;
}

/** Weeks in a row with a completed task, what comes next, and whether a missed week would be forgiven (BEY-08). */
export function StreakCard({ userId }: { userId: string }) {
  const { data: streak, isPending } = useQuery(rewardQueries.streak(userId));
  if (isPending) return <Skeleton shape="card" className="h-28" />;
  // Nothing depends on the streak, so a failed read shows nothing.
  if (!streak) return null;
  return (
    <Card as="section" aria-labelledby="streak" className="flex items-center gap-4">
      <span
        aria-hidden="true"
        className={cn(
          'grid size-14 shrink-0 place-items-center rounded-full [&_svg]:size-7',
          streak.weeks > 0 ? 'bg-points-soft text-ink' : 'bg-sunken text-muted',
        )}
      >
        {streak.is_freeze_in_use ? <Snowflake /> : <Flame />}
      </span>
      <div className="min-w-0">
        <h2 id="streak" className="text-xl">
          {streak.weeks > 0
            ? `${formatCount(streak.weeks, 'week')} in a row`
            : streak.best_weeks > 0
              ? 'Your streak has ended'
              : 'No streak yet'}
        </h2>
        <p className="text-muted">{streakText(streak)}</p>
        {streak.best_weeks > streak.weeks && (
          <p className="text-muted text-sm">Your longest: {formatCount(streak.best_weeks, 'week')}.</p>
        )}
      </div>
    </Card>
  );
}

const badgeNames: Readonly<Record<string, string>> = {
  first_task: 'First task',
  ten_tasks: '10 tasks',
  fifty_tasks: '50 tasks',
  hundred_tasks: '100 tasks',
  four_weeks: '4 weeks in a row',
  twelve_weeks: '12 weeks in a row',
};

/** The badges as a row of stamps, each with its week. */
export function BadgeList({ badges }: { badges: readonly Badge[] }) {
  return (
    <ul aria-label="Badges" className="flex flex-wrap gap-2">
      {badges.map(({ badge, week }) => (
        <li
          key={badge}
          className="grid rounded-control border-2 border-action border-dashed px-3 py-1.5 font-bold font-display text-action"
        >
          {badgeNames[badge] ?? badge}
          <span className="font-normal font-sans text-muted text-sm">Week of {formatDay(week)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The member's own badges; nothing before the first one. */
export function OwnBadges({ userId }: { userId: string }) {
  const { data: badges } = useQuery(rewardQueries.badges(userId));
  if (!badges || badges.length === 0) return null;
  return (
    <section aria-labelledby="badges" className="grid gap-3">
      <h2 id="badges" className="text-2xl">
        Badges
      </h2>
      <BadgeList badges={badges} />
    </section>
  );
}
