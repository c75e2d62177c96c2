import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { Button } from '@/components/ui/button';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { type Transaction, TransactionList, walletQueries } from '@/features/wallet';
import { describeError } from '@/lib/errors';
import { formatCount, formatPoints } from '@/lib/format';
import type { Tables } from '@/types/database';
import { ReasonDialog } from '../components/reason-dialog';
import { spentSentence } from '../mutations';
import { CorrectPointsDialog } from './correct-points-dialog';
import { useReverseTransfer } from './mutations';
import { peopleQueries } from './queries';

type PersonWalletsProps = {
  person: Tables<'user_profiles'>;
  isOneself: boolean;
  /** Called with the id of a transfer that corrects points or takes them back. */
  onWritten: (transferId: number) => void;
};

/** A person's wallets with their transfers; admins correct those of others and take points back (TRUST-23). */
export function PersonWallets({ person, isOneself, onWritten }: PersonWalletsProps) {
  const wallets = useQuery(peopleQueries.wallets(person.user_id));
  const [correctingId, setCorrectingId] = useState<string | null>(null);
  // Looked up, not copied, so that the open dialog shows the current points.
  const correcting = wallets.data?.find(({ id }) => id === correctingId);
  const [reversing, setReversing] = useState<Transaction | null>(null);
  const reverse = useReverseTransfer();
  return (
    <>
      <QueryView query={wallets} failure="The wallets could not be loaded">
        {(rows) => (
          <div className="grid gap-5">
            {rows.length === 0 && <p className="text-muted">No wallet yet.</p>}
            {rows.map((wallet) => (
              <section key={wallet.id} className="grid gap-2">
                <h3 className="flex flex-wrap items-center justify-between gap-x-4 text-lg">
                  {wallet.kind === 'user' ? 'Personal wallet' : 'Project wallet'}
                  <Points value={wallet.points} />
                </h3>
                {wallet.kind === 'user' && (
                  <p className="text-muted text-sm">
                    {formatPoints(wallet.points - wallet.held_points)} available, {formatPoints(wallet.held_points)}{' '}
                    held.
                  </p>
                )}
                <PersonLedger walletId={wallet.id} onReverse={isOneself ? undefined : setReversing} />
                {!isOneself && (
                  <Button variant="secondary" className="justify-self-start" onClick={() => setCorrectingId(wallet.id)}>
                    Correct points
                  </Button>
                )}
              </section>
            ))}
          </div>
        )}
      </QueryView>
      {correcting && (
        <CorrectPointsDialog
          wallet={correcting}
          name={person.username}
          onCorrected={(id) => {
            onWritten(id);
            toast.success('The points are corrected');
          }}
          onClose={() => setCorrectingId(null)}
        />
      )}
      {reversing && (
        <ReasonDialog
          title={`Take back ${formatCount(reversing.points, 'point')}?`}
          consequence={`“${reversing.description}”. The points leave the wallet of ${person.username}; a proof that they paid for is rejected. They read your reason.`}
          missing="Please give a reason"
          confirmLabel="Take points back"
          onConfirm={async (reason) => {
            const { id } = await reverse.mutateAsync({ transferId: reversing.transfer_id, reason });
            onWritten(id);
            toast.success('The points are taken back');
          }}
          failure={(error) =>
            describeError(error, {
              prefix: 'Failed to take the points back',
              codes: { INSUFFICIENT_POINTS: spentSentence(person.username) },
            })
          }
          subject={{ type: 'transfer', id: String(reversing.transfer_id) }}
          onClose={() => setReversing(null)}
        />
      )}
    </>
  );
}

/** Kinds of transfers that an admin can reverse; anything else takes a correction. */
const isEarned = ({ type, kind }: Transaction) =>
  type === 'credit' && (kind === 'task_completion' || kind === 'referral_bonus' || kind === 'welcome_bonus');

type PersonLedgerProps = {
  walletId: string;
  /** Omitted for the admin's own wallet. */
  onReverse?: (transaction: Transaction) => void;
};

/** A wallet's transfers, newest first; earned points can be reversed (TRUST-23). */
function PersonLedger({ walletId, onReverse }: PersonLedgerProps) {
  const ledger = useInfiniteQuery(walletQueries.transactionPages(walletId));
  return (
    <QueryView
      query={ledger}
      failure="The ledger could not be loaded"
      pending={<Skeleton className="h-24" />}
      showsRefreshError
    >
      {({ pages }) => {
        const transactions = pages.flat();
        if (transactions.length === 0) return <p className="text-muted">Nothing has moved yet.</p>;
        return (
          <ScrollRegion label="Ledger" className="grid max-h-72 rounded-control border px-3">
            <TransactionList
              label="Ledger"
              transactions={transactions}
              actionOf={(transaction) =>
                transaction.is_reversed ? (
                  <p className="text-muted text-sm">Taken back</p>
                ) : (
                  onReverse &&
                  isEarned(transaction) && (
                    <Button
                      variant="link"
                      className="justify-self-start"
                      aria-label={`Take back: ${transaction.description}`}
                      onClick={() => onReverse(transaction)}
                    >
                      Take back
                    </Button>
                  )
                )
              }
            />
            <ShowMore list={ledger} variant="link">
              Show more
            </ShowMore>
          </ScrollRegion>
        );
      }}
    </QueryView>
  );
}
