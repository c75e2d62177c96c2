import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { UrlSelect } from '@/components/url-select';
import { useDownload } from '@/components/use-download';
import { submissionQueries } from '@/features/submissions';
import {
  fetchProjectTransactions,
  type ProjectTransaction,
  projectViews,
  projectWalletQueries,
  TransactionIcon,
} from '@/features/wallet';
import { cn } from '@/lib/cn';
import { type CsvColumn, csvBlob, downloadBlob } from '@/lib/csv';
import { formatDate, formatDateTime, formatPoints, isoDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlChoice, useUrlText } from '@/lib/url-state';

/** Who decided on a payout's proof; null for other movements. */
const decisionOf = ({ submission_status, reviewed_by }: ProjectTransaction) =>
  submission_status && reviewed_by
    ? `${submission_status} by ${reviewed_by === 'project' ? 'you' : 'Questboard'}`
    : null;

function QuestLink({ row }: { row: ProjectTransaction }) {
  if (!row.campaign_id || !row.campaign_title) return null;
  return (
    <Link to={paths.questSubmissions(row.campaign_id)} className="underline underline-offset-4">
      {row.campaign_title}
    </Link>
  );
}

function ProofLink({ row }: { row: ProjectTransaction }) {
  if (!row.campaign_id || !row.submission_id || !row.submission_status) return null;
  return (
    <Link to={paths.submission(row.campaign_id, row.submission_id)} className="underline underline-offset-4">
      Proof
    </Link>
  );
}

/** One movement; for a payout with quest, proof and decision. */
function Movement({ row }: { row: ProjectTransaction }) {
  const decision = decisionOf(row);
  return (
    <span className="grid gap-0.5 text-left">
      <span className="font-medium [overflow-wrap:anywhere]">{row.description}</span>
      {(row.campaign_title || row.member_name) && (
        <span className="flex flex-wrap gap-x-3 text-muted text-sm">
          <QuestLink row={row} />
          {row.member_name && <span>{row.member_name}</span>}
          <ProofLink row={row} />
          {decision && <span>{decision}</span>}
        </span>
      )}
    </span>
  );
}

/** What a movement changes. One between free and reserved points has a change of 0, but is still a movement. */
function Change({ row }: { row: ProjectTransaction }) {
  if (row.change !== 0) return <Points value={row.change} hasSign />;
  return (
    <span className="whitespace-nowrap text-muted text-sm">
      {formatPoints(Math.abs(row.free_change))} {row.free_change < 0 ? 'reserved' : 'released'}
    </span>
  );
}

/** A movement on phones: what, who, when and how much; the rest behind a press. */
function MovementLine({ row }: { row: ProjectTransaction }) {
  const decision = decisionOf(row);
  return (
    <details className="group">
      <summary className="flex cursor-pointer list-none items-start gap-3 py-3 [&::-webkit-details-marker]:hidden">
        <TransactionIcon kind={row.kind} />
        <span className="min-w-0 grow">
          <span className="block font-medium leading-snug [overflow-wrap:anywhere]">{row.description}</span>
          {/* No dot between them: it would end the line wherever the date wraps, which long names make it do. */}
          <span className="flex flex-wrap gap-x-2 text-muted text-sm [overflow-wrap:anywhere]">
            {row.member_name && <bdi>{row.member_name}</bdi>}{' '}
            <time dateTime={row.created_at} className="whitespace-nowrap">
              {formatDate(row.created_at)}
            </time>
          </span>
        </span>
        <span className="grid shrink-0 justify-items-end gap-1">
          <Change row={row} />
          <span className="inline-flex items-center gap-1 text-muted text-sm tabular-nums">
            Total {formatPoints(row.free_after + row.reserved_after)}
            <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
          </span>
        </span>
      </summary>
      <dl className="mb-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-control bg-sunken p-3 text-sm [&_a]:inline-flex [&_a]:min-h-6 [&_dd]:text-right [&_dt]:text-muted">
        <dt>When</dt>
        <dd>{formatDateTime(row.created_at)}</dd>
        {row.campaign_title && (
          <>
            <dt>Quest</dt>
            <dd className="[overflow-wrap:anywhere]">
              <QuestLink row={row} />
            </dd>
          </>
        )}
        {decision && (
          <>
            <dt>
              <ProofLink row={row} />
            </dt>
            <dd>{decision}</dd>
          </>
        )}
        <dt>Free after</dt>
        <dd className="tabular-nums">{formatPoints(row.free_after)}</dd>
        <dt>Reserved after</dt>
        <dd className="tabular-nums">{formatPoints(row.reserved_after)}</dd>
      </dl>
    </details>
  );
}

const columns: DataColumn<ProjectTransaction>[] = [
  { key: 'what', header: 'What', cell: (row) => <Movement row={row} /> },
  {
    key: 'when',
    header: 'When',
    cell: ({ created_at }) => (
      <time dateTime={created_at} className="whitespace-nowrap text-sm">
        {formatDateTime(created_at)}
      </time>
    ),
  },
  {
    key: 'points',
    header: 'Points',
    isNumeric: true,
    cell: (row) => <Change row={row} />,
  },
  { key: 'free', header: 'Free after', isNumeric: true, cell: ({ free_after }) => formatPoints(free_after) },
  {
    key: 'reserved',
    header: 'Reserved after',
    isNumeric: true,
    cell: ({ reserved_after }) => formatPoints(reserved_after),
  },
  {
    key: 'total',
    header: 'Total after',
    isNumeric: true,
    cell: (row) => formatPoints(row.free_after + row.reserved_after),
  },
];

