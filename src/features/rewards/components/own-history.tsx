import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState, NoResults } from '@/components/empty-state';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { useDownload } from '@/components/use-download';
import { decidedBy, ProofView } from '@/features/submissions';
import {
  fetchWholeHistory,
  type OwnHistoryView,
  type OwnTransaction,
  ownHistoryViews,
  TransactionIcon,
  walletQueries,
} from '@/features/wallet';
import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatDateTime, formatPoints, isoDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlChoice } from '@/lib/url-state';

const labels: Record<OwnHistoryView, string> = {
  all: 'All',
  quests: 'Quests',
  bonuses: 'Bonuses',
  rewards: 'Rewards',
  other: 'Other',
};

/** Every movement of the member's own points, with the quest, proof and decision behind it (BEY-06). */
export function OwnHistory({ userId }: { userId: string }) {
  const [view, setView] = useUrlChoice('kind', ownHistoryViews);
  return (
    <div className="grid max-w-3xl gap-4">
      <DownloadButton />
      <Tabs
        label="Kind"
        look="pills"
        value={view}
        onChange={setView}
        tabs={ownHistoryViews.map((value) => ({ value, label: labels[value] }))}
      >
        <TabPanel value={view} className="pt-3">
          <HistoryLines userId={userId} view={view} onReset={() => setView('all')} />
        </TabPanel>
      </Tabs>
    </div>
  );
}

function DownloadButton() {
  const { isDownloading, handleDownload } = useDownload({
    about: 'history CSV',
    save: async () => {
      downloadBlob(csvBlob(await fetchWholeHistory(), historyColumns), `questboard-points-${isoDay(new Date())}.csv`);
      return 'Your history has been downloaded';
    },
    describeFailure: (error) => describeError(error, { prefix: 'Your history could not be downloaded' }),
  });
  return (
    <Button
      variant="secondary"
      className="justify-self-start print:hidden"
      isLoading={isDownloading}
      onClick={handleDownload}
    >
      <Download aria-hidden="true" />
      Download as CSV
    </Button>
  );
}

type HistoryLinesProps = { userId: string; view: OwnHistoryView; onReset: () => void };

function HistoryLines({ userId, view, onReset }: HistoryLinesProps) {
  const history = useInfiniteQuery(walletQueries.ownTransactionPages(userId, view));
  return (
    <QueryView
      query={history}
      failure="Your history could not be loaded"
      pending={<Skeleton shape="card" className="h-80" />}
    >
      {({ pages }) => {
        const rows = pages.flat();
        if (rows.length === 0) {
          return view === 'all' ? (
            <EmptyState drawing="purse" title="No transactions yet" />
          ) : (
            <NoResults title="Nothing of this kind yet" text="Show all of them instead." onReset={onReset} />
          );
        }
        return (
          <div className="grid gap-4">
            <Card className="py-1 sm:py-2">
              <ul aria-label="All transactions">
                {rows.map((row) => (
                  <HistoryLine key={row.id} row={row} />
                ))}
              </ul>
            </Card>
            <ShowMore list={history}>Show older transactions</ShowMore>
          </div>
        );
      }}
    </QueryView>
  );
}

function HistoryLine({ row }: { row: OwnTransaction }) {
  return (
    <li className="border-b py-3 last:border-b-0">
      <div className="flex items-start gap-3">
        <div className="max-[24rem]:hidden">
          <TransactionIcon kind={row.kind} />
        </div>
        <div className="min-w-0 grow">
          <p className="font-medium leading-snug [overflow-wrap:anywhere]">{row.description}</p>
          <Source row={row} />
          <p className="text-muted text-sm">
            <time dateTime={row.created_at}>{formatDateTime(row.created_at)}</time>
          </p>
        </div>
        <div className="grid shrink-0 justify-items-end gap-1">
          <Points value={row.change} hasSign />
          <span className="text-muted text-sm tabular-nums">Balance {formatPoints(row.balance_after)}</span>
          {row.held_points > 0 && <Badge tone="warning">{formatPoints(row.held_points)} held</Badge>}
        </div>
      </div>
      {/* Below the row, where a link or a screenshot has room on a phone. */}
      {row.submission_id && (
        <div className="sm:pl-13">
          <ProofAndDecision row={row} />
        </div>
      )}
    </li>
  );
}

