import type { CsvColumn } from '@/lib/csv';
import { isoDay, periodStart } from '@/lib/format';
import { ExportButton, type ExportButtonProps } from '../components/export-button';
import { keyFigures } from './figures';
import {
  type ExportedQuest,
  type ExportedUser,
  fetchProjects,
  fetchQuests,
  fetchSubmissions,
  fetchUsers,
  type PlatformDay,
  type PlatformStats,
} from './queries';

type SectionExportProps<Row> = Omit<ExportButtonProps<Row>, 'announce' | 'failure'> & { section: string };

/** An export button with the specified announcements (C-53). */
function SectionExport<Row>({ section, ...props }: SectionExportProps<Row>) {
  return (
    <ExportButton {...props} announce={`Exporting ${section} data...`} failure={`Failed to export ${section} data`} />
  );
}

/** Everything on the page as one file. */
export function AllExport({ stats }: { stats: PlatformStats }) {
  return (
    <SectionExport
      label="Export Data"
      section="all"
      name="dashboard"
      columns={figureColumns}
      fetchRows={async () => allFigures(stats)}
    />
  );
}

/** One file for each section of the chosen period (DATA-02, C-53). */
export function SectionExports({ stats }: { stats: PlatformStats }) {
  const since = () => periodStart(stats.period_days);
  return (
    <div className="flex flex-wrap gap-3">
      <SectionExport
        label="Users"
        section="users"
        name="users"
        columns={userColumns}
        fetchRows={(onRows) => fetchUsers(since(), onRows)}
      />
      <SectionExport
        label="Quests"
        section="quests"
        name="quests"
        columns={questColumns}
        fetchRows={(onRows) => fetchQuests(since(), onRows)}
      />
      <SectionExport
        label="Analytics"
        section="analytics"
        name="analytics"
        columns={dayColumns}
        fetchRows={async () => stats.days}
      />
      <SectionExport
        label="Activity"
        section="activity"
        name="activity"
        columns={activityColumns}
        fetchRows={(onRows) => fetchActivity(since(), onRows)}
      />
    </div>
  );
}

/** Days in ISO 8601 everywhere (C-55). */
const userColumns: CsvColumn<ExportedUser>[] = [
  { header: 'user_id', value: (row) => row.user_id },
  { header: 'username', value: (row) => row.username },
  { header: 'display_name', value: (row) => row.display_name },
  { header: 'email', value: (row) => row.email },
  { header: 'role', value: (row) => row.role },
  { header: 'og_badge', value: (row) => row.og_badge },
  { header: 'suspended_at', value: (row) => row.suspended_at && isoDay(row.suspended_at) },
  { header: 'created_at', value: (row) => isoDay(row.created_at) },
];

const questColumns: CsvColumn<ExportedQuest>[] = [
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

const dayColumns: CsvColumn<PlatformDay>[] = [
  { header: 'day', value: (row) => row.day },
  { header: 'new_users', value: (row) => row.new_users },
  { header: 'submissions', value: (row) => row.submissions },
  { header: 'completions', value: (row) => row.completions },
  { header: 'points_issued', value: (row) => row.points_issued },
  { header: 'points_redeemed', value: (row) => row.points_redeemed },
];

type ActivityLine = {
  at: string;
  kind: string;
  title: string;
  who: string;
  status: string;
  points: number | null;
};

/** Everything that happened since, oldest first. */
async function fetchActivity(since: string, onRows: (count: number) => void): Promise<ActivityLine[]> {
  const projects = await fetchProjects(since, onRows);
  const quests = await fetchQuests(since, (count) => onRows(projects.length + count));
  const before = projects.length + quests.length;
  const submissions = await fetchSubmissions(since, (count) => onRows(before + count));
  const lines: ActivityLine[] = [
    ...projects.map(({ created_at: at, name, owner_user_id: who, status }) => ({
      at,
      kind: 'startup',
      title: name,
      who,
      status,
      points: null,
    })),
    ...quests.map(({ created_at: at, title, startup_profiles, status, budget_points }) => ({
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

const activityColumns: CsvColumn<ActivityLine>[] = [
  { header: 'date', value: ({ at }) => isoDay(at) },
  { header: 'time_utc', value: ({ at }) => new Date(at).toISOString().slice(11, 19) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'title', value: ({ title }) => title },
  { header: 'who', value: ({ who }) => who },
  { header: 'status', value: ({ status }) => status },
  { header: 'points', value: ({ points }) => points },
];

type FigureLine = { section: string; name: string; value: string | number };

/** All figures of the data dashboard, one per line. */
function allFigures(stats: PlatformStats): FigureLine[] {
  const { totals, period } = stats;
  return [
    { section: 'period', name: 'days', value: stats.period_days },
    { section: 'cards', name: 'Total Users', value: totals.users },
    { section: 'cards', name: 'Verified Projects', value: totals.verified_startups },
    { section: 'cards', name: 'Completed Tasks in period', value: period.completed_tasks },
    { section: 'cards', name: 'Completed Tasks in all', value: totals.completed_tasks },
    { section: 'cards', name: 'Points Awarded in period', value: period.points_awarded },
    { section: 'cards', name: 'Points Awarded in all', value: totals.points_awarded },
    ...keyFigures(stats).map(({ label, value }) => ({ section: 'figures', name: label, value })),
    ...stats.top_campaigns.flatMap(({ title, approved, completion_rate }) => [
      { section: 'top quests: completions', name: title, value: approved },
      { section: 'top quests: completion rate in percent', name: title, value: completion_rate },
    ]),
    ...stats.top_industries.map(({ industry, startups }) => ({
      section: 'top industries: projects',
      name: industry,
      value: startups,
    })),
    ...stats.days.flatMap(({ day, ...figures }) =>
      Object.entries(figures).map(([name, value]) => ({ section: `per day: ${name}`, name: day, value })),
    ),
  ];
}

const figureColumns: CsvColumn<FigureLine>[] = [
  { header: 'section', value: ({ section }) => section },
  { header: 'name', value: ({ name }) => name },
  { header: 'value', value: ({ value }) => value },
];
