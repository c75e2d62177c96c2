import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points, PointsBalance } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { type Project, projectQueries } from '@/features/projects';
import { submissionQueries } from '@/features/submissions';
import {
  fetchProjectTransactions,
  type ProjectPoints,
  type ProjectTransaction,
  projectViews,
  projectWalletQueries,
  type Wallet,
  walletQueries,
} from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { csvBlob, downloadBlob } from '@/lib/csv';
import { AppError, describeError } from '@/lib/errors';
import { formatDateTime, formatPoints, formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlChoice, useUrlText } from '@/lib/url-state';
import { Payouts } from '../components/payouts';
import { ledgerColumns, ledgerFileName } from '../project-ledger-csv';

/** On this page, having no project is an error (SWAL-02). */
function requireProject(project: Project | null): Project {
  if (project) return project;
  throw new AppError('STARTUP_NOT_FOUND', 'No project profile found for this account.', 404);
}

function WalletContent({ userId }: { userId: string }) {
  const project = useQuery({ ...projectQueries.own(userId), select: requireProject });
  const wallet = useQuery({ ...walletQueries.project(project.data?.id ?? ''), enabled: project.isSuccess });
  const points = useQuery(projectWalletQueries.points());
  const missing =
    project.error instanceof AppError && project.error.code === 'STARTUP_NOT_FOUND' ? project.error : null;
  return (
    <div className="grid gap-10">
      <QueryView
        query={[project, wallet]}
        failure="Error Loading Data"
        failureText={missing?.message ?? 'Failed to load wallet data'}
        retryLabel="Try Again"
        pending={<WalletLoading />}
        showsRefreshError
      >
        {([, own]) => (
          <>
            <WalletFigures wallet={own} points={points.data ?? null} />
            <Payouts ownerId={userId} />
            {own && <ProjectTransactions />}
          </>
        )}
      </QueryView>
      {missing && (
        <Button asChild className="justify-self-start">
          <Link to={paths.projectCreate}>Create your project profile</Link>
        </Button>
      )}
    </div>
  );
}

function WalletLoading() {
  return (
    <div className="grid gap-8" aria-busy="true">
      <Skeleton shape="card" className="h-28" />
      <Skeleton shape="card" className="h-56" />
    </div>
  );
}

/** /startup/wallet: the project's points, their movements and the balance (SWAL-01, C-03). */
export default function FounderWalletPage() {
  const { userId, status } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Project wallet" />
      <PageHeader
        title="Project wallet"
        lead="The points that pay for your quests. Your own points as a member are kept apart."
        back={{ to: paths.founder, label: 'Back to dashboard' }}
        actions={
          <Button asChild>
            <Link to={paths.billing}>Buy points</Link>
          </Button>
        }
      />
      <WalletContent userId={userId} />
    </div>
  );
}

/** One movement; for a payout with quest, proof and decision. */
function Movement({ row }: { row: ProjectTransaction }) {
  const decision =
    row.submission_status && row.reviewed_by
      ? `${row.submission_status} by ${row.reviewed_by === 'project' ? 'you' : 'Questboard'}`
      : null;
  return (
    <span className="grid gap-0.5 text-left">
      <span className="font-medium [overflow-wrap:anywhere]">{row.description}</span>
      {(row.campaign_title || row.member_name) && (
        <span className="flex flex-wrap gap-x-3 text-muted text-sm">
          {row.campaign_id && row.campaign_title && (
            <Link to={paths.questSubmissions(row.campaign_id)} className="underline underline-offset-4">
              {row.campaign_title}
            </Link>
          )}
          {row.member_name && <span>{row.member_name}</span>}
          {row.campaign_id && row.submission_id && row.submission_status && (
            <Link to={paths.submission(row.campaign_id, row.submission_id)} className="underline underline-offset-4">
              Proof
            </Link>
          )}
          {decision && <span>{decision}</span>}
        </span>
      )}
    </span>
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
    cell: (row) =>
      // A move between free and reserved points has a change of 0, but is still a movement.
      row.change === 0 ? (
        <span className="whitespace-nowrap text-muted text-sm">
          {formatPoints(Math.abs(row.free_change))} {row.free_change < 0 ? 'set aside' : 'given back'}
        </span>
      ) : (
        <Points value={row.change} hasSign />
      ),
  },
  { key: 'free', header: 'Free after', isNumeric: true, cell: ({ free_after }) => formatPoints(free_after) },
  {
    key: 'reserved',
    header: 'Reserved after',
    isNumeric: true,
    cell: ({ reserved_after }) => formatPoints(reserved_after),
  },
  {
    key: 'balance',
    header: 'Balance after',
    isNumeric: true,
    cell: (row) => formatPoints(row.free_after + row.reserved_after),
  },
];

