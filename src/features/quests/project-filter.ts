import type { Startup } from '@/features/startups';

export type ProjectFilter = { search: string; industry: string };

/** Projects whose name or description holds the search, of one industry or of all when it is empty (HUB-02). */
export function filterProjects(startups: Startup[], { search, industry }: ProjectFilter): Startup[] {
  const wanted = search.trim().toLowerCase();
  return startups.filter(
    (startup) =>
      (!industry || startup.industry === industry) &&
      (!wanted || `${startup.name} ${startup.description ?? ''}`.toLowerCase().includes(wanted)),
  );
}
