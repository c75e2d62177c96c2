import type { SuggestedQuest } from './quest';

/** Reason of a suggestion in one line; null when the only reason is that the quest is open. */
export function suggestionText({
  reason,
  reason_subject: subject,
}: Pick<SuggestedQuest, 'reason' | 'reason_subject'>): string | null {
  switch (reason) {
    case 'saved':
      return 'Because you saved it';
    case 'topic':
    case 'interest':
    case 'industry':
      return subject && `Because you like ${subject} quests`;
    case 'followed':
      return subject && `Because you follow ${subject}`;
    case 'new_project':
      return subject && `Because ${subject} is new here`;
    default:
      return null;
  }
}
