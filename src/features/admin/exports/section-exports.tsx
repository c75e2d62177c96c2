import { ExportButton, type ExportFile, rowsInWords } from '../components/export-button';
import { periodStart } from '../data/period';
import type { PlatformStats } from '../data/queries';
import { downloadCsv } from '../export';
import { allFigures, figureColumns } from './all-figures';
import { activityColumns, activityLines, campaignColumns, dayColumns, userColumns } from './columns';
import { fetchCampaigns, fetchStartups, fetchSubmissions, fetchUsers } from './queries';

type SectionExportProps = { label: string; section: string; run: ExportFile };

/** An export button that announces itself in the stated words (C-53). */
function SectionExport({ label, section, run }: SectionExportProps) {
  return (
    <ExportButton
      label={label}
      announce={`Exporting ${section} data...`}
      failure={`Failed to export ${section} data`}
      run={run}
    />
  );
}

const done = (rows: number) => `Exported ${rowsInWords(rows)}`;

/** Everything on the page as one file. */
export function AllExport({ stats }: { stats: PlatformStats }) {
  const run: ExportFile = async () => {
    const lines = allFigures(stats);
    await downloadCsv('dashboard', lines, figureColumns);
    return done(lines.length);
  };
  return <SectionExport label="Export Data" section="all" run={run} />;
}

/** One file for each section of the chosen period (DATA-02, C-53). */
export function SectionExports({ stats }: { stats: PlatformStats }) {
  const since = () => periodStart(stats.period_days);
  const exportUsers: ExportFile = async (onProgress) => {
    const rows = await fetchUsers(since(), (count) => onProgress(rowsInWords(count)));
    await downloadCsv('users', rows, userColumns);
    return done(rows.length);
  };
  const exportCampaigns: ExportFile = async (onProgress) => {
    const rows = await fetchCampaigns(since(), (count) => onProgress(rowsInWords(count)));
    await downloadCsv('campaigns', rows, campaignColumns);
    return done(rows.length);
  };
  const exportAnalytics: ExportFile = async () => {
    await downloadCsv('analytics', stats.days, dayColumns);
    return done(stats.days.length);
  };
  const exportActivity: ExportFile = async (onProgress) => {
    const from = since();
    const startups = await fetchStartups(from, (count) => onProgress(rowsInWords(count)));
    const before = startups.length;
    const campaigns = await fetchCampaigns(from, (count) => onProgress(rowsInWords(before + count)));
    const both = before + campaigns.length;
    const submissions = await fetchSubmissions(from, (count) => onProgress(rowsInWords(both + count)));
    const lines = activityLines(startups, campaigns, submissions);
    await downloadCsv('activity', lines, activityColumns);
    return done(lines.length);
  };
  return (
    <div className="flex flex-wrap gap-3">
      <SectionExport label="Users" section="users" run={exportUsers} />
      <SectionExport label="Campaigns" section="campaigns" run={exportCampaigns} />
      <SectionExport label="Analytics" section="analytics" run={exportAnalytics} />
      <SectionExport label="Activity" section="activity" run={exportActivity} />
    </div>
  );
}
