import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { formatCount, formatDateTime } from '@/lib/format';
import type { Role } from '@/lib/role';
import type { Tables } from '@/types/database';
import { ReasonDialog } from '../components/reason-dialog';
import { Detail, DetailList, Id } from '../components/section';
import { EmailAddress } from '../components/table-cells';
import { adminTabPath } from '../tabs';
import { useLiftSuspension, useRestoreAdmin, useRevokeAdmin, useSuspend, useSwitchReferralCode } from './mutations';
import { PersonFactsView } from './person-facts';
import { PersonWallets } from './person-wallets';
import { type PersonFacts, peopleQueries } from './queries';

type Question = 'suspend' | 'change-reason' | 'lift' | 'revoke-admin' | 'restore-admin';

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
  const deletion = useQuery({ ...peopleQueries.facts(userId), enabled: Boolean(person) }).data?.deletion ?? null;

  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={person?.username ?? 'Person'} size="lg">
      <QueryView query={profile} failure="This person could not be loaded">
        {(loaded) =>
          loaded ? (
            <PersonDetails person={loaded} deletion={deletion} onAsk={setAsking} />
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
      {asking === 'change-reason' && (
        <ReasonDialog
          title={`Change why ${person?.username} is suspended?`}
          consequence="They stay suspended, and see your reason instead of the present one. The audit log keeps both."
          missing="Please give a reason"
          confirmLabel="Change reason"
          onConfirm={async (reason) => {
            await suspend.mutateAsync({ userId, reason });
            onChanged();
            toast.success('The reason is changed');
          }}
          failure={(error) => describeError(error, { prefix: 'Failed to change the reason' })}
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
            deletion
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

type PersonDetailsProps = {
  person: Tables<'user_profiles'>;
  deletion: PersonFacts['deletion'];
  onAsk: (question: Question) => void;
};

function PersonDetails({ person, deletion, onAsk }: PersonDetailsProps) {
  const session = useSession();
  const isOneself = person.user_id === session.userId;
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
              <Link to={adminTabPath('audit', { q: person.user_id })}>See it in the audit log</Link>
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
            <Badge>{roleBadges[person.role]}</Badge>
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
            <Button
              variant={isSuspended ? 'secondary' : 'danger'}
              onClick={() => onAsk(isSuspended ? 'change-reason' : 'suspend')}
            >
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

/** Roles in a word or two, which fit into a badge of a table. */
export const roleBadges: Readonly<Record<Role, string>> = {
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
