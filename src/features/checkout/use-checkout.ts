import { useEffect, useState } from 'react';
import { analytics } from '@/lib/analytics';
import { type Order, useStartCheckout } from './mutations';

/** Redirects to the payment page. `leavingFor`: the product while redirecting; `error`: why it was refused. */
export function useCheckout() {
  const { mutate, isPending, variables, error, reset } = useStartCheckout();
  const [isLeaving, setIsLeaving] = useState(false);

  // With the back button, browsers may restore this page from the back/forward cache as it was left.
  useEffect(() => {
    const handleShow = () => setIsLeaving(false);
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  }, []);

  const start = (order: Order) => {
    analytics.track('checkout_start', { label: order.productId, value: order.expectedCents / 100 });
    mutate(order, {
      onSuccess: (url) => {
        setIsLeaving(true);
        window.location.assign(url);
      },
    });
  };
  return { start, reset, error, leavingFor: isPending || isLeaving ? (variables?.productId ?? null) : null };
}
