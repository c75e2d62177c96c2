import { StatusStamp } from '@/components/status-stamp';
import { Badge } from '@/components/ui/badge';
import { feedbackStamps, priorities, typeWords } from './feedback-words';
import type { Feedback } from './queries';

export function TypeBadge({ type }: Pick<Feedback, 'type'>) {
  return <Badge>{typeWords[type] ?? type}</Badge>;
}

export function FeedbackStatus({ status }: Pick<Feedback, 'status'>) {
  return <StatusStamp status={feedbackStamps[status] ?? 'New'} />;
}

export function PriorityBadge({ priority }: Pick<Feedback, 'priority'>) {
  const known = priorities[priority];
  return <Badge tone={known?.tone}>{known?.word ?? priority}</Badge>;
}
