import { ListChecks, Pencil } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { Campaign, Task } from '@/features/campaigns';
import { paths } from '@/lib/paths';
import { QuestAnalytics } from './quest-analytics';
import { RecentSubmissions } from './recent-submissions';

/** What the owner sees in place of progress (QUEST-11). */
export function OwnerPanel({ campaign, tasks }: { campaign: Campaign; tasks: Task[] }) {
  return (
    <section aria-label="Your quest" className="grid gap-4">
      {campaign.hold_reason && (
        <Notice tone="danger" title="This quest is on hold">
          {campaign.hold_reason}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
        <Button asChild>
          <Link to={paths.campaignSubmissions(campaign.id)}>
            <ListChecks aria-hidden="true" />
            View All Submissions
          </Link>
        </Button>
        <Button variant="secondary" asChild>
          <Link to={paths.campaignEdit(campaign.id)}>
            <Pencil aria-hidden="true" />
            Edit Campaign
          </Link>
        </Button>
      </div>
      <QuestAnalytics campaign={campaign} tasks={tasks} />
      <Card as="section" aria-labelledby="recent-submissions" className="grid gap-3">
        <h2 id="recent-submissions" className="text-xl">
          Recent submissions
        </h2>
        <RecentSubmissions campaignId={campaign.id} tasks={tasks} />
      </Card>
    </section>
  );
}
