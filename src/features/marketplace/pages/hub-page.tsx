import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { lazy, startTransition, useCallback, useDeferredValue, useEffect, useId, useState } from 'react';
import { Link, useNavigationType } from 'react-router-dom';
import { EmptyState, NoResults } from '@/components/empty-state';
import { LatePart } from '@/components/lazy';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { UrlSelect } from '@/components/url-select';
import { INDUSTRIES, type ListedProject, ProjectCard, projectQueries } from '@/features/projects';
import { questQueries } from '@/features/quests';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { useUrlChoice, useUrlReset, useUrlText } from '@/lib/url-state';
import { useIsHydrated } from '@/lib/use-is-hydrated';
import { useQuestFacets } from '../components/quest-facets';
import { hubViews, QuestGrid, QuestGridSkeleton, ShownCount } from '../components/quest-grid';

/** Most visits need no filters. */
const QuestFilters = lazy(() => import('../components/quest-filters'));

const tabs = [
  { value: 'quests', label: 'Quests' },
  { value: 'projects', label: 'Projects' },
] as const;

/** The board itself: all published quests and all verified projects (ROUTE-02). */
export default function HubPage() {
  const [tab, setTab] = useUrlChoice('tab', ['quests', 'projects']);
  const isHydrated = useIsHydrated();

  return (
    <div className="page-column pb-16">
      <PageMeta {...heads[tab]} />
      <PageHeader
        title="Explore the board"
        lead="Pick a quest, do a small task for a young project, earn points."
        actions={<StartEarning />}
      />
      {/* Disabled until hydration, so that no input gets lost. */}
      <div inert={!isHydrated} className="inert:opacity-60">
        <Tabs label="What to explore" value={tab} onChange={setTab} tabs={tabs}>
          <TabPanel value={tab}>{tab === 'quests' ? <QuestsTab /> : <ProjectsTab />}</TabPanel>
        </Tabs>
      </div>
    </div>
  );
}

/**
 * Sign-up call to action for visitors (HUB-06). Its space is reserved while the session loads, to avoid a layout shift,
 * unless a member has used this browser before (marked by index.html).
 */
