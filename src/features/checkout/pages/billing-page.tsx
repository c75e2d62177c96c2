import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { BudgetBar } from '@/components/budget-bar';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { type Status, StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { FieldError } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { type OwnedProject, OwnProject, projectQueries, type Subscription } from '@/features/projects';
import { type ProjectLimits, questQueries } from '@/features/quests';
import { settingsQueries } from '@/features/settings';
import { cn } from '@/lib/cn';
import { formatCount, formatDate, formatPoints, formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useUrlReset } from '@/lib/url-state';
import { buyingObstacle } from '../buying-obstacle';
import { useCheckout } from '../mutations';
import { ogPlanId, type PointPack, planTerm, pointPacks } from '../products';
import { checkoutQueries, type Payment } from '../queries';

/** /startup/billing: buying points, benefits of the plan, limits on quests, and all payments (BEY-20, C-110). */
export default function BillingPage() {
  return (
    <OwnProject>
      {(project, userId) => (
        <div className="page-column grid gap-10 pb-16">
          <PageMeta title="Points and billing" />
          <PageHeader
            title="Points and billing"
            lead="Points pay members for your quests. Buy them here, and find every receipt."
            back={{ to: paths.projectWallet, label: 'Back to your wallet' }}
          />
          <PaymentNotice userId={userId} />
          <Packs project={project} userId={userId} />
          <PlanAndLimits project={project} userId={userId} />
          <Payments userId={userId} />
        </div>
      )}
    </OwnProject>
  );
}

type SectionProps = { id: string; title: string; className?: string; children: ReactNode };

function Section({ id, title, className, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cn('grid gap-4', className)}>
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** The first payments of the list, undefined while none are known. */
const firstPage = ({ data }: { data: { pages: Payment[][] } | undefined }): Payment[] | undefined => data?.pages[0];

/** Whether a payment has brought points. */
const broughtPoints = ({ points, is_unused }: Payment): boolean => points !== null && !is_unused;

/** Value of `after` when nothing had been bought before, so that any payment that brought points is the awaited one. */
const noneBefore = 'none';

/** The id of the latest payment that has brought points; undefined as long as the payments are not known. */
function latestId(payments: Payment[] | undefined): string | undefined {
  return payments && (payments.find(broughtPoints)?.id ?? noneBefore);
}

/**
 * Maximum age, in milliseconds, of a payment to count as the one that the person returns from. Used only without `after` in the URL, because
 * on a page that is left open, a confirmed payment would become unconfirmed again.
 */
const justNow = 10 * 60_000;

/** The payment that the person returns from, undefined until it has brought points. */
function findArrived(payments: Payment[] | undefined, after: string | null): Payment | undefined {
  const before = payments?.findIndex(({ id }) => id === after) ?? -1;
  const arrived = (before < 0 ? payments : payments?.slice(0, before))?.find(broughtPoints);
  if (after !== null) return arrived;
  return arrived && Date.now() - Date.parse(arrived.created_at) < justNow ? arrived : undefined;
}

/**
 * After returning from the payment page. Only the provider's webhook credits points, so the page waits for it (C-20).
 */
function PaymentNotice({ userId }: { userId: string }) {
  const [params] = useSearchParams();
  const handleDismiss = useUrlReset(['success', 'after', 'cancelled']);
  const hasPaid = params.get('success') === 'points';
  const payments = useInfiniteQuery({ ...checkoutQueries.payments(userId, hasPaid), enabled: hasPaid });
  const arrived = findArrived(firstPage(payments), params.get('after'));
  if (!hasPaid && !params.has('cancelled')) return null;
  // A payment that was refunded or disputed since is neither awaited nor in the wallet; the list below explains it.
  if (hasPaid && arrived && arrived.status !== 'paid') return null;

  const dismiss = (
    <Button variant="ghost" onClick={handleDismiss}>
      Got it!
    </Button>
  );
  if (!hasPaid) {
    return (
      <div role="status">
        <Notice tone="waiting" title="Payment cancelled" actions={dismiss}>
          Nothing was charged. You can try again whenever you like.
        </Notice>
      </div>
    );
  }
  return (
    <div role="status">
      {arrived ? (
        <Notice
          tone="success"
          title={`${formatPoints(arrived.points ?? 0)} points are in your wallet`}
          actions={
            <>
              <Button asChild>
                <Link to={paths.questNew}>Create Quest</Link>
              </Button>
              {dismiss}
            </>
          }
        >
          Your next quest can use them now.
        </Notice>
      ) : (
        <Notice tone="waiting" title="Your payment is being confirmed" actions={dismiss}>
          This usually takes a few seconds. Some payment methods take days; your points arrive with the money.
        </Notice>
      )}
    </div>
  );
}

function Packs({ project, userId }: { project: OwnedProject; userId: string }) {
  const after = latestId(firstPage(useInfiniteQuery(checkoutQueries.payments(userId))));
  const settings = useQuery(settingsQueries.app());
  const checkout = useCheckout();
  const obstacle = buyingObstacle(project);
  return (
    <Section id="packs" title="Buy points" className="print:hidden">
      {obstacle && <p>{obstacle}</p>}
      <QueryView
        query={settings}
        failure="The packs could not be loaded"
        pending={
          <div className="grid gap-4 sm:grid-cols-3">
            {['small', 'medium', 'large'].map((pack) => (
              <Skeleton key={pack} shape="card" className="h-41 sm:h-43" />
            ))}
          </div>
        }
      >
        {(row) => (
          <ul className="grid gap-4 sm:grid-cols-3">
            {pointPacks(row).map((pack) => (
              <li key={pack.id}>
                <PackCard
                  pack={pack}
                  isDisabled={obstacle !== null || (checkout.leavingFor !== null && checkout.leavingFor !== pack.id)}
                  isLoading={checkout.leavingFor === pack.id}
                  error={checkout.failedFor === pack.id ? checkout.error?.message : undefined}
                  onBuy={() =>
                    checkout.start({ productId: pack.id, projectId: project.id, expectedCents: pack.cents, after })
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <p className="text-muted text-sm">
        You pay on Stripe's page; we never see your card. You get an invoice, and tax is added where it applies. Bought
        points do not expire.
      </p>
    </Section>
  );
}

type PackCardProps = {
  pack: PointPack;
  isDisabled: boolean;
  isLoading: boolean;
  /** Beside the button that was pressed: on a phone, the end of the list is out of sight. */
  error: string | undefined;
  onBuy: () => Promise<void>;
};

function PackCard({ pack, isDisabled, isLoading, error, onBuy }: PackCardProps) {
  const price = formatUsd(pack.cents);
  const perHundred = formatUsd((100 * pack.cents) / pack.points);
  return (
    <Card className="grid h-full content-between gap-4">
      <div className="grid gap-1">
        <p className="font-bold font-display text-3xl">
          <Points value={pack.points} />
        </p>
        <p className="text-muted">
          {price} once, {perHundred} for 100 points
        </p>
      </div>
      <Button variant="secondary" disabled={isDisabled} isLoading={isLoading} onClick={onBuy}>
        Buy {formatPoints(pack.points)} points for {price}
      </Button>
      {error && <FieldError>{error}</FieldError>}
    </Card>
  );
}

function PlanAndLimits({ project, userId }: { project: OwnedProject; userId: string }) {
  const [params] = useSearchParams();
  const subscription = useQuery(projectQueries.subscription(project.id));
  const settings = useQuery(settingsQueries.app());
  const limits = useQuery(questQueries.limits(userId, params.has('success')));
  const isVerified = project.status === 'verified';
  return (
    <Section id="plan" title="Your plan and limits">
      <QueryView
        query={[subscription, settings, limits]}
        failure="Your plan could not be loaded"
        pending={<Skeleton shape="card" className="h-68 sm:h-45" />}
      >
        {([plan, { beta_mode }, bounds]) => (
          <Card className="grid gap-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <div>
                <p className="font-semibold">{plan ? 'OG Lifetime Access' : 'Trial'}</p>
                <p className="text-muted">{describePlan(plan, beta_mode, isVerified, bounds?.bought_points ?? 0)}</p>
              </div>
              {!plan && (
                <Button variant="secondary" asChild>
                  <Link to={paths.subscribe(ogPlanId)}>See OG Lifetime</Link>
                </Button>
              )}
            </div>
            {isVerified && bounds && <Limits limits={bounds} />}
          </Card>
        )}
      </QueryView>
    </Section>
  );
}

/** Benefits of the plan, now and after the beta (C-69, C-22). */
function describePlan(plan: Subscription | null, isBeta: boolean, isVerified: boolean, boughtPoints: number): string {
  if (!plan) {
    if (!isVerified) return 'The limits of the trial apply once your project is verified.';
    return boughtPoints > 0
      ? 'The points that you have bought raise the limits of the trial.'
      : 'The trial limits apply. Buying points raises them at once.';
  }
  const until = planTerm(plan);
  return isBeta
    ? `${until} During the beta its limits are those of the trial; bought points raise them. After the beta there are none.`
    : `${until} There is no limit on the number or budget of your quests.`;
}

/** The limits in force, and how much of each is used. */
function Limits({ limits }: { limits: ProjectLimits }) {
  const { quest_count, quest_limit, budget_used, budget_limit, bought_points } = limits;
  if (budget_limit === null) return null;
  // After a plan or bought points are gone.
  const isOver = budget_used > budget_limit || (quest_limit !== null && quest_count > quest_limit);
  return (
    <div className="grid gap-3">
      <BudgetBar label="Budgets of all your quests" used={budget_used} budget={budget_limit} />
      <ul className="grid gap-1 text-muted">
        {bought_points > 0 && <li>{formatPoints(bought_points)} of these points are bought.</li>}
        <li>
          {quest_limit === null
            ? `${formatCount(quest_count, 'quest')}. There is no limit on how many.`
            : `${formatPoints(quest_count)} of ${formatCount(quest_limit, 'quest')}. Buying points lifts this limit.`}
        </li>
        {isOver && <li>Published quests stay as they are. The limits apply to new ones.</li>}
      </ul>
    </div>
  );
}

const words: Readonly<Record<string, Status>> = {
  paid: 'Paid',
  refunded: 'Refunded',
  disputed: 'Disputed',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

const columns: DataColumn<Payment>[] = [
  {
    key: 'what',
    header: 'What',
    cell: ({ product_id, points }) => (product_id === ogPlanId ? 'OG Lifetime Access' : <Points value={points ?? 0} />),
  },
  {
    key: 'when',
    header: 'When',
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDate(created_at)}</time>,
  },
  { key: 'amount', header: 'Paid', isNumeric: true, cell: ({ amount_cents }) => formatUsd(amount_cents) },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, credited_points, is_unused }) => (
      <div className="grid justify-items-start gap-1 max-md:justify-items-end">
        <StatusBadge status={words[status] ?? 'Pending'} />
        {status !== 'paid' && (credited_points ?? 0) > 0 && (
          <span className="text-muted text-sm">{formatPoints(credited_points ?? 0)} of the points were spent</span>
        )}
        {is_unused && (
          <span className="text-muted text-sm">
            {status === 'refunded' ? 'Nothing was bought' : 'Not applied yet: we are checking it'}
          </span>
        )}
      </div>
    ),
  },
  {
    key: 'receipt',
    header: 'Receipt',
    cell: ({ receipt_url, created_at }) =>
      receipt_url ? (
        <a
          href={receipt_url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Receipt of ${formatDate(created_at)}`}
          className="inline-flex pointer-coarse:min-h-11 items-center gap-1.5 text-action underline underline-offset-4"
        >
          Receipt
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      ) : (
        'Sent by email'
      ),
  },
];

function Payments({ userId }: { userId: string }) {
  const payments = useInfiniteQuery(checkoutQueries.payments(userId));
  return (
    <Section id="payments" title="Payments">
      <QueryView
        query={payments}
        failure="Your payments could not be loaded"
        pending={<Skeleton shape="card" className="h-40" />}
      >
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) {
            return <EmptyState title="No payments yet" text="What you buy is listed here, with its receipt." />;
          }
          return (
            <div className="grid gap-4">
              <DataTable caption="Payments" columns={columns} rows={rows} rowKey={({ id }) => id} />
              <ShowMore list={payments}>Show older payments</ShowMore>
            </div>
          );
        }}
      </QueryView>
    </Section>
  );
}
