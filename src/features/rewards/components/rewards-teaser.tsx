import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { settingsQueries } from '@/features/settings';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { RewardList } from './reward-list';

/** Rewards that a visitor sees. */
const teaserLength = 6;

/** /rewards for visitors: what points are good for, and how to get some (REWARD-01, C-45). */
export function RewardsTeaser() {
  const { isRewardListOn } = useRewardFeatures();
  return (
    <div className="page-column pb-16">
      <PageMeta {...heads.rewards} />
      <PageHeader
        title="Available Rewards"
        lead="Complete quests, earn points, and trade them for something real."
        actions={
          <>
            <Button asChild>
              <Link to={paths.signUp()}>Join Community</Link>
            </Button>
            <Button variant="secondary" asChild>
              <Link to={paths.browse()}>Browse Quests</Link>
            </Button>
          </>
        }
      />
      {isRewardListOn && (
        <section aria-labelledby="on-the-board" className="grid gap-4">
          <h2 id="on-the-board" className="text-2xl">
            On the board now
          </h2>
          <RewardList balance={null} limit={teaserLength} />
        </section>
      )}
    </div>
  );
}

export type RewardFeatures = { isPending: boolean; isRewardListOn: boolean; isLeaderboardOn: boolean };

/**
 * The feature checks of this page: nothing is loaded before they have passed (REWARD-05). When the settings cannot be
 * read the features count as on, which is their default (C-45).
 */
export function useRewardFeatures(): RewardFeatures {
  const settings = useQuery(settingsQueries.app());
  return {
    isPending: settings.isPending,
    isRewardListOn: settings.data?.rewards_enabled ?? settings.isError,
    isLeaderboardOn: settings.data?.leaderboard_enabled ?? settings.isError,
  };
}
