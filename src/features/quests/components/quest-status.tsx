import { Notice } from '@/components/notice';
import type { Status } from '@/components/status-badge';
import type { Quest } from '../queries';

const words = { draft: 'Draft', published: 'Published', closed: 'Closed' } as const satisfies Record<string, Status>;

/** The word on the stamp of a quest: a draft that has been live and keeps its points is paused (BEY-07). */
export function statusLabel({ status, published_at }: Pick<Quest, 'status' | 'published_at'>): Status {
  return status === 'draft' && published_at !== null ? 'Paused' : words[status];
}

/** Why an admin has taken the quest down, and that only an admin can lift it (C-25). */
export function HoldNotice({ quest }: { quest: Pick<Quest, 'hold_reason'> }) {
  if (quest.hold_reason === null) return null;
  return (
    <Notice tone="danger" title="On hold by moderation">
      <p>{quest.hold_reason}</p>
      <p>You can edit the quest. It can be published again once an admin has lifted the hold.</p>
    </Notice>
  );
}
