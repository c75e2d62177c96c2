import { useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Spinner } from '@/components/ui/spinner';
import { poll } from '@/lib/query-client';
import { type Startup, startupQueries } from '../queries';

/**
 * What the way back from the payment page shows (SDASH-04). Only the payment provider's own message activates the plan
 * (C-20), so until that has come the panel says that it is waiting for it.
 */
export function PaymentPanel({ startup }: { startup: Startup | null }) {
  const [params, setParams] = useSearchParams();
  const isShown = params.get('success') === 'subscription';
  const subscription = useQuery({
    ...startupQueries.subscription(startup?.id ?? ''),
    enabled: isShown && startup !== null,
    refetchInterval: (query) => (query.state.data ? false : poll(3).refetchInterval(query)),
  }).data;
  if (!isShown) return null;

  const handleDismiss = () =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete('success');
        return next;
      },
      { replace: true },
    );
  return (
    <Card as="section" aria-label="Payment" className="flex flex-col gap-4 border-action sm:flex-row sm:items-center">
      <BadgeCheck aria-hidden="true" className="size-8 shrink-0 text-action" />
      <div className="grow">
        <h2 className="text-xl">Payment Successful</h2>
        <div role="status" className="text-muted">
          {subscription ? (
            'OG Lifetime is active for your project.'
          ) : (
            <span className="inline-flex items-center gap-3">
              <Spinner />
              Your payment is being confirmed. This usually takes a few seconds.
            </span>
          )}
        </div>
      </div>
      <Button onClick={handleDismiss}>Got it!</Button>
    </Card>
  );
}
