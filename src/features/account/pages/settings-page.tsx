import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Card } from '@/components/ui/card';
import { useSession } from '@/lib/auth';
import { AccountStatus } from '../components/account-status';
import { ManageAccount } from '../components/manage-account';
import { OwnProfile } from '../components/own-profile';
import { QuickActions } from '../components/quick-actions';
import { SettingsForm } from '../components/settings-form';

/** /settings and /community/settings: profile fields, account status and ways on (PROF-02, C-32). */
export default function SettingsPage() {
  const { status, userId, role } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated text="Please sign in to update your profile" />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Settings" />
      <PageHeader title="Account settings" lead="Your names, your address and where your account stands." />
      <OwnProfile>
        {({ profile, initial }) => (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,43rem)_minmax(18rem,1fr)]">
            <Card>
              <SettingsForm profile={profile} initial={initial} />
            </Card>
            <div className="grid gap-6">
              <AccountStatus profile={profile} role={role} />
              <ManageAccount />
              <QuickActions />
            </div>
          </div>
        )}
      </OwnProfile>
    </div>
  );
}
