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

/**
 * 'example.com' -> 'https://example.com' (SPROF-03, C-56). The form prefills https://, which alone counts as blank; a
 * URL pasted after it keeps its own scheme.
 */
export function ensureScheme(address: string): string {
  const trimmed = address.trim().replace(/^https?:\/\/(?=[a-z]+:\/\/|$)/i, '');
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

/** Whether the text, with a scheme prepended if missing, is an http(s) URL whose host has a dot. */
export function isWebAddress(address: string): boolean {
  const full = ensureScheme(address);
  if (/\s/.test(full) || !URL.canParse(full)) return false;
  const { protocol, hostname } = new URL(full);
  return (protocol === 'https:' || protocol === 'http:') && /[^.]\.[^.]/.test(hostname);
}

/** 'https://www.example.com/a/' -> 'example.com/a', for display. */
export function displayUrl(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}

/** How long a former name is shown. */
const formerNameDays = 30;

/** The former name of a renamed project, null after 30 days (C-96). */
export function formerName(project: Pick<Project, 'former_name' | 'renamed_at'>, now = Date.now()): string | null {
  if (project.renamed_at === null) return null;
  return now - Date.parse(project.renamed_at) < formerNameDays * dayMs ? project.former_name : null;
}
