import { EmptyState } from '@/components/empty-state';
import { Card } from '@/components/ui/card';
import { TransactionList, WalletHistory } from '@/features/wallet';

/** Every transaction of the member's wallet. */
export function HistoryView({ walletId }: { walletId: string }) {
  return (
    <div className="max-w-form">
      <WalletHistory
        walletId={walletId}
        failure="Your history could not be loaded"
        empty={<EmptyState drawing="purse" title="No transactions yet" />}
      >
        {(transactions) => (
          <Card className="py-1 sm:py-2">
            <TransactionList label="All transactions" transactions={transactions} />
          </Card>
        )}
      </WalletHistory>
    </div>
  );
}
