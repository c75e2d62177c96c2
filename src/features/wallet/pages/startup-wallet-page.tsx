import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ErrorState } from '@/components/error-state';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { startupQueries } from '@/features/startups';
import { useSession } from '@/lib/auth';
import { AppError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { PayoutsSection } from '../components/payouts-section';
import { StartupTransactions } from '../components/startup-transactions';
import { WalletFigures } from '../components/wallet-figures';
import { walletQueries } from '../queries';

/** The owner's project and its wallet; having no project is a failure of its own (SWAL-02). */
function useStartupWallet(userId: string) {
  const startup = useQuery(startupQueries.own(userId));
  const startupId = startup.data?.id;
  const wallet = useQuery({ ...walletQueries.startup(startupId ?? ''), enabled: startupId !== undefined });
  const reserves = useQuery(walletQueries.reserves(userId));
  const missing =
    startup.isSuccess && !startup.data
      ? new AppError('STARTUP_NOT_FOUND', 'No startup profile found for this account.', 404)
      : null;
  return {
    wallet: wallet.data,
    reserved: reserves.data ? reserves.data.reduce((sum, { points }) => sum + points, 0) : null,
    isPending: startup.isPending || (startupId !== undefined && wallet.isPending),
    isFetching: startup.isFetching || wallet.isFetching,
    missing,
    hasFailed: startup.isError || wallet.isError,
    retry: () => void Promise.all([startup.refetch(), startupId ? wallet.refetch() : null, reserves.refetch()]),
  };
}

function WalletContent({ userId }: { userId: string }) {
  const { wallet, reserved, isPending, isFetching, missing, hasFailed, retry } = useStartupWallet(userId);
  if (isPending) {
    return (
      <div className="grid gap-8" aria-busy="true">
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-56 rounded-card" />
      </div>
    );
  }
  return (
    <div className="grid gap-10">
      {(hasFailed || missing) && (
        <div className="grid justify-items-start gap-4">
          <div className="w-full">
            <ErrorState
              title="Error Loading Data"
              text={missing ? missing.message : 'Failed to load wallet data'}
              onRetry={retry}
              isRetrying={isFetching}
              retryLabel="Try Again"
            />
          </div>
          {missing && (
            <Button asChild>
              <Link to={paths.startupCreate}>Create your project profile</Link>
            </Button>
          )}
        </div>
      )}
      {wallet !== undefined && (
        <>
          <WalletFigures wallet={wallet} reserved={reserved} />
          <PayoutsSection ownerId={userId} />
          {wallet && (
            <section aria-labelledby="transactions" className="grid gap-4">
              <h2 id="transactions" className="text-2xl">
                Transactions
              </h2>
              <StartupTransactions walletId={wallet.id} />
            </section>
          )}
        </>
      )}
    </div>
  );
}

/** /startup/wallet: the project's points, where they went and what is left (SWAL-01, C-03). */
export default function StartupWalletPage() {
  const { userId, status } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Project wallet" />
      <PageHeader
        title="Project wallet"
        lead="The points that pay for your quests. Your own points as a member are kept apart."
        back={{ to: paths.startup, label: 'Back to dashboard' }}
      />
      <WalletContent userId={userId} />
    </div>
  );
}
