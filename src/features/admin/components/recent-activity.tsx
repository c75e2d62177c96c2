import { useQuery } from '@tanstack/react-query';
import { type Activity, platformQueries } from '../data/queries';
import { FloatingBar, useSteadyRows } from '../list';
import { ActivityList } from './activity-list';
import { Loaded } from './loaded';

const activityKey = ({ kind, id }: Activity) => `${kind}${id}`;
const none: readonly Activity[] = [];

type RecentActivityProps = { days: number; emptyText: string; failure: string; failureText?: string };

/** The last things that happened in so many days (ADMIN-02, DATA-04); new ones wait until they are asked for. */
export function RecentActivity({ days, emptyText, failure, failureText }: RecentActivityProps) {
  const activity = useQuery(platformQueries.activity(days));
  const fresh = activity.data ?? none;
  const steady = useSteadyRows(String(days), fresh, activityKey, activity.isPlaceholderData);
  return (
    <Loaded query={activity} failure={failure} failureText={failureText}>
      {() =>
        steady.rows.length === 0 ? (
          <p className="text-muted">{emptyText}</p>
        ) : (
          <div>
            <FloatingBar
              newCount={steady.newCount}
              noun="event"
              plural="events"
              onShowNew={() => steady.accept(fresh)}
            />
            <ActivityList activity={steady.rows} />
          </div>
        )
      }
    </Loaded>
  );
}
