import { CircleCheckBig, Compass } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { Eligibility } from '../eligibility';
import { ExplorePanel } from './explore-panel';

type EligibilityGateProps = { userId: string; eligibility: Eligibility; onDismiss: () => void };

/**
 * Advice before the first own quest: try one, to see what members see. It can always be skipped; when the requirement
 * is met while it is open, it says so and leads on (QNEW-03, C-38).
 */
export function EligibilityGate({ userId, eligibility, onDismiss }: EligibilityGateProps) {
  const isMet = eligibility.is_eligible;
  const Icon = isMet ? CircleCheckBig : Compass;
  return (
    <div className="grid gap-8">
      <Card as="section" aria-live="polite" className="grid gap-4 sm:grid-cols-[auto_1fr_auto] sm:items-center">
        <Icon aria-hidden="true" className="size-8 text-action" />
        <div>
          <h2 className="text-xl">{isMet ? 'You are ready' : 'Explore first'}</h2>
          <p className="text-muted">{eligibility.requirement_message}</p>
        </div>
        {isMet ? (
          <Button onClick={onDismiss}>Continue</Button>
        ) : (
          <Button variant="secondary" onClick={onDismiss}>
            Skip for now
          </Button>
        )}
      </Card>
      <ExplorePanel userId={userId} eligibility={eligibility} />
    </div>
  );
}
