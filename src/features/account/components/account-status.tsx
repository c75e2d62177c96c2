import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { formatDate } from '@/lib/format';
import type { Role } from '@/lib/role';
import type { Profile } from '../queries';
import { roleWords } from '../role-words';

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-b py-2.5 last:border-b-0">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** What the account is and whether it may act (PROF-02). */
export function AccountStatus({ profile, role }: { profile: Profile | null; role: Role }) {
  const isSuspended = Boolean(profile?.suspended_at);
  return (
    <Card as="section" aria-labelledby="account-status">
      <h2 id="account-status" className="mb-2 text-xl">
        Account Status
      </h2>
      <dl>
        <Line label="Status">
          <Badge tone={isSuspended ? 'danger' : 'action'}>{isSuspended ? 'Suspended' : 'Active'}</Badge>
        </Line>
        {isSuspended && profile?.suspension_reason && <Line label="Reason">{profile.suspension_reason}</Line>}
        <Line label="Role">{roleWords[role]}</Line>
        <Line label="Verified email">{profile?.email ?? 'None yet'}</Line>
        <Line label="OG Member">{profile?.og_badge ? 'Yes' : 'No'}</Line>
        {profile && <Line label="Member since">{formatDate(profile.created_at)}</Line>}
      </dl>
    </Card>
  );
}
