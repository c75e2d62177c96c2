import { ChartNoAxesCombined } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LatePart } from '@/components/lazy';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { showInRow } from '@/components/ui/tabs';
import { cn } from '@/lib/cn';
import { formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useMediaQuery } from '@/lib/use-media-query';
import { AdminGate } from '../components/admin-gate';
import { AdminSearch } from '../components/admin-search';
import { OverviewTab } from '../overview/overview-tab';
import type { PendingCounts } from '../queries';
import { type AdminTab, adminTabs, readTab, specTabCount } from '../tabs';

/** Tab of each kind of pending work. */
const waitingIn = (todo: PendingCounts): Partial<Record<AdminTab, number>> => ({
  projects: todo.pending_startups + todo.changed_startups,
  feedback: todo.new_feedback,
  redemptions: todo.pending_redemptions,
  submissions: todo.overdue_reviews,
  appeals: todo.open_appeals,
  mail: todo.failed_mails,
  payments: todo.returned_payments,
});

/** The admin dashboard (ADMIN-01). The tab and its filters are in the URL. */
export default function AdminPage() {
  return <AdminGate>{(todo) => <Dashboard todo={todo} />}</AdminGate>;
}

function Dashboard({ todo }: { todo: PendingCounts }) {
  const [params, setParams] = useSearchParams();
  const tab = readTab(params.get('tab'));
  const label = adminTabs.find(({ value }) => value === tab)?.label ?? '';
  // Each tab is a history entry of its own and drops the filters of the previous one.
  const handleChange = (next: AdminTab) =>
    setParams(next === 'overview' ? {} : { tab: next }, { preventScrollReset: true });

  return (
    <div className="page-column pb-16">
      <PageMeta title={`${label} · Admin`} />
      <PageHeader
        title="Admin dashboard"
        actions={
          <>
            <AdminSearch />
            <Button asChild variant="secondary">
              <Link to={paths.adminData}>
                <ChartNoAxesCombined aria-hidden="true" />
                Data dashboard
              </Link>
            </Button>
          </>
        }
      />
      <AdminTabs value={tab} onChange={handleChange} waiting={waitingIn(todo)}>
        <AdminTabPanel value={tab} title={label}>
          <TabContent tab={tab} todo={todo} />
        </AdminTabPanel>
      </AdminTabs>
    </div>
  );
}

/** Tabs are lazy-loaded when first opened, except for the overview. */
const tabs = {
  projects: lazy(() => import('../moderation/projects-tab')),
  quests: lazy(() => import('../moderation/quests-tab')),
  feedback: lazy(() => import('../feedback/feedback-tab')),
  'mailing-list': lazy(() => import('../mail/mailing-list-tab')),
  referrals: lazy(() => import('../people/referrals-tab')),
  analytics: lazy(() => import('../analytics/analytics-tab')),
  settings: lazy(() => import('../settings/settings-tab')),
  rewards: lazy(() => import('../points/rewards-tab')),
  redemptions: lazy(() => import('../points/redemptions-tab')),
  payments: lazy(() => import('../points/payments-tab')),
  people: lazy(() => import('../people/people-tab')),
  submissions: lazy(() => import('../moderation/submissions-tab')),
  appeals: lazy(() => import('../moderation/appeals-tab')),
  audit: lazy(() => import('../audit/audit-tab')),
  mail: lazy(() => import('../mail/mail-tab')),
} satisfies Record<Exclude<AdminTab, 'overview'>, unknown>;

function TabContent({ tab, todo }: { tab: AdminTab; todo: PendingCounts }) {
  if (tab === 'overview') return <OverviewTab todo={todo} />;
  const Content = tabs[tab];
  return (
    <LatePart
      key={tab}
      pending={<Spinner label={tab === 'referrals' ? 'Loading referral statistics...' : 'Loading...'} />}
    >
      <Content />
    </LatePart>
  );
}

type AdminTabsProps = {
  value: AdminTab;
  onChange: (tab: AdminTab) => void;
  /** Number of pending items of a tab. */
  waiting: Partial<Record<AdminTab, number>>;
  children: ReactNode;
};

/** Too many tabs for one line: a sidebar on wide screens, a swipeable row on phones. */
function AdminTabs({ value, onChange, waiting, children }: AdminTabsProps) {
  const isWide = useMediaQuery('(min-width: 64rem)');

  return (
    <Tabs.Root
      value={value}
      onValueChange={(next) => onChange(next as AdminTab)}
      orientation={isWide ? 'vertical' : 'horizontal'}
      activationMode="manual"
      className="grid min-w-0 gap-x-8 lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <Tabs.List
        aria-label="Admin dashboard"
        className="scroll-x flex gap-1 border-b [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4 lg:sticky lg:top-20 lg:flex-col lg:self-start lg:border-b-0"
      >
        {adminTabs.map((tab, index) => (
          <Tabs.Trigger
            key={tab.value}
            ref={tab.value === value ? showInRow : undefined}
            value={tab.value}
            className={cn(
              'relative inline-flex min-h-11 shrink-0 items-center justify-between gap-2 whitespace-nowrap px-3 text-left font-semibold text-muted -outline-offset-3 hover:text-ink',
              'max-lg:border-transparent max-lg:border-b-3 max-lg:data-[state=active]:border-action data-[state=active]:text-ink',
              'lg:rounded-control lg:data-[state=active]:bg-action-soft lg:data-[state=active]:text-action',
              index === specTabCount && 'lg:mt-4',
            )}
          >
            {tab.label}
            <WaitingCount count={waiting[tab.value] ?? 0} />
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div className="min-w-0 max-lg:pt-5">{children}</div>
    </Tabs.Root>
  );
}

function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <span className="sr-only">, {formatNumber(count)} waiting</span>
      <span
        aria-hidden="true"
        className="min-w-6 rounded-full bg-warning-soft px-1.5 text-center text-sm text-warning tabular-nums"
      >
        {formatNumber(count)}
      </span>
    </>
  );
}

/** Content of the selected tab; the others are not rendered. */
function AdminTabPanel({ value, title, children }: { value: AdminTab; title: string; children: ReactNode }) {
  return (
    <Tabs.Content value={value}>
      <h2 className="sr-only">{title}</h2>
      {children}
    </Tabs.Content>
  );
}
