import { Points } from '@/components/points';
import { formatDateTime } from '@/lib/format';
import { signedPoints } from '../points-series';
import type { Transaction } from '../queries';
import { TransactionIcon } from './transaction-icon';

/** A wallet's movements, newest first: what, when, how much and, where it is known, the balance after. */
export function TransactionList({ label, transactions }: { label: string; transactions: readonly Transaction[] }) {
  return (
    <ul aria-label={label}>
      {transactions.map((transaction) => (
        <li key={transaction.id} className="flex items-start gap-3 border-b py-3 last:border-b-0">
          <TransactionIcon kind={transaction.kind} />
          <div className="min-w-0 grow">
            <p className="font-medium leading-snug">{transaction.description}</p>
            <time dateTime={transaction.created_at} className="text-muted text-sm">
              {formatDateTime(transaction.created_at)}
            </time>
          </div>
          <Points value={signedPoints(transaction)} hasSign />
        </li>
      ))}
    </ul>
  );
}
