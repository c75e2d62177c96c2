import { formatPoints } from '@/lib/format';
import type { Submission } from './queries';

/** What a member hears after submitting: approved at once in beta (QUEST-14), or waiting for the project. */
export function completedMessage({ status, reward_points }: Pick<Submission, 'status' | 'reward_points'>): string {
  return status === 'approved'
    ? `Task completed! +${formatPoints(reward_points)} points earned!`
    : 'Proof submitted. The project reviews it next.';
}
