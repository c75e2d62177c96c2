import type { ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import type { Campaign } from '@/features/campaigns';
import { formatDate, formatNumber } from '@/lib/format';

/** The four figures above the list (SUBM-03). */
export function SubmissionStats({ campaign }: { campaign: Campaign }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Total Submissions">{formatNumber(campaign.submission_count)}</Stat>
      <Stat label="Tasks">{formatNumber(campaign.task_count)}</Stat>
      <Stat label="Approved">{formatNumber(campaign.approved_count)}</Stat>
      <Stat label="Published">{campaign.published_at ? formatDate(campaign.published_at) : 'Draft'}</Stat>
    </dl>
  );
}

function Stat({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card className="flex flex-col-reverse justify-end">
      <dt className="text-muted">{label}</dt>
      <dd className="font-bold font-display text-2xl tabular-nums">{children}</dd>
    </Card>
  );
}
