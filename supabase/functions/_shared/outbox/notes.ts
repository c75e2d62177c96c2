import { z } from 'zod';
import type { Note } from '../mail/messages.ts';
import { quote } from '../mail/quote.ts';

const text = z.string().nullish();

/** Payloads as the procedures emit them (`private.enqueue_event` in supabase/schemas). */
const rejection = z.object({ campaign_id: z.string(), task: text, reason: text, project: text });
const redemption = z.object({ title: z.string(), note: text });
const suspension = z.object({ reason: text });
const revocation = z.object({ name: z.string(), reason: text });
const appeal = z.object({ outcome: z.enum(['upheld', 'overturned']), note: text });
const unusedPayment = z.object({ reason: text });
const handedOver = z.object({ project: z.string(), quest: z.string(), email: z.string(), statement: z.string() });
const withdrawn = z.object({ quest: z.string(), email: z.string() });
const verification = z.object({ name: z.string(), trial_points: z.optional(z.number()) });

/**
 * The mail that an event asks for (C-50); null for events that ask for none, such as SubmissionApproved.
 * @throws ZodError when the payload is not what the event's procedure emits.
 */
export function noteFor({ type, payload }: { type: string; payload: unknown }): Note | null {
  switch (type) {
    case 'SubmissionRejected':
      return submissionRejected(rejection.parse(payload));
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
function submissionRejected({ campaign_id, task, reason, project }: z.infer<typeof rejection>): Note {
  const what = task ? `Your proof for ${quote(task, NAME_LENGTH)} was not accepted.` : 'Your proof was not accepted.';
  const reviewer = project ? `The reviewer for ${quote(project, NAME_LENGTH)}` : 'The reviewer';
  return {
    subject: 'Your proof was not accepted',
    message: paragraphs(
      what,
      reason && `${reviewer} wrote: ${quote(reason)}`,
      'You can mend it and send your proof again. The quest’s page shows the whole reason.',
    ),
    action: { label: 'Open the quest', path: `/community/quest/${encodeURIComponent(campaign_id)}` },
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

function appealDecided({ outcome, note }: z.infer<typeof appeal>): Note {
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

function paragraphs(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
