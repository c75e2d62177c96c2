import {
  CircleCheckBig,
  CreditCard,
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
import type { ReactNode } from 'react';
import { Points } from '@/components/points';
import { formatDateTime } from '@/lib/format';
import type { Transaction } from '../queries';

/** A wallet's movements, newest first: what, when, how much and, where it is known, the balance after. */
export function TransactionList({
  label,
  transactions,
  actionOf,
}: {
  label: string;
  transactions: readonly Transaction[];
  /** Actions on a transaction, below its time. */
  actionOf?: (transaction: Transaction) => ReactNode;
}) {
  return (
    <ul aria-label={label}>
      {transactions.map((transaction) => (
        <li key={transaction.id} className="flex items-start gap-3 border-b py-3 last:border-b-0">
          <TransactionIcon kind={transaction.kind} />
          <div className="min-w-0 grow">
            <p className="font-medium leading-snug">{transaction.description}</p>
            <time dateTime={transaction.created_at} className="block text-muted text-sm">
              {formatDateTime(transaction.created_at)}
            </time>
            {actionOf?.(transaction)}
          </div>
          <Points value={transaction.type === 'credit' ? transaction.points : -transaction.points} hasSign />
        </li>
      ))}
    </ul>
  );
}

const icons: Record<Transaction['kind'], LucideIcon> = {
  task_completion: CircleCheckBig,
  referral_bonus: Users,
  welcome_bonus: PartyPopper,
  redemption: Gift,
  refund: RotateCcw,
  trial_budget: Rocket,
  purchase: CreditCard,
  purchase_reversal: Undo2,
  reserve: Lock,
  release: LockOpen,
  reversal: Undo2,
  adjustment: SlidersHorizontal,
};

/** Icon of the kind of transaction. Decorative: the description says it. */
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
