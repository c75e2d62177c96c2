import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { questQueries } from '@/features/quests';
import { useSession } from '@/lib/auth';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { readStorage } from '@/lib/storage';
import { useUrlChoice, useUrlReset, useUrlText } from '@/lib/url-state';
import { ProjectsTab } from '../components/projects-tab';
import { hubViews, QuestGrid, QuestGridSkeleton } from '../components/quest-grid';

const tabs = [
  { value: 'quests', label: 'Quests' },
  { value: 'projects', label: 'Projects' },
] as const;

/** The board itself: all published quests and all verified projects (ROUTE-02). */
export default function HubPage() {
  const [tab, setTab] = useUrlChoice('tab', ['quests', 'projects']);

  return (
    <div className="page-column pb-16">
      <PageMeta {...heads[tab]} />
      <PageHeader
        title="Explore the board"
        lead="Pick a quest, do a small task for a young project, earn points."
        actions={<StartEarning />}
      />
      <Tabs label="What to explore" value={tab} onChange={setTab} tabs={tabs}>
        <TabPanel value={tab}>{tab === 'quests' ? <QuestsTab /> : <ProjectsTab />}</TabPanel>
      </Tabs>
    </div>
  );
}

/**
 * Sign-up call to action for visitors (HUB-06). Space is reserved while the session loads, to avoid a layout shift, unless a
 * member has used this browser before.
 */
function StartEarning() {
  const { status } = useSession();
  if (status === 'loading' && readStorage('roleOwner') === null) return <Skeleton className="h-11 w-44" />;
  if (status !== 'signed-out') return null;
  return (
    <Button asChild>
      <Link to={paths.signUp()}>Start Earning Now</Link>
    </Button>
  );
}

const views = [
  { value: 'active', label: 'Active Quests' },
  { value: 'completed', label: 'Completed' },
] as const;

/** Quests of the hub: open ones or full ones, searched and sorted, all in the address (HUB-01). */
function QuestsTab() {
  const [view, setView] = useUrlChoice('view', hubViews);
  const [sort, setSort] = useUrlChoice('sort', ['new', 'reward']);
  const [search, setSearch] = useUrlText('q');
  const reset = useUrlReset(['q', 'sort']);
  const list = useInfiniteQuery(questQueries.pages({ search, sort, view: view === 'active' ? 'open' : 'full' }));

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap gap-3">
        <SearchBox label="Search quests" value={search} onChange={setSearch} className="grow basis-40" />
        <Select
          aria-label="Sort quests"
          value={sort}
          onChange={(event) => setSort(event.target.value === 'reward' ? 'reward' : 'new')}
          className="w-auto"
        >
          <option value="new">Newest</option>
          <option value="reward">Highest Reward</option>
        </Select>
      </div>
      <Tabs label="Quests by state" look="pills" value={view} onChange={setView} tabs={views}>
        <TabPanel value={view} className="grid gap-5">
          <QueryView query={list} failure="The quests could not be loaded" pending={<QuestGridSkeleton />}>
            {({ pages }) => (
              <>
                <QuestGrid quests={pages.flat()} view={view} isFiltered={search !== ''} onReset={reset} />
                {list.hasNextPage && (
                  <Button
                    variant="secondary"
                    className="justify-self-center"
                    isLoading={list.isFetchingNextPage}
                    onClick={() => list.fetchNextPage()}
                  >
                    Show more quests
                  </Button>
                )}
              </>
            )}
          </QueryView>
        </TabPanel>
      </Tabs>
    </div>
  );
}
