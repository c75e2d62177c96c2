import {
  Ban,
  CircleCheckBig,
  CircleDashed,
  CircleDot,
  Gift,
  Hourglass,
  Lock,
  type LucideIcon,
  Megaphone,
  Pause,
  Pencil,
  RotateCcw,
  UserRoundX,
} from 'lucide-react';
import { OutlinedBadge, type Tone } from './ui/badge';

const badges = {
  'Not Started': { icon: CircleDashed, tone: 'neutral' },
  Started: { icon: CircleDot, tone: 'action' },
  Processing: { icon: Hourglass, tone: 'warning' },
  Completed: { icon: CircleCheckBig, tone: 'action' },
  'Try Again': { icon: RotateCcw, tone: 'danger' },
  'In Review': { icon: Hourglass, tone: 'warning' },
  'Under Appeal': { icon: Hourglass, tone: 'warning' },
  Done: { icon: CircleCheckBig, tone: 'action' },
  'Quest Full': { icon: UserRoundX, tone: 'neutral' },
  'Quest Complete': { icon: CircleCheckBig, tone: 'action' },
  Draft: { icon: Pencil, tone: 'neutral' },
  Paused: { icon: Pause, tone: 'neutral' },
  Published: { icon: Megaphone, tone: 'action' },
  Active: { icon: CircleDot, tone: 'action' },
  Closed: { icon: Lock, tone: 'neutral' },
  Pending: { icon: Hourglass, tone: 'warning' },
  Approved: { icon: CircleCheckBig, tone: 'action' },
  Verified: { icon: CircleCheckBig, tone: 'action' },
  Rejected: { icon: Ban, tone: 'danger' },
  New: { icon: CircleDot, tone: 'warning' },
  Reviewed: { icon: CircleDot, tone: 'neutral' },
  Resolved: { icon: CircleCheckBig, tone: 'action' },
  Fulfilled: { icon: Gift, tone: 'action' },
  Cancelled: { icon: Ban, tone: 'neutral' },
  Paid: { icon: CircleCheckBig, tone: 'action' },
  Refunded: { icon: RotateCcw, tone: 'neutral' },
  Disputed: { icon: Ban, tone: 'danger' },
  Expired: { icon: Lock, tone: 'neutral' },
} as const satisfies Record<string, { icon: LucideIcon; tone: Tone }>;

/** Every status label of the product. */
export type Status = keyof typeof badges;

/** A status badge: label, icon and colour, never colour alone. */
export function StatusBadge({ status, className }: { status: Status; className?: string }) {
  const { icon: Icon, tone } = badges[status];
  return (
    <OutlinedBadge tone={tone} className={className}>
      <Icon aria-hidden="true" />
      {status}
    </OutlinedBadge>
  );
}
