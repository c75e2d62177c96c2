import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import type { Openable } from '@/components/lazy-overlay';
import { QueryView } from '@/components/query-view';
import { buttonClass } from '@/components/ui/button';
import { Popover } from '@/components/ui/popover';
import { paths } from '@/lib/paths';
import { notificationQueries } from '../queries';
import { MarkAllRead } from './mark-all-read';
import { NotificationList } from './notification-list';

export type LatestNotificationsProps = Openable & { userId: string; trigger: ReactElement };

/** The bell's popover: the latest notifications, and a link to all of them. */
export default function LatestNotifications({ userId, ...popover }: LatestNotificationsProps) {
  return (
    <Popover {...popover} label="Notifications">
      <Latest userId={userId} onClose={() => popover.onOpenChange(false)} />
    </Popover>
  );
}

function Latest({ userId, onClose }: { userId: string; onClose: () => void }) {
  const latest = useQuery(notificationQueries.latest(userId));
  const { data: unread = 0 } = useQuery(notificationQueries.unreadCount(userId));
  return (
    <div className="grid max-h-[min(34rem,75dvh)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <div className="flex min-h-11 items-center justify-between gap-3 border-b pr-1 pb-2 pl-2">
        <h2 className="text-lg">Notifications</h2>
        <MarkAllRead shown={latest.data ?? []} unread={unread} />
      </div>
      <div className="overflow-y-auto">
        <QueryView query={latest} failure="Your notifications could not be loaded" failureClassName="p-2">
          {(rows) =>
            rows.length === 0 ? (
              <p className="px-2 py-6 text-muted">
                Nothing yet. Decisions on your proofs and news of your points appear here.
              </p>
            ) : (
              <NotificationList notifications={rows} isCompact onOpen={onClose} />
            )
          }
        </QueryView>
      </div>
      <div className="border-t pt-2">
        <Link to={paths.notifications} onClick={onClose} className={`${buttonClass('ghost')} w-full`}>
          See all notifications
        </Link>
      </div>
    </div>
  );
}
