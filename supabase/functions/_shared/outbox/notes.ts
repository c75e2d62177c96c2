import { z } from 'zod';
import type { Note } from '../mail/messages.ts';
import { quote } from '../mail/quote.ts';

const text = z.string().nullish();

/** Payloads as the procedures emit them (`private.enqueue_event` in supabase/schemas). */
const approval = z.object({
  campaign_id: z.string(),
  task: text,
  points: z.number(),
  held: z.optional(z.number()),
  decided_by: text,
});
const rejection = z.object({ campaign_id: z.string(), task: text, reason: text, project: text, due_at: text });
const reversal = z.object({ campaign_id: z.string(), task: text, points: z.number(), reason: text });
const amount = z.object({ points: z.number() });
const correction = z.object({ points: z.number(), reason: text, wallet: text });
const ownQuest = z.object({ campaign_id: z.string(), quest: z.string(), reason: text });
const newQuest = z.object({ campaign_id: z.string(), quest: z.string(), project: z.string() });
const digest = z.object({
  waiting: z.number(),
  quests: z.array(z.object({ title: z.string(), waiting: z.number() })),
});
const ended = z.object({ status: z.string() });
const takenBack = z.object({ points: z.number(), taken_back: z.number() });
const redemption = z.object({ title: z.string(), note: text });
const redeemed = z.object({ title: z.string(), points: z.number(), delivery: z.string() });
const suspension = z.object({ reason: text });
const revocation = z.object({ name: z.string(), reason: text });
const appeal = z.object({ outcome: z.enum(['upheld', 'overturned']), note: text, kind: text, campaign_id: text });
const reviewDue = z.object({ campaign_id: z.string(), quest: z.string(), count: z.number(), due_at: z.string() });
const reviewOver = z.object({ campaign_id: z.string(), quest: z.string(), count: z.number(), points: z.number() });
const appealed = z.object({ campaign_id: z.string(), quest: z.string(), reason: text });
const projectAppeal = z.object({
  campaign_id: z.string(),
  quest: z.string(),
  outcome: z.enum(['upheld', 'overturned']),
  note: text,
});
const unusedPayment = z.object({ reason: text });
const handedOver = z.object({ project: z.string(), quest: z.string(), email: z.string(), statement: z.string() });
const withdrawn = z.object({ quest: z.string(), email: z.string() });
const verification = z.object({ name: z.string(), trial_points: z.optional(z.number()) });

/**
 * The mail that an event asks for (C-50, BEY-03); null for events that ask for none. Whether the person wants it is decided
 * before: the worker gets no address otherwise.
 * @throws ZodError when the payload is not what the event's procedure emits.
 */
export function noteFor({ type, payload }: { type: string; payload: unknown }): Note | null {
  switch (type) {
    case 'SubmissionApproved':
      return submissionApproved(approval.parse(payload));
    case 'SubmissionReversed':
      return submissionReversed(reversal.parse(payload));
    case 'PointsHeld':
      return pointsHeld(amount.parse(payload));
    case 'PointsReleased':
      return pointsReleased(amount.parse(payload));
    case 'PointsCorrected':
      return pointsCorrected(correction.parse(payload));
    case 'ReferralCompleted':
      return referralCompleted(amount.parse(payload));
    case 'ProofsWaiting':
      return proofsWaiting(ownQuest.parse(payload));
    case 'QuestFull':
      return questFull(ownQuest.parse(payload));
    case 'QuestPublished':
      return questPublished(newQuest.parse(payload));
    case 'QuestHeld':
      return questHeld(ownQuest.parse(payload));
    case 'QuestHoldLifted':
      return questHoldLifted(ownQuest.parse(payload));
    case 'StartupRejected':
      return startupRejected(revocation.parse(payload));
    case 'SuspensionLifted':
      return suspensionLifted();
    case 'SubscriptionActivated':
    case 'SubscriptionReinstated':
      return planActive();
    case 'SubscriptionEnded':
      return planEnded(ended.parse(payload));
    case 'PointsPurchased':
      return pointsPurchased(amount.parse(payload));
    case 'PurchaseTakenBack':
      return purchaseTakenBack(takenBack.parse(payload));
    case 'PurchaseReinstated':
      return purchaseReinstated(amount.parse(payload));
    case 'DigestDue':
      return dailyDigest(digest.parse(payload));
    case 'SubmissionRejected':
      return submissionRejected(rejection.parse(payload));
    case 'RewardRedeemed':
      return rewardRedeemed(redeemed.parse(payload));
    case 'RedemptionFulfilled':
      return redemptionFulfilled(redemption.parse(payload));
    case 'RedemptionCancelled':
      return redemptionCancelled(redemption.parse(payload));
    case 'StartupVerified':
      return startupVerified(verification.parse(payload));
    case 'AccountSuspended':
      return accountSuspended(suspension.parse(payload));
    case 'VerificationRevoked':
      return verificationRevoked(revocation.parse(payload));
    case 'AppealDecided':
      return appealDecided(appeal.parse(payload));
    case 'ReviewHalfTime':
      return reviewReminder(reviewDue.parse(payload), 'Proofs wait for your decision');
    case 'ReviewDueSoon':
      return reviewReminder(reviewDue.parse(payload), 'Last reminder: proofs are about to be approved');
    case 'ReviewTimeOver':
      return reviewTimeOver(reviewOver.parse(payload));
    case 'RejectionAppealed':
      return rejectionAppealed(appealed.parse(payload));
    case 'ProjectAppealDecided':
      return projectAppealDecided(projectAppeal.parse(payload));
    case 'PaymentNotApplied':
      return paymentNotApplied(unusedPayment.parse(payload));
    case 'EmailHandedOver':
      return emailHandedOver(handedOver.parse(payload));
    case 'EmailWithdrawn':
      return emailWithdrawn(withdrawn.parse(payload));
    default:
      return null;
  }
}

