import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { StatusBadge } from '@/components/status-badge';
import { OutlinedBadge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { FieldError } from '@/components/ui/field';
import { Meter } from '@/components/ui/progress';
import { Skeleton } from '@/components/ui/skeleton';
import { Spinner } from '@/components/ui/spinner';
import { useStartupRole } from '@/features/account';
import { projectQueries, type Subscription } from '@/features/projects';
import { settingsQueries, useIsBeta } from '@/features/settings';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { formatCount, formatNumber, formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useCheckout } from '../mutations';
import { type OgPlan, ogPlan, ogPlanId, planTerm } from '../products';
import { checkoutQueries } from '../queries';

/**
 * This person's plan (SUBS-07); undefined until known. Null without one, and also when it could not be loaded, which is safe because the
 * checkout never sells a second one.
 */
function useOwnPlan(): Subscription | null | undefined {
  const { userId } = useSession();
  const project = useQuery({ ...projectQueries.own(userId ?? ''), enabled: userId !== null });
  const projectId = project.data?.id;
  const subscription = useQuery({ ...projectQueries.subscription(projectId ?? ''), enabled: projectId !== undefined });
  // Not while it is read again after a failure: the button, which reads the project too, would come and go with each attempt.
  const isUnknown = [project, subscription].some(
    (query) => query.isLoading && !query.isFetched && query.failureCount === 0,
  );
  return isUnknown ? undefined : (subscription.data ?? null);
}

/** The OG Lifetime plan and the way to its payment page (SUBS-01..06). */
export default function SubscribePage() {
  const [params] = useSearchParams();
  const { isSettled, isProject } = useStartupRole();
  const settings = useQuery(settingsQueries.app());
  const slots = useQuery(checkoutQueries.slots());
  const ownPlan = useOwnPlan();

  // The payment panel is on the dashboard (C-20), whose guard requires the startup role, so the role is switched first.
  const hasPaid = params.get('success') === 'subscription';
  if (hasPaid && isProject) return <Navigate to={`${paths.founder}?success=subscription`} replace />;

  const plan = ogPlan(settings.data);
  const remaining = slots.data?.remaining ?? plan.slots;
  return (
    <div className="page-column max-w-2xl">
      <PageMeta
        title="OG Lifetime Access"
        description="Pay once, keep every premium benefit of Questboard. Limited to the first slots."
      />
      <PageHeader
        title="OG Lifetime Access"
        lead="For early projects: pay once, keep it."
        back={{ to: paths.founder, label: 'Back to your dashboard' }}
      />
      {hasPaid && <PaymentNote isWaiting={!isSettled} />}
      {params.has('cancelled') && <CancelledNote />}
      <PlanCard plan={plan} remaining={remaining} isForSale={!ownPlan}>
        {/* Not offered before it is known that it can be bought. */}
        {ownPlan === undefined && <Skeleton className="h-11" />}
        {ownPlan === null && <CheckoutButton cents={plan.priceCents} isSoldOut={remaining <= 0} />}
        {ownPlan && <OwnPlan plan={ownPlan} />}
      </PlanCard>
    </div>
  );
}

/** Shown until the redirect to the dashboard, or if that is not possible. */
function PaymentNote({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div role="status" className="mb-6">
      <Notice tone="success" title="Payment Successful">
        {isWaiting ? (
          <Spinner label="Taking you to your dashboard" />
        ) : (
          'Your plan starts as soon as the payment is confirmed.'
        )}
      </Notice>
    </div>
  );
}

/** After leaving the payment page without paying. */
function CancelledNote() {
  return (
    <div role="status" className="mb-6">
      <Notice
        tone="waiting"
        title="Payment cancelled"
        actions={
          <Button variant="ghost" asChild>
            <Link to={paths.subscribe(ogPlanId)} replace>
              Got it!
            </Link>
          </Button>
        }
      >
        Nothing was charged. You can try again whenever you like.
      </Notice>
    </div>
  );
}

/** The state of the plan, and the way to its receipt. */
function OwnPlan({ plan }: { plan: Subscription }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status="Active" />
      <p>You already have OG Lifetime Access.</p>
      <p className="text-muted">{planTerm(plan)}</p>
      <Button variant="link" asChild>
        <Link to={paths.billing}>See your payments</Link>
      </Button>
    </div>
  );
}

type Problem = { text: string; fix?: { to: string; label: string } };

const notSignedIn: Problem = {
  text: 'Please sign in to subscribe',
  fix: { to: paths.signIn({ redirect: paths.subscribe(ogPlanId) }), label: 'Sign in' },
};
const noProject: Problem = {
  text: 'Please create a project profile first',
  fix: { to: paths.projectProfile, label: 'Create your profile' },
};

