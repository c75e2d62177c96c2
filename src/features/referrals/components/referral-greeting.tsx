import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router-dom';
import { CoinMark } from '@/components/points';
import { Button } from '@/components/ui/button';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { referralQueries } from '../queries';
import { bonusText, referralCodeIn, useReferralCapture } from '../referral-link';

/**
 * Keeps the code of a referral link, and says what its visitor reads first: who invites, by masked name, and the bonus. Nothing for visitors
 * without a link, for codes that are nobody's, and for members, who cannot be invited any more.
 */
export function ReferralGreeting() {
  useReferralCapture();
  const { status } = useSession();
  const { search } = useLocation();
  const code = referralCodeIn(search);
  const isInvited = status === 'signed-out' && code !== null;
  const { data: greeting, isPending } = useQuery({ ...referralQueries.greeting(code ?? ''), enabled: isInvited });
  if (code === null || status === 'signed-in') return null;
  // Reserves the space while loading, to avoid a layout shift.
  if (isPending) return <div aria-hidden="true" className="h-32 border-b bg-points-soft sm:h-17" />;
  if (!greeting) return null;
  const { inviter_name, referred_points } = greeting;
  return (
    <section aria-label="Your invitation" className="border-b bg-points-soft">
      <div className="page-column flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
        <p className="flex min-w-0 grow basis-64 items-start gap-2 text-ink [overflow-wrap:anywhere]">
          <CoinMark className="mt-1" />
          <span>
            <strong>{inviter_name}</strong> invites you to Questboard. {bonusText(referred_points)}
          </span>
        </p>
        <Button asChild>
          <Link to={paths.signUp()}>Join Community</Link>
        </Button>
      </div>
    </section>
  );
}
