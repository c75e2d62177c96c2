import { useQuery } from '@tanstack/react-query';
import { PointsBalance } from '@/components/points-balance';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { BalanceChart, type Wallet, walletQueries } from '@/features/wallet';

/** Points in hand, and how they came and went as a picture (REWARD-02). */
export function PointsCard({ wallet }: { wallet: Wallet }) {
  const transactions = useQuery(walletQueries.transactions(wallet.id));
  return (
    <Card as="section" aria-labelledby="available-points" className="grid content-between gap-4">
      <div>
        <h2 id="available-points" className="font-medium font-sans text-base text-muted tracking-normal">
          Available points
        </h2>
        <PointsBalance value={wallet.points} className="font-display text-4xl" />
      </div>
      {transactions.isPending && <Skeleton className="h-22" />}
      {transactions.data?.length === 0 && (
        <p className="flex h-22 items-end text-muted text-sm">Your first points start a line here.</p>
      )}
      {transactions.data && <BalanceChart transactions={transactions.data} />}
    </Card>
  );
}
