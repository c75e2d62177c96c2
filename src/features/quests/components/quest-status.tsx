import { Notice } from '@/components/notice';
import type { Status } from '@/components/status-badge';
import type { Quest } from '../queries';

const words = { draft: 'Draft', published: 'Published', closed: 'Closed' } as const satisfies Record<string, Status>;

/** The word on the stamp of a stored status. */
export function statusLabel(status: Quest['status']): Status {
  return words[status];
}

/** Why an admin has taken the quest down, and that only an admin can lift it (C-25). */
export function HoldNotice({ quest }: { quest: Quest }) {
  if (quest.hold_reason === null) return null;
  return (
    <Notice tone="danger" title="On hold by moderation">
      <p>{quest.hold_reason}</p>
      <p>You can edit the quest. It can be published again once an admin has lifted the hold.</p>
    </Notice>
  );
}
