import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesCombined, Gift, type LucideIcon, Pin, Rocket, Search, User } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type ComponentType, lazy, type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { LatePart } from '@/components/lazy';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, searchResultsClass } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { showInRow } from '@/components/ui/tabs';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { formatCount, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useMediaQuery } from '@/lib/use-media-query';
import { AdminGate } from '../components/admin-gate';
import { OverviewTab } from '../overview/overview-tab';
import { type Finding, type PendingCounts, searchQuery } from '../queries';
import { type AdminTab, adminTabPath, adminTabs, readTab, specTabCount } from '../tabs';

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
const loadTab = {
  projects: () => import('../moderation/projects-tab'),
  quests: () => import('../moderation/quests-tab'),
  feedback: () => import('../feedback/feedback-tab'),
  'mailing-list': () => import('../mail/mailing-list-tab'),
  referrals: () => import('../people/referrals-tab'),
  analytics: () => import('../analytics/analytics-tab'),
  settings: () => import('../settings/settings-tab'),
  rewards: () => import('../points/rewards-tab'),
  redemptions: () => import('../points/redemptions-tab'),
  payments: () => import('../points/payments-tab'),
  people: () => import('../people/people-tab'),
  submissions: () => import('../moderation/submissions-tab'),
  appeals: () => import('../moderation/appeals-tab'),
  audit: () => import('../audit/audit-tab'),
  mail: () => import('../mail/mail-tab'),
} satisfies Record<Exclude<AdminTab, 'overview'>, unknown>;

const lazyTabs: Partial<Record<AdminTab, ComponentType>> = {};

function TabContent({ tab, todo }: { tab: AdminTab; todo: PendingCounts }) {
  const [attempt, setAttempt] = useState(0);
  if (tab === 'overview') return <OverviewTab todo={todo} />;
  lazyTabs[tab] ??= lazy(loadTab[tab]);
  const Content = lazyTabs[tab];
  return (
    <LatePart
      key={`${tab} ${attempt}`}
      // React's lazy keeps a failure for ever.
      onLost={() => delete lazyTabs[tab]}
      lost={
        <div role="alert" className="grid justify-items-start gap-3">
          <p>This could not be loaded. Please try again, or reload the page.</p>
          <Button variant="secondary" onClick={() => setAttempt(attempt + 1)}>
            Retry
          </Button>
        </div>
      }
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
      className="grid min-w-0 gap-x-8 lg:grid-cols-[11rem_minmax(0,1fr)] print:block"
    >
      <Tabs.List
        aria-label="Admin dashboard"
        className="scroll-x flex gap-1 border-b [scrollbar-width:none] max-lg:-mx-4 max-lg:px-4 lg:sticky lg:top-20 lg:flex-col lg:self-start lg:border-b-0 print:hidden"
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

/** Global search of the admin dashboard: people, projects, quests and redemptions. */
function AdminSearch() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Search aria-hidden="true" />
        Search everything
      </Button>
      {isOpen && <SearchDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SearchDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  const query = useQuery(searchQuery(search));
  return (
    <Dialog isOpen onOpenChange={onClose} title="Search everything" place="top">
      <SearchBox isFirst label="Name, email, title or id" value={search} onChange={setSearch} />
      {search === '' ? (
        <p className="mt-4 text-muted">People, projects, quests and redemptions. You can also paste an id.</p>
      ) : (
        <div className={cn(searchResultsClass, 'mt-4')}>
          <QueryView query={query} failure="The search failed" pending={<Skeleton className="h-24" />}>
            {(findings) => <Findings findings={findings} onChoose={onClose} />}
          </QueryView>
        </div>
      )}
    </Dialog>
  );
}

type Kind = { kind: string; heading: string; icon: LucideIcon; to: (finding: Finding) => string };

const kinds: readonly Kind[] = [
  { kind: 'person', heading: 'People', icon: User, to: ({ id }) => adminTabPath('people', { person: id }) },
  { kind: 'project', heading: 'Projects', icon: Rocket, to: ({ id }) => adminTabPath('projects', { project: id }) },
  { kind: 'quest', heading: 'Quests', icon: Pin, to: ({ id }) => adminTabPath('quests', { q: id }) },
  { kind: 'redemption', heading: 'Redemptions', icon: Gift, to: ({ id }) => adminTabPath('redemptions', { q: id }) },
];

/** Unusual status of a result; ordinary ones are not shown. */
const marks: Readonly<Record<string, string>> = {
  suspended: 'Suspended',
  held: 'On hold',
  pending: 'Pending',
  rejected: 'Rejected',
};

function Findings({ findings, onChoose }: { findings: readonly Finding[]; onChoose: () => void }) {
  return (
    <>
      <VisuallyHidden>
        <span role="status">{formatCount(findings.length, 'result')}</span>
      </VisuallyHidden>
      {findings.length === 0 && <p className="text-muted">Nothing has that name or id.</p>}
      {kinds.map(({ kind, heading, icon: Icon, to }) => {
        const found = findings.filter((finding) => finding.kind === kind);
        if (found.length === 0) return null;
        return (
          <section key={kind} aria-label={heading}>
            <h3 className="pt-3 pb-1 text-muted text-sm">{heading}</h3>
            <ul className="-mx-2">
              {found.map((finding) => (
                <li key={finding.id}>
                  <Link
                    to={to(finding)}
                    onClick={onChoose}
                    className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 -outline-offset-3 hover:bg-sunken"
                  >
                    <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
                    <span className="min-w-0 grow">
                      <span className="block truncate font-medium">{finding.title}</span>
                      {finding.detail && <span className="block truncate text-muted text-sm">{finding.detail}</span>}
                    </span>
                    {finding.status && marks[finding.status] && <Badge>{marks[finding.status]}</Badge>}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
