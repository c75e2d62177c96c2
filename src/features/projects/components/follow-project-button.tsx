import { useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useMemberSwitch } from '@/components/use-member-switch';
import { useSession } from '@/lib/auth';
import { useFollowProject } from '../mutations';
import { projectQueries } from '../queries';

/**
 * Follows or unfollows a project; followers are notified of new quests (BEY-18). Visitors are sent to sign in and back.
 */
export function FollowProjectButton({ projectId }: { projectId: string }) {
  const { userId } = useSession();
  const isStored = useQuery(projectQueries.followed(userId ?? '')).data?.includes(projectId) ?? false;
  const { isOn, handlePress, isDisabled } = useMemberSwitch('follow-project', projectId, isStored, useFollowProject());
  return (
    <Button
      variant="secondary"
      className="aria-pressed:border-action aria-pressed:bg-action-soft aria-pressed:text-action"
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={handlePress}
    >
      {isOn ? <BellRing aria-hidden="true" /> : <Bell aria-hidden="true" />}
      {isOn ? 'Following' : 'Follow'}
    </Button>
  );
}
