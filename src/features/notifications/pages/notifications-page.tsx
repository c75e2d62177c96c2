import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState, NotAuthenticated } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { useUrlChoice } from '@/lib/url-state';
import { MarkAllRead } from '../components/mark-all-read';
import { NotificationList } from '../components/notification-list';
import { notificationQueries } from '../queries';

const views = ['all', 'unread'] as const;
type View = (typeof views)[number];

/** /notifications: all notifications, newest first (BEY-03). */
export default function NotificationsPage() {
  const { status, userId } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated text="Please sign in to see your notifications" />;
  return <Inbox userId={userId} />;
}

function Inbox({ userId }: { userId: string }) {
  const [view, setView] = useUrlChoice<View>('show', views);
  const list = useInfiniteQuery(notificationQueries.list(userId, view === 'unread'));
  const { data: unread = 0 } = useQuery(notificationQueries.unreadCount(userId));
  const tabs = [
    { value: 'all', label: 'All' },
    { value: 'unread', label: unread > 0 ? `Unread (${unread >= 100 ? '99+' : unread})` : 'Unread' },
  ] as const;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Notifications" />
      <PageHeader
        title="Notifications"
        lead="News about your proofs, points and quests."
        actions={<MarkAllRead shown={list.data?.pages.flat() ?? []} unread={unread} />}
      />
      <Tabs<View> label="Which notifications" value={view} onChange={setView} tabs={tabs} className="max-w-3xl">
        <TabPanel value={view}>
          <QueryView
            query={list}
            failure="Your notifications could not be loaded"
            pending={<Skeleton shape="card" className="h-80" />}
          >
            {({ pages }) => {
              const rows = pages.flat();
              if (rows.length === 0) return view === 'all' ? <NothingYet /> : <AllRead onAll={() => setView('all')} />;
              return (
                <div className="grid gap-4">
                  <Card padding="xs">
                    <NotificationList notifications={rows} />
                  </Card>
                  <ShowMore list={list}>Show older notifications</ShowMore>
                </div>
              );
            }}
          </QueryView>
        </TabPanel>
      </Tabs>
      <p className="mt-6 text-muted">
        What also comes by email is up to you:{' '}
        <Link to={paths.settings} className="text-action underline underline-offset-4">
          choose in your settings
        </Link>
        .
      </p>
    </div>
  );
}

function NothingYet() {
  return (
    <EmptyState
      title="Nothing yet"
      text="We tell you here when a proof is decided, points arrive or something needs your attention."
      action={
        <Button asChild>
          <Link to={paths.browse()}>Explore the board</Link>
        </Button>
      }
    />
  );
}

function AllRead({ onAll }: { onAll: () => void }) {
  return (
    <EmptyState
      title="You have read everything"
      action={
        <Button variant="secondary" onClick={onAll}>
          Show all
        </Button>
      }
    />
  );
}
