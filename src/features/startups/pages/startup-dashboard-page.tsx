import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { CampaignList } from '@/features/campaigns';
import { paths } from '@/lib/paths';
import { DashboardTiles } from '../components/dashboard-tiles';
import { OwnStartup } from '../components/own-startup';
import { PaymentPanel } from '../components/payment-panel';
import { ProfileCard } from '../components/profile-card';
import { StartupPitch } from '../components/startup-pitch';
import { StartupStatusBanner } from '../components/startup-status';
import { TrialBanner } from '../components/trial-banner';
import type { Startup } from '../queries';

/** Project dashboard: the pitch without a profile, otherwise the project and its quests (SDASH-01, SDASH-02). */
export function StartupDashboardPage() {
  return <OwnStartup whenMissing={<Pitch />}>{(startup) => <Dashboard startup={startup} />}</OwnStartup>;
}

function Pitch() {
  return (
    <div className="page-column grid gap-6 py-8">
      <PageMeta title="Project dashboard" />
      <PaymentPanel startup={null} />
      <StartupPitch />
    </div>
  );
}

function Dashboard({ startup }: { startup: Startup }) {
  const isVerified = startup.status === 'verified';
  return (
    <div className="page-column grid gap-6 pb-16">
      <PageMeta title="Project dashboard" />
      <PageHeader
        title="Project dashboard"
        actions={
          isVerified && (
            <Button asChild>
              <Link to={paths.campaignNew}>
                <Plus aria-hidden="true" />
                Create Quest
              </Link>
            </Button>
          )
        }
      />
      <PaymentPanel startup={startup} />
      <ProfileCard startup={startup} />
      <StartupStatusBanner startup={startup} />
      <DashboardTiles startupId={startup.id} />
      <section aria-label="Your quests" className="grid gap-4">
        <h2 className="text-2xl">Your quests</h2>
        <CampaignList startupId={startup.id} canCreate={isVerified} />
      </section>
      <TrialBanner startup={startup} />
    </div>
  );
}
