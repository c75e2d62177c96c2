import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { OwnProfile } from '../components/own-profile';
import { ProfileEditor } from '../components/profile-editor';

/** /profile and /community/profile: one's names and address, with a preview and quick stats (PROF-01, C-32). */
export default function ProfilePage() {
  const { status, userId } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated text="Please sign in to update your profile" />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Edit Profile" />
      <PageHeader
        title="Edit Profile"
        lead="How you appear on Questboard."
        back={{ to: paths.home, label: 'Back to Home' }}
      />
      <OwnProfile>{(own) => <ProfileEditor userId={userId} {...own} />}</OwnProfile>
    </div>
  );
}
