import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { lazyOverlay } from '@/components/lazy-overlay';
import { Button } from '@/components/ui/button';
import { useSession } from '@/lib/auth';
import { formatCount } from '@/lib/format';
import { invalidateNews } from '@/lib/stale-queries';
import { listenForNews, notificationQueries } from '../queries';
import type { LatestNotificationsProps } from './latest-notifications';

const LatestNotifications = lazyOverlay<LatestNotificationsProps>(() => import('./latest-notifications'));

/** The server stops counting here. */
const maxCount = 100;
const inWords = (unread: number) => (unread >= maxCount ? 'more than 99 unread' : `${unread} unread`);

/** The bell in the header with the unread count; opens the latest notifications (BEY-03). */
export function NotificationBell() {
  const { userId } = useSession();
  const count = useQuery({ ...notificationQueries.unreadCount(userId ?? ''), enabled: userId !== null }).data;
  const unread = count ?? 0;
  const [isOpen, setIsOpen] = useState(false);
  const news = useNews(userId, count);
  if (userId === null) return null;
  return (
    <>
      <LatestNotifications
        userId={userId}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        trigger={
          <Button
            variant="ghost"
            size="icon"
            className="shrink-0"
            aria-haspopup="dialog"
            aria-label={unread > 0 ? `Notifications, ${inWords(unread)}` : 'Notifications'}
          >
            <Bell aria-hidden="true" />
            {unread > 0 && (
              <span
                aria-hidden="true"
                className="absolute top-0.5 right-0 min-w-5 rounded-full bg-action px-1 text-center font-semibold text-on-action text-xs leading-5"
              >
                {unread >= maxCount ? '99+' : unread}
              </span>
            )}
          </Button>
        }
      />
      <span role="status" className="sr-only">
        {news > 0 && `You have ${formatCount(news, 'unread notification')}`}
      </span>
    </>
  );
}

/**
 * For so many milliseconds after a live update, a higher count is caused by it, and its refetch is already under way.
 */
const heardFor = 5000;

/**
 * Refetches the screen's data when there is news: immediately after a live update, else when a poll finds a higher
 * unread count. Returns the unread count to announce when it has increased.
 */
function useNews(userId: string | null, unread: number | undefined): number {
  const queryClient = useQueryClient();
  const heardAt = useRef(Number.NEGATIVE_INFINITY);
  const known = useRef<number>(undefined);
  const [news, setNews] = useState(0);

  useEffect(() => {
    if (userId === null) return;
    return listenForNews(userId, () => {
      heardAt.current = Date.now();
      void invalidateNews(queryClient);
    });
  }, [userId, queryClient]);

  useEffect(() => {
    if (unread === undefined) return;
    const isMore = known.current !== undefined && unread > known.current;
    known.current = unread;
    setNews(isMore ? unread : 0);
    if (isMore && Date.now() - heardAt.current > heardFor) void invalidateNews(queryClient);
  }, [unread, queryClient]);
  return news;
}
