import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { referralQueries } from '../queries';
import { bonusText, usePendingReferral } from '../referral-link';

/** Says on the way to an account that the invitation is not lost. Nothing when none waits, or when its code is nobody's. */
export function PendingInvitation() {
  const code = usePendingReferral();
  const { data: greeting, isLoading } = useQuery({ ...referralQueries.greeting(code ?? ''), enabled: code !== null });
  // The height of three lines, so that the form below does not move.
  if (isLoading) return <Skeleton className="h-26.5" />;
  if (!greeting) return null;
  return <Notice title={`${greeting.inviter_name} invites you`}>{bonusText(greeting.referred_points)}</Notice>;
}
