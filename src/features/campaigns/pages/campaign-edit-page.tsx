import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { PageMeta } from '@/components/page-meta';
import { Spinner } from '@/components/ui/spinner';
import { toast } from '@/components/ui/toast';
import { OwnStartup, type Startup } from '@/features/startups';
import { paths } from '@/lib/paths';
import { CampaignEditor } from '../components/campaign-editor';
import { campaignQueries } from '../queries';

/** Edit campaign. Whoever does not own it, and whatever cannot be loaded, leads to the dashboard (QEDIT-01, C-42). */
export function CampaignEditPage() {
  const { id = '' } = useParams();
  return (
    <OwnStartup
      loadingLabel="Loading campaign..."
      whenMissing={<Navigate to={paths.startup} replace />}
      whenFailed={<LoadingFailed />}
    >
      {(startup) => <EditCampaign key={id} id={id} startup={startup} />}
    </OwnStartup>
  );
}

/**
 * The form starts from what is stored now: from an older copy, saving would undo what was changed since. Once it is
 * open, nothing is read under it.
 */
const readOnce = { refetchOnMount: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

function EditCampaign({ id, startup }: { id: string; startup: Startup }) {
  const campaign = useQuery({ ...campaignQueries.detail(id), ...readOnce });
  const tasks = useQuery({ ...campaignQueries.tasks(id), ...readOnce });

  if (campaign.isError || tasks.isError) return <LoadingFailed />;
  const isReady = campaign.isFetchedAfterMount && tasks.isFetchedAfterMount;
  if (!isReady || campaign.data === undefined || tasks.data === undefined) {
    return (
      <div className="page-column py-8">
        <Spinner label="Loading campaign..." className="text-muted" />
      </div>
    );
  }
  if (campaign.data === null || campaign.data.startup_id !== startup.id) return <Navigate to={paths.startup} replace />;
  return (
    <div className="page-column pb-16">
      <PageMeta title="Edit campaign" />
      <CampaignEditor campaign={campaign.data} tasks={tasks.data} />
    </div>
  );
}

/** Goes to the dashboard and says why, so that a failure does not look like an empty place (TRUST-14). */
function LoadingFailed() {
  useEffect(() => toast.error('The campaign could not be loaded. Please try again.'), []);
  return <Navigate to={paths.startup} replace />;
}
