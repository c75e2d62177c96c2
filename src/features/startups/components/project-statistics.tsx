import { useQuery } from '@tanstack/react-query';
import { Points } from '@/components/points';
import { campaignQueries } from '@/features/campaigns';
import { feedbackQueries } from '@/features/feedback';
import { formatCount, formatDate, formatNumber } from '@/lib/format';
import { activeQuests, totalPoints } from '../project-quests';
import type { Startup } from '../queries';
import { StatTiles } from './stat-tiles';

/** Active quests, average rating, points to earn and since when (PROJ-03). What is not known is a dash, not a zero. */
export function ProjectStatistics({ startup }: { startup: Startup }) {
  const campaigns = useQuery(campaignQueries.byStartup(startup.id)).data;
  const ratings = useQuery(feedbackQueries.projectStats(startup.id)).data;
  const quests = campaigns && activeQuests(startup, campaigns);
  return (
    <StatTiles
      label="Statistics"
      stats={[
        { label: 'Active quests', value: quests ? formatNumber(quests.length) : '–' },
        {
          label: 'Average rating',
          value: ratings && ratings.totalReviews > 0 ? ratings.averageRating.toFixed(1) : '–',
          note: ratings && formatCount(ratings.totalReviews, 'review'),
        },
        { label: 'Total points', value: quests ? <Points value={totalPoints(quests)} /> : '–' },
        { label: 'Joined', value: formatDate(startup.created_at) },
      ]}
    />
  );
}