/** Where the points came from or went, with a way there while it exists. */
function Source({ row }: { row: OwnTransaction }) {
  if (row.campaign_id && row.campaign_title) {
    return (
      <p className="text-sm [overflow-wrap:anywhere]">
        <Link to={paths.communityQuest(row.campaign_id)} className="font-medium text-action underline">
          {row.campaign_title}
        </Link>
        {row.startup_name && <span className="text-muted"> · {row.startup_name}</span>}
      </p>
    );
  }
  if (row.redemption_id) {
    return (
      <p className="text-sm">
        <Link to={`${paths.rewards}#redemptions`} className="font-medium text-action underline">
          Your redemptions
        </Link>
      </p>
    );
  }
  if (row.referral_id) {
    return (
      <p className="text-sm">
        <Link to={paths.referrals} className="font-medium text-action underline">
          Your referrals
        </Link>
      </p>
    );
  }
  return null;
}

const decisions = { approved: 'Approved', rejected: 'Rejected', pending: 'In review' } as const;

/** What was sent and who decided on it when, behind a press. A deleted quest takes its proofs along. */
function ProofAndDecision({ row }: { row: OwnTransaction }) {
  // A screenshot is fetched when somebody wants to see it, not with each line.
  const [isOpen, setIsOpen] = useState(false);
  if (!row.submission_status) return <p className="text-muted text-sm">The quest and its proofs were deleted.</p>;
  const by = decidedBy(row.reviewed_by, 'the project');
  return (
    <details className="text-sm" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium underline">
        Proof and decision
      </summary>
      <dl className="grid gap-1 rounded-control bg-sunken p-3 [overflow-wrap:anywhere]">
        {row.task_title && (
          <div>
            <dt className="inline text-muted">Task: </dt>
            <dd className="inline">{row.task_title}</dd>
          </div>
        )}
        <div>
          <dt className="text-muted">Proof:</dt>
          <dd>{isOpen && <ProofView proof={row} />}</dd>
        </div>
        <div>
          <dt className="inline text-muted">Decision: </dt>
          <dd className="inline">
            {decisions[row.submission_status]}
            {by && ` by ${by}`}
            {row.reviewed_at && `, ${formatDateTime(row.reviewed_at)}`}
          </dd>
        </div>
      </dl>
    </details>
  );
}

/** The id of what caused a movement, for whoever looks it up: a submission, a redemption or a referral. */
function sourceOf(row: Pick<OwnTransaction, 'submission_id' | 'redemption_id' | 'referral_id'>): string | null {
  if (row.submission_id) return `submission ${row.submission_id}`;
  if (row.redemption_id) return `redemption ${row.redemption_id}`;
  return row.referral_id && `referral ${row.referral_id}`;
}

/** The member's own ledger as a file, newest first: the changes add up to the balance of the first line (BEY-06). */
export const historyColumns: CsvColumn<OwnTransaction>[] = [
  { header: 'Time (UTC)', value: (row) => row.created_at },
  { header: 'What', value: (row) => row.description },
  { header: 'Kind', value: (row) => row.kind },
  { header: 'Change', value: (row) => row.change },
  { header: 'Balance', value: (row) => row.balance_after },
  { header: 'Still held', value: (row) => row.held_points },
  { header: 'Quest', value: (row) => row.campaign_title },
  { header: 'Project', value: (row) => row.startup_name },
  { header: 'Task', value: (row) => row.task_title },
  { header: 'Proof', value: (row) => row.proof_url ?? row.proof_text },
  { header: 'Decision', value: (row) => row.submission_status },
  { header: 'Decided by', value: (row) => decidedBy(row.reviewed_by, 'the project') },
  { header: 'Decided at (UTC)', value: (row) => row.reviewed_at },
  { header: 'Source', value: (row) => sourceOf(row) },
  { header: 'Transfer', value: (row) => row.id },
];
