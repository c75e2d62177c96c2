import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points, PointsBalance } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { projectQueries } from '@/features/projects';
import {
  type PayoutDay,
  payoutLimit,
  payoutsByDay,
  periodStart,
  signedPoints,
  type Transaction,
  type Wallet,
  WalletHistory,
  walletQueries,
} from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { AppError } from '@/lib/errors';
import { formatDate, formatDateTime, formatPoints, formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';

/** The owner's project and its wallet; having no project is a failure of its own (SWAL-02). */
function useProjectWallet(userId: string) {
  const project = useQuery(projectQueries.own(userId));
  const projectId = project.data?.id;
  const wallet = useQuery({ ...walletQueries.project(projectId ?? ''), enabled: projectId !== undefined });
  const reserves = useQuery(walletQueries.reserves(userId));
  const missing =
    project.isSuccess && !project.data
      ? new AppError('STARTUP_NOT_FOUND', 'No project profile found for this account.', 404)
      : null;
  return {
    wallet: wallet.data,
    reserved: reserves.data ? reserves.data.reduce((sum, { points }) => sum + points, 0) : null,
    isPending: project.isPending || (projectId !== undefined && wallet.isPending),
    isFetching: project.isFetching || wallet.isFetching,
    missing,
    hasFailed: project.isError || wallet.isError,
    retry: () => void Promise.all([project.refetch(), projectId ? wallet.refetch() : null, reserves.refetch()]),
  };
}

function WalletContent({ userId }: { userId: string }) {
  const { wallet, reserved, isPending, isFetching, missing, hasFailed, retry } = useProjectWallet(userId);
  if (isPending) {
    return (
      <div className="grid gap-8" aria-busy="true">
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-56 rounded-card" />
      </div>
    );
  }
  return (
    <div className="grid gap-10">
      {(hasFailed || missing) && (
        <div className="grid justify-items-start gap-4">
          <div className="w-full">
            <ErrorState
              title="Error Loading Data"
              text={missing ? missing.message : 'Failed to load wallet data'}
              onRetry={retry}
              isRetrying={isFetching}
              retryLabel="Try Again"
            />
          </div>
          {missing && (
            <Button asChild>
              <Link to={paths.projectCreate}>Create your project profile</Link>
            </Button>
          )}
        </div>
      )}
      {wallet !== undefined && (
        <>
          <WalletFigures wallet={wallet} reserved={reserved} />
          <PayoutsSection ownerId={userId} />
          {wallet && (
            <section aria-labelledby="transactions" className="grid gap-4">
              <h2 id="transactions" className="text-2xl">
                Transactions
              </h2>
              <ProjectTransactions walletId={wallet.id} />
            </section>
          )}
        </>
      )}
    </div>
  );
}

/** /startup/wallet: the project's points, where they went and what is left (SWAL-01, C-03). */
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
      />
      <WalletContent userId={userId} />
    </div>
  );
}

const days = 30;

/** Points that went out to members over the last 30 days, as a picture. */
function PayoutsSection({ ownerId }: { ownerId: string }) {
  const payouts = useQuery(walletQueries.payouts(ownerId, periodStart(days)));
  return (
    <section aria-labelledby="points-out" className="grid gap-4">
      <h2 id="points-out" className="text-2xl">
        Points out
      </h2>
      {payouts.isPending && <Skeleton className="h-56 rounded-card" />}
      {payouts.isError && !payouts.data && (
        <ErrorState
          title="The payouts could not be loaded"
          error={payouts.error}
          onRetry={() => void payouts.refetch()}
          isRetrying={payouts.isFetching}
        />
      )}
      {payouts.data && (
        <Card>
          <PayoutChart days={payoutsByDay(payouts.data, days)} />
          {payouts.data.length === payoutLimit && (
            <p className="mt-2 text-muted text-sm">Only the latest 1,000 payouts are drawn.</p>
          )}
        </Card>
      )}
    </section>
  );
}

const gap = 0.25;
const height = 100;

function describePayouts(days: readonly PayoutDay[], total: number): string {
  const best = days.reduce<PayoutDay | undefined>(
    (top, day) => (day.points > (top?.points ?? 0) ? day : top),
    undefined,
  );
  const most = best ? `, most on ${formatDate(`${best.day}T12:00:00Z`)}: ${formatPoints(best.points)}` : '';
  return `${formatPoints(total)} points went to members in the last ${days.length} days${most}.`;
}

/** Points paid to members per day as bars, with the whole in words. */
function PayoutChart({ days }: { days: readonly PayoutDay[] }) {
  const total = days.reduce((sum, { points }) => sum + points, 0);
  const top = Math.max(...days.map(({ points }) => points), 1);
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="grid gap-2">
      <figcaption>{describePayouts(days, total)}</figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-b"
      >
        {days.map(({ day, points }, index) => (
          <rect
            key={day}
            x={index + gap / 2}
            width={1 - gap}
            y={height * (1 - points / top)}
            height={height * (points / top)}
            className="fill-action hover:fill-action-strong"
          >
            <title>{`${formatDate(`${day}T12:00:00Z`)}: ${formatPoints(points)} points`}</title>
          </rect>
        ))}
      </svg>
      {first && last && (
        <div aria-hidden="true" className="flex justify-between text-muted text-sm">
          <span>{formatDate(`${first.day}T12:00:00Z`)}</span>
          <span>{formatDate(`${last.day}T12:00:00Z`)}</span>
        </div>
      )}
    </figure>
  );
}

const columns: DataColumn<Transaction>[] = [
  { key: 'what', header: 'What', cell: ({ description }) => description },
  {
    key: 'when',
    header: 'When',
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDateTime(created_at)}</time>,
  },
  {
    key: 'points',
    header: 'Points',
    isNumeric: true,
    cell: (transaction) => <Points value={signedPoints(transaction)} hasSign />,
  },
  {
    key: 'balance',
    header: 'Balance after',
    isNumeric: true,
    cell: ({ balance_after }) => (balance_after === null ? '–' : formatPoints(balance_after)),
  },
];

/** The history of a project's wallet with the running balance (SWAL-01, DB-13). */
function ProjectTransactions({ walletId }: { walletId: string }) {
  return (
    <WalletHistory
      walletId={walletId}
      failure="The transactions could not be loaded"
      empty={
        <EmptyState
          level={3}
          drawing="purse"
          title="No transactions yet"
          text="Your trial budget arrives when your project is verified. What quests reserve and release appears here too."
        />
      }
    >
      {(transactions) => (
        <DataTable caption="Transactions" columns={columns} rows={transactions} rowKey={({ id }) => String(id)} />
      )}
    </WalletHistory>
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

type WalletFiguresProps = { wallet: Wallet | null; reserved: number | null };

/** A project's wallet in figures (SWAL-01). A project without a wallet yet has zeros. `reserved` null: not known. */
function WalletFigures({ wallet, reserved }: WalletFiguresProps) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Figure label="Current balance" hint="Free for new quests and tasks">
        <PointsBalance value={wallet?.points ?? 0} />
      </Figure>
      <Figure label="Set aside" hint="Reserved for your quests' open spots">
        {reserved === null ? '–' : <Points value={reserved} />}
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
