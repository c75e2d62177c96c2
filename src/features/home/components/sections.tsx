import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { OutlinedBadge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ogPlan, ogPlanId } from '@/features/checkout';
import { settingsQueries } from '@/features/settings';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { formatCount, formatNumber, formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';
import { asFounder } from '@/lib/role';

type SectionProps = {
  title: string;
  lead?: ReactNode;
  /** Shown to the right of the title. */
  aside?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** On phones the cards of a list are swiped sideways; the next one peeks in at the edge. */
export const swipedOnPhones =
  'grid max-sm:scroll-x max-sm:-mx-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 max-sm:auto-cols-[88%] max-sm:grid-flow-col max-sm:px-4 max-sm:pb-2 max-sm:[&>li]:snap-start';

/** A section of the home page with its heading. */
export function Section({ title, lead, aside, id, className, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} aria-labelledby={titleId} className={cn('page-column py-5 sm:py-10', className)}>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-3 sm:mb-6">
        <div className="grid max-w-prose gap-1">
          <h2 id={titleId} className="text-2xl sm:text-4xl">
            {title}
          </h2>
          {lead && <p className="text-muted sm:text-lg">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Scrolls to the waitlist in the footer and focuses its field (HOME-08). */
function goToFooter() {
  const footer = document.getElementById('footer');
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  footer?.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth' });
  footer?.querySelector<HTMLInputElement>('input[type="email"]')?.focus({ preventScroll: true });
}

/** The three plans (HOME-05..08). */
export function Pricing() {
  const isSignedIn = useSession().status === 'signed-in';
  const { data: settings } = useQuery(settingsQueries.app());
  const { trial_quest_limit: quests = 1, trial_budget_points: points = 500 } = settings ?? {};
  const og = ogPlan(settings);

  return (
    <Section id="pricing" title="Pricing" lead="For projects. Members never pay.">
      <ul className={cn(swipedOnPhones, 'gap-3 lg:grid-cols-3 lg:gap-4')}>
        <Plan
          name="Beta Free"
          price={<Price>{formatUsd(0)}</Price>}
          points={[
            ...(quests
              ? [`${formatCount(quests, 'free quest')}${points ? ` with ${formatCount(points, 'point')}` : ''}`]
              : []),
            settings?.beta_mode ? 'Your project verified at once' : 'Your project verified by us',
            'All proofs and numbers',
          ]}
          action={
            <Button asChild variant="secondary">
              <Link to={paths.signUp()} state={asFounder} onClick={() => trackPlan('beta_free')}>
                Start free
              </Link>
            </Button>
          }
        />
        <Plan
          name="OG Lifetime"
          isFeatured
          badge={og.percentOff > 0 && <OutlinedBadge tone="points">{og.percentOff}% off</OutlinedBadge>}
          price={
            <>
              <Price>{formatUsd(og.priceCents)}</Price>
              <span className="sm:text-lg">once</span>
              <span className="text-muted sm:text-lg">
                was <s>{formatUsd(og.originalCents)}</s>
              </span>
            </>
          }
          points={[
            `Limited to ${formatNumber(og.slots)} slots`,
            '30-day money-back guarantee',
            settings?.beta_mode === false
              ? 'Every premium benefit, for good'
              : 'Every premium benefit after the beta, for good',
          ]}
          action={
            <Button asChild>
              <Link
                to={isSignedIn ? paths.subscribe(ogPlanId) : paths.signUpForOgLifetime}
                onClick={() => trackPlan(ogPlanId)}
              >
                Get OG Lifetime
              </Link>
            </Button>
          }
        />
        <Plan
          name="Enterprise"
          price={<span className="font-bold font-display text-lg leading-none sm:text-3xl">Coming soon</span>}
          points={['For teams with more than one product', 'The waitlist is the form at the foot of this page']}
          action={
            <Button
              variant="secondary"
              onClick={() => {
                trackPlan('enterprise');
                goToFooter();
              }}
            >
              Join the waitlist
            </Button>
          }
        />
      </ul>
    </Section>
  );
}

type PlanProps = {
  name: string;
  price: ReactNode;
  points: readonly string[];
  /** A badge at the top right. */
  badge?: ReactNode;
  isFeatured?: boolean;
  action: ReactNode;
};

/** One plan on the price list. */
function Plan({ name, price, points, badge, isFeatured = false, action }: PlanProps) {
  return (
    <Card as="li" tone={isFeatured ? 'featured' : 'plain'} className="flex flex-col gap-3 sm:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 sm:grid sm:gap-5">
        <div className="flex items-center justify-between gap-3 sm:min-h-8">
          <h3 className="text-xl">{name}</h3>
          {badge}
        </div>
        <p className="flex flex-wrap items-baseline gap-x-2 sm:min-h-12">{price}</p>
      </div>
      <ul className="grid grow content-start gap-0.5 max-sm:text-sm sm:gap-2">
        {points.map((point) => (
          <li key={point} className="flex items-start gap-2.5">
            <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-action sm:mt-1" strokeWidth={3} />
            {point}
          </li>
        ))}
      </ul>
      {action}
    </Card>
  );
}

/** The large figure of a plan. */
function Price({ children }: { children: ReactNode }) {
  return <span className="font-bold font-display text-2xl leading-none tabular-nums sm:text-5xl">{children}</span>;
}

/** Reports interest in a plan (ANA-02). */
function trackPlan(plan: string): void {
  analytics.track('plan_click', { label: plan, place: 'pricing' });
}
