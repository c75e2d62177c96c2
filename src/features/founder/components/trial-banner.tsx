import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { type OwnedProject, projectQueries } from '@/features/projects';
import { questQueries } from '@/features/quests';
import { settingsQueries, useIsBeta } from '@/features/settings';
import { formatCount, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';

/**
 * The project's limits, and what lifts them when (SDASH-03, C-117): those of the trial for projects known to have no
 * active subscription, those of the beta for all.
 */
export function TrialBanner({ project }: { project: OwnedProject }) {
  const subscription = useQuery(projectQueries.subscription(project.id)).data;
  const settings = useQuery(settingsQueries.app()).data;
  const limits = useQuery(questQueries.limits(project.owner_user_id));
  const isBeta = useIsBeta();
  if (project.status !== 'verified' || subscription === undefined || limits.isPending) return null;
  if (subscription && !isBeta) return null;
  // Bought points lift the number of quests and raise the budget.
  const quests = limits.data ? limits.data.quest_limit : (settings?.trial_quest_limit ?? 1);
  const points = limits.data?.budget_limit ?? settings?.trial_budget_points ?? 500;
  const both = quests === null ? 'it' : 'both';
  const terms = [
    ...(quests === null ? [] : [`${formatCount(quests, 'quest')} live`]),
    `${formatPoints(points)} points budget`,
  ].join(', ');
  return (
    <Notice
      title={subscription ? `During the beta: ${terms}` : `Trial: ${terms}`}
      actions={
        !subscription && (
          <Button variant="secondary" asChild>
            <Link to={paths.subscribe('og_lifetime')}>See OG Lifetime</Link>
          </Button>
        )
      }
    >
      {subscription &&
        `${quests === null ? 'This limit holds' : 'These limits hold'} while the beta lasts. Your plan lifts ${both} when it ends.`}
      {!subscription && (isBeta ? `OG Lifetime lifts ${both} when the beta ends.` : `Subscribing lifts ${both}.`)}
    </Notice>
  );
}
