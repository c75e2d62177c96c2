import { Link } from 'react-router-dom';
import { Notice } from '@/components/notice';
import type { Status } from '@/components/status-badge';
import { formatDate } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { Quest } from '../queries';
import type { OwnQuest } from '../quest';

const words = { draft: 'Draft', published: 'Published', closed: 'Closed' } as const satisfies Record<string, Status>;

/** Label of a quest's status badge: a draft that has been live and keeps its points is paused (BEY-07). */
export function statusLabel({ status, published_at }: Pick<Quest, 'status' | 'published_at'>): Status {
  return status === 'draft' && published_at !== null ? 'Paused' : words[status];
}

type HoldCause = NonNullable<Quest['hold_cause']>;

const titles = {
  moderation: 'On hold by moderation',
  suspension: 'On hold because your account is suspended',
  revocation: 'On hold because the verification of your project was revoked',
} as const satisfies Record<HoldCause, string>;

/** What ends a hold that follows from another decision; the database then restores the quest. */
const endings = {
  suspension: 'your account is reinstated',
  revocation: 'your project is verified again',
} as const;

/** Why a quest is held, since when, and what its owner can do about it (C-25, C-91, TRUST-18). */
export function HoldNotice({ quest }: { quest: Pick<Quest, 'hold_reason' | 'hold_cause' | 'held_at'> }) {
  const { hold_reason: reason, hold_cause: cause, held_at: since } = quest;
  if (reason === null || cause === null || since === null) return null;
  return (
    <Notice tone="danger" title={titles[cause]}>
      <p className="dir-auto whitespace-pre-line text-ink [overflow-wrap:anywhere]">{reason}</p>
      {cause === 'moderation' ? (
        <p>
          An admin took this quest down on {formatDate(since)}. Fix what the reason names; you can still edit the quest.
          You can publish it again once an admin has lifted the hold. Questions? Use Share Feedback in the menu.
        </p>
      ) : (
        <p>
          Members have not seen it since {formatDate(since)}. Its points stay reserved and waiting proofs are kept. It
          is restored automatically once {endings[cause]}. You can appeal once, on{' '}
          <Link to={paths.founder} className="text-action underline underline-offset-4">
            your dashboard
          </Link>
          .
        </p>
      )}
    </Notice>
  );
}

/** Why a quest that was live is a draft without points (BEY-20). */
export function TakenBackNotice({ quest: { points_taken_back_at: at } }: { quest: OwnQuest }) {
  if (!at) return null;
  return (
    <Notice tone="waiting" title="Back to draft: a payment was returned">
      <p>
        A payment for points was refunded or disputed, and on {formatDate(at)} the points reserved for this quest went
        back with it. Publish it again once your wallet has enough.{' '}
        <Link to={paths.billing} className="text-action underline underline-offset-4">
          See your payments
        </Link>
      </p>
    </Notice>
  );
}
