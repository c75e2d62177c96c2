import {
  CircleCheckBig,
  Gift,
  Lock,
  LockOpen,
  type LucideIcon,
  PartyPopper,
  Rocket,
  RotateCcw,
  SlidersHorizontal,
  Undo2,
  Users,
} from 'lucide-react';
import type { Transaction } from '../queries';

const icons: Record<Transaction['kind'], LucideIcon> = {
  task_completion: CircleCheckBig,
  referral_bonus: Users,
  welcome_bonus: PartyPopper,
  redemption: Gift,
  refund: RotateCcw,
  trial_budget: Rocket,
  reserve: Lock,
  release: LockOpen,
  reversal: Undo2,
  adjustment: SlidersHorizontal,
};

/** What kind of movement it was, at a glance. Decorative: the description says it. */
export function TransactionIcon({ kind }: { kind: Transaction['kind'] }) {
  const Icon = icons[kind];
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-5"
    >
      <Icon />
    </span>
  );
}
