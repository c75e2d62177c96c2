import { paths } from '@/lib/paths';

/** The dashboard's tabs in order: the specified eight (ADMIN-01), then further ones (C-45, C-50). */
export const adminTabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'projects', label: 'Projects' },
  { value: 'quests', label: 'Quests' },
  { value: 'feedback', label: 'Feedback' },
  { value: 'mailing-list', label: 'Mailing List' },
  { value: 'referrals', label: 'Referrals' },
  { value: 'analytics', label: 'Analytics' },
  { value: 'settings', label: 'Settings' },
  { value: 'rewards', label: 'Rewards' },
  { value: 'redemptions', label: 'Redemptions' },
  { value: 'payments', label: 'Payments' },
  { value: 'people', label: 'People' },
  { value: 'submissions', label: 'Submissions' },
  { value: 'appeals', label: 'Appeals' },
  { value: 'audit', label: 'Audit log' },
  { value: 'mail', label: 'Mail' },
] as const;

export type AdminTab = (typeof adminTabs)[number]['value'];

/** Number of specified tabs; the sidebar draws a line after them. */
export const specTabCount = 8;

/** The tab in the URL; the overview for an unknown one. */
export function readTab(raw: string | null): AdminTab {
  return adminTabs.find(({ value }) => value === raw)?.value ?? 'overview';
}

/** Path of a tab, with filters or an opened item: adminTabPath('people', { person: 'user_1' }). */
export function adminTabPath(tab: AdminTab, params: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(tab === 'overview' ? {} : { tab }), ...params }).toString();
  return query ? `${paths.admin}?${query}` : paths.admin;
}
