import type { Json } from '@/types/database';

/** Kinds of things that the log is about, as stored and as said. */
export const subjectLabels: Readonly<Record<string, string>> = {
  startup: 'Projects',
  campaign: 'Quests',
  submission: 'Submissions',
  redemption: 'Redemptions',
  reward: 'Rewards',
  user: 'People',
  beta_feedback: 'Feedback',
  mailing_list: 'Mailing list',
  app_settings: 'Settings',
  outbox_event: 'Mail',
  site_stats: 'Site figures',
  export: 'Exports',
};

/** 'campaign.lift_hold' -> 'campaign: lift hold'. */
export function formatAction(action: string): string {
  return action.replace('.', ': ').replaceAll('_', ' ');
}

export type Change = { field: string; before: string; after: string };

const asRecord = (value: Json): Record<string, Json | undefined> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
const formatValue = (value: Json | undefined): string =>
  value === undefined || value === null ? '—' : typeof value === 'string' ? value : JSON.stringify(value);

/** What an entry changed: the fields whose values before and after differ, in the order of their names. */
export function changesOf(before: Json, after: Json): Change[] {
  const [old, now] = [asRecord(before), asRecord(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => field !== 'updated_at')
    .sort()
    .map((field) => ({ field, before: formatValue(old[field]), after: formatValue(now[field]) }))
    .filter((change) => change.before !== change.after);
}
