import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { ReferralCard } from '../components/referral-card';
import { ReferralHistory } from '../components/referral-history';

/** /community/referrals: the member's code, figures and latest referrals (REF-06, C-32). */
export default function ReferralsPage() {
  const { userId, status } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated title="Sign In Required" text="Sign in to see your referrals." />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Referrals" description="Invite friends to Questboard: both of you earn points." />
      <PageHeader
        title="Referrals"
        lead="Bring people who like to try new things. Both of you earn."
        back={{ to: paths.community, label: 'Back to community' }}
      />
      <div className="grid gap-10">
        <ReferralCard userId={userId} hasRefresh />
        <ReferralHistory userId={userId} />
      </div>
    </div>
  );
}
