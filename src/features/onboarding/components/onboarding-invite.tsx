import { Map as MapIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { useOwnQuestStates } from '@/features/quests';
import { useSession } from '@/lib/auth';
import { dayMs } from '@/lib/format';
import { paths } from '@/lib/paths';
import { localFlag } from '@/lib/storage';

/** How long new members are invited, in milliseconds. */
const invitedFor = 7 * dayMs;

/** Invites new people to the wizard until they have completed or dismissed it, or started a quest by themselves. */
export function OnboardingInvite() {
  const session = useSession();
  const { userId } = session;
  const hasBegun = Object.keys(useOwnQuestStates()).length > 0;
  const [isDismissed, setIsDismissed] = useState(false);
  useEffect(() => {
    if (hasBegun && userId) completeOnboarding(userId);
  }, [hasBegun, userId]);

  if (session.status !== 'signed-in' || isDismissed || hasBegun) return null;
  if (localFlag.isSet('onboardingCompleted', session.userId)) return null;
  if (Date.now() - session.createdAt > invitedFor) return null;
  const handleDismiss = () => {
    completeOnboarding(session.userId);
    setIsDismissed(true);
  };
  return (
    <Card as="section" aria-label="First steps" tone="action" className="flex flex-wrap items-center gap-4">
      <MapIcon aria-hidden="true" className="size-8 text-action" strokeWidth={1.6} />
      <p className="min-w-52 grow">
        <span className="block font-bold font-display text-lg">New here?</span>A few steps, and you know your way
        around.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" asChild>
          <Link to={paths.onboarding}>Show me around</Link>
        </Button>
        <Button variant="ghost" onClick={handleDismiss}>
          No, thanks
        </Button>
      </div>
    </Card>
  );
}

/** Remembers in this browser that a person has finished the wizard (ONB-01). */
export function completeOnboarding(userId: string): void {
  localFlag.set('onboardingCompleted', userId);
}
