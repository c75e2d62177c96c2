import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { useUrlChoice } from '@/lib/url-state';
import { type Board, boards, type LeaderboardEntry, lastCountedRank, rewardQueries } from '../queries';
import { ShowAllButton } from './show-all-button';

/** Players shown before asking for all of them. */
const shortLength = 10;

/** Gold, silver and bronze: told apart by ink and by word. */
const medals: Readonly<Record<number, { className: string; word: string }>> = {
  1: { className: 'bg-points text-on-points ring-2 ring-points ring-offset-2 ring-offset-card', word: 'Gold, place ' },
  2: { className: 'bg-muted text-card', word: 'Silver, place ' },
  3: { className: 'bg-warning text-card', word: 'Bronze, place ' },
};

function Place({ rank }: { rank: number }) {
  const medal = medals[rank];
  return (
    <span
      className={cn(
        'grid h-8 min-w-8 shrink-0 place-items-center rounded-full px-1 font-bold font-display text-sm tabular-nums',
        medal ? medal.className : 'bg-sunken text-muted',
      )}
    >
      <span>
        {medal && <VisuallyHidden>{medal.word}</VisuallyHidden>}
        {rank > lastCountedRank ? `${formatNumber(lastCountedRank)}+` : formatNumber(rank)}
      </span>
    </span>
  );
}

function Line({ entry }: { entry: Pick<LeaderboardEntry, 'rank' | 'display_name' | 'total_points' | 'is_self'> }) {
  return (
    <li
      aria-current={entry.is_self || undefined}
      className={cn(
        'flex items-center gap-3 border-b px-3 py-2.5 last:border-b-0',
        entry.is_self && 'rounded-control border-transparent bg-action-soft',
      )}
    >
      <Place rank={entry.rank} />
      <span className="min-w-0 grow truncate font-medium">{entry.display_name}</span>
      {entry.is_self && (
        <Badge tone="card" className="text-action">
          You
        </Badge>
      )}
      <Points value={entry.total_points} />
    </li>
  );
}

/** Ten players, or all on request. The member's own line is always shown, even if it is not among them. */
function Lines({ entries, board }: { entries: readonly LeaderboardEntry[]; board: Board }) {
  const [isWhole, setIsWhole] = useState(false);
  const { userId } = useSession();
  const isListed = entries.some(({ is_self }) => is_self);
  const own = useQuery({ ...rewardQueries.ownRank(userId ?? '', board), enabled: userId !== null && !isListed });
  const short = entries.filter((entry, index) => index < shortLength || entry.is_self);
  return (
    <Card padding="xs">
      <ol>
        {(isWhole ? entries : short).map((entry) => (
          <Line key={entry.rank} entry={entry} />
        ))}
      </ol>
      {!isListed && own.data && (
        <ul aria-label="Your place" className="mt-1 border-t-2 border-dashed pt-1">
          <Line entry={{ ...own.data, display_name: 'Your place', is_self: true }} />
        </ul>
      )}
      {entries.length > short.length && (
        <ShowAllButton
          isWhole={isWhole}
          onChange={setIsWhole}
          count={entries.length}
          lessLabel={`Show the top ${shortLength}`}
        />
      )}
    </Card>
  );
}

const labels: Record<Board, string> = { all: 'All time', week: 'This week' };

function BoardLines({ board }: { board: Board }) {
  const leaderboard = useQuery(rewardQueries.leaderboard(board));
  return (
    <QueryView
      query={leaderboard}
      failure="The leaderboard could not be loaded"
      pending={<Skeleton shape="card" className="h-96" />}
    >
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState
            level={3}
            title="No leaderboard data yet"
            text={board === 'week' ? 'It is early in the week. Be the first one on it.' : 'Be the first one on it.'}
          />
        ) : (
          <Lines entries={entries} board={board} />
        )
      }
    </QueryView>
  );
}

/** Top players by points earned, of all time and of this week, with the member's own line marked (REWARD-04, REWARD-06, C-84). */
export function Leaderboard() {
  const [board, setBoard] = useUrlChoice('board', boards);
  return (
    <section aria-labelledby="leaderboard" className="grid content-start gap-4">
      <h2 id="leaderboard" className="flex min-h-11 items-center text-2xl">
        Beta Leaderboard
      </h2>
      <Tabs
        label="Leaderboard"
        look="pills"
        value={board}
        onChange={setBoard}
        tabs={boards.map((value) => ({ value, label: labels[value] }))}
      >
        {boards.map((value) => (
          <TabPanel key={value} value={value} className="grid gap-2 pt-5">
            {value === 'week' && <p className="text-muted text-sm">Points earned since Monday, 0:00 UTC.</p>}
            <BoardLines board={value} />
          </TabPanel>
        ))}
      </Tabs>
    </section>
  );
}
