import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { startupQueries } from '@/features/startups';
import { analytics } from '@/lib/analytics';
import { useSession } from '@/lib/auth';
import { errorMessage } from '@/lib/errors';
import { formatUsd } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useStartCheckout } from '../mutations';
import { ogPlanId } from '../og-plan';

type Problem = { text: string; fix?: { to: string; label: string } };

const notSignedIn: Problem = {
  text: 'Please sign in to subscribe',
  fix: { to: paths.signIn({ redirect: paths.subscribe(ogPlanId) }), label: 'Sign in' },
};
const noStartup: Problem = {
  text: 'Please create a startup profile first',
  fix: { to: paths.startupProfile, label: 'Create your profile' },
};

/** Leads to the payment page, or says what is missing and where to get it (SUBS-03). */
export function CheckoutButton({ price, isSoldOut }: { price: number; isSoldOut: boolean }) {
  const { userId } = useSession();
  const startup = useQuery({ ...startupQueries.own(userId ?? ''), enabled: userId !== null });
  const checkout = useStartCheckout();
  const [isLeaving, setIsLeaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  // Coming back from the payment page with the back button, browsers may show this page as it was left.
  useEffect(() => {
    const handleShow = () => setIsLeaving(false);
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  }, []);

  const handleSubscribe = async () => {
    setProblem(null);
    if (!userId) return setProblem(notSignedIn);
    const { data: own, error: failure } = startup.isSuccess ? startup : await startup.refetch();
    if (own === undefined) return setProblem({ text: errorMessage(failure) });
    if (own === null) return setProblem(noStartup);
    analytics.track('checkout_start', { label: ogPlanId, value: price });
    checkout.mutate(own.id, {
      onSuccess: (url) => {
        setIsLeaving(true);
        window.location.assign(url);
      },
      onError: (error) => setProblem({ text: error.message }),
    });
  };

  return (
    <div className="grid gap-3">
      {isSoldOut ? (
        <Button disabled variant="secondary">
          Sold Out
        </Button>
      ) : (
        <Button onClick={handleSubscribe} isLoading={checkout.isPending || isLeaving}>
          Get OG Lifetime Access for {formatUsd(price)}
        </Button>
      )}
      {problem && (
        <div className="flex flex-wrap items-center gap-x-4">
          <FieldError>{problem.text}</FieldError>
          {problem.fix && (
            <Button variant="link" asChild>
              <Link to={problem.fix.to}>{problem.fix.label}</Link>
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
