import { useQuery } from '@tanstack/react-query';
import { Building2, FileCheck2, type LucideIcon, Megaphone } from 'lucide-react';
import { QueryView } from '@/components/query-view';
import { type Status, StatusBadge } from '@/components/status-badge';
import { type Activity, platformQueries } from '../data/queries';
import { FloatingBar } from '../list/admin-list';
import { useFrozenRows } from '../list/paged-list';
import { RelativeTime } from './table-cells';

const activityKey = ({ kind, id }: Activity) => `${kind}${id}`;
const none: readonly Activity[] = [];

type RecentActivityProps = { days: number; emptyText: string; failure: string; failureText?: string };

/** The latest activity of the given days (ADMIN-02, DATA-04); new entries appear on request only. */
export function RecentActivity({ days, emptyText, failure, failureText }: RecentActivityProps) {
  const activity = useQuery(platformQueries.activity(days));
  const fresh = activity.data ?? none;
  const frozen = useFrozenRows(String(days), fresh, activityKey, activity.isPlaceholderData);
  return (
    <QueryView query={activity} failure={failure} failureText={failureText}>
      {() =>
        frozen.rows.length === 0 ? (
          <p className="text-muted">{emptyText}</p>
        ) : (
          <div>
            <FloatingBar
              newCount={frozen.newCount}
              noun="event"
              plural="events"
              onShowNew={() => frozen.applyUpdates(fresh)}
            />
            <ActivityList activity={frozen.rows} />
          </div>
        )
      }
    </QueryView>
  );
}

const kinds: Readonly<Record<string, { icon: LucideIcon; words: string }>> = {
  startup: { icon: Building2, words: 'New project' },
  campaign: { icon: Megaphone, words: 'New quest' },
  submission: { icon: FileCheck2, words: 'Submission' },
};

const badges: Readonly<Record<string, Status>> = {
  pending: 'Pending',
  verified: 'Verified',
  rejected: 'Rejected',
  draft: 'Draft',
  paused: 'Paused',
  published: 'Published',
  closed: 'Closed',
  approved: 'Approved',
};

/** Recent activity, newest first. */
function ActivityList({ activity }: { activity: readonly Activity[] }) {
  return (
    <ol aria-label="Recent activity">
      {activity.map((entry) => {
        const { kind, title, detail, status, at } = entry;
        const { icon: Icon, words } = kinds[kind] ?? { icon: FileCheck2, words: kind };
        const badge = badges[status];
        return (
          <li
            key={activityKey(entry)}
            className="flex items-start gap-3 border-b py-3 first:pt-0 last:border-b-0 last:pb-0"
          >
            <span aria-hidden="true" className="mt-0.5 grid size-9 shrink-0 place-items-center rounded-full bg-sunken">
              <Icon className="size-4" />
            </span>
            <div className="flex min-w-0 grow flex-wrap items-start justify-between gap-x-3 gap-y-2">
              <div className="min-w-0 grow basis-52">
                <p className="font-medium leading-snug [overflow-wrap:anywhere]">{title}</p>
                <p className="text-muted text-sm">
                  {words} · {detail} · <RelativeTime at={at} />
                </p>
              </div>
              {badge && <StatusBadge status={badge} className="shrink-0" />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
