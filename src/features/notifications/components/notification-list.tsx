import {
  AlarmClock,
  BadgeCheck,
  Ban,
  BellPlus,
  CircleCheck,
  Coins,
  CreditCard,
  Gift,
  Inbox,
  type LucideIcon,
  Mail,
  PauseCircle,
  RotateCcw,
  Scale,
  Undo2,
  UserPlus,
  UsersRound,
} from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { toast } from '@/components/ui/toast';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { useSwitchRole } from '@/features/account';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { describeError } from '@/lib/errors';
import { formatAge, formatDateTime } from '@/lib/format';
import { useMoveOn } from '@/lib/router-context';
import { useMarkRead } from '../mutations';
import { describeNotification } from '../notification';
import type { Notification, NotificationKind } from '../queries';

const icons: Readonly<Record<NotificationKind, LucideIcon>> = {
  proof_approved: CircleCheck,
  proof_rejected: RotateCcw,
  points_held: Coins,
  points_corrected: Undo2,
  redemption_decided: Gift,
  referral_joined: UserPlus,
  proofs_waiting: Inbox,
  quest_full: UsersRound,
  quest_held: PauseCircle,
  project_reviewed: BadgeCheck,
  account_suspended: Ban,
  appeal_decided: Scale,
  plan_changed: CreditCard,
  daily_digest: Mail,
  review_due: AlarmClock,
  quest_published: BellPlus,
};

type NotificationListProps = {
  notifications: Notification[];
  /** Reasons and notes are cut after two lines. */
  isCompact?: boolean;
  /** Called when a notification was opened. */
  onOpen?: () => void;
};

/** Notifications as sentences, each linked to the page that it is about. */
export function NotificationList({ notifications, isCompact = false, onOpen }: NotificationListProps) {
  const open = useOpenNotification();
  const handleClick = (event: MouseEvent, notification: Notification) => {
    // Leaves opening in a new tab or window to the browser.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen?.();
    void open(notification);
  };
  return (
    <ul>
      {notifications.map((notification) => {
        const { sentence, detail, to } = describeNotification(notification);
        const isUnread = notification.read_at === null;
        const Icon = icons[notification.kind];
        return (
          <li key={notification.id} className="border-b last:border-b-0">
            <Link
              to={to}
              onClick={(event) => handleClick(event, notification)}
              className="-outline-offset-3 grid min-h-14 grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-3 rounded-control px-2 py-3 hover:bg-sunken"
            >
              <Icon aria-hidden="true" className={cn('mt-0.5 size-5', isUnread ? 'text-action' : 'text-muted')} />
              <span className="grid gap-0.5 [overflow-wrap:anywhere]">
                {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
                <span className={isUnread ? 'font-semibold' : undefined}>{sentence}</span>
                {detail && <span className={cn('text-muted text-sm', isCompact && 'line-clamp-2')}>{detail}</span>}
                <time
                  dateTime={notification.created_at}
                  title={formatDateTime(notification.created_at)}
                  className="text-muted text-sm"
                >
                  {formatAge(notification.created_at)}
                </time>
              </span>
              {isUnread && <span aria-hidden="true" className="mt-2 size-2.5 rounded-full bg-action" />}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const isProjectPath = (path: string) => /^\/startup(?:\/(?!subscribe)|$)/.test(path);

/**
 * Opens the page of a notification and marks it as read. A founder in the member role is switched to the project role
 * first, because the guards of its pages would redirect them.
 */
function useOpenNotification(): (notification: Notification) => Promise<void> {
  const session = useSession();
  const startMove = useMoveOn();
  const { mutateAsync: switchRole } = useSwitchRole();
  const markRead = useMarkRead();

  return async (notification) => {
    const { to } = describeNotification(notification);
    const moveOn = startMove();
    if (notification.read_at === null) markRead.mutate(notification.id);
    if (isProjectPath(to) && session.role === 'community') {
      try {
        await switchRole('startup');
      } catch (error) {
        toast.error(describeError(error));
        return;
      }
    }
    await moveOn(to);
  };
}
