import { Notice } from '@/components/notice';
import type { Campaign } from '../queries';

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
