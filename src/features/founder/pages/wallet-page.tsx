import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points, PointsBalance } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { type Project, projectQueries } from '@/features/projects';
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

/** Having no project is a failure of this page (SWAL-02). */
function requireProject(project: Project | null): Project {
  if (project) return project;
  throw new AppError('STARTUP_NOT_FOUND', 'No project profile found for this account.', 404);
}

function WalletContent({ userId }: { userId: string }) {
  const project = useQuery({ ...projectQueries.own(userId), select: requireProject });
  const wallet = useQuery({ ...walletQueries.project(project.data?.id ?? ''), enabled: project.isSuccess });
  const reserves = useQuery(walletQueries.reserves(userId));
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
        tellsStale
      >
        {([, own]) => (
          <>
            <WalletFigures
              wallet={own}
              reserved={reserves.data?.reduce((sum, { points }) => sum + points, 0) ?? null}
            />
            <PayoutsSection ownerId={userId} />
            {own && (
              <section aria-labelledby="transactions" className="grid gap-4">
                <h2 id="transactions" className="text-2xl">
                  Transactions
                </h2>
                <ProjectTransactions walletId={own.id} />
              </section>
            )}
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
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-56 rounded-card" />
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

const days = 30;

/** Points that went out to members over the last 30 days, as a picture. */
function PayoutsSection({ ownerId }: { ownerId: string }) {
  const payouts = useQuery(walletQueries.payouts(ownerId, periodStart(days)));
  return (
    <section aria-labelledby="points-out" className="grid gap-4">
      <h2 id="points-out" className="text-2xl">
        Points out
      </h2>
      <QueryView
        query={payouts}
        failure="The payouts could not be loaded"
        pending={<Skeleton className="h-56 rounded-card" />}
      >
        {(rows) => (
          <Card>
            <PayoutChart days={payoutsByDay(rows, days)} />
            {rows.length === payoutLimit && (
              <p className="mt-2 text-muted text-sm">Only the latest 1,000 payouts are drawn.</p>
            )}
          </Card>
        )}
      </QueryView>
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
    cell: ({ balance_after }) => formatPoints(balance_after),
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
