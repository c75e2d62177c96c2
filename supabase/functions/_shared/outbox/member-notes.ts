import { z } from 'zod';
import type { Note } from '../mail/messages.ts';
import { quote } from '../mail/quote.ts';
import { are, correctionSentence, heldOf, howApproved, pointsOf, rewardIsWhere } from '../notice-words.ts';
import { NAME_LENGTH, type Notes, optionalText, paragraphs, questPath } from './note-text.ts';

// Payloads as enqueued by the procedures (private.enqueue_event in supabase/schemas).
const approval = z.object({
  campaign_id: z.string(),
  task: optionalText,
  points: z.number(),
  held: z.optional(z.number()),
  decided_by: optionalText,
  status: optionalText,
});
const rejection = z.object({
  campaign_id: z.string(),
  task: optionalText,
  reason: optionalText,
  project: optionalText,
  due_at: optionalText,
});
const reversal = z.object({ campaign_id: z.string(), task: optionalText, points: z.number(), reason: optionalText });
const amount = z.object({ points: z.number() });
const correction = z.object({ points: z.number(), reason: optionalText, wallet: optionalText });
const newQuest = z.object({ campaign_id: z.string(), quest: z.string(), project: z.string() });
const redemption = z.object({ title: z.string(), delivery: optionalText, note: optionalText });
const redeemed = z.object({ title: z.string(), points: z.number(), delivery: z.string() });
const suspension = z.object({ reason: optionalText });
const appeal = z.object({
  outcome: z.enum(['upheld', 'overturned']),
  note: optionalText,
  kind: optionalText,
  campaign_id: optionalText,
  task: optionalText,
  points: z.optional(z.number()),
  held: z.optional(z.number()),
});
const handedOver = z.object({ project: z.string(), quest: z.string(), email: z.string(), statement: z.string() });

/** Mails to members, by event type. */
export const memberNotes: Notes = {
  SubmissionApproved: (payload) => submissionApproved(approval.parse(payload)),
  SubmissionReversed: (payload) => submissionReversed(reversal.parse(payload)),
  PointsHeld: (payload) => pointsHeld(amount.parse(payload)),
  PointsReleased: (payload) => pointsReleased(amount.parse(payload)),
  PointsCorrected: (payload) => pointsCorrected(correction.parse(payload)),
  ReferralCompleted: (payload) => referralCompleted(amount.parse(payload)),
  QuestPublished: (payload) => questPublished(newQuest.parse(payload)),
  SuspensionLifted: suspensionLifted,
  SubmissionRejected: (payload) => submissionRejected(rejection.parse(payload)),
  RewardRedeemed: (payload) => rewardRedeemed(redeemed.parse(payload)),
  RedemptionFulfilled: (payload) => redemptionFulfilled(redemption.parse(payload)),
  RedemptionCancelled: (payload) => redemptionCancelled(redemption.parse(payload)),
  AccountSuspended: (payload) => accountSuspended(suspension.parse(payload)),
  AppealDecided: (payload) => appealDecided(appeal.parse(payload)),
  EmailHandedOver: (payload) => emailHandedOver(handedOver.parse(payload)),
};

const heldSentence = (points: number, held: number) =>
  held > 0 && `${heldOf(points, held)} held for now. Your wallet says why, and until when.`;

