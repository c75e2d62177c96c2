import { formatCount, formatDateTime } from '@/lib/format';
import { paths } from '@/lib/paths';
import {
  are,
  correctionSentence,
  heldOf,
  howApproved,
  planEnds,
  pointsOf,
  purchaseSentence,
  REFUNDING,
  rewardIsWhere,
  unusedPayments,
} from '../../../supabase/functions/_shared/notice-words.ts';
import type { Notification } from './queries';

/** Text and link of a notification. */
export type NotificationText = {
  sentence: string;
  /** A reason or note written by somebody. */
  detail?: string;
  to: string;
};

const quoted = (text: string | undefined, fallback: string) => (text ? `“${text}”` : fallback);

const redemptionsPath = `${paths.rewards}#redemptions`;

/** The sentence and link of a notification; unknown types link to the dashboard. */
export function describeNotification({
  type,
  data,
  waiting,
}: Pick<Notification, 'type' | 'data' | 'waiting'>): NotificationText {
  const { points = 0, held = 0, count = 1, reason, note } = data;
  const quest = quoted(data.quest, 'your quest');
  const proof = data.task ? `Your proof for “${data.task}”` : 'Your proof';
  const questPath = data.campaign_id ? paths.communityQuest(data.campaign_id) : paths.community;
  // A notice stays in the list, where somebody who comes back after weeks reads it.
  const isOver = data.due_at !== undefined && Date.parse(data.due_at) < Date.now();
  const editPath = data.campaign_id ? paths.questEdit(data.campaign_id) : paths.founder;
  const reviewPath = data.campaign_id ? paths.questSubmissions(data.campaign_id) : paths.founder;

  switch (type) {
    case 'SubmissionApproved':
      return {
        sentence: `${proof} was ${howApproved(data.decided_by)}.${points > 0 ? ` You earned ${pointsOf(points)}.` : ''}`,
        detail: held > 0 ? `${heldOf(points, held)} held for now. Your wallet says why.` : undefined,
        to: questPath,
      };
    case 'SubmissionRejected':
      return {
        sentence:
          data.status === 'appealed'
            ? `${proof} was not accepted. You have appealed.`
            : `${proof} was not accepted. You can send a new one${data.due_at && !isOver ? ', or appeal' : ''}.`,
        detail: reason && (data.project ? `${data.project}: ${reason}` : reason),
        to: questPath,
      };
    case 'SubmissionReversed':
      return {
        sentence: `Questboard took back the approval of your proof for ${quoted(data.task, 'a task')}${points > 0 ? `, and ${pointsOf(points)} with it` : ''}.`,
        detail: reason,
        to: questPath,
      };
    case 'PointsHeld':
      return {
        sentence:
          data.kind === 'welcome'
            ? `Your welcome bonus of ${pointsOf(points)} is held until your first approved task.`
            : data.kind === 'trial'
              ? `${pointsOf(points)} from a project ${are(points)} held again until we have looked at the project.`
              : `${pointsOf(points)} of a referral ${are(points)} held again, because an approval was taken back.`,
        to: paths.rewards,
      };
    case 'PointsReleased':
      return {
        sentence:
          points === 1
            ? '1 point is no longer held. You can redeem it.'
            : `${pointsOf(points)} are no longer held. You can redeem them.`,
        to: paths.rewards,
      };
    case 'PointsCorrected':
      return {
        sentence: correctionSentence(points, data.wallet),
        detail: reason,
        to: data.wallet === 'startup' ? paths.projectWallet : paths.rewards,
      };
    case 'RedemptionFulfilled':
      return {
        sentence: `Your reward ${quoted(data.title, '')} ${rewardIsWhere(data.delivery)}.`,
        detail: note,
        to: redemptionsPath,
      };
    case 'RedemptionCancelled':
      return {
        sentence: `Your redemption of ${quoted(data.title, 'a reward')} was cancelled. The points are back in your wallet.`,
        detail: note,
        to: redemptionsPath,
      };
    case 'ReferralCompleted':
      return {
        sentence: `Somebody joined with your link.${points > 0 ? ` ${pointsOf(points)} ${are(points)} yours, held until they have an approved task.` : ''}`,
        to: paths.referrals,
      };
    case 'ProofsWaiting':
      return {
        sentence:
          waiting === 0
            ? `All proofs of ${quest} are decided.`
            : waiting === null
              ? `Proofs of ${quest} are waiting for your decision.`
              : `${formatCount(waiting, `proof of ${quest} is waiting`, `proofs of ${quest} are waiting`)} for your decision.`,
        to: reviewPath,
      };
    case 'ReviewHalfTime':
    case 'ReviewDueSoon': {
      if (waiting === 0) return { sentence: `All proofs of ${quest} are decided.`, to: reviewPath };
      const proofs = type === 'ReviewDueSoon' && !isOver ? 'Last reminder: proofs' : 'Proofs';
      const first = isOver ? 'The time of the first ended' : 'The first is approved without you';
      return {
        sentence: `${proofs} of ${quest} are waiting for your decision. ${first}${data.due_at ? ` on ${formatDateTime(data.due_at)}` : ''}.`,
        to: reviewPath,
      };
    }
    case 'ReviewTimeOver':
      return {
        sentence: `${formatCount(count, `proof of ${quest} was`, `proofs of ${quest} were`)} approved because the review time had ended.${points > 0 ? ` ${pointsOf(points)} went to members.` : ''}`,
        to: reviewPath,
      };
    case 'QuestFull':
      return { sentence: `All spots of ${quest} are taken.`, to: editPath };
    case 'QuestPublished':
      return {
        sentence: `${quoted(data.project, 'A project')}, which you follow, has a new quest: ${quest}.`,
        to: questPath,
      };
    case 'QuestHeld':
      return { sentence: `Questboard has put ${quest} on hold. Members cannot see it.`, detail: reason, to: editPath };
    case 'QuestHoldLifted':
      return { sentence: `${quest} is no longer on hold. You can publish it again.`, to: editPath };
    case 'StartupVerified':
      return { sentence: `${quoted(data.name, 'Your project')} is verified.`, to: paths.founder };
    case 'StartupRejected':
      return {
        sentence: `We could not verify ${quoted(data.name, 'your project')}.`,
        detail: reason,
        to: paths.founder,
      };
    case 'VerificationRevoked':
      return {
        sentence: `${quoted(data.name, 'Your project')} is no longer verified. Its quests are on hold.`,
        detail: reason,
        to: paths.founder,
      };
    case 'AccountSuspended':
      return { sentence: 'Your account is suspended.', detail: reason, to: paths.settings };
    case 'SuspensionLifted':
      return { sentence: 'Your account is no longer suspended.', to: paths.appDashboard };
    case 'RejectionAppealed':
      return {
        sentence: `A member has appealed against your rejection in ${quest}. Questboard will decide.`,
        detail: reason,
        to: reviewPath,
      };
    case 'ProjectAppealDecided':
      return {
        sentence:
          data.outcome === 'overturned'
            ? `An appeal in ${quest} was granted: the proof is approved and paid.`
            : `An appeal in ${quest} was decided: your rejection stands.`,
        detail: note,
        to: reviewPath,
      };
    case 'AppealDecided':
      if (data.kind === 'rejection') {
        return {
          sentence:
            data.outcome === 'overturned'
              ? `Your appeal was granted. ${proof} is approved.${points > 0 ? ` You earned ${pointsOf(points)}.` : ''}${held > 0 ? ` ${heldOf(points, held)} held for now.` : ''}`
              : `Your appeal is decided: ${proof.charAt(0).toLowerCase()}${proof.slice(1)} stays rejected.`,
          detail: note,
          to: questPath,
        };
      }
      return {
        sentence:
          data.outcome === 'overturned'
            ? 'Your appeal is decided: we have reversed our decision.'
            : 'Your appeal is decided: we looked at it again, and our decision stands.',
        detail: note,
        to: data.kind === 'revocation' ? paths.founder : paths.settings,
      };
    case 'SubscriptionActivated':
    case 'SubscriptionReinstated':
      return { sentence: 'Your OG Lifetime Access is active.', to: paths.subscribe() };
    case 'SubscriptionEnded':
      return {
        sentence: 'Your OG Lifetime Access has ended.',
        detail: planEnds[data.status ?? ''],
        to: paths.subscribe(),
      };
    case 'PointsPurchased':
      return {
        sentence: purchaseSentence(points),
        to: paths.billing,
      };
    case 'PurchaseTakenBack':
      return {
        sentence: data.taken_back
          ? `A payment for ${pointsOf(points)} was returned, and ${pointsOf(data.taken_back)} with it.`
          : `A payment for ${pointsOf(points)} was returned. None of them were left to take back.`,
        to: paths.billing,
      };
    case 'PurchaseReinstated':
      return { sentence: `Your payment for ${pointsOf(points)} was reinstated.`, to: paths.billing };
    case 'PaymentNotApplied': {
      const why = unusedPayments[reason ?? ''];
      return {
        sentence: why ? `${REFUNDING}: ${why}.` : 'A payment of yours could not be used. We will look at it.',
        to: points > 0 ? paths.billing : paths.subscribe(),
      };
    }
    default:
      return { sentence: 'Something new happened on Questboard.', to: paths.appDashboard };
  }
}
