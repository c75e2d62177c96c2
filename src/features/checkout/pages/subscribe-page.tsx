import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { StatusStamp } from '@/components/status-stamp';
import { Button } from '@/components/ui/button';
import { Spinner } from '@/components/ui/spinner';
import { settingsQueries } from '@/features/settings';
import { startupQueries } from '@/features/startups';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { CheckoutButton } from '../components/checkout-button';
import { PlanCard } from '../components/plan-card';
import { ogPlan } from '../og-plan';
import { checkoutQueries } from '../queries';
import { useStartupRole } from '../use-startup-role';

/** True when this person's project has the plan already (SUBS-07). */
function useHasPlan(): boolean {
  const { userId } = useSession();
  const startup = useQuery({ ...startupQueries.own(userId ?? ''), enabled: userId !== null });
  const startupId = startup.data?.id;
  const subscription = useQuery({ ...startupQueries.subscription(startupId ?? ''), enabled: startupId !== undefined });
  return Boolean(subscription.data);
}

/** The OG Lifetime plan and the way to its payment page (SUBS-01..06). */
export default function SubscribePage() {
  const [params] = useSearchParams();
  const { isSettled, isStartup } = useStartupRole();
  const settings = useQuery(settingsQueries.app());
  const slots = useQuery(checkoutQueries.slots());
  const hasPlan = useHasPlan();

  // The panel of a payment is on the dashboard (C-20); its guard lets startups in, so the role comes first.
  const hasPaid = params.get('success') === 'subscription';
  if (hasPaid && isStartup) return <Navigate to={`${paths.startup}?success=subscription`} replace />;

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
        lead="For the projects that are here first: pay once, keep it."
        back={{ to: paths.startup, label: 'Back to your dashboard' }}
      />
      {hasPaid && <PaymentNote isWaiting={!isSettled} />}
      {params.has('cancelled') && <CancelledNote />}
      <PlanCard plan={plan} remaining={remaining}>
        {hasPlan ? (
          <div className="flex flex-wrap items-center gap-3">
            <StatusStamp status="Active" />
            <p>You already have OG Lifetime Access.</p>
          </div>
        ) : (
          <CheckoutButton price={plan.price} isSoldOut={remaining <= 0} />
        )}
      </PlanCard>
    </div>
  );
}

/** Shown only until the dashboard can take over, or when it cannot. */
function PaymentNote({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div role="status" className="mb-6 rounded-card border border-l-4 border-l-action bg-action-soft p-4">
      <p className="font-bold font-display text-lg">Payment Successful</p>
      {isWaiting ? (
        <Spinner label="Taking you to your dashboard" />
      ) : (
        <p>Your plan starts as soon as the payment is confirmed.</p>
      )}
    </div>
  );
}

/** After leaving the payment page without paying. */
function CancelledNote() {
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-card border border-l-4 border-l-warning bg-card p-4"
    >
      <div>
        <p className="font-bold font-display text-lg">Payment cancelled</p>
        <p className="text-muted">Nothing was charged. You can try again whenever you like.</p>
      </div>
      <Button variant="ghost" asChild>
        <Link to={paths.subscribe('og_lifetime')} replace>
          Got it!
        </Link>
      </Button>
    </div>
  );
}
