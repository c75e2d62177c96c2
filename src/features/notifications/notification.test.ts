import { formatDateTime } from '@/lib/format';
import { describeNotification } from './notification';
import type { Notification } from './queries';

const describeOf = (type: string, data: Notification['data'] = {}, waiting: number | null = null) =>
  describeNotification({ type, data, waiting });

it.each<[string, Notification['data'], string, string | undefined, string]>([
  [
    'SubmissionApproved',
    { campaign_id: 'q1', task: 'Try it', points: 1250, held: 0 },
    'Your proof for “Try it” was accepted. You earned 1,250 points.',
    undefined,
    '/community/quest/q1',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'q1', task: 'Try it', points: 50, held: 50 },
    'Your proof for “Try it” was accepted. You earned 50 points.',
    'They are held for now. Your wallet says why.',
    '/community/quest/q1',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'q1', task: 'Try it', points: 0 },
    'Your proof for “Try it” was accepted.',
    undefined,
    '/community/quest/q1',
  ],
  [
    'SubmissionRejected',
    { campaign_id: 'q1', task: 'Try it', project: 'Acme', reason: 'The proof is incomplete.' },
    'Your proof for “Try it” was not accepted. You can send a new one.',
    'Acme: The proof is incomplete.',
    '/community/quest/q1',
  ],
  [
    'SubmissionReversed',
    { campaign_id: 'q1', task: 'Try it', points: 1, reason: 'Copied' },
    'Questboard took back the approval of your proof for “Try it”, and 1 point with it.',
    'Copied',
    '/community/quest/q1',
  ],
  [
    'PointsHeld',
    { points: 250, kind: 'welcome' },
    'Your welcome bonus of 250 points is held until your first approved task.',
    undefined,
    '/rewards',
  ],
  [
    'PointsHeld',
    { points: 500, kind: 'again' },
    '500 points of a referral are held again, because an approval was taken back.',
    undefined,
    '/rewards',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'q1', task: 'Try it', points: 50, held: 1 },
    'Your proof for “Try it” was accepted. You earned 50 points.',
    '1 of them is held for now. Your wallet says why.',
    '/community/quest/q1',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'q1', points: 1250, held: 1200 },
    'Your proof was accepted. You earned 1,250 points.',
    '1,200 of them are held for now. Your wallet says why.',
    '/community/quest/q1',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'q1', points: 1, held: 1 },
    'Your proof was accepted. You earned 1 point.',
    'It is held for now. Your wallet says why.',
    '/community/quest/q1',
  ],
  [
    'PointsHeld',
    { points: 1, kind: 'trial' },
    '1 point from a project is held again until we have looked at the project.',
    undefined,
    '/rewards',
  ],
  ['PointsReleased', { points: 1 }, '1 point is no longer held. You can redeem it.', undefined, '/rewards'],
  ['PointsReleased', { points: 500 }, '500 points are no longer held. You can redeem them.', undefined, '/rewards'],
  [
    'PointsCorrected',
    { points: -5, reason: 'Twice' },
    'Questboard took 5 points from your wallet.',
    'Twice',
    '/rewards',
  ],
  [
    'PointsCorrected',
    { points: 5, wallet: 'startup' },
    'Questboard added 5 points to your project’s wallet.',
    undefined,
    '/startup/wallet',
  ],
  [
    'RedemptionFulfilled',
    { title: 'Mug', note: 'On its way' },
    'Your reward “Mug” is ready.',
    'On its way',
    '/rewards#redemptions',
  ],
  [
    'RedemptionCancelled',
    { title: 'Mug' },
    'Your redemption of “Mug” was cancelled. The points are back in your wallet.',
    undefined,
    '/rewards#redemptions',
  ],
  [
    'ReferralCompleted',
    { points: 500 },
    'Somebody joined with your link. 500 points are yours, held until they have an approved task.',
    undefined,
    '/community/referrals',
  ],
  [
    'ReferralCompleted',
    { points: 1 },
    'Somebody joined with your link. 1 point is yours, held until they have an approved task.',
    undefined,
    '/community/referrals',
  ],
  ['ReferralCompleted', { points: 0 }, 'Somebody joined with your link.', undefined, '/community/referrals'],
  [
    'QuestPublished',
    { campaign_id: 'q1', quest: 'Tour', project: 'Paperkite' },
    '“Paperkite”, which you follow, has a new quest: “Tour”.',
    undefined,
    '/community/quest/q1',
  ],
  [
    'QuestFull',
    { campaign_id: 'q1', quest: 'Tour' },
    'All spots of “Tour” are taken.',
    undefined,
    '/startup/campaigns/q1/edit',
  ],
  [
    'QuestHeld',
    { campaign_id: 'q1', quest: 'Tour', reason: 'Spam' },
    'Questboard has put “Tour” on hold. Members cannot see it.',
    'Spam',
    '/startup/campaigns/q1/edit',
  ],
  [
    'QuestHoldLifted',
    { campaign_id: 'q1', quest: 'Tour' },
    '“Tour” is no longer on hold. You can publish it again.',
    undefined,
    '/startup/campaigns/q1/edit',
  ],
  ['StartupVerified', { name: 'Acme' }, '“Acme” is verified.', undefined, '/startup'],
  ['StartupRejected', { name: 'Acme', reason: 'No site' }, 'We could not verify “Acme”.', 'No site', '/startup'],
  [
    'VerificationRevoked',
    { name: 'Acme', reason: 'No site' },
    '“Acme” is no longer verified. Its quests are on hold.',
    'No site',
    '/startup',
  ],
  ['AccountSuspended', { reason: 'Spam' }, 'Your account is suspended.', 'Spam', '/settings'],
  ['SuspensionLifted', {}, 'Your account is no longer suspended.', undefined, '/app-dashboard'],
  [
    'AppealDecided',
    { kind: 'suspension', outcome: 'upheld', note: 'See the rules' },
    'Your appeal is decided: we looked at it again, and our decision stands.',
    'See the rules',
    '/settings',
  ],
  [
    'AppealDecided',
    { kind: 'revocation', outcome: 'overturned' },
    'Your appeal is decided: we have reversed our decision.',
    undefined,
    '/startup',
  ],
  ['SubscriptionActivated', {}, 'Your OG Lifetime Access is active.', undefined, '/startup/subscribe'],
  ['SubscriptionReinstated', {}, 'Your OG Lifetime Access is active.', undefined, '/startup/subscribe'],
  [
    'SubscriptionEnded',
    { status: 'refunded' },
    'Your OG Lifetime Access has ended.',
    'Its payment was refunded.',
    '/startup/subscribe',
  ],
  [
    'ReferralCompleted',
    { points: 1 },
    'Somebody joined with your link. 1 point is yours, held until they have an approved task.',
    undefined,
    '/community/referrals',
  ],
  ['PointsPurchased', { points: 1 }, '1 point was added to your project.', undefined, '/startup/billing'],
  ['PointsPurchased', { points: 500 }, '500 points were added to your project.', undefined, '/startup/billing'],
  [
    'PurchaseTakenBack',
    { points: 500, taken_back: 120 },
    'A payment for 500 points was returned, and 120 points with it.',
    undefined,
    '/startup/billing',
  ],
  [
    'PurchaseTakenBack',
    { points: 500, taken_back: 0 },
    'A payment for 500 points was returned. None of them were left to take back.',
    undefined,
    '/startup/billing',
  ],
  ['PurchaseReinstated', { points: 500 }, 'Your payment for 500 points was reinstated.', undefined, '/startup/billing'],
  [
    'PaymentNotApplied',
    { reason: 'sold_out' },
    'We are refunding your payment: every slot of OG Lifetime Access is taken.',
    undefined,
    '/startup/subscribe',
  ],
  [
    'PaymentNotApplied',
    { reason: 'already_subscribed' },
    'We are refunding your payment: you already have OG Lifetime Access.',
    undefined,
    '/startup/subscribe',
  ],
  [
    'PaymentNotApplied',
    { reason: 'startup_not_found' },
    'We are refunding your payment: the project that it was for has been deleted.',
    undefined,
    '/startup/subscribe',
  ],
  [
    'PaymentNotApplied',
    { reason: 'wrong_amount' },
    'A payment of yours could not be used. We will look at it.',
    undefined,
    '/startup/subscribe',
  ],
  [
    'PaymentNotApplied',
    { reason: 'wrong_amount', points: 1000 },
    'A payment of yours could not be used. We will look at it.',
    undefined,
    '/startup/billing',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'q1', decided_by: 'deadline', points: 50 },
    'Your proof was approved, because it was not reviewed in time. You earned 50 points.',
    undefined,
    '/community/quest/q1',
  ],
  [
    'SubmissionRejected',
    { campaign_id: 'q1', due_at: '2026-05-08T12:00:00Z', reason: 'Too dark' },
    'Your proof was not accepted. You can send a new one, or appeal.',
    'Too dark',
    '/community/quest/q1',
  ],
  ['SubmissionReversed', {}, 'Questboard took back the approval of your proof for a task.', undefined, '/community'],
  ['PointsCorrected', { points: 0 }, 'Questboard added 0 points to your wallet.', undefined, '/rewards'],
  [
    'RedemptionCancelled',
    {},
    'Your redemption of a reward was cancelled. The points are back in your wallet.',
    undefined,
    '/rewards#redemptions',
  ],
  [
    'ReviewHalfTime',
    { campaign_id: 'q1', quest: 'Tour' },
    'Proofs of “Tour” are waiting for your decision. The first is approved without you.',
    undefined,
    '/startup/campaigns/q1/submissions',
  ],
  [
    'ReviewDueSoon',
    { quest: 'Tour', due_at: '2026-05-08T12:00:00Z' },
    `Last reminder: proofs of “Tour” are waiting for your decision. The first is approved without you on ${formatDateTime('2026-05-08T12:00:00Z')}.`,
    undefined,
    '/startup',
  ],
  [
    'ReviewTimeOver',
    { campaign_id: 'q1', quest: 'Tour', count: 3, points: 60 },
    '3 proofs of “Tour” were approved because the review time had ended. 60 points went to members.',
    undefined,
    '/startup/campaigns/q1/submissions',
  ],
  [
    'ReviewTimeOver',
    { points: 20 },
    '1 proof of your quest was approved because the review time had ended. 20 points went to members.',
    undefined,
    '/startup',
  ],
  ['QuestFull', {}, 'All spots of your quest are taken.', undefined, '/startup'],
  [
    'QuestPublished',
    { quest: 'Tour' },
    'A project, which you follow, has a new quest: “Tour”.',
    undefined,
    '/community',
  ],
  ['StartupVerified', {}, 'Your project is verified.', undefined, '/startup'],
  ['StartupRejected', {}, 'We could not verify your project.', undefined, '/startup'],
  ['VerificationRevoked', {}, 'Your project is no longer verified. Its quests are on hold.', undefined, '/startup'],
  [
    'RejectionAppealed',
    { campaign_id: 'q1', quest: 'Tour', reason: 'I did it' },
    'A member has appealed against your rejection in “Tour”. Questboard will decide.',
    'I did it',
    '/startup/campaigns/q1/submissions',
  ],
  [
    'RejectionAppealed',
    {},
    'A member has appealed against your rejection in your quest. Questboard will decide.',
    undefined,
    '/startup',
  ],
  [
    'ProjectAppealDecided',
    { campaign_id: 'q1', quest: 'Tour', outcome: 'overturned', note: 'It is there' },
    'An appeal in “Tour” was granted: the proof is approved and paid.',
    'It is there',
    '/startup/campaigns/q1/submissions',
  ],
  [
    'ProjectAppealDecided',
    { outcome: 'upheld' },
    'An appeal in your quest was decided: your rejection stands.',
    undefined,
    '/startup',
  ],
  [
    'AppealDecided',
    { kind: 'rejection', outcome: 'overturned', task: 'Try it', campaign_id: 'q1', points: 10, held: 4 },
    'Your appeal was granted. Your proof for “Try it” is approved. You earned 10 points. 4 of them are held for now.',
    undefined,
    '/community/quest/q1',
  ],
  [
    'AppealDecided',
    { kind: 'rejection', outcome: 'upheld', task: 'Try it', note: 'Another page' },
    'Your appeal is decided: your proof for “Try it” stays rejected.',
    'Another page',
    '/community',
  ],
])('BEY-03 %s says what happened and links to its subject', (type, data, sentence, detail, to) => {
  vi.setSystemTime('2026-05-07T12:00:00Z');
  expect(describeOf(type, data)).toEqual({ sentence, detail, to });
});

