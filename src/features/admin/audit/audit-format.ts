import { formatCount, formatDateTime, formatNumber, formatUsd } from '@/lib/format';
import type { Json } from '@/types/database';
import type { AuditEntry } from '../queries';
import { settingFields } from '../settings/setting-fields';
import { adminTabPath } from '../tabs';

/** Kinds of subjects: stored name, singular and plural label. */
const subjects: Readonly<Record<string, readonly [one: string, all: string]>> = {
  startup: ['Project', 'Projects'],
  campaign: ['Quest', 'Quests'],
  submission: ['Submission', 'Submissions'],
  redemption: ['Redemption', 'Redemptions'],
  reward: ['Reward', 'Rewards'],
  user: ['Person', 'People'],
  appeal: ['Appeal', 'Appeals'],
  payment: ['Payment', 'Payments'],
  wallet: ['Wallet', 'Wallets'],
  transfer: ['Transfer', 'Transfers'],
  beta_feedback: ['Feedback', 'Feedback'],
  referral_codes: ['Referral code', 'Referrals'],
  mailing_list: ['Mailing list', 'Mailing list'],
  app_settings: ['Settings', 'Settings'],
  outbox_event: ['Mail', 'Mail'],
  site_stats: ['Site figures', 'Site figures'],
  export: ['Export', 'Exports'],
};

/** Options of the filter. */
export const subjectChoices = Object.entries(subjects).map(([type, [, all]]) => [type, all] as const);

export const subjectLabel = (type: string): string => subjects[type]?.[0] ?? type;

/** Labels by stored action. A test compares the keys with the actions that the schema writes. */
const actions: Readonly<Record<string, string>> = {
  'admin.revoke': 'Revoked admin rights',
  'admin.restore': 'Restored admin rights',
  'appeal.uphold': 'Upheld a decision',
  'appeal.overturn': 'Overturned a decision',
  'export.data': 'Exported all data',
  'campaign.create': 'Created a quest',
  'campaign.update': 'Edited a quest',
  'campaign.publish': 'Published a quest',
  'campaign.unpublish': 'Paused a quest',
  'campaign.close': 'Closed a quest',
  'campaign.delete': 'Deleted a quest',
  'campaign.take_down': 'Took down a quest',
  'campaign.hold': 'Put a quest on hold with its project',
  'campaign.lift_hold': 'Lifted the hold on a quest',
  'feedback.new': 'Set feedback back to new',
  'feedback.reviewed': 'Reviewed feedback',
  'feedback.resolved': 'Resolved feedback',
  'flag.dismiss': 'Dismissed a flag',
  'feedback.priority': 'Set the priority of feedback',
  'referral_code.activate': 'Activated a referral code',
  'referral_code.deactivate': 'Deactivated a referral code',
  'mailing_list.activate': 'Activated a subscriber',
  'mailing_list.deactivate': 'Deactivated a subscriber',
  'outbox.requeue': 'Sent a mail again',
  'payment.activate': 'A payment arrived',
  'payment.purchase': 'A payment for points arrived',
  'payment.end': 'A payment was refunded, disputed or cancelled',
  'payment.reinstate': 'A disputed payment was won back',
  'payment.expire': 'A plan ran out',
  'payment.take_back': 'Took back points from a returned payment',
  'payment.write_off': 'Wrote off points from a returned payment',
  'redemption.cancelled': 'Cancelled a redemption',
  'redemption.fulfilled': 'Fulfilled a redemption',
  'reward.save': 'Saved a reward',
  'reward.codes_added': 'Added codes to a reward',
  'reward.codes_removed': 'Removed codes from a reward',
  'reward.delete': 'Deleted a reward',
  'settings.update': 'Changed settings',
  'site_stats.rebuild': 'Recounted the site figures',
  'startup.create': 'Created a project',
  'startup.update': 'Edited a project',
  'startup.delete': 'Deleted a project',
  'startup.verified': 'Approved a project',
  'startup.rejected': 'Rejected a project',
  'startup.revoke': 'Revoked a verification',
  'startup.check': 'Checked a project',
  'startup.confirm_change': 'Accepted a change to a project',
  'startup.suspend': 'Closed a project with its owner',
  'startup.lift_suspension': 'Opened a project again',
  'submission.approve': 'Approved a submission',
  'submission.reject': 'Rejected a submission',
  'submission.reverse': 'Reversed an approval',
  'submission.overturn': 'Approved a proof on appeal',
  'transfer.reverse': 'Took points back',
  'user.suspend': 'Suspended a person',
  'user.lift_suspension': 'Lifted a suspension',
  'user.delete': 'Deleted an account',
  'wallet.adjust': 'Corrected points',
};

