import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { NotAuthenticated } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points, PointsBalance } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { StatCards } from '@/components/stat-cards';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { buyingObstacle } from '@/features/checkout';
import { type Project, projectQueries } from '@/features/projects';
import {
  type PayoutDay,
  type ProjectPoints,
  projectWalletQueries,
  type Wallet,
  walletQueries,
} from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { AppError } from '@/lib/errors';
import { formatCount, formatDay, formatPoints, formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';
import { ProjectTransactions } from '../components/project-transactions';

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
            <Payouts />
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
        back={{ to: paths.founder, label: 'Back to Dashboard' }}
        actions={<BillingLink userId={userId} />}
      />
      <WalletContent userId={userId} />
    </div>
  );
}

/** Link to the billing page. Not labelled “Buy points” while the project cannot buy any; the page says why. */
function BillingLink({ userId }: { userId: string }) {
  const { data: project } = useQuery(projectQueries.own(userId));
  const canBuy = !project || buyingObstacle(project) === null;
  return (
    <Button asChild variant={canBuy ? 'primary' : 'secondary'}>
      <Link to={paths.billing}>{canBuy ? 'Buy points' : 'Points and billing'}</Link>
    </Button>
  );
}

type WalletFiguresProps = { wallet: Wallet | null; points: ProjectPoints | null };

/**
 * Figures of a project's wallet (SWAL-01). Zeros for a project without a wallet; a dash for what could not be loaded.
 */
function WalletFigures({ wallet, points }: WalletFiguresProps) {
  const of = (value: number | undefined) => (value === undefined ? '–' : <Points value={value} />);
  return (
    <StatCards
      label="Points of your project"
      stats={[
        {
          label: 'Current balance',
          value: <PointsBalance value={wallet?.points ?? 0} />,
          note: 'Free for new quests and tasks',
        },
        { label: 'Reserved', value: of(points?.reserved), note: 'For open spots of your quests' },
        { label: 'Paid to members', value: of(points?.paid), note: 'For approved proofs, net of reversals' },
        { label: 'Bought', value: of(points?.bought), note: 'Points your project has paid for' },
        {
          label: 'Lifetime points',
          value: <Points value={wallet?.lifetime_points ?? 0} />,
          note: 'Everything ever credited',
        },
        { label: 'Cash', value: formatUsd(wallet?.cash_cents ?? 0), note: 'Money set aside for rewards' },
      ]}
    />
  );
}

/** Chart of the points paid to members over the last 30 days. */
function Payouts() {
  const payouts = useQuery(projectWalletQueries.payouts());
  return (
    <section aria-labelledby="points-out" className="grid gap-4">
      <h2 id="points-out" className="text-2xl">
        Points out
      </h2>
      <QueryView
        query={payouts}
        failure="The payouts could not be loaded"
        pending={<Skeleton shape="card" className="h-56" />}
      >
        {(days) => (
          <Card>
            <PayoutChart days={days} />
          </Card>
        )}
      </QueryView>
    </section>
  );
}

const barGap = 0.25;
const chartHeight = 100;

function describePayouts(days: readonly PayoutDay[], total: number): string {
  const best = days.reduce((top, day) => (day.points > top.points ? day : top));
  const most = `most on ${formatDay(best.day)}: ${formatPoints(best.points)}`;
  return `${formatCount(total, 'point')} went to members in the last ${days.length} days, ${most}.`;
}

/** Points paid to members per day as bars, with a text summary. */
function PayoutChart({ days }: { days: readonly PayoutDay[] }) {
  const total = days.reduce((sum, { points }) => sum + points, 0);
  if (total === 0) return <p>No points went to members in the last {days.length} days.</p>;
  const top = Math.max(...days.map(({ points }) => points));
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure className="grid gap-2">
      <figcaption>
        <p>{describePayouts(days, total)}</p>
        {/* The tile “Paid to members” subtracts it, so the two may differ. */}
        <p className="text-muted text-sm">
          Counted on the day of payment (UTC). What was taken back later is not subtracted.
        </p>
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${days.length} ${chartHeight}`}
        preserveAspectRatio="none"
        className="h-32 w-full border-b"
      >
        {days.map(({ day, points }, index) => (
          <rect
            key={day}
            x={index + barGap / 2}
            width={1 - barGap}
            y={chartHeight * (1 - points / top)}
            height={chartHeight * (points / top)}
            className="fill-action hover:fill-action-strong"
          >
            <title>{`${formatDay(day)}: ${formatCount(points, 'point')}`}</title>
          </rect>
        ))}
      </svg>
      {first && last && (
        <div aria-hidden="true" className="flex justify-between text-muted text-sm">
          <span>{formatDay(first.day)}</span>
          <span>{formatDay(last.day)}</span>
        </div>
      )}
    </figure>
  );
}
