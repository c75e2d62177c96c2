import { useNavigate } from 'react-router-dom';
import { toast } from '@/components/ui/toast';
import { useSwitchRole } from '@/features/account';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { useMarkRead } from './mutations';
import { describeNotification } from './notification';
import type { Notification } from './queries';

const isProjectPath = (path: string) => /^\/startup(?:\/(?!subscribe)|$)/.test(path);

/**
 * Opens the page of a notification and marks it as read. A founder in the member role is switched to the project role
 * first, because the guards of its pages would redirect them.
 */
export function useOpenNotification(): (notification: Notification) => Promise<void> {
  const session = useSession();
  const navigate = useNavigate();
  const { mutateAsync: switchRole } = useSwitchRole();
  const markRead = useMarkRead();

  return async (notification) => {
    const { to } = describeNotification(notification);
    if (notification.read_at === null) markRead.mutate(notification.id);
    if (isProjectPath(to) && session.role === 'community') {
      try {
        await switchRole('startup');
      } catch (error) {
        toast.error(describeError(error));
        return;
      }
    }
    await navigate(to);
  };
}
