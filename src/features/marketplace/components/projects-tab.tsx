import { useQuery } from '@tanstack/react-query';
import { EmptyState, NoResults } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { Card } from '@/components/ui/card';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { INDUSTRIES, type Project, ProjectCard, projectQueries } from '@/features/projects';
import { useUrlReset, useUrlText } from '@/lib/url-state';

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
  const projects = useQuery(projectQueries.verified());
  const isFiltered = search !== '' || industry !== '';
  return (
    <QueryView query={projects} failure="The projects could not be loaded" pending={<ProjectGridLoading />}>
      {(all) => {
        const shown = filterProjects(all, { search, industry });
        if (shown.length > 0) {
          return (
            <ul className="card-grid">
              {shown.map((project) => (
                <ProjectCard key={project.id} project={project} />
              ))}
            </ul>
          );
        }
        return isFiltered ? (
          <NoResults title="No projects found" text="No project matches your search and industry." onReset={onReset} />
        ) : (
          <EmptyState title="No projects found" text="Projects appear here once they are verified." />
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
function filterProjects(projects: Project[], { search, industry }: ProjectFilter): Project[] {
  const wanted = search.trim().toLowerCase();
  return projects.filter(
    (project) =>
      (!industry || project.industry === industry) &&
      (!wanted || `${project.name} ${project.description ?? ''}`.toLowerCase().includes(wanted)),
  );
}
