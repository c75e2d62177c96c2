import { Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { OnboardingInvite } from '@/features/onboarding';
import { ReferralCard } from '@/features/referrals';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { DashboardTiles } from '../components/dashboard-tiles';
import { RecentQuests } from '../components/recent-quests';

/** /community: where a member begins (DASH-01..04). */
export default function CommunityDashboardPage() {
  const { status, userId, name } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Not Signed In" text="Sign in to see your dashboard." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Community Dashboard" />
      <PageHeader
        title="Community Dashboard"
        lead={name ? `Good to see you, ${name.split(' ')[0]}.` : 'Good to see you.'}
        actions={
          <Button asChild>
            <Link to={paths.referrals}>
              <Users aria-hidden="true" />
              Refer Friends
            </Link>
          </Button>
        }
      />
      <div className="grid gap-10">
        <OnboardingInvite />
        <DashboardTiles />
        <RecentQuests />
        <ReferralCard userId={userId} />
      </div>
    </div>
  );
}