/** Button to the payment page, or what is still required and where to do it (SUBS-03). */
function CheckoutButton({ cents, isSoldOut }: { cents: number; isSoldOut: boolean }) {
  const { userId } = useSession();
  const project = useQuery({ ...projectQueries.own(userId ?? ''), enabled: userId !== null });
  const checkout = useCheckout();
  const [problem, setProblem] = useState<Problem | null>(null);

  const handleSubscribe = async () => {
    setProblem(null);
    checkout.forget();
    if (!userId) return setProblem(notSignedIn);
    const { data: own, error: failure } = project.isSuccess ? project : await project.refetch();
    if (own === undefined) return setProblem({ text: describeError(failure) });
    if (own === null) return setProblem(noProject);
    await checkout.start({ productId: ogPlanId, projectId: own.id, expectedCents: cents });
  };
  const shown = problem ?? (checkout.error && { text: checkout.error.message, fix: undefined });
  const isSuspended = Boolean(project.data?.suspended_at);
  const isUnverified = project.data && project.data.status !== 'verified';

  return (
    <div className="grid gap-3">
      {isSoldOut ? (
        <Button disabled variant="secondary">
          Sold Out
        </Button>
      ) : (
        <Button onClick={handleSubscribe} disabled={isSuspended} isLoading={checkout.leavingFor !== null}>
          Get OG Lifetime Access for {formatUsd(cents)}
        </Button>
      )}
      {isSuspended && <p>Your account is suspended. You can get the plan once that ends.</p>}
      {isUnverified && !isSuspended && <p>Your project is not verified. It can use the plan once it is.</p>}
      {shown && (
        <div className="flex flex-wrap items-center gap-x-4">
          <FieldError>{shown.text}</FieldError>
          {shown.fix && (
            <Button variant="link" asChild>
              <Link to={shown.fix.to}>{shown.fix.label}</Link>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Benefits of the plan, now and after the beta (C-69). */
function benefits(isBeta: boolean): string[] {
  return [
    'Every premium benefit of Questboard, for as long as it exists',
    isBeta ? 'After the beta: quests and budgets beyond the trial' : 'Quests and budgets beyond the trial',
    `${isBeta ? 'Today: the' : 'The'} OG Member badge beside your name`,
    '30-day money-back guarantee',
  ];
}

type PlanCardProps = { plan: OgPlan; remaining: number; isForSale: boolean; children: ReactNode };

/** The offer and the number of slots left (SUBS-01, SUBS-02). */
function PlanCard({ plan, remaining, isForSale, children }: PlanCardProps) {
  const isBeta = useIsBeta();
  const left = `${formatNumber(remaining)} of ${formatCount(plan.slots, 'slot')} left`;
  return (
    <Card padding="xl" className="relative grid gap-6 pt-8">
      <span
        aria-hidden="true"
        className="absolute -top-2.5 left-1/2 size-5 -translate-x-1/2 rounded-full border-2 border-card bg-points shadow-card"
      />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-bold font-display text-6xl leading-none tabular-nums">
            {formatUsd(plan.priceCents)}
          </span>
          <span className="text-lg">once</span>
          <s className="text-lg text-muted">
            <span className="sr-only">instead of </span>
            {formatUsd(plan.originalCents)}
          </s>
        </p>
        {plan.percentOff > 0 && <OutlinedBadge tone="points">{plan.percentOff}% off</OutlinedBadge>}
      </div>
      <ul className="grid gap-2">
        {benefits(isBeta).map((benefit) => (
          <li key={benefit} className="flex items-start gap-2.5">
            <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-action" strokeWidth={3} />
            {benefit}
          </li>
        ))}
      </ul>
      <div className="grid gap-2">
        <div className="flex flex-wrap justify-between gap-x-4">
          <p className="font-semibold">Limited to {formatNumber(plan.slots)} slots</p>
          <p aria-hidden="true" className="text-muted tabular-nums">
            {left}
          </p>
        </div>
        <Meter label="Slots left" value={remaining} max={Math.max(plan.slots, 1)} valueText={left} />
      </div>
      {children}
      {(isForSale || isBeta) && (
        <p className="text-muted text-sm">
          {isForSale && "You pay on Stripe's page; we never see your card."}
          {isBeta &&
            ' While the beta lasts, the limits of the trial hold for everybody, and only bought points raise them; the plan lifts yours when it ends.'}
        </p>
      )}
    </Card>
  );
}
