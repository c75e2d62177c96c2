import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Points } from '@/components/points';
import { formatDateTime, formatPoints } from '@/lib/format';
import { signedPoints } from '../points-series';
import type { Transaction } from '../queries';
import { WalletHistory } from './wallet-history';

const columns: DataColumn<Transaction>[] = [
  { key: 'what', header: 'What', cell: ({ description }) => description },
  {
    key: 'when',
    header: 'When',
    cell: ({ created_at }) => <time dateTime={created_at}>{formatDateTime(created_at)}</time>,
  },
  {
    key: 'points',
    header: 'Points',
    isNumeric: true,
    cell: (transaction) => <Points value={signedPoints(transaction)} hasSign />,
  },
  {
    key: 'balance',
    header: 'Balance after',
    isNumeric: true,
    cell: ({ balance_after }) => (balance_after === null ? '–' : formatPoints(balance_after)),
  },
];

/** The history of a project's wallet with the running balance (SWAL-01, DB-13). */
export function StartupTransactions({ walletId }: { walletId: string }) {
  return (
    <WalletHistory
      walletId={walletId}
      failure="The transactions could not be loaded"
      empty={
        <EmptyState
          level={3}
          drawing="purse"
          title="No transactions yet"
          text="Your trial budget arrives when your project is verified. What quests reserve and release appears here too."
        />
      }
    >
      {(transactions) => (
        <DataTable caption="Transactions" columns={columns} rows={transactions} rowKey={({ id }) => String(id)} />
      )}
    </WalletHistory>
  );
}
