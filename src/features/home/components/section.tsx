import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';

type SectionProps = {
  title: string;
  lead?: ReactNode;
  /** Stands at the right of the title. */
  aside?: ReactNode;
  id?: string;
  className?: string;
  children: ReactNode;
};

/** On phones the cards of a list stand side by side and are swiped; the next one looks in at the edge. */
export const swipedOnPhones =
  'grid max-sm:scroll-x max-sm:-mx-4 max-sm:snap-x max-sm:snap-mandatory max-sm:scroll-px-4 max-sm:auto-cols-[88%] max-sm:grid-flow-col max-sm:px-4 max-sm:pb-2 max-sm:[&>li]:snap-start';

/** A part of the home page under its heading. */
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

/** To one's referrals, for visitors through sign-up (HOME-03). */
export function JoinCommunity({ place, variant }: { place: string; variant?: 'primary' | 'secondary' }) {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <Button asChild variant={variant}>
      <Link
        to={isSignedIn ? paths.referrals : paths.signUpForReferrals}
        onClick={() => trackCta('Join Community', place)}
      >
        Join Community
      </Link>
    </Button>
  );
}

/** To the project's dashboard, for all others to sign-up (HOME-02). */
export function StartYourProject({ place }: { place: string }) {
  const { role } = useSession();
  return (
    <Button asChild variant="secondary">
      <Link
        to={isStartupRole(role) ? paths.founder : paths.signUp()}
        onClick={() => trackCta('Start Your Project', place)}
      >
        Start Your Project
      </Link>
    </Button>
  );
}

/** Reports a press of one of home's buttons; `place` is the section it stands in (ANA-02). */
export function trackCta(label: string, place: string): void {
  analytics.track('cta_click', { label, place });
}

/** Reports interest in a plan (ANA-02). */
export function trackPlan(plan: string): void {
  analytics.track('plan_click', { label: plan, place: 'pricing' });
}