/** 'campaign.take_down' -> 'Took down a quest', 'export.mailing_list' -> 'Exported mailing list'. */
export function formatAction(action: string): string {
  const known = actions[action];
  if (known) return known;
  const [kind = '', ...rest] = action.split('.');
  return kind === 'export' ? `Exported ${rest.join(' ').replaceAll('_', ' ')}` : sentenceCase(action);
}

const sentenceCase = (name: string) => {
  const words = name.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

type Subject = Pick<
  AuditEntry,
  'subject_type' | 'subject_id' | 'subject_name' | 'subject_user_id' | 'subject_username'
>;

/** Path of an entry's subject, null when it has no page. */
export function subjectPath(entry: Subject): string | null {
  const { subject_type, subject_id, subject_name, subject_user_id, subject_username } = entry;
  switch (subject_type) {
    case 'startup':
      return adminTabPath('projects', { project: subject_id });
    case 'campaign':
      return subject_name && adminTabPath('quests', { q: subject_name });
    case 'submission':
      return subject_username && adminTabPath('submissions', { q: subject_username });
    case 'redemption':
      return subject_username && adminTabPath('redemptions', { q: subject_username });
    case 'user':
    case 'wallet':
    case 'transfer':
    case 'payment':
      return subject_user_id && adminTabPath('people', { person: subject_user_id });
    case 'reward':
      return adminTabPath('rewards');
    case 'appeal':
      return adminTabPath('appeals', { status: 'all' });
    case 'beta_feedback':
      return adminTabPath('feedback');
    case 'mailing_list':
      return subject_name && adminTabPath('mailing-list', { q: subject_name });
    case 'app_settings':
      return adminTabPath('settings');
    case 'outbox_event':
      return adminTabPath('mail');
    default:
      return null;
  }
}

/** Field labels where the stored name is not clear enough. */
const fieldLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(settingFields.map(({ key, label }) => [key, label])),
  amount_cents: 'Amount',
  budget_points: 'Budget',
  checked_at: 'Checked',
  failed_at: 'Failed',
  hold_reason: 'Reason of the hold',
  is_active: 'Active',
  is_admin: 'Admin',
  points_cost: 'Price in points',
  suspended_at: 'Suspended',
  user_id: 'Person',
};

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Whether the field of an entry has a code of several words, such as 'task_completion'. Any other text stands as it is, because somebody has
 * typed it, like the reason of a suspension.
 */
const isCode = (field: string, entry: object): boolean =>
  field === 'flag' || field === 'kind' || (field === 'reason' && !('suspended_at' in entry));

const formatAmount = (value: number) => (Number.isInteger(value) ? formatNumber(value) : String(value));

function formatValue(field: string, value: Json | undefined): string {
  if (value === undefined || value === null) return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return field.endsWith('_cents') ? formatUsd(value) : formatAmount(value);
  if (typeof value === 'string') return timestamp.test(value) ? formatDateTime(value) : value;
  if (field === 'tasks' && Array.isArray(value)) return formatTasks(value);
  if (field === 'instructions' && Array.isArray(value)) return formatInstructions(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

/** '2 tasks: Sign up (50 × 10), Read on (20 × 5)' */
function formatTasks(tasks: Json[]): string {
  const each = tasks
    .map(asRecord)
    .map(
      ({ title, reward_points, max_completions }) =>
        `${title} (${formatAmount(Number(reward_points))} × ${formatAmount(Number(max_completions))})`,
    );
  return `${formatCount(tasks.length, 'task')}: ${each.join(', ')}`;
}

/** 'Sign up: Open an account; Read on: Read the first page' */
const formatInstructions = (tasks: Json[]): string =>
  tasks
    .map(asRecord)
    .map(({ title, instructions_md }) => `${title}: ${instructions_md}`)
    .join('; ');

export type Change = { field: string; before: string; after: string };

const asRecord = (value: Json): Record<string, Json | undefined> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** The changes of an entry: fields whose values before and after differ, by name. */
export function changesOf(before: Json, after: Json): Change[] {
  const [old, now] = [asRecord(before), asRecord(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => !['updated_at', 'id'].includes(field))
    .sort()
    .map((field) => {
      const format = (value: Json | undefined) => {
        const text = formatValue(field, value);
        return isCode(field, { ...old, ...now }) ? text.replaceAll('_', ' ') : text;
      };
      return {
        field: fieldLabels[field] ?? sentenceCase(field),
        before: format(old[field]),
        after: format(now[field]),
      };
    })
    .filter((change) => change.before !== change.after);
}
