import { dayMs } from '@/lib/format';
import type { Project } from './queries';

/** The industries of a project, in the order of the form and the hub's filter (HUB-03). */
export const INDUSTRIES = [
  'Technology',
  'Fintech',
  'Healthcare',
  'Education',
  'E-commerce',
  'SaaS',
  'AI/ML',
  'Blockchain/Crypto',
  'Gaming',
  'Social Media',
  'Real Estate',
  'Food & Beverage',
  'Fashion',
  'Travel',
  'Transportation',
  'Energy',
  'Manufacturing',
  'Media & Entertainment',
  'Non-profit',
  'Other',
] as const;

/** What people read for a project's status. */
export const projectStatusLabels = { pending: 'Pending', verified: 'Verified', rejected: 'Rejected' } as const;

/** How long a former name is shown. */
const formerNameDays = 30;

/** The former name of a renamed project, null after 30 days (C-96). */
export function formerName(project: Pick<Project, 'former_name' | 'renamed_at'>, now = Date.now()): string | null {
  if (project.renamed_at === null) return null;
  return now - Date.parse(project.renamed_at) < formerNameDays * dayMs ? project.former_name : null;
}
