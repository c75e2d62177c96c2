import { DatabaseBackup, Map as MapIcon, RefreshCw, Scale, ShieldCheck } from 'lucide-react';
import { downloadBlob } from '@/lib/csv';
import { getEnv } from '@/lib/env';
import { formatCount, formatNumber } from '@/lib/format';
import { Section } from '../components/section';
import { exportFileName } from '../export';
import { makeBackup } from './backup';
import { FindingList, LedgerProblemList } from './finding-list';
import { clearCache, reconcileLedger, runSecurityScan, uploadSitemap } from './mutations';
import { fetchPublicPages } from './queries';
import { type ActionResult, QuickAction } from './quick-action';
import { sitemapXml } from './sitemap';

/** Things an admin does for the system, each with its progress and result (ADMIN-12, C-54, TRUST-01). */
export function QuickActions() {
  return (
    <Section title="Quick Actions">
      <ul>
        <QuickAction
          icon={DatabaseBackup}
          name="Backup Database"
          text="Downloads all tables as one JSON file. It holds personal data: keep it safe. Uploaded files are not in it."
          run={backUp}
        />
        <QuickAction
          icon={RefreshCw}
          name="Clear Cache"
          text="Counts the figures of the home page anew, instead of waiting up to 30 seconds."
          run={clear}
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

async function backUp(onProgress: OnProgress): Promise<ActionResult> {
  const { file, rows } = await makeBackup(({ table, tableNumber, tables, rows: soFar }) =>
    onProgress(`Table ${tableNumber} of ${tables} (${table}), ${formatCount(soFar, 'row')} so far`),
  );
  const name = exportFileName('questboard_backup', 'json');
  downloadBlob(file, name);
  return { isGood: true, title: 'Backup downloaded', details: `${formatCount(rows, 'row')} in ${name}` };
}

async function clear(): Promise<ActionResult> {
  const figures = await clearCache();
  const details = figures
    ? `${formatNumber(figures.total_members)} members, ${formatCount(figures.active_campaigns, 'active quest')}, ${formatCount(figures.verified_startups, 'verified project')}`
    : undefined;
  return { isGood: true, title: 'The figures are counted anew', details };
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
    return { isGood: true, title: 'The books are right', details: 'Every balance and counter equals its recount.' };
  }
  return {
    isGood: false,
    title: `${formatCount(problems.length, 'figure differs', 'figures differ')} from the recount`,
    details: <LedgerProblemList problems={problems} />,
  };
}