const viewLabels = {
  all: 'Everything',
  payouts: 'Payouts',
  reserves: 'Set aside and given back',
  received: 'Received',
} as const;

/**
 * Every movement of the project's points, including payments from reserves, with the running balance (SWAL-01, DB-13,
 * BEY-06).
 */
function ProjectTransactions() {
  const [view, setView] = useUrlChoice('show', projectViews);
  const [quest, setQuest] = useUrlText('quest');
  const counts = useQuery(submissionQueries.counts());
  const quests = counts.data ?? [];
  const questId = quests.find(({ campaign_id }) => campaign_id === quest)?.campaign_id ?? null;
  const history = useInfiniteQuery(projectWalletQueries.transactions({ view, questId }));
  return (
    <section aria-labelledby="transactions" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="transactions" className="text-2xl">
          Transactions
        </h2>
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="Kind"
            className="w-auto"
            value={view}
            onChange={({ target }) => setView(projectViews.find((known) => known === target.value) ?? 'all')}
          >
            {projectViews.map((value) => (
              <option key={value} value={value}>
                {viewLabels[value]}
              </option>
            ))}
          </Select>
          {quests.length > 1 && (
            <Select
              aria-label="Quest"
              className="w-auto max-w-56"
              value={questId ?? ''}
              onChange={({ target }) => setQuest(target.value)}
            >
              <option value="">All quests</option>
              {quests.map(({ campaign_id, title }) => (
                <option key={campaign_id} value={campaign_id}>
                  {title}
                </option>
              ))}
            </Select>
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
            <div className="grid gap-4">
              <DataTable caption="Transactions" columns={columns} rows={rows} rowKey={({ id }) => String(id)} />
              <ShowMore list={history}>Show older transactions</ShowMore>
            </div>
          );
        }}
      </QueryView>
    </section>
  );
}

/** Downloads all movements that match the filter; without a filter, the changes add up to the balance. */
function LedgerButton(filters: Parameters<typeof fetchProjectTransactions>[0]) {
  const [isReading, setIsReading] = useState(false);
  const handleClick = async () => {
    setIsReading(true);
    try {
      downloadBlob(csvBlob(await fetchProjectTransactions(filters), ledgerColumns), ledgerFileName());
    } catch (error) {
      toast.error(describeError(error));
    } finally {
      setIsReading(false);
    }
  };
  return (
    <Button variant="secondary" isLoading={isReading} onClick={handleClick}>
      <Download aria-hidden="true" />
      Download CSV
    </Button>
  );
}

function Figure({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-1">
      <dt className="font-medium text-muted">{label}</dt>
      <dd className="grid gap-1">
        <span className="font-display font-semibold text-2xl tabular-nums">{children}</span>
        <span className="text-muted text-sm">{hint}</span>
      </dd>
    </Card>
  );
}

type WalletFiguresProps = { wallet: Wallet | null; points: ProjectPoints | null };

/**
 * Figures of a project's wallet (SWAL-01). Zeros for a project without a wallet; a dash for what could not be loaded.
 */
function WalletFigures({ wallet, points }: WalletFiguresProps) {
  const of = (value: number | undefined) => (value === undefined ? '–' : <Points value={value} />);
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
      <Figure label="Current balance" hint="Free for new quests and tasks">
        <PointsBalance value={wallet?.points ?? 0} />
      </Figure>
      <Figure label="Set aside" hint="Reserved for your quests' open spots">
        {of(points?.reserved)}
      </Figure>
      <Figure label="Paid to members" hint="For approved proofs, less what was taken back">
        {of(points?.paid)}
      </Figure>
      <Figure label="Bought" hint="Points your project has paid for">
        {of(points?.bought)}
      </Figure>
      <Figure label="Lifetime points" hint="Everything ever credited">
        <Points value={wallet?.lifetime_points ?? 0} />
      </Figure>
      <Figure label="Cash" hint="Money set aside for rewards">
        {formatUsd((wallet?.cash_cents ?? 0) / 100)}
      </Figure>
    </dl>
  );
}
