import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { Link } from 'react-router-dom';
import { LatePart } from '@/components/lazy';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/lib/paths';
import { notificationQueries } from '../queries';
import { MarkAllRead } from './mark-all-read';

/** Most members have read everything, and need no code for it. */
const NotificationList = lazy(async () => ({ default: (await import('./notification-list')).NotificationList }));

/** Notifications on the dashboard; the others are behind a link. */
const shown = 3;

/** What has happened since the member last looked, for the dashboard; nothing when all is read. The bell has it too, so a failure is silent. */
export function UnreadNews({ userId }: { userId: string }) {
  const { data: latest = [] } = useQuery(notificationQueries.latest(userId));
  const { data: unread = 0 } = useQuery(notificationQueries.unreadCount(userId));
  const news = latest.filter(({ read_at }) => read_at === null).slice(0, shown);
  if (unread === 0 || news.length === 0) return null;
  return (
    <section aria-labelledby="unread-news" className="grid gap-2">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 id="unread-news" className="text-2xl">
          New for you
        </h2>
        <MarkAllRead shown={latest} unread={unread} />
      </div>
      <Card padding="xs">
        <LatePart pending={<Skeleton className="h-40" />}>
          <NotificationList notifications={news} isCompact />
        </LatePart>
        {unread > news.length && (
          <Button variant="ghost" className="mt-1 w-full" asChild>
            <Link to={paths.notifications}>See all notifications</Link>
          </Button>
        )}
      </Card>
    </section>
  );
}
