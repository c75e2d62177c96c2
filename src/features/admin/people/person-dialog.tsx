import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { type Transaction, TransactionList, walletQueries } from '@/features/wallet';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { formatCount, formatDateTime, formatPoints } from '@/lib/format';
import type { Role } from '@/lib/role';
import type { Tables } from '@/types/database';
import { ReasonDialog } from '../components/reason-dialog';
import { Detail, DetailList, Id } from '../components/section';
import { EmailAddress } from '../components/table-cells';
import { spentSentence } from '../mutations';
import { adminTabPath } from '../tabs';
import { CorrectPointsDialog } from './correct-points-dialog';
import {
  useLiftSuspension,
  useRestoreAdmin,
  useReverseTransfer,
  useRevokeAdmin,
  useSuspend,
  useSwitchReferralCode,
} from './mutations';
import { PersonFactsView } from './person-facts';
import { peopleQueries } from './queries';

type Question = 'suspend' | 'lift' | 'revoke-admin' | 'restore-admin';

type PersonDialogProps = { userId: string; onChanged: () => void; onClose: () => void };

/** A person's profile, wallets and transfers; suspending with a reason (BEY-04). */
export function PersonDialog({ userId, onChanged, onClose }: PersonDialogProps) {
  const profile = useQuery(peopleQueries.profile(userId));
  const suspend = useSuspend();
  const lift = useLiftSuspension();
  const revokeAdmin = useRevokeAdmin();
  const restoreAdmin = useRestoreAdmin();
  const [asking, setAsking] = useState<Question | null>(null);
  const person = profile.data;
  const isDeleted = Boolean(useQuery({ ...peopleQueries.facts(userId), enabled: asking === 'lift' }).data?.deletion);

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={person?.username ?? 'Person'} size="lg">
      <QueryView query={profile} failure="This person could not be loaded">
        {(loaded) =>
          loaded ? (
            <PersonDetails person={loaded} onAsk={setAsking} />
          ) : (
            <p className="text-muted">Nobody with this id has signed in.</p>
          )
        }
      </QueryView>
      {asking === 'suspend' && (
        <ReasonDialog
          title={`Suspend ${person?.username}?`}
          consequence="They can still look around, but not submit, redeem, publish or refer until you lift it. Their other accounts are suspended, too. They see your reason."
          missing="Please give a reason"
          confirmLabel="Suspend person"
          onConfirm={async (reason) => {
            await suspend.mutateAsync({ userId, reason });
            onChanged();
            toast.success('Suspended');
          }}
          failure={(error) => describeError(error, { prefix: 'Failed to suspend' })}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'revoke-admin' && (
        <ReasonDialog
          title={`Revoke admin rights from ${person?.username}?`}
          consequence="They lose them with their next request, whatever the identity provider says. They remain a member, and can then be suspended."
          hint="For the audit log."
          missing="Please give a reason"
          confirmLabel="Revoke admin rights"
          onConfirm={async (reason) => {
            await revokeAdmin.mutateAsync({ userId, reason });
            onChanged();
            toast.success(`${person?.username} is no longer an admin`);
          }}
          failure={(error) => describeError(error, { prefix: 'Failed to revoke admin rights' })}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'restore-admin' && (
        <ReasonDialog
          title={`Restore admin rights to ${person?.username}?`}
          consequence="They are an admin again with their next request, if the identity provider or the owner’s address still says so. They can then do everything you can, including revoking your rights."
          hint="For the audit log."
          missing="Please give a reason"
          confirmLabel="Restore admin rights"
          onConfirm={async (reason) => {
            await restoreAdmin.mutateAsync({ userId, reason });
            onChanged();
            toast.success(`${person?.username} may be an admin again`);
          }}
          failure={(error) => describeError(error, { prefix: 'Failed to restore admin rights' })}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'lift' && (
        <ReasonDialog
          title={`Lift the suspension of ${person?.username}?`}
          consequence={
            isDeleted
              ? 'This account stays deleted. A new account of the same person can do everything, at once.'
              : 'They can do everything again, at once.'
          }
          label="Note"
          hint="For the audit log. Optional."
          confirmLabel="Lift suspension"
          isDangerous={false}
          onConfirm={async (note) => {
            await lift.mutateAsync({ userId, note });
            onChanged();
            toast.success('The suspension is lifted');
          }}
          failure={(error) => describeError(error, { prefix: 'Failed to lift the suspension' })}
          onClose={() => setAsking(null)}
        />
      )}
    </Dialog>
  );
}

type PersonDetailsProps = { person: Tables<'user_profiles'>; onAsk: (question: Question) => void };

function PersonDetails({ person, onAsk }: PersonDetailsProps) {
  const session = useSession();
  const isOneself = person.user_id === session.userId;
  const deletion = useQuery(peopleQueries.facts(person.user_id)).data?.deletion ?? null;
  // Erasing an account suspends it. There is nothing to lift unless it was suspended before.
  const isSuspended = person.suspended_at !== null && (deletion === null || deletion.was_suspended);
  const [written, setWritten] = useState<number | null>(null);
  return (
    <div className="grid gap-5">
      {written !== null && (
        <Notice
          tone="success"
          title={`Transfer ${written} is written`}
          actions={
            <Button variant="secondary" asChild>
              <Link to={adminTabPath('audit')}>See it in the audit log</Link>
            </Button>
          }
        />
      )}
      {deletion && (
        <Notice tone="waiting" title={`Account deleted on ${formatDateTime(deletion.at)}`}>
          Nobody can sign in with it.
        </Notice>
      )}
      {person.suspended_at && isSuspended && (
        <Notice tone="danger" title={`Suspended since ${formatDateTime(person.suspended_at)}`}>
          <p>{person.suspension_reason}</p>
          {deletion && <p>This holds for a new account of the same person, too.</p>}
        </Notice>
      )}
      <DetailList>
        <Detail label="Name">{person.display_name ?? '—'}</Detail>
        <Detail label="Email">
          <EmailAddress>{person.email ?? 'No email'}</EmailAddress>
        </Detail>
        <Detail label="Role">
          <span className="inline-flex flex-wrap gap-2">
            <Badge>{roleLabels[person.role]}</Badge>
            {person.og_badge && <Badge tone="points">OG</Badge>}
          </span>
        </Detail>
        <Detail label="Joined">{formatDateTime(person.created_at)}</Detail>
        <Detail label="User ID">
          <Id>{person.user_id}</Id>
        </Detail>
      </DetailList>
      <PersonFactsView userId={person.user_id} />
      {!isOneself && <RevokedAdminRight userId={person.user_id} onRestore={() => onAsk('restore-admin')} />}
      {!deletion && <ReferralCode userId={person.user_id} />}
      <PersonWallets person={person} isOneself={isOneself} onWritten={setWritten} />
      {person.role !== 'admin' && !isOneself && (
        <DialogActions>
          {!deletion && (
            <Button variant={isSuspended ? 'secondary' : 'danger'} onClick={() => onAsk('suspend')}>
              {isSuspended ? 'Change reason' : 'Suspend'}
            </Button>
          )}
          {isSuspended && <Button onClick={() => onAsk('lift')}>Lift suspension</Button>}
        </DialogActions>
      )}
      {person.role === 'admin' && (
        <DialogActions>
          <Button variant="danger" onClick={() => onAsk('revoke-admin')}>
            Revoke admin rights
          </Button>
        </DialogActions>
      )}
    </div>
  );
}

type PersonWalletsProps = {
  person: Tables<'user_profiles'>;
  isOneself: boolean;
  /** Called with the id of a transfer that corrects points or takes them back. */
  onWritten: (transferId: number) => void;
};

/** A person's wallets with their transfers; admins correct those of others and take points back (TRUST-23). */
function PersonWallets({ person, isOneself, onWritten }: PersonWalletsProps) {
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

/** The person's referral code and its figures; can be deactivated (C-108). */
function ReferralCode({ userId }: { userId: string }) {
  const code = useQuery(peopleQueries.referralCode(userId));
  const change = useSwitchReferralCode();
  const handleSwitch = async ({ code, is_active: wasActive }: Tables<'referral_codes'>) => {
    try {
      await change.mutateAsync({ code, isActive: !wasActive });
      toast.success(wasActive ? `${code} no longer works` : `${code} works again`, code);
    } catch (error) {
      toast.error(describeError(error, { prefix: 'Failed to change the code' }), code);
    }
  };
  return (
    <QueryView query={code} failure="The referral code could not be loaded" pending={<Skeleton className="h-11" />}>
      {(found) =>
        found && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p>
              Referral code <code>{found.code}</code>, {formatCount(found.successful_referrals, 'referral')}{' '}
              {!found.is_active && <Badge tone="warning">Inactive</Badge>}
            </p>
            <Button variant="secondary" isLoading={change.isPending} onClick={() => handleSwitch(found)}>
              {found.is_active ? 'Deactivate code' : 'Activate code'}
            </Button>
          </div>
        )
      }
    </QueryView>
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

/** Role labels for admins. */
export const roleLabels: Readonly<Record<Role, string>> = {
  community: 'Community',
  startup_unverified: 'Project (unverified)',
  startup_verified: 'Project (verified)',
  admin: 'Admin',
};

/**
 * Notice of a revoked admin right, with the action that restores it (TRUST-19); nothing for everybody else. The reason is in
 * the history of the same facts, which also shows a loading failure.
 */
function RevokedAdminRight({ userId, onRestore }: { userId: string; onRestore: () => void }) {
  const revokedAt = useQuery(peopleQueries.facts(userId)).data?.admin_revoked_at;
  if (!revokedAt) return null;
  return (
    <Notice
      tone="waiting"
      title="Admin rights are revoked"
      actions={
        <Button variant="secondary" onClick={onRestore}>
          Restore admin rights
        </Button>
      }
    >
      <p>Since {formatDateTime(revokedAt)}, whatever the identity provider says.</p>
    </Notice>
  );
}
