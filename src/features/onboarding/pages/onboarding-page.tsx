import { NotAuthenticated } from '@/components/not-authenticated';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { useSession } from '@/lib/auth';
import { Wizard } from '../components/wizard';

/** /onboarding: the first steps of one's role (ONB-01). */
export default function OnboardingPage() {
  const { status, userId, role } = useSession();
  if (status === 'loading') return null;
  if (!userId) return <NotAuthenticated />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="First steps" />
      <PageHeader title="Welcome to Questboard" lead="A few steps, and you know your way around." />
      <Wizard userId={userId} role={role} />
    </div>
  );
}
