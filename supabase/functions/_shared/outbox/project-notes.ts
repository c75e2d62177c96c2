import { z } from 'zod';
import type { Note } from '../mail/messages.ts';
import { quote } from '../mail/quote.ts';
import { countOf, planEnds, pointsOf, purchaseSentence, REFUNDING, unusedPayments } from '../notice-words.ts';
import { NAME_LENGTH, type Notes, optionalText, paragraphs, proofsOf, questEditPath, reviewPath } from './note-text.ts';

// Payloads as enqueued by the procedures (private.enqueue_event in supabase/schemas).
const amount = z.object({ points: z.number() });
const ownQuest = z.object({ campaign_id: z.string(), quest: z.string(), reason: optionalText });
const digest = z.object({
  waiting: z.number(),
  quests: z.array(z.object({ title: z.string(), waiting: z.number() })),
});
const ended = z.object({ status: z.string() });
const takenBack = z.object({ points: z.number(), taken_back: z.number() });
const revocation = z.object({ name: z.string(), reason: optionalText });
const reviewDue = z.object({ campaign_id: z.string(), quest: z.string(), count: z.number(), due_at: z.string() });
const reviewOver = z.object({ campaign_id: z.string(), quest: z.string(), count: z.number(), points: z.number() });
const appealed = z.object({ campaign_id: z.string(), quest: z.string(), reason: optionalText });
const projectAppeal = z.object({
  campaign_id: z.string(),
  quest: z.string(),
  outcome: z.enum(['upheld', 'overturned']),
  note: optionalText,
});
const unusedPayment = z.object({ reason: optionalText });
const withdrawn = z.object({ quest: z.string(), email: z.string() });
const verification = z.object({ name: z.string(), trial_points: z.nullish(z.number()) });

/** Mails to the owners of projects, by event type. */
export const projectNotes: Notes = {
  ProofsWaiting: (payload) => proofsWaiting(ownQuest.parse(payload)),
  QuestFull: (payload) => questFull(ownQuest.parse(payload)),
  QuestHeld: (payload) => questHeld(ownQuest.parse(payload)),
  QuestHoldLifted: (payload) => questHoldLifted(ownQuest.parse(payload)),
  StartupRejected: (payload) => startupRejected(revocation.parse(payload)),
  SubscriptionActivated: planActive,
  SubscriptionReinstated: planActive,
  SubscriptionEnded: (payload) => planEnded(ended.parse(payload)),
  PointsPurchased: (payload) => pointsPurchased(amount.parse(payload)),
  PurchaseTakenBack: (payload) => purchaseTakenBack(takenBack.parse(payload)),
  PurchaseReinstated: (payload) => purchaseReinstated(amount.parse(payload)),
  DigestDue: (payload) => dailyDigest(digest.parse(payload)),
  StartupVerified: (payload) => startupVerified(verification.parse(payload)),
  VerificationRevoked: (payload) => verificationRevoked(revocation.parse(payload)),
  ReviewHalfTime: (payload) => reviewReminder(reviewDue.parse(payload), 'Proofs are waiting for your decision'),
  ReviewDueSoon: (payload) =>
    reviewReminder(reviewDue.parse(payload), 'Last reminder: proofs are about to be approved'),
  ReviewTimeOver: (payload) => reviewTimeOver(reviewOver.parse(payload)),
  RejectionAppealed: (payload) => rejectionAppealed(appealed.parse(payload)),
  ProjectAppealDecided: (payload) => projectAppealDecided(projectAppeal.parse(payload)),
  PaymentNotApplied: (payload) => paymentNotApplied(unusedPayment.parse(payload)),
  EmailWithdrawn: (payload) => emailWithdrawn(withdrawn.parse(payload)),
};

function proofsWaiting({ campaign_id, quest }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Proofs are waiting for your decision',
    message: `Members have sent proofs for ${quote(quest, NAME_LENGTH)}. They are waiting for your decision.`,
    action: { label: 'Review the proofs', path: reviewPath(campaign_id) },
  };
}

