import { ErrorState } from '@/components/error-state';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { useUrlChoice, useUrlReset, useUrlText } from '@/lib/url-state';
import { hubViews } from '../quest';
import { useHubQuests } from '../use-hub-quests';
import { QuestGrid } from './quest-grid';
import { SearchBox } from './search-box';

const views = [
  { value: 'active', label: 'Active Quests' },
  { value: 'completed', label: 'Completed' },
] as const;

/** Quests of the hub: open ones or full ones, searched and sorted, all in the address (HUB-01). */
export function QuestsTab() {
  const [view, setView] = useUrlChoice('view', hubViews);
  const [sort, setSort] = useUrlChoice('sort', ['new', 'reward']);
  const [search, setSearch] = useUrlText('q');
  const reset = useUrlReset(['q', 'sort']);
  const { list, quests, isWaiting, failedStats } = useHubQuests(view, { search, sort });

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
          {list.isError && !list.data ? (
            <ErrorState
              title="The quests could not be loaded"
              error={list.error}
              onRetry={() => list.refetch()}
              isRetrying={list.isFetching}
            />
          ) : (
            <>
              {failedStats.length > 0 && (
                <ErrorState
                  title="Free spots could not be loaded"
                  text="Until they are known, these quests are shown as full."
                  onRetry={() => failedStats.map((stats) => stats.refetch())}
                  isRetrying={failedStats.some((stats) => stats.isFetching)}
                />
              )}
              <QuestGrid quests={quests} view={view} isWaiting={isWaiting} isFiltered={search !== ''} onReset={reset} />
              {list.hasNextPage && !isWaiting && (
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
        </TabPanel>
      </Tabs>
    </div>
  );
}
