import { Notice } from '@/components/notice';
import type { Status } from '@/components/status-badge';
import type { Campaign } from '../detail-queries';

const words = { draft: 'Draft', published: 'Published', closed: 'Closed' } as const satisfies Record<string, Status>;

/** The word on the stamp of a stored status. */
export function statusLabel(status: Campaign['status']): Status {
  return words[status];
}

/** Why an admin has taken the quest down, and that only an admin can lift it (C-25). */
export function HoldNotice({ campaign }: { campaign: Campaign }) {
  if (campaign.hold_reason === null) return null;
  return (
    <Notice tone="danger" title="On hold by moderation">
      <p>{campaign.hold_reason}</p>
      <p>You can edit the quest. It can be published again once an admin has lifted the hold.</p>
    </Notice>
  );
}
