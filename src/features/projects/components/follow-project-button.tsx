import { useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useFollowProject } from '../mutations';
import { projectQueries } from '../queries';

/**
 * Follows or unfollows a project; followers are notified of new quests (BEY-18). Visitors are sent to sign in and back.
 */
export function FollowProjectButton({ projectId }: { projectId: string }) {
  const { status, userId } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const follow = useFollowProject();
  const stored = useQuery(projectQueries.followed(userId ?? '')).data?.includes(projectId) ?? false;
  // Optimistic update.
  const isFollowed = follow.isPending ? follow.variables.isFollowed : stored;

  const handlePress = () => {
    if (status === 'signed-out') void navigate(paths.signIn({ redirect: `${pathname}${search}` }));
    if (status !== 'signed-in' || follow.isPending) return;
    follow.mutate(
      { id: projectId, isFollowed: !isFollowed },
      { onError: (error) => toast.error(describeError(error)) },
    );
  };
  return (
    <Button
      variant="secondary"
      className="aria-pressed:border-action aria-pressed:bg-action-soft aria-pressed:text-action"
      aria-pressed={isFollowed}
      disabled={status === 'loading'}
      onClick={handlePress}
    >
      {isFollowed ? <BellRing aria-hidden="true" /> : <Bell aria-hidden="true" />}
      {isFollowed ? 'Following' : 'Follow'}
    </Button>
  );
}
