import { useQuery } from '@tanstack/react-query';
import { EmptyState, NoResults } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Select } from '@/components/ui/select';
import { INDUSTRIES, startupQueries } from '@/features/startups';
import { useUrlReset, useUrlText } from '@/lib/url-state';
import { filterProjects } from '../project-filter';
import { ProjectCard, ProjectCardSkeleton } from './project-card';
import { cardGridClass } from './quest-grid';
import { SearchBox } from './search-box';

/** Verified projects, searched and filtered by industry on the client (HUB-02). */
export function ProjectsTab() {
  const [search, setSearch] = useUrlText('q');
  const [industry, setIndustry] = useUrlText('industry');
  const reset = useUrlReset(['q', 'industry']);

  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap gap-3">
        <SearchBox label="Search projects" value={search} onChange={setSearch} className="grow basis-40" />
        <Select
          aria-label="Industry"
          value={industry}
          onChange={(event) => setIndustry(event.target.value)}
          className="w-auto max-sm:grow"
        >
          <option value="">All industries</option>
          {INDUSTRIES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </div>
      <ProjectGrid search={search} industry={industry} onReset={reset} />
    </div>
  );
}

function ProjectGrid({ search, industry, onReset }: { search: string; industry: string; onReset: () => void }) {
  const startups = useQuery(startupQueries.verified());

  if (startups.isPending) {
    return (
      <ul aria-busy="true" aria-label="Loading projects" className={cardGridClass}>
        {['a', 'b', 'c'].map((key) => (
          <ProjectCardSkeleton key={key} />
        ))}
      </ul>
    );
  }
  if (startups.isError && !startups.data) {
    return (
      <ErrorState
        title="The projects could not be loaded"
        error={startups.error}
        onRetry={() => startups.refetch()}
        isRetrying={startups.isFetching}
      />
    );
  }
  const shown = filterProjects(startups.data, { search, industry });
  if (shown.length === 0) {
    const isFiltered = search !== '' || industry !== '';
    return isFiltered ? (
      <NoResults title="No projects found" text="No project matches your search and industry." onReset={onReset} />
    ) : (
      <EmptyState title="No projects found" text="Projects appear here once they are verified." />
    );
  }
  return (
    <ul className={cardGridClass}>
      {shown.map((startup) => (
        <ProjectCard key={startup.id} startup={startup} />
      ))}
    </ul>
  );
}
