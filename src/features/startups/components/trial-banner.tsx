import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { settingsQueries } from '@/features/settings';
import { formatCount, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { type Startup, startupQueries } from '../queries';

/** The trial's terms, for verified projects that are known to have no active subscription (SDASH-03). */
export function TrialBanner({ startup }: { startup: Startup }) {
  const subscription = useQuery(startupQueries.subscription(startup.id)).data;
  const settings = useQuery(settingsQueries.app()).data;
  if (startup.status !== 'verified' || subscription !== null) return null;
  const quests = settings?.trial_quest_limit ?? 1;
  const points = settings?.trial_budget_points ?? 500;
  return (
    <Notice
      title={`Trial: ${formatCount(quests, 'quest')} live, ${formatPoints(points)} points budget`}
      actions={
        <Button variant="secondary" asChild>
          <Link to={paths.subscribe('og_lifetime')}>See OG Lifetime</Link>
        </Button>
      }
    >
      Subscribing lifts both.{settings?.beta_mode !== false && ' Premium benefits activate after the beta.'}
    </Notice>
  );
}
