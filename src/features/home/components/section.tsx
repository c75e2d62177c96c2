import { type ReactNode, useId } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { paths } from '@/lib/paths';
import { asFounder, isStartupRole } from '@/lib/role';

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

/** Path to the member's referrals, through sign-up for visitors (HOME-03). */
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

/** Path to the project's dashboard, or to sign-up for everybody else (HOME-02). */
export function StartYourProject({ place }: { place: string }) {
  const { role } = useSession();
  return (
    <Button asChild variant="secondary">
      <Link
        to={isStartupRole(role) ? paths.founder : paths.signUp()}
        state={asFounder}
        onClick={() => trackCta('Start Your Project', place)}
      >
        Start Your Project
      </Link>
    </Button>
  );
}

/** Reports a click on one of home's buttons; `place`: the section (ANA-02). */
export function trackCta(label: string, place: string): void {
  analytics.track('cta_click', { label, place });
}

/** Reports interest in a plan (ANA-02). */
export function trackPlan(plan: string): void {
  analytics.track('plan_click', { label: plan, place: 'pricing' });
}
