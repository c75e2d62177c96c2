import { useQuery } from '@tanstack/react-query';
import { ClipboardCheck, Download, Eye, Lock, Megaphone, Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { EmptyState } from '@/components/empty-state';
import { ErrorState } from '@/components/error-state';
import { Points } from '@/components/points';
import { SpotProgress } from '@/components/spot-progress';
import { StatusBadge } from '@/components/status-badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { downloadBlob } from '@/lib/csv';
import { errorMessage } from '@/lib/errors';
import { formatAge, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { type Campaign, campaignQueries, fetchCollectedEmails } from '../detail-queries';
import { emailsCsv, emailsFileName } from '../emails-csv';
import { useCloseCampaign, usePublishCampaign, useUnpublishCampaign } from '../mutations';
import { HoldNotice, statusLabel } from './quest-status';

type CampaignListProps = {
  startupId: string;
  /** Only verified projects are offered to create a quest (SDASH-06). */
  canCreate: boolean;
};

/** All quests of the own project. */
export function CampaignList({ startupId, canCreate }: CampaignListProps) {
  const query = useQuery(campaignQueries.byStartup(startupId));
  if (query.isLoadingError) {
    return (
      <ErrorState
        title="Your quests could not be loaded"
        error={query.error}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const campaigns = query.data ?? [];
  // An empty list that is being read again may be the one from before the first quest: it is not shown as final.
  if (query.isPending || (campaigns.length === 0 && query.isFetching))
    return <Skeleton className="h-48 rounded-card" />;
  if (campaigns.length === 0) {
    return (
      <EmptyState
        level={3}
        title="No quests yet"
        text="Pick a template, say where, and your first quest is live in two minutes."
        action={
          canCreate && (
            <Button asChild>
              <Link to={paths.campaignNew}>Create Your First Quest</Link>
            </Button>
          )
        }
      />
    );
  }
  return (
    <ul className="grid gap-4">
      {campaigns.map((campaign) => (
        <CampaignCard key={campaign.id} campaign={campaign} />
      ))}
    </ul>
  );
}

/** The quest's counters, kept by the database in step with its submissions (SDASH-08). */
function CampaignFigures({ campaign }: { campaign: Campaign }) {
  const figures = [
    ['Participants', campaign.participant_count],
    ['Submissions', campaign.submission_count],
    ['Approved', campaign.approved_count],
    ['Pending', campaign.pending_count],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([label, count]) => (
        <div key={label} className="rounded-control bg-sunken px-3 py-2">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="font-bold font-display text-xl tabular-nums">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function when(campaign: Campaign): string {
  if (campaign.status === 'published' && campaign.published_at) return `Live since ${formatAge(campaign.published_at)}`;
  if (campaign.status === 'closed' && campaign.closed_at) return `Closed ${formatAge(campaign.closed_at)}`;
  return `Created ${formatAge(campaign.created_at)}`;
}

/** An own quest on the dashboard: how it is doing, and what its owner can do with it (SDASH-07, SDASH-08). */
function CampaignCard({ campaign }: { campaign: Campaign }) {
  const isPublished = campaign.status === 'published';
  const hasFigures = isPublished || campaign.submission_count > 0;
  return (
    <Card as="li" aria-label={campaign.title} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h3 className="text-xl [overflow-wrap:anywhere]">{campaign.title}</h3>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
            {when(campaign)}
            <span className="inline-flex items-center gap-1.5">
              Budget <Points value={campaign.budget_points} />
            </span>
          </p>
        </div>
        <StatusBadge status={statusLabel(campaign.status)} />
      </div>
      <HoldNotice campaign={campaign} />
      {hasFigures && <CampaignFigures campaign={campaign} />}
      {isPublished && <SpotProgress left={Math.max(0, campaign.open_slots ?? 0)} total={campaign.total_slots} />}
      <div className="flex flex-wrap gap-2">
        {hasFigures && (
          <Button asChild>
            <Link to={paths.campaignSubmissions(campaign.id)}>
              <ClipboardCheck aria-hidden="true" />
              View Submissions
            </Link>
          </Button>
        )}
        {!isPublished && <PublishCampaign campaign={campaign} />}
        <Button variant="secondary" asChild>
          <Link to={paths.campaignEdit(campaign.id)}>
            <Pencil aria-hidden="true" />
            Edit
          </Link>
        </Button>
        {isPublished && (
          <>
            <Button variant="secondary" asChild>
              <Link to={paths.communityQuest(campaign.id)}>
                <Eye aria-hidden="true" />
                View Quest
              </Link>
            </Button>
            <UnpublishCampaign campaign={campaign} />
            <CloseCampaign campaign={campaign} />
          </>
        )}
        <DownloadEmails campaign={campaign} />
      </div>
    </Card>
  );
}

/** Publishes a draft, or opens a closed quest again; not while it is on hold (SDASH-07, C-25). */
function PublishCampaign({ campaign }: { campaign: Campaign }) {
  const publish = usePublishCampaign();
  const alert = useAlert();
  const handleClick = async () => {
    try {
      // Awaited, and not told by a callback of mutate(): this button is gone once the quest is read again.
      await publish.mutateAsync(campaign.id);
      toast.success(`“${campaign.title}” is live`);
    } catch (error) {
      alert(`Failed to publish campaign: ${errorMessage(error)}`);
    }
  };
  return (
    <Button isLoading={publish.isPending} disabled={campaign.held_at !== null} onClick={handleClick}>
      <Megaphone aria-hidden="true" />
      {campaign.status === 'closed' ? 'Publish again' : 'Publish'}
    </Button>
  );
}

/** Takes a live quest off the board for now: members stop seeing it, its points stay reserved. */
function UnpublishCampaign({ campaign }: { campaign: Campaign }) {
  const unpublish = useUnpublishCampaign();
  const handleClick = async () => {
    try {
      await unpublish.mutateAsync(campaign.id);
      toast.success(`“${campaign.title}” is a draft again`);
    } catch (error) {
      toast.error(errorMessage(error));
    }
  };
  return (
    <Button variant="secondary" isLoading={unpublish.isPending} onClick={handleClick}>
      <Undo2 aria-hidden="true" />
      Unpublish
    </Button>
  );
}

/** Ends a quest after asking; what nobody was promised comes back to the wallet. */
function CloseCampaign({ campaign }: { campaign: Campaign }) {
  const [isAsking, setIsAsking] = useState(false);
  const close = useCloseCampaign();
  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Lock aria-hidden="true" />
        Close
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Close “${campaign.title}”?`}
        consequence="Members can no longer take part. Points that nobody was promised come back to your wallet; pending submissions can still be reviewed."
        confirmLabel="Close quest"
        isDangerous={false}
        onConfirm={() => close.mutateAsync(campaign.id)}
      />
    </>
  );
}

/** Downloads the quest's e-mail addresses; there only when it has collected some (SDASH-08, SDASH-09). */
function DownloadEmails({ campaign }: { campaign: Campaign }) {
  const count = useQuery(campaignQueries.emailCount(campaign.id)).data ?? 0;
  const [isReading, setIsReading] = useState(false);
  const alert = useAlert();
  if (count === 0) return null;

  const handleClick = async () => {
    setIsReading(true);
    try {
      const emails = await fetchCollectedEmails(campaign.id);
      // A member can have withdrawn the only address since it was counted.
      if (emails.length === 0) alert('No emails collected for this campaign yet.');
      else downloadBlob(emailsCsv(campaign.title, emails), emailsFileName(campaign.title));
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setIsReading(false);
    }
  };

  return (
    <Button variant="secondary" isLoading={isReading} onClick={handleClick}>
      <Download aria-hidden="true" />
      Download Emails
    </Button>
  );
}