it.each([
  [3, '3 proofs of “Tour” are waiting for your decision.'],
  [1, '1 proof of “Tour” is waiting for your decision.'],
  [0, 'All proofs of “Tour” are decided.'],
  // The quest has been deleted.
  [null, 'Proofs of “Tour” are waiting for your decision.'],
])('BEY-03 pending proofs are counted as of now: %s', (waiting, sentence) => {
  const data = { campaign_id: 'q1', quest: 'Tour' };
  expect(describeOf('ProofsWaiting', data, waiting)).toEqual({ sentence, to: '/startup/campaigns/q1/submissions' });
});

it.each(['ReviewHalfTime', 'ReviewDueSoon'])('BEY-22 %s is true weeks later too', (type) => {
  const data = { campaign_id: 'q1', quest: 'Tour', due_at: '2026-05-08T12:00:00Z' };
  vi.setSystemTime('2026-05-29T12:00:00Z');
  expect(describeOf(type, data, 0).sentence).toBe('All proofs of “Tour” are decided.');
  expect(describeOf(type, data, 2).sentence).toBe(
    `Proofs of “Tour” are waiting for your decision. The time of the first ended on ${formatDateTime(data.due_at)}.`,
  );
});

it('BEY-23 no longer offers the appeal to somebody who reads of a rejection after its time, or after appealing', () => {
  vi.setSystemTime('2026-05-29T12:00:00Z');
  const { sentence } = describeOf('SubmissionRejected', { due_at: '2026-05-08T12:00:00Z' });
  expect(sentence).toBe('Your proof was not accepted. You can send a new one.');
  expect(describeOf('SubmissionRejected', { status: 'appealed' }).sentence).toMatch(/accepted\. You have appealed\.$/);
});

it('BEY-22 proofs that earn no points are not said to have paid any', () => {
  expect(describeOf('ReviewTimeOver', { quest: 'Tour', count: 2, points: 0 }).sentence).toBe(
    '2 proofs of “Tour” were approved because the review time had ended.',
  );
});

it('an unknown type from a newer server links to the dashboard', () => {
  expect(describeOf('SomethingNew')).toEqual({
    sentence: 'Something new happened on Questboard.',
    to: '/app-dashboard',
  });
});