/** Longest names and titles in a mail. */
const NAME_LENGTH = 80;

const questPath = (id: string) => `/community/quest/${encodeURIComponent(id)}`;
const reviewPath = (id: string) => `/startup/campaigns/${encodeURIComponent(id)}/submissions`;

const number = new Intl.NumberFormat('en-US');
const countOf = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;
const pointsOf = (count: number) => countOf(count, 'point', 'points');
const proofsOf = (count: number) => countOf(count, 'proof waits', 'proofs wait');

function submissionApproved({ campaign_id, task, points, held = 0, decided_by }: z.infer<typeof approval>): Note {
  const how = decided_by === 'deadline' ? 'approved, because nobody had answered in time' : 'accepted';
  return {
    subject: 'Your proof was accepted',
    message: paragraphs(
      `Your proof${task ? ` for ${quote(task, NAME_LENGTH)}` : ''} was ${how}.${points > 0 ? ` You earned ${pointsOf(points)}.` : ''}`,
      held > 0 && `${pointsOf(held)} of it are held for now: you see them in your wallet and can redeem them later.`,
    ),
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

function questPublished({ campaign_id, quest, project }: z.infer<typeof newQuest>): Note {
  return {
    subject: `A new quest of ${quote(project, NAME_LENGTH)}`,
    message: `${quote(project, NAME_LENGTH)}, which you follow, has published ${quote(quest, NAME_LENGTH)}.`,
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

function submissionReversed({ campaign_id, task, points, reason }: z.infer<typeof reversal>): Note {
  return {
    subject: 'An approval was taken back',
    message: paragraphs(
      `Questboard took back the approval of your proof${task ? ` for ${quote(task, NAME_LENGTH)}` : ''}, and ${pointsOf(points)} with it.`,
      reason && `The reason: ${reason}`,
    ),
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

function pointsHeld({ points }: z.infer<typeof amount>): Note {
  return {
    subject: `${pointsOf(points)} are held for you`,
    message: `${pointsOf(points)} are yours and held for now. You can redeem them when your wallet says that they are free.`,
    action: { label: 'See your wallet', path: '/rewards' },
  };
}

function pointsReleased({ points }: z.infer<typeof amount>): Note {
  return {
    subject: `${pointsOf(points)} are free now`,
    message: `${pointsOf(points)} that were held are free. You can redeem them.`,
    action: { label: 'See the rewards', path: '/rewards' },
  };
}

function pointsCorrected({ points, reason, wallet }: z.infer<typeof correction>): Note {
  const isProject = wallet === 'startup';
  const whose = isProject ? 'your project’s wallet' : 'your wallet';
  return {
    subject: 'Your points were corrected',
    message: paragraphs(
      points < 0
        ? `Questboard took ${pointsOf(-points)} from ${whose}.`
        : `Questboard added ${pointsOf(points)} to ${whose}.`,
      reason && `The reason: ${reason}`,
    ),
    action: { label: 'See the wallet', path: isProject ? '/startup/wallet' : '/rewards' },
  };
}

function referralCompleted({ points }: z.infer<typeof amount>): Note {
  return {
    subject: 'Somebody joined with your link',
    message: `${pointsOf(points)} are yours for it. They are held until the new member has an approved task.`,
    action: { label: 'See your referrals', path: '/community/referrals' },
  };
}

function proofsWaiting({ campaign_id, quest }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Proofs wait for your decision',
    message: `Members have sent proofs for ${quote(quest, NAME_LENGTH)}. They wait for your decision.`,
    action: { label: 'Review the proofs', path: reviewPath(campaign_id) },
  };
}

function questFull({ campaign_id, quest }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Your quest is full',
    message: `All spots of ${quote(quest, NAME_LENGTH)} are taken. You can add spots if you want more members.`,
    action: { label: 'Open the quest', path: `/startup/campaigns/${encodeURIComponent(campaign_id)}/edit` },
  };
}

function questHeld({ campaign_id, quest, reason }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Your quest is on hold',
    message: paragraphs(
      `Questboard has put ${quote(quest, NAME_LENGTH)} on hold. Members cannot see it, and its points stay reserved.`,
      reason && `The reason: ${reason}`,
    ),
    action: { label: 'Open the quest', path: `/startup/campaigns/${encodeURIComponent(campaign_id)}/edit` },
  };
}

function questHoldLifted({ campaign_id, quest }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Your quest is no longer on hold',
    message: `${quote(quest, NAME_LENGTH)} is no longer on hold. You can publish it again.`,
    action: { label: 'Open the quest', path: `/startup/campaigns/${encodeURIComponent(campaign_id)}/edit` },
  };
}

function startupRejected({ name, reason }: z.infer<typeof revocation>): Note {
  return {
    subject: 'Your project was not verified',
    message: paragraphs(
      `We have looked at your project ${quote(name, NAME_LENGTH)} and could not verify it.`,
      reason && `The reason: ${reason}`,
    ),
    action: { label: 'Open your project', path: '/startup' },
  };
}

function suspensionLifted(): Note {
  return {
    subject: 'Your account is open again',
    message: 'Your account is no longer suspended. Your project and its quests, if you have any, are back.',
  };
}

function planActive(): Note {
  return {
    subject: 'OG Lifetime Access is yours',
    message: 'Your OG Lifetime Access is active.',
    action: { label: 'See your plan', path: '/startup/subscribe' },
  };
}

const billing = { label: 'See your payments', path: '/startup/billing' };

function pointsPurchased({ points }: z.infer<typeof amount>): Note {
  return {
    subject: `${pointsOf(points)} for your project`,
    message: `${pointsOf(points)} were added to your project. The receipt is among your payments.`,
    action: billing,
  };
}

function purchaseTakenBack({ points, taken_back }: z.infer<typeof takenBack>): Note {
  return {
    subject: 'A payment for points went back',
    message: `Your payment for ${pointsOf(points)} went back, and ${pointsOf(taken_back)} with it. Quests that they were set aside for are drafts now.`,
    action: billing,
  };
}

function purchaseReinstated({ points }: z.infer<typeof amount>): Note {
  return {
    subject: 'Your payment counts again',
    message: `Your payment for ${pointsOf(points)} counts again, and the points are back.`,
    action: billing,
  };
}

const PLAN_ENDS: Readonly<Record<string, string>> = {
  expired: 'Its time is over.',
  refunded: 'Its payment was refunded.',
  disputed: 'Its payment is disputed.',
  cancelled: 'It was cancelled.',
};

function planEnded({ status }: z.infer<typeof ended>): Note {
  return {
    subject: 'Your plan has ended',
    message: paragraphs('Your OG Lifetime Access has ended.', PLAN_ENDS[status]),
    action: { label: 'See your plan', path: '/startup/subscribe' },
  };
}

/** Quests that a digest names; the rest is a number. */
const DIGEST_QUESTS = 5;

function dailyDigest({ waiting, quests }: z.infer<typeof digest>): Note {
  const rest = quests.slice(DIGEST_QUESTS);
  const more = rest.reduce((sum, each) => sum + each.waiting, 0);
  return {
    subject: `${proofsOf(waiting)} for your decision`,
    message: paragraphs(
      ...quests.slice(0, DIGEST_QUESTS).map((each) => `${quote(each.title, NAME_LENGTH)}: ${proofsOf(each.waiting)}`),
      rest.length > 0 && `${countOf(rest.length, 'more quest', 'more quests')}: ${proofsOf(more)}`,
      'You get this mail at most once a day. You can switch it off in your settings.',
    ),
    action: { label: 'Review the proofs', path: '/startup' },
  };
}

/** Receipt of a consent (BEY-10). */
function emailHandedOver({ project, quest, email, statement }: z.infer<typeof handedOver>): Note {
  return {
    subject: 'You have shared your email address',
    message: paragraphs(
      `You have shared ${email} with ${quote(project, NAME_LENGTH)} by taking part in ${quote(quest, NAME_LENGTH)}.`,
      `You agreed to this: ${quote(statement)}`,
      'In your settings you see with whom you share it, and can take it back.',
    ),
    action: { label: 'Open settings', path: '/settings' },
  };
}

function emailWithdrawn({ quest, email }: z.infer<typeof withdrawn>): Note {
  return {
    subject: 'A member no longer shares an email address with you',
    message: paragraphs(
      `${email}, which you had from ${quote(quest, NAME_LENGTH)}, has been taken back and is gone from your list.`,
      'Please delete it from your copies too, and write to it no more.',
    ),
    action: { label: 'Open your quests', path: '/startup' },
  };
}

/** Title, name and reason are the project's words: quoted as theirs, so that nobody takes them for ours. */
function submissionRejected({ campaign_id, task, reason, project, due_at }: z.infer<typeof rejection>): Note {
  const what = task ? `Your proof for ${quote(task, NAME_LENGTH)} was not accepted.` : 'Your proof was not accepted.';
  const reviewer = project ? `The reviewer for ${quote(project, NAME_LENGTH)}` : 'The reviewer';
  return {
    subject: 'Your proof was not accepted',
    message: paragraphs(
      what,
      reason && `${reviewer} wrote: ${quote(reason)}`,
      'You can mend it and send your proof again. The quest’s page shows the whole reason.',
      due_at && 'If you think that the decision is wrong, you can appeal there once, within 7 days.',
    ),
    action: { label: 'Open the quest', path: questPath(campaign_id) },
  };
}

/** How a reward comes that is not there at once. */
const DELIVERIES: Readonly<Record<string, string>> = {
  post: 'It will come by post, to the address that you gave.',
  mail: 'It will come by mail, to this address.',
};

/** Confirms what somebody waits for (C-93); null for rewards that they have at once or that are agreed on otherwise. */
function rewardRedeemed({ title, points, delivery }: z.infer<typeof redeemed>): Note | null {
  const how = DELIVERIES[delivery];
  if (!how) return null;
  return {
    subject: `We have your redemption: ${title}`,
    message: paragraphs(
      `You have redeemed “${title}” for ${pointsOf(points)}. ${how}`,
      'Among your redemptions you see how far it is.',
    ),
    action: { label: 'See your rewards', path: '/rewards' },
  };
}

function redemptionFulfilled({ title, note }: z.infer<typeof redemption>): Note {
  return {
    subject: `Your reward is ready: ${title}`,
    message: paragraphs(`We have fulfilled your redemption of “${title}”.`, note),
    action: { label: 'See your rewards', path: '/rewards' },
  };
}

function redemptionCancelled({ title, note }: z.infer<typeof redemption>): Note {
  return {
    subject: `Your redemption was cancelled: ${title}`,
    message: paragraphs(`We could not fulfil “${title}”. Your points are back in your wallet.`, note),
    action: { label: 'See all rewards', path: '/rewards' },
  };
}

function startupVerified({ name, trial_points }: z.infer<typeof verification>): Note {
  return {
    subject: 'Your project is verified',
    message: paragraphs(
      `Your project ${quote(name, NAME_LENGTH)} is verified.`,
      trial_points === 0
        ? 'Your email address has already received its trial points, so the project starts with 0 points.'
        : 'You can publish your first quest now.',
    ),
    action: { label: 'Create a quest', path: '/startup/create-quest' },
  };
}

function accountSuspended({ reason }: z.infer<typeof suspension>): Note {
  return {
    subject: 'Your account is suspended',
    message: paragraphs(
      'We have suspended your account. While it is, your project and its quests are hidden.',
      reason && `The reason: ${reason}`,
      'If you think that this is wrong, you can appeal once.',
    ),
    action: { label: 'Sign in and appeal', path: '/app-dashboard' },
  };
}

function verificationRevoked({ name, reason }: z.infer<typeof revocation>): Note {
  return {
    subject: 'Your project is no longer verified',
    message: paragraphs(
      `We have taken back the verification of your project ${quote(name, NAME_LENGTH)}. Its quests are on hold, and their points stay reserved.`,
      reason && `The reason: ${reason}`,
      'If you think that this is wrong, you can appeal once.',
    ),
    action: { label: 'Open your project', path: '/startup' },
  };
}

const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function reviewReminder({ campaign_id, quest, due_at }: z.infer<typeof reviewDue>, subject: string): Note {
  return {
    subject,
    message: paragraphs(
      `Members have sent proofs for ${quote(quest, NAME_LENGTH)}, and you promised an answer in time.`,
      `The first is approved and paid without you on ${momentFormat.format(new Date(due_at))} UTC.`,
    ),
    action: { label: 'Review the proofs', path: reviewPath(campaign_id) },
  };
}

function reviewTimeOver({ campaign_id, quest, count, points }: z.infer<typeof reviewOver>): Note {
  return {
    subject: 'Proofs were approved because their time had ended',
    message: paragraphs(
      `${countOf(count, 'proof', 'proofs')} of ${quote(quest, NAME_LENGTH)} had no answer within the time that you promised.`,
      `We approved ${count === 1 ? 'it' : 'them'}, and ${pointsOf(points)} went to members.`,
    ),
    action: { label: 'See the proofs', path: reviewPath(campaign_id) },
  };
}

/** The reason is the member's words: quoted as theirs. */
function rejectionAppealed({ campaign_id, quest, reason }: z.infer<typeof appealed>): Note {
  return {
    subject: 'A member appeals your rejection',
    message: paragraphs(
      `A member appeals your rejection in ${quote(quest, NAME_LENGTH)}. We decide within 48 hours and tell you.`,
      reason && `The member wrote: ${quote(reason)}`,
    ),
    action: { label: 'See the proofs', path: reviewPath(campaign_id) },
  };
}

function projectAppealDecided({ campaign_id, quest, outcome, note }: z.infer<typeof projectAppeal>): Note {
  return {
    subject: outcome === 'overturned' ? 'An appeal was granted' : 'Your rejection stands',
    message: paragraphs(
      outcome === 'overturned'
        ? `We looked at a proof of ${quote(quest, NAME_LENGTH)} that you had rejected, and approved it. It was paid from its quest.`
        : `We looked at a proof of ${quote(quest, NAME_LENGTH)} that you had rejected. Your decision stays.`,
      note,
    ),
    action: { label: 'See the proofs', path: reviewPath(campaign_id) },
  };
}

function rejectionAppealDecided({ outcome, note, campaign_id }: z.infer<typeof appeal>): Note {
  return {
    subject: 'Your appeal is decided',
    message: paragraphs(
      outcome === 'overturned'
        ? 'Your appeal was granted: your proof is approved, with its points.'
        : 'We looked at your proof again, and the decision stays.',
      note,
    ),
    action: campaign_id
      ? { label: 'Open the quest', path: questPath(campaign_id) }
      : { label: 'Open Questboard', path: '/app-dashboard' },
  };
}

function appealDecided({ outcome, note, kind, campaign_id }: z.infer<typeof appeal>): Note {
  if (kind === 'rejection') return rejectionAppealDecided({ outcome, note, kind, campaign_id });
  return {
    subject: 'Your appeal is decided',
    message: paragraphs(
      outcome === 'overturned' ? 'We have taken our decision back.' : 'We looked at it again, and our decision stays.',
      note,
    ),
    action: { label: 'Open Questboard', path: '/app-dashboard' },
  };
}

const UNUSED_PAYMENTS: Readonly<Record<string, string>> = {
  sold_out: 'The last place was taken before your payment arrived.',
  already_subscribed: 'You already have OG Lifetime Access.',
};

/** Null when the payment itself was refunded or disputed: then there is nothing to give back. */
function paymentNotApplied({ reason }: z.infer<typeof unusedPayment>): Note | null {
  const why = UNUSED_PAYMENTS[reason ?? ''];
  if (!why) return null;
  return {
    subject: 'We are giving your payment back',
    message: paragraphs(why, 'We have refunded the whole amount; your bank may need a few days to show it.'),
    action: { label: 'See your project', path: '/startup' },
  };
}

function paragraphs(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
