import { Gift } from 'lucide-react';
import { PageHeader } from '@/components/page-header';
import { Points } from '@/components/points';
import { StatusStamp } from '@/components/status-stamp';
import { formatAge, formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { QuestView } from '../use-quest';

/** Way back, title, and the facts that decide whether to take part. */
export function QuestHeader({ view: { campaign, tasks, viewer } }: { view: QuestView }) {
  const points = tasks.reduce((sum, task) => sum + task.reward_points, 0);
  const isFull = tasks.length > 0 && campaign.is_full;
  return (
    <>
      <PageHeader
        back={viewer === 'visitor' ? { to: paths.browse(), label: 'Back' } : { to: paths.community, label: 'Back' }}
        title={campaign.title}
        lead={campaign.summary}
      />
      <div className="-mt-2 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        {campaign.status === 'draft' && <StatusStamp status="Draft" />}
        {campaign.status === 'closed' && <StatusStamp status="Closed" />}
        {campaign.status === 'published' && isFull && <StatusStamp status="Quest Full" />}
        {(points > 0 || !campaign.custom_reward_title) && <Points value={points} className="text-lg" />}
        {campaign.custom_reward_title && (
          <span className="inline-flex items-center gap-1.5 font-semibold">
            <Gift aria-hidden="true" className="size-4 text-action" />
            {campaign.custom_reward_title}
          </span>
        )}
        <span className="text-muted">{formatCount(tasks.length, 'task')}</span>
        {campaign.published_at && <span className="text-muted">Published {formatAge(campaign.published_at)}</span>}
      </div>
    </>
  );
}
