import { ClipboardCheck, Eye, Pencil } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Points } from '@/components/points';
import { SpotMeter } from '@/components/spot-meter';
import { StatusStamp } from '@/components/status-stamp';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { formatAge, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import { statusWord } from '../campaign-status';
import type { Campaign } from '../queries';
import { CloseCampaign, PublishCampaign, UnpublishCampaign } from './campaign-status-actions';
import { DownloadEmails } from './download-emails';
import { HoldNotice } from './hold-notice';

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
export function CampaignCard({ campaign }: { campaign: Campaign }) {
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
        <StatusStamp status={statusWord(campaign.status)} />
      </div>
      <HoldNotice campaign={campaign} />
      {hasFigures && <CampaignFigures campaign={campaign} />}
      {isPublished && <SpotMeter left={Math.max(0, campaign.open_slots ?? 0)} total={campaign.total_slots} />}
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
