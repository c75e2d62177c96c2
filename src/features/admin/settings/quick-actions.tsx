import { useMutation } from '@tanstack/react-query';
import { FileDown, type LucideIcon, Map as MapIcon, RefreshCw, Scale, ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { DataTable } from '@/components/data-table';
import { Notice } from '@/components/notice';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { downloadBlob } from '@/lib/csv';
import { getEnv } from '@/lib/env';
import { describeError, toAppError } from '@/lib/errors';
import { formatCount, formatNumber } from '@/lib/format';
import type { KnownCall } from '@/lib/stale-queries';
import { Section } from '../components/section';
import { exportFileName } from '../export';
import { clearCache, exportData, uploadSitemap } from './mutations';
import {
  fetchPublicPages,
  type LedgerProblem,
  reconcileLedger,
  runSecurityScan,
  type SecurityFinding,
  sitemapXml,
} from './queries';

/** Maintenance actions, each with progress and result (ADMIN-12, C-54, TRUST-01). */
export function QuickActions() {
  return (
    <Section title="Quick Actions">
      <ul>
        <QuickAction
          icon={FileDown}
          name="Export data"
          text="Downloads all tables as they are at one moment, as one JSON file. It holds personal data: keep it safe. It is not a backup; the platform makes those (docs/restore.md)."
          run={exportAll}
          calls={['export_data']}
        />
        <QuickAction
          icon={RefreshCw}
          name="Clear Cache"
          text="Recounts the figures on the home page now, instead of within 30 seconds."
          run={clear}
          calls={['rebuild_site_stats_cache']}
        />
        <QuickAction
          icon={ShieldCheck}
          name="Security Scan"
          text="Looks for tables, views and functions of the database that let in more than they should."
          run={scan}
        />
        <QuickAction
          icon={MapIcon}
          name="Update Sitemap"
          text="Writes the list of public pages for search engines from the published quests and verified projects."
          run={updateSitemap}
        />
        <QuickAction
          icon={Scale}
          name="Reconcile ledger"
          text="Adds up every movement of points again and compares it with every balance and counter."
          run={reconcile}
        />
      </ul>
    </Section>
  );
}

type OnProgress = (words: string) => void;

async function exportAll(): Promise<ActionResult> {
  const data = await exportData();
  const { tables } = exportSchema.parse(data);
  const rows = Object.values(tables).reduce((sum, table) => sum + table.length, 0);
  const name = exportFileName('questboard_data', 'json');
  downloadBlob(new Blob([JSON.stringify(data)], { type: 'application/json' }), name);
  return { isGood: true, title: 'Data exported', details: `${formatCount(rows, 'row')} in ${name}` };
}

async function clear(): Promise<ActionResult> {
  const figures = await clearCache();
  const details = figures
    ? `${formatCount(figures.total_members, 'member')}, ${formatCount(figures.active_campaigns, 'active quest')}, ${formatCount(figures.verified_startups, 'verified project')}`
    : undefined;
  return { isGood: true, title: 'The figures are recounted', details };
}

async function scan(): Promise<ActionResult> {
  const findings = await runSecurityScan();
  if (findings.length === 0) return { isGood: true, title: 'Nothing found' };
  return {
    isGood: false,
    title: formatCount(findings.length, 'finding'),
    details: <FindingList findings={findings} />,
  };
}

async function updateSitemap(onProgress: OnProgress): Promise<ActionResult> {
  const pages = await fetchPublicPages((count) => onProgress(`${formatCount(count, 'page')} found`));
  const site = getEnv().VITE_SITE_URL ?? window.location.origin;
  const address = await uploadSitemap(sitemapXml(site, pages));
  return {
    isGood: true,
    title: `Sitemap written with ${formatCount(pages.length, 'quest and project page')}`,
    details: (
      <a
        href={address}
        target="_blank"
        rel="noopener"
        className="text-action underline underline-offset-4 [overflow-wrap:anywhere]"
      >
        Open the sitemap
      </a>
    ),
  };
}

async function reconcile(): Promise<ActionResult> {
  const problems = await reconcileLedger();
  if (problems.length === 0) {
    return { isGood: true, title: 'The books balance', details: 'Every balance and counter equals its recount.' };
  }
  return {
    isGood: false,
    title: `${formatCount(problems.length, 'figure differs', 'figures differ')} from the recount`,
    details: <LedgerProblemList problems={problems} />,
  };
}

type ActionResult = { isGood: boolean; title: string; details?: ReactNode };

type QuickActionProps = {
  icon: LucideIcon;
  name: string;
  text: string;
  /** Runs the action and reports progress as text. Throws AppError. */
  run: (onProgress: (words: string) => void) => Promise<ActionResult>;
  /** Procedures it calls that change something. */
  calls?: readonly KnownCall[];
};

/** One maintenance action: description, progress and result (C-54). */
function QuickAction({ icon: Icon, name, text, run, calls = [] }: QuickActionProps) {
  const [progress, setProgress] = useState<string | null>(null);
  const [result, setResult] = useState<ActionResult | null>(null);
  const { mutateAsync } = useMutation({ mutationFn: () => run(setProgress), meta: { calls } });

  const handleRun = async () => {
    setResult(null);
    setProgress('Working…');
    try {
      setResult(await mutateAsync());
    } catch (error) {
      const isUnknown = toAppError(error).code === 'OUTCOME_UNKNOWN';
      setResult({
        isGood: false,
        title: `${name}${isUnknown ? ': no answer' : ' failed'}`,
        details: describeError(error),
      });
    } finally {
      setProgress(null);
    }
  };

  return (
    <li className="grid gap-3 border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 grow basis-60">
          <p className="font-semibold">{name}</p>
          <p className="text-muted text-sm">{text}</p>
        </div>
        <Button variant="secondary" className="max-sm:grow" isLoading={progress !== null} onClick={handleRun}>
          <Icon aria-hidden="true" />
          {name}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {progress && <p className="text-muted tabular-nums">{progress}</p>}
        {result && (
          <Notice tone={result.isGood ? 'success' : 'danger'} title={result.title}>
            {result.details}
          </Notice>
        )}
      </div>
    </li>
  );
}

/** Findings of the security scan. */
function FindingList({ findings }: { findings: readonly SecurityFinding[] }) {
  return (
    <ul className="mt-2 grid gap-2">
      {findings.map(({ severity, finding, object }) => (
        <li key={`${finding}${object}`} className="flex flex-wrap items-center gap-2 text-ink">
          <Badge tone={severity === 'error' ? 'danger' : 'warning'}>{severity}</Badge>
          {finding}: <code className="[overflow-wrap:anywhere]">{object}</code>
        </li>
      ))}
    </ul>
  );
}

/** Figures that differ from their recount. */
function LedgerProblemList({ problems }: { problems: readonly LedgerProblem[] }) {
  return (
    <ScrollRegion label="Differences" className="mt-2 max-h-96 text-ink">
      <DataTable
        caption="Differences"
        rows={problems}
        // The subject alone is not unique: a referral is listed once for each of its sides.
        rowKey={(row) => String(problems.indexOf(row))}
        columns={[
          { key: 'problem', header: 'What', cell: (row) => row.problem.replaceAll('_', ' ') },
          { key: 'subject', header: 'Of', cell: (row) => <code>{`${row.subject_type} ${row.subject_id}`}</code> },
          { key: 'expected', header: 'Recount', isNumeric: true, cell: (row) => formatNumber(row.expected) },
          { key: 'actual', header: 'Kept', isNumeric: true, cell: (row) => formatNumber(row.actual) },
        ]}
      />
    </ScrollRegion>
  );
}

const exportSchema = z.object({ tables: z.record(z.string(), z.array(z.json())) });