/** Null for a proof that was approved on appeal: the decision on the appeal says so. */
function submissionApproved(approved: z.infer<typeof approval>): Note | null {
  const { campaign_id, task, points, held = 0, decided_by, status } = approved;
  if (status === 'overturned') return null;
  return {
    subject: 'Your proof was accepted',
    message: paragraphs(
      `Your proof${task ? ` for ${quote(task, NAME_LENGTH)}` : ''} was ${howApproved(decided_by)}.${points > 0 ? ` You earned ${pointsOf(points)}.` : ''}`,
      heldSentence(points, held),
    ),
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

function questPublished({ campaign_id, quest, project }: z.infer<typeof newQuest>): Note {
  return {
    subject: `A new quest from ${quote(project, NAME_LENGTH)}`,
    message: `${quote(project, NAME_LENGTH)}, which you follow, has published ${quote(quest, NAME_LENGTH)}.`,
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

function submissionReversed({ campaign_id, task, points, reason }: z.infer<typeof reversal>): Note {
  return {
    subject: 'An approval was taken back',
    message: paragraphs(
      `Questboard took back the approval of your proof${task ? ` for ${quote(task, NAME_LENGTH)}` : ''}${points > 0 ? `, and ${pointsOf(points)} with it` : ''}.`,
      reason && `The reason: ${reason}`,
    ),
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

function pointsHeld({ points }: z.infer<typeof amount>): Note {
  return {
    subject: `${pointsOf(points)} ${are(points)} held for you`,
    message: `${pointsOf(points)} ${are(points)} yours, but held for now. Your wallet says why, and until when.`,
    action: { label: 'See your wallet', path: '/rewards' },
  };
}

function pointsReleased({ points }: z.infer<typeof amount>): Note {
  return {
    subject: `${pointsOf(points)} ${are(points)} available now`,
    message:
      points === 1
        ? '1 point that was held is available. You can redeem it.'
        : `${pointsOf(points)} that were held are available. You can redeem them.`,
    action: { label: 'See the rewards', path: '/rewards' },
  };
}

function pointsCorrected({ points, reason, wallet }: z.infer<typeof correction>): Note {
  return {
    subject: 'Your points were corrected',
    message: paragraphs(correctionSentence(points, wallet), reason && `The reason: ${reason}`),
    action: { label: 'See the wallet', path: wallet === 'startup' ? '/startup/wallet' : '/rewards' },
  };
}

function referralCompleted({ points }: z.infer<typeof amount>): Note {
  return {
    subject: 'Somebody joined with your link',
    message:
      points > 0
        ? `${pointsOf(points)} ${are(points)} yours for it. ${heldOf(points, points)} held until the new member has an approved task.`
        : 'You will find them under your referrals.',
    action: { label: 'See your referrals', path: '/community/referrals' },
  };
}

function suspensionLifted(): Note {
  return {
    subject: 'Your account is open again',
    message: 'Your account is no longer suspended. Your project and its quests, if you have any, are back.',
  };
}

/** Receipt of a consent (BEY-10). */
function emailHandedOver({ project, quest, email, statement }: z.infer<typeof handedOver>): Note {
  return {
    subject: 'You have shared your email address',
    message: paragraphs(
      `You have shared ${email} with ${quote(project, NAME_LENGTH)} by taking part in ${quote(quest, NAME_LENGTH)}.`,
      `You agreed to this: ${quote(statement)}`,
      'Your settings show who has it and let you take it back.',
    ),
    action: { label: 'Open settings', path: '/settings' },
  };
}

/** Title, name and reason are written by the project, so they are quoted. */
function submissionRejected({ campaign_id, task, reason, project, due_at }: z.infer<typeof rejection>): Note {
  const what = task ? `Your proof for ${quote(task, NAME_LENGTH)} was not accepted.` : 'Your proof was not accepted.';
  const reviewer = project ? `The reviewer for ${quote(project, NAME_LENGTH)}` : 'The reviewer';
  return {
    subject: 'Your proof was not accepted',
    message: paragraphs(
      what,
      reason && `${reviewer} wrote: ${quote(reason)}`,
      'You can fix it and send your proof again. The quest’s page shows the whole reason.',
      due_at && 'If you think that the decision is wrong, you can appeal there once, within 7 days.',
    ),
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

const redemptionsAction = { label: 'See your redemptions', path: '/rewards#redemptions' };

/** Delivery of rewards that are not available immediately. */
const DELIVERIES: Readonly<Record<string, string>> = {
  post: 'It will come by post, to the address that you gave.',
  mail: 'It will come by email, to this address.',
};

/**
 * Confirms a redemption with a later delivery (C-93); null for rewards that are delivered at once or arranged
 * individually.
 */
function rewardRedeemed({ title, points, delivery }: z.infer<typeof redeemed>): Note | null {
  const how = DELIVERIES[delivery];
  if (!how) return null;
  return {
    subject: `We have your redemption: ${title}`,
    message: paragraphs(
      `You have redeemed “${title}” for ${pointsOf(points)}. ${how}`,
      'Your redemptions show how far along it is.',
    ),
    action: redemptionsAction,
  };
}

function redemptionFulfilled({ title, delivery, note }: z.infer<typeof redemption>): Note {
  return {
    subject: `Your reward ${rewardIsWhere(delivery)}: ${title}`,
    message: paragraphs(`Your reward “${title}” ${rewardIsWhere(delivery)}.`, note),
    action: redemptionsAction,
  };
}

function redemptionCancelled({ title, note }: z.infer<typeof redemption>): Note {
  return {
    subject: `Your redemption was cancelled: ${title}`,
    message: paragraphs(`Your redemption of “${title}” was cancelled. The points are back in your wallet.`, note),
    action: redemptionsAction,
  };
}

function accountSuspended({ reason }: z.infer<typeof suspension>): Note {
  return {
    subject: 'Your account is suspended',
    message: paragraphs(
      'We have suspended your account. While it is, your project and its quests, if you have any, are hidden.',
      reason && `The reason: ${reason}`,
      'If you think that this is wrong, you can appeal once.',
    ),
    action: { label: 'Sign in and appeal', path: '/app-dashboard' },
  };
}

function rejectionAppealDecided(decision: z.infer<typeof appeal>): Note {
  const { outcome, note, campaign_id, task, points = 0, held = 0 } = decision;
  const proof = task ? `your proof for ${quote(task, NAME_LENGTH)}` : 'your proof';
  return {
    subject: 'Your appeal is decided',
    message: paragraphs(
      outcome === 'overturned'
        ? `Your appeal was granted: ${proof} is approved${points > 0 ? `. You earned ${pointsOf(points)}.` : ', with its reward.'}`
        : `We looked at ${proof} again, and the decision stands.`,
      heldSentence(points, held),
      note,
    ),
    action: campaign_id
      ? { label: 'Open the quest', path: questPath(campaign_id) }
      : { label: 'Open Questboard', path: '/app-dashboard' },
  };
}

/** What an appeal that is not about a proof was against. */
const APPEALED: Readonly<Record<string, string>> = {
  suspension: 'the suspension of your account',
  revocation: 'the verification of your project',
};

function appealDecided(decision: z.infer<typeof appeal>): Note {
  const { outcome, note, kind } = decision;
  if (kind === 'rejection') return rejectionAppealDecided(decision);
  const what = APPEALED[kind ?? ''] ?? 'our decision';
  return {
    subject: 'Your appeal is decided',
    message: paragraphs(
      outcome === 'overturned'
        ? `We looked at ${what} again, and have reversed our decision.`
        : `We looked at ${what} again, and our decision stands.`,
      note,
    ),
    action: { label: 'Open Questboard', path: '/app-dashboard' },
  };
}