function questFull({ campaign_id, quest }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Your quest is full',
    message: `All spots of ${quote(quest, NAME_LENGTH)} are taken. You can add spots if you want more members.`,
    action: { label: 'Open the quest', path: questEditPath(campaign_id) },
  };
}

function questHeld({ campaign_id, quest, reason }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Your quest is on hold',
    message: paragraphs(
      `Questboard has put ${quote(quest, NAME_LENGTH)} on hold. Members cannot see it, and its points stay reserved.`,
      reason && `The reason: ${reason}`,
    ),
    action: { label: 'Open the quest', path: questEditPath(campaign_id) },
  };
}

function questHoldLifted({ campaign_id, quest }: z.infer<typeof ownQuest>): Note {
  return {
    subject: 'Your quest is no longer on hold',
    message: `${quote(quest, NAME_LENGTH)} is no longer on hold. You can publish it again.`,
    action: { label: 'Open the quest', path: questEditPath(campaign_id) },
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
    message: `${purchaseSentence(points)} The receipt is among your payments.`,
    action: billing,
  };
}

function purchaseTakenBack({ points, taken_back }: z.infer<typeof takenBack>): Note {
  return {
    subject: 'A payment for points was returned',
    message:
      taken_back > 0
        ? `Your payment for ${pointsOf(points)} was returned, and ${pointsOf(taken_back)} with it. Quests that had them set aside, if any, are now drafts.`
        : `Your payment for ${pointsOf(points)} was returned. None of them were left to take back.`,
    action: billing,
  };
}

function purchaseReinstated({ points }: z.infer<typeof amount>): Note {
  return {
    subject: 'Your payment was reinstated',
    message: `Your payment for ${pointsOf(points)} was reinstated, and the points are back.`,
    action: billing,
  };
}

function planEnded({ status }: z.infer<typeof ended>): Note {
  return {
    subject: 'Your plan has ended',
    message: paragraphs('Your OG Lifetime Access has ended.', planEnds[status]),
    action: { label: 'See your plan', path: '/startup/subscribe' },
  };
}

/** Number of quests listed in a digest; the rest is summed up. */
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
    action: { label: 'Review the proofs', path: '/startup/review' },
  };
}

function emailWithdrawn({ quest, email }: z.infer<typeof withdrawn>): Note {
  return {
    subject: 'A member no longer shares an email address with you',
    message: paragraphs(
      `${email}, which you had from ${quote(quest, NAME_LENGTH)}, has been taken back and is gone from your list.`,
      'Please delete it from your copies too, and do not email it again.',
    ),
    action: { label: 'Open your quests', path: '/startup' },
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

/** As the app writes it, but with its time zone: a mail does not know its reader's. */
const momentFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

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
      `We approved ${count === 1 ? 'it' : 'them'}${points > 0 ? `, and ${pointsOf(points)} went to ${count === 1 ? 'its member' : 'members'}` : ''}.`,
    ),
    action: { label: 'See the proofs', path: reviewPath(campaign_id) },
  };
}

/** The reason is written by the member, so it is quoted. */
function rejectionAppealed({ campaign_id, quest, reason }: z.infer<typeof appealed>): Note {
  return {
    subject: 'A member has appealed against your rejection',
    message: paragraphs(
      `A member has appealed against your rejection in ${quote(quest, NAME_LENGTH)}. We decide within 48 hours and tell you.`,
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
        : `We looked at a proof of ${quote(quest, NAME_LENGTH)} that you had rejected. Your decision stands.`,
      note,
    ),
    action: { label: 'See the proofs', path: reviewPath(campaign_id) },
  };
}

/** Null when the payment itself was refunded or disputed, so that there is nothing to refund. */
function paymentNotApplied({ reason }: z.infer<typeof unusedPayment>): Note | null {
  const why = unusedPayments[reason ?? ''];
  if (!why) return null;
  return {
    subject: REFUNDING,
    message: paragraphs(
      `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
      'We are refunding the whole amount; your bank may need a few days to show it.',
    ),
    action: billing,
  };
}
