import { dayMs } from '@/lib/format';
import type { Project } from './queries';

const days = 30;

/** The former name of a renamed project, null after 30 days (C-96). */
export function formerName(project: Pick<Project, 'former_name' | 'renamed_at'>, now = Date.now()): string | null {
  if (project.renamed_at === null) return null;
  return now - Date.parse(project.renamed_at) < days * dayMs ? project.former_name : null;
}
