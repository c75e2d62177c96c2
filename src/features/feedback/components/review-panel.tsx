import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { startupQueries } from '@/features/startups';
import { useSession } from '@/lib/auth';
import { isAuthConfigured } from '@/lib/env';
import { paths } from '@/lib/paths';
import { feedbackQueries } from '../queries';
import { ReviewForm } from './review-form';

/** Where a member rates the project or changes the rating; visitors are asked in, owners cannot rate their own. */
export function ReviewPanel({ startupId }: { startupId: string }) {
  const { status, userId } = useSession();
  const { pathname } = useLocation();
  const startup = useQuery(startupQueries.detail(startupId));
  const own = useQuery({ ...feedbackQueries.own(startupId, userId ?? ''), enabled: userId !== null });
  const [isOpen, setIsOpen] = useState(false);

  if (status === 'signed-out') {
    return isAuthConfigured() ? (
      <Card className="flex flex-wrap items-center justify-between gap-3">
        <p>Have you tried it? Members can rate projects.</p>
        <Button variant="secondary" asChild>
          <Link to={paths.signIn({ redirect: pathname })}>Sign in to rate</Link>
        </Button>
      </Card>
    ) : null;
  }
  if (startup.data && startup.data.owner_user_id === userId) return null;
  if (status === 'loading' || own.isPending || startup.isPending) return <Skeleton className="h-21 rounded-card" />;

  if (isOpen) {
    return <ReviewForm startupId={startupId} own={own.data ?? null} onClose={() => setIsOpen(false)} />;
  }
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3">
      <p>{own.data ? 'You have rated this project.' : 'Have you tried it? Tell others how it was.'}</p>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        {own.data ? 'Update your feedback' : 'Leave feedback'}
      </Button>
    </Card>
  );
}