const viewLabels = {
  all: 'Everything',
  payouts: 'Payouts',
  reserves: 'Reserved and released',
  received: 'Received',
} as const;

/**
 * Every movement of the project's points, including payments from reserves, with the running total of free and
 * reserved points, which is not the page's balance, the free ones (SWAL-01, DB-13, BEY-06).
 */
export function ProjectTransactions() {
  const [view, setView] = useUrlChoice('show', projectViews);
  const [quest, setQuest] = useUrlText('quest');
  const counts = useQuery(submissionQueries.counts());
  const quests = counts.data ?? [];
  const questId = quests.find(({ campaign_id }) => campaign_id === quest)?.campaign_id ?? null;
  const history = useInfiniteQuery(projectWalletQueries.transactionPages({ view, questId }));
  return (
    <section aria-labelledby="transactions" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="transactions" className="text-2xl">
          Transactions
        </h2>
        <div className="flex flex-wrap gap-2">
          <UrlSelect
            aria-label="Kind"
            className="w-auto max-sm:grow"
            value={view}
            onChange={(next) => setView(projectViews.find((known) => known === next) ?? 'all')}
          >
            {projectViews.map((value) => (
              <option key={value} value={value}>
                {viewLabels[value]}
              </option>
            ))}
          </UrlSelect>
          {quests.length > 1 && (
            <UrlSelect aria-label="Quest" className="w-auto max-w-56" value={questId ?? ''} onChange={setQuest}>
              <option value="">All quests</option>
              {quests.map(({ campaign_id, title }) => (
                <option key={campaign_id} value={campaign_id}>
                  {title}
                </option>
              ))}
            </UrlSelect>
          )}
          <LedgerButton view={view} questId={questId} />
        </div>
      </div>
      <QueryView
        query={history}
        failure="The transactions could not be loaded"
        pending={<Skeleton shape="card" className="h-80" />}
      >
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) {
            return (
              <EmptyState
                level={3}
                drawing="purse"
                title={view === 'all' && !questId ? 'No transactions yet' : 'No transactions of this kind'}
                text="Your trial budget arrives when your project is verified. What quests reserve, pay and release appears here too."
              />
            );
          }
          return (
            // The previous filter's rows stay until this filter's have loaded.
            <div
              aria-busy={history.isPlaceholderData}
              className={cn('grid gap-4', history.isPlaceholderData && 'opacity-60')}
            >
              <DataTable
                caption="Transactions"
                columns={columns}
                rows={rows}
                rowKey={({ id }) => String(id)}
                line={(row) => <MovementLine row={row} />}
              />
              <ShowMore list={history}>Show older transactions</ShowMore>
            </div>
          );
        }}
      </QueryView>
    </section>
  );
}

/** Downloads all movements that match the filter; without a filter, the changes add up to the total. */
function LedgerButton(filters: Parameters<typeof fetchProjectTransactions>[0]) {
  const { isDownloading, handleDownload } = useDownload({
    about: 'transactions CSV',
    save: async () => {
      downloadBlob(csvBlob(await fetchProjectTransactions(filters), ledgerColumns), ledgerFileName());
      return 'The transactions have been downloaded';
    },
  });
  return (
    <Button variant="secondary" isLoading={isDownloading} className="max-sm:grow print:hidden" onClick={handleDownload}>
      <Download aria-hidden="true" />
      Download CSV
    </Button>
  );
}

/** Who decided, worded for a file that may be shared (C-102). */
const deciderWords: Readonly<Record<string, string>> = {
  project: 'the project',
  questboard: 'Questboard',
  beta: 'Questboard (beta)',
  auto: 'Questboard (automatic)',
  code: 'Questboard (completion code)',
  call: 'Questboard (signed call)',
  check: 'Questboard (check)',
  deadline: 'Questboard (review time over)',
};

/** Columns of the project's ledger; the sum of Change is the last total (BEY-06). */
export const ledgerColumns: CsvColumn<ProjectTransaction>[] = [
  { header: 'Time (UTC)', value: (row) => row.created_at },
  { header: 'Description', value: (row) => row.description },
  { header: 'Kind', value: (row) => row.kind },
  { header: 'Change', value: (row) => row.change },
  { header: 'Free After', value: (row) => row.free_after },
  { header: 'Reserved After', value: (row) => row.reserved_after },
  { header: 'Total After', value: (row) => row.free_after + row.reserved_after },
  { header: 'Quest', value: (row) => row.campaign_title },
  { header: 'Task', value: (row) => row.task_title },
  { header: 'Member', value: (row) => row.member_name },
  { header: 'Decision', value: (row) => row.submission_status },
  { header: 'Decided By', value: (row) => deciderWords[row.reviewed_by ?? ''] },
  { header: 'Submission ID', value: (row) => row.submission_id },
];

/** `project_points_{date}.csv` */
export const ledgerFileName = (now: Date = new Date()) => `project_points_${isoDay(now)}.csv`;