function StartEarning() {
  const { status } = useSession();
  if (status === 'loading') return <Skeleton data-visitors-only className="h-11 w-44" />;
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

const sorts = { match: 'Best match', new: 'Newest', reward: 'Highest Reward' } as const;

const sortOf = (value: string): keyof typeof sorts => (value === 'match' || value === 'reward' ? value : 'new');

/** Quests of the hub, open or full, with search and sort order in the URL (HUB-01). */
function QuestsTab() {
  const [view, setView] = useUrlChoice('view', hubViews);
  const [search, setSearch] = useUrlText('q');
  // A search sorts by relevance unless another order is chosen.
  const [sort, setSort] = useUrlChoice<keyof typeof sorts>(
    'sort',
    search ? ['match', 'new', 'reward'] : ['new', 'reward'],
  );
  const { status } = useSession();
  const facetState = useQuestFacets(INDUSTRIES, status !== 'signed-out');
  const { facets, isDoneHidden, count } = facetState;
  const [isFiltering, setIsFiltering] = useState(count > 0);
  const filtersId = useId();
  const list = useInfiniteQuery(
    questQueries.pages({ search, sort, view: view === 'active' ? 'open' : 'full', facets }),
  );
  // Rendered when no key or press waits, because fifty cards take longer than a frame.
  const shown = useDeferredValue(list.data);
  const limit = useGrowingLimit(view, shown?.pages.flat().length);
  const { fetchNextPage } = list;
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap gap-3">
        <SearchBox
          label="Search quests"
          value={search}
          onChange={setSearch}
          className="grow basis-40 max-sm:basis-full"
        />
        <UrlSelect
          aria-label="Sort quests"
          value={sort}
          onChange={(next) => setSort(sortOf(next))}
          className="w-auto max-sm:grow"
        >
          {search && <option value="match">{sorts.match}</option>}
          <option value="new">{sorts.new}</option>
          <option value="reward">{sorts.reward}</option>
        </UrlSelect>
        <Button
          variant="secondary"
          className="max-sm:grow"
          aria-expanded={isFiltering}
          aria-controls={filtersId}
          onClick={() => setIsFiltering(!isFiltering)}
        >
          <SlidersHorizontal aria-hidden="true" />
          {count > 0 ? `Filters (${count})` : 'Filters'}
        </Button>
      </div>
      <div id={filtersId} hidden={!isFiltering}>
        {isFiltering && (
          <LatePart pending={<Skeleton shape="card" className="h-40" />}>
            <QuestFilters state={facetState} isMember={status === 'signed-in'} />
          </LatePart>
        )}
      </div>
      <Tabs label="Quests by state" look="pills" value={view} onChange={setView} tabs={views}>
        <TabPanel value={view} className={cn('grid gap-5 pt-5', list.isPlaceholderData && 'opacity-60')}>
          <QueryView
            query={list}
            failure="The quests could not be loaded"
            isWaiting={shown === undefined}
            pending={<QuestGridSkeleton />}
          >
            {() => (
              <>
                <QuestGrid
                  pages={shown?.pages ?? []}
                  limit={limit}
                  view={view}
                  isFiltered={search !== '' || count > 0}
                  isDoneHidden={isDoneHidden}
                  hasMore={list.hasNextPage}
                  loadMore={list.hasNextPage && !list.isFetchNextPageError ? loadMore : null}
                />
                <ShowMore list={list}>Show more quests</ShowMore>
              </>
            )}
          </QueryView>
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** Cards added per paint: more than fit on a screen, in whole rows of two or three. */
const step = 6;

/**
 * How many of the first `length` cards of a list to render: a few more per paint, because the layout of fifty takes a phone a quarter of a
 * second, in which a press waits. After Back all at once, so that the scroll position can be restored (C-73).
 */
function useGrowingLimit(list: string, length: number | undefined): number {
  const isBack = useNavigationType() === 'POP';
  const [shown, setShown] = useState({ list, limit: isBack && length !== undefined ? Number.POSITIVE_INFINITY : step });
  const limit = shown.list === list ? shown.limit : step;
  useEffect(() => {
    if (length === undefined || limit === Number.POSITIVE_INFINITY) return;
    startTransition(() => setShown({ list, limit: limit < length ? limit + step : Number.POSITIVE_INFINITY }));
  }, [list, limit, length]);
  return limit;
}

/** Empty: all. */
const industries: readonly [string, ...string[]] = ['', ...INDUSTRIES];

/** Verified projects, searched and filtered by industry on the client (HUB-02). */
function ProjectsTab() {
  const [search, setSearch] = useUrlText('q');
  const [industry, setIndustry] = useUrlChoice('industry', industries);
  const reset = useUrlReset(['q', 'industry']);

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap gap-3">
        <SearchBox label="Search projects" value={search} onChange={setSearch} className="grow basis-40" />
        <UrlSelect aria-label="Industry" value={industry} onChange={setIndustry} className="w-auto max-sm:grow">
          <option value="">All industries</option>
          {INDUSTRIES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </UrlSelect>
      </div>
      <ProjectGrid search={search} industry={industry} onReset={reset} />
    </div>
  );
}

/** Cards shown at first, and added by each press: whole rows of two, three or four. */
const projectStep = 48;

function ProjectGrid({ search, industry, onReset }: { search: string; industry: string; onReset: () => void }) {
  const projects = useQuery(projectQueries.verified());
  const isFiltered = search !== '' || industry !== '';
  // In the address, so that Back returns to the same place in the list (C-73).
  const [shownText, setShownText] = useUrlText('shown');
  const limit = Math.max(projectStep, Number.parseInt(shownText, 10) || 0);
  return (
    <QueryView query={projects} failure="The projects could not be loaded" pending={<ProjectGridLoading />}>
      {(all) => {
        const found = filterProjects(all, { search, industry });
        const shown = found.slice(0, limit);
        return (
          <>
            <ShownCount count={shown.length} noun="project" />
            {shown.length > 0 ? (
              <ul className="card-grid">
                {shown.map((project) => (
                  <ProjectCard key={project.id} project={project} />
                ))}
              </ul>
            ) : isFiltered ? (
              <NoResults
                title="No projects found"
                text="No project matches your search and industry."
                onReset={onReset}
              />
            ) : (
              <EmptyState title="No projects found" text="Projects appear here once they are verified." />
            )}
            {found.length > limit && (
              <Button
                variant="secondary"
                className="justify-self-center"
                onClick={() => setShownText(String(limit + projectStep))}
              >
                Show more projects
              </Button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

function ProjectGridLoading() {
  return (
    <ul aria-busy="true" aria-label="Loading projects" className="card-grid">
      {['a', 'b', 'c'].map((key) => (
        <ProjectCardSkeleton key={key} />
      ))}
    </ul>
  );
}

/** Skeleton of a project card. */
function ProjectCardSkeleton() {
  return (
    <Card as="li" className="grid gap-3">
      <div className="flex items-center gap-3">
        <Skeleton className="size-12" />
        <Skeleton className="h-6 w-40" />
      </div>
      <Skeleton className="h-16" />
    </Card>
  );
}

type ProjectFilter = { search: string; industry: string };

/** Projects whose name or description contains the search, of one industry, or of all when it is empty (HUB-02). */
function filterProjects(projects: ListedProject[], { search, industry }: ProjectFilter): ListedProject[] {
  const wanted = search.trim().toLowerCase();
  return projects.filter(
    (project) =>
      (!industry || project.industry === industry) &&
      (!wanted || `${project.name} ${project.description ?? ''}`.toLowerCase().includes(wanted)),
  );
}
