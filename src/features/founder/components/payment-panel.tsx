import { useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Spinner } from '@/components/ui/spinner';
import { describeNotification, notificationQueries } from '@/features/notifications';
import { type Project, projectQueries } from '@/features/projects';
import { useIsBeta } from '@/features/settings';
import { useSession } from '@/lib/auth';
import { poll } from '@/lib/query-client';
import { useUrlReset } from '@/lib/url-state';

/** Maximum age in milliseconds of a payment, when the panel appears, to count as the one that the person returns from. */
const justNow = 10 * 60_000;

type Lost = { title: string; text: string | undefined };

/**
 * Says that the payment which the person returns from has bought nothing, because the slots were taken or another tab had paid already, or
 * that its plan has ended since, after a refund; null while it may still count. Polled until the plan is there.
 */
function useLostPayment(hasPlan: boolean): Lost | null {
  const { userId } = useSession();
  const [earliest] = useState(() => Date.now() - justNow);
  const latest = useQuery({
    ...notificationQueries.latest(userId ?? ''),
    enabled: userId !== null,
    ...poll(hasPlan ? 30 : 3),
  }).data;
  const news = latest?.find(({ type }) => type.startsWith('Subscription') || type === 'PaymentNotApplied');
  if (!news || Date.parse(news.created_at) < earliest) return null;
  const { sentence, detail } = describeNotification(news);
  if (news.type === 'SubscriptionEnded') return hasPlan ? null : { title: sentence, text: detail };
  if (news.type !== 'PaymentNotApplied') return null;
  // Both tabs show this, so it does not say which of the two payments it was.
  const isTwice = hasPlan && news.data.reason === 'already_subscribed';
  return {
    title: 'Your payment could not be used',
    text: isTwice ? 'You paid twice: we are refunding one of the payments.' : sentence,
  };
}

/**
 * What has become of the payment (SDASH-04). Only the payment provider's webhook activates the plan
 * (C-20), so the panel says that it is waiting until that has arrived.
 */
export default function PaymentPanel({ project }: { project: Project | null }) {
  const subscription = useQuery({
    ...projectQueries.newSubscription(project?.id ?? ''),
    enabled: project !== null,
  }).data;
  const lost = useLostPayment(Boolean(subscription));
  const isBeta = useIsBeta();

  const handleDismiss = useUrlReset(['success']);
  const dismiss = (
    <Button variant="secondary" onClick={handleDismiss}>
      Got it!
    </Button>
  );
  if (lost && !subscription) {
    return (
      <div role="status">
        <Notice tone="waiting" title={lost.title} actions={dismiss}>
          {lost.text}
        </Notice>
      </div>
    );
  }
  return (
    <Card as="section" aria-label="Payment" className="flex flex-col gap-4 border-action sm:flex-row sm:items-center">
      <BadgeCheck aria-hidden="true" className="size-8 shrink-0 text-action" />
      <div className="grow">
        <h2 className="text-xl">Payment Successful</h2>
        <div role="status" className="text-muted">
          {subscription ? (
            <>
              OG Lifetime is active for your project. {lost?.text}
              {isBeta &&
                ' While the beta lasts, the limits of the trial hold for everybody, and only bought points raise them; yours end with it.'}
            </>
          ) : (
            <span className="inline-flex items-center gap-3">
              <Spinner />
              Your payment is being confirmed. This usually takes a few seconds. Some payment methods take days; your
              plan starts with the money.
            </span>
          )}
        </div>
      </div>
      {dismiss}
    </Card>
  );
}
