import type { CsvColumn } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import type { PlatformDay } from '../data/queries';
import type { ExportedCampaign, ExportedStartup, ExportedSubmission, ExportedUser } from './queries';

/** Days in ISO 8601 everywhere (C-55). */
export const userColumns: CsvColumn<ExportedUser>[] = [
  { header: 'user_id', value: (row) => row.user_id },
  { header: 'username', value: (row) => row.username },
  { header: 'display_name', value: (row) => row.display_name },
  { header: 'email', value: (row) => row.email },
  { header: 'role', value: (row) => row.role },
  { header: 'og_badge', value: (row) => row.og_badge },
  { header: 'suspended_at', value: (row) => row.suspended_at && isoDay(row.suspended_at) },
  { header: 'created_at', value: (row) => isoDay(row.created_at) },
];

export const campaignColumns: CsvColumn<ExportedCampaign>[] = [
  { header: 'id', value: (row) => row.id },
  { header: 'title', value: (row) => row.title },
  { header: 'startup', value: (row) => row.startup_profiles.name },
  { header: 'status', value: (row) => row.status },
  { header: 'budget_points', value: (row) => row.budget_points },
  { header: 'points_distributed', value: (row) => row.points_distributed },
  { header: 'total_slots', value: (row) => row.total_slots },
  { header: 'participants', value: (row) => row.participant_count },
  { header: 'submissions', value: (row) => row.submission_count },
  { header: 'approved', value: (row) => row.approved_count },
  { header: 'pending', value: (row) => row.pending_count },
  { header: 'created_at', value: (row) => isoDay(row.created_at) },
  { header: 'published_at', value: (row) => row.published_at && isoDay(row.published_at) },
];

export const dayColumns: CsvColumn<PlatformDay>[] = [
  { header: 'day', value: (row) => row.day },
  { header: 'new_users', value: (row) => row.new_users },
  { header: 'submissions', value: (row) => row.submissions },
  { header: 'completions', value: (row) => row.completions },
  { header: 'points_issued', value: (row) => row.points_issued },
  { header: 'points_redeemed', value: (row) => row.points_redeemed },
];

export type ActivityLine = {
  at: string;
  kind: string;
  title: string;
  who: string;
  status: string;
  points: number | null;
};

/** Everything that happened, oldest first. */
export function activityLines(
  startups: readonly ExportedStartup[],
  campaigns: readonly ExportedCampaign[],
  submissions: readonly ExportedSubmission[],
): ActivityLine[] {
  const lines: ActivityLine[] = [
    ...startups.map(({ created_at: at, name, owner_user_id: who, status }) => ({
      at,
      kind: 'startup',
      title: name,
      who,
      status,
      points: null,
    })),
    ...campaigns.map(({ created_at: at, title, startup_profiles, status, budget_points }) => ({
      at,
      kind: 'campaign',
      title,
      who: startup_profiles.name,
      status,
      points: budget_points,
    })),
    ...submissions.map(({ submitted_at: at, tasks, user_id: who, status, reward_points }) => ({
      at,
      kind: 'submission',
      title: tasks.title,
      who,
      status,
      points: reward_points,
    })),
  ];
  return lines.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

export const activityColumns: CsvColumn<ActivityLine>[] = [
  { header: 'date', value: ({ at }) => isoDay(at) },
  { header: 'time_utc', value: ({ at }) => new Date(at).toISOString().slice(11, 19) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'title', value: ({ title }) => title },
  { header: 'who', value: ({ who }) => who },
  { header: 'status', value: ({ status }) => status },
  { header: 'points', value: ({ points }) => points },
];
