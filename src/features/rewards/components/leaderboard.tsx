import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { cn } from '@/lib/cn';
import { type LeaderboardEntry, rewardQueries } from '../queries';

/** Players shown before asking for all of them. */
const shortLength = 10;

function Line({ entry }: { entry: LeaderboardEntry }) {
  return (
    <li
      aria-current={entry.is_self || undefined}
      className={cn(
        'flex items-center gap-3 border-b px-3 py-2.5 last:border-b-0',
        entry.is_self && 'rounded-control border-transparent bg-action-soft',
      )}
    >
      <span
        className={cn(
          'grid size-8 shrink-0 place-items-center rounded-full font-bold font-display text-sm tabular-nums',
          entry.rank <= 3 ? 'bg-points text-on-points' : 'bg-sunken text-muted',
        )}
      >
        {entry.rank}
      </span>
      <span className="min-w-0 grow truncate font-medium">{entry.display_name}</span>
      {entry.is_self && (
        <Badge tone="action" className="bg-card">
          You
        </Badge>
      )}
      <Points value={entry.total_points} />
    </li>
  );
}

/** Ten players, all of them on request; one's own line stays in sight. */
function Lines({ entries }: { entries: readonly LeaderboardEntry[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const short = entries.filter((entry, index) => index < shortLength || entry.is_self);
  return (
    <Card className="p-2 sm:p-3">
      <ol>
        {(isWhole ? entries : short).map((entry) => (
          <Line key={entry.rank} entry={entry} />
        ))}
      </ol>
      {entries.length > short.length && (
        <Button variant="ghost" className="mt-2 w-full" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the top 10' : `Show all ${entries.length}`}
        </Button>
      )}
    </Card>
  );
}

/** Top players by points earned, with one's own line marked (REWARD-04, REWARD-06). */
export function Leaderboard() {
  const leaderboard = useQuery(rewardQueries.leaderboard());
  return (
    <section aria-labelledby="leaderboard" className="grid content-start gap-4">
      <h2 id="leaderboard" className="flex min-h-11 items-center text-2xl">
        Beta Leaderboard
      </h2>
      <QueryView
        query={leaderboard}
        failure="The leaderboard could not be loaded"
        pending={<Skeleton className="h-96 rounded-card" />}
      >
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState level={3} title="No leaderboard data yet" text="Be the first one on it." />
          ) : (
            <Lines entries={entries} />
          )
        }
      </QueryView>
    </section>
  );
}
