import { FlaskConical } from 'lucide-react';
import { Points } from '@/components/points';
import { StatusStamp } from '@/components/status-stamp';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Progress } from '@/components/ui/progress';
import { formatCount } from '@/lib/format';
import type { QuestProgress } from '../quest-progress';

/** How far the member has come (QUEST-08). */
export function ProgressCard({ progress }: { progress: QuestProgress }) {
  const { done, total, earned, isComplete } = progress;
  const text = `${done} of ${formatCount(total, 'task')}`;
  return (
    <Card as="section" aria-labelledby="your-progress" className="grid gap-3 max-lg:order-first">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="your-progress" className="text-xl">
          Your Progress
        </h2>
        <Badge tone="points">
          <FlaskConical aria-hidden="true" />
          BETA MODE
        </Badge>
      </div>
      <Progress label="Your progress" value={done} max={Math.max(total, 1)} valueText={text} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-muted tabular-nums">{text}</span>
        <span className="inline-flex items-center gap-1.5">
          <Points value={earned} /> earned
        </span>
      </div>
      {isComplete && <StatusStamp status="Quest Complete" className="animate-stamp justify-self-start" />}
    </Card>
  );
}
