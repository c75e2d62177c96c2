import { expect, it } from 'vitest';
import { noteFor } from './notes.ts';

it('C-50 tells a member why a proof was rejected and links to the quest', () => {
  const payload = {
    submission_id: 's',
    campaign_id: 'c1',
    task: 'Try it',
    reason: 'The link is broken',
    project: 'Acme',
  };
  expect(noteFor({ type: 'SubmissionRejected', payload })).toEqual({
    subject: 'Your proof was not accepted',
    message:
      'Your proof for “Try it” was not accepted.\n\nThe reviewer for “Acme” wrote: “The link is broken”\n\n' +
      'You can fix it and send your proof again. The quest’s page shows the whole reason.',
    action: { label: 'Open the quest', path: '/community/quest/c1' },
  });
});

it.each([
  ['RedemptionFulfilled', 'Your reward is ready: Mug', 'Your reward “Mug” is ready.\n\nIt is on its way'],
  [
    'RedemptionCancelled',
    'Your redemption was cancelled: Mug',
    'Your redemption of “Mug” was cancelled. The points are back in your wallet.\n\nIt is on its way',
  ],
])("C-50 %s contains the admin's note", (type, subject, message) => {
  const payload = { redemption_id: 'r', title: 'Mug', note: 'It is on its way' };
  expect(noteFor({ type, payload })).toMatchObject({ subject, message });
});

it('TRUST-13 quotes the project, so that its words are not mistaken for ours', () => {
  const note = noteFor({
    type: 'SubmissionRejected',
    payload: {
      campaign_id: 'c1',
      task: 'Try https://evil.example',
      reason: 'No.\n\nYour account is locked.\n\nUnlock it: https://evil.example/login',
      project: 'Questboard Support',
    },
  });
  expect(note?.message).toContain(
    'The reviewer for “Questboard Support” wrote: “No. Your account is locked. Unlock it: evil[.]example/login”',
  );
  expect(note?.message).not.toContain('evil.example');
  expect(note?.message.split('\n\n')).toHaveLength(3);
});

it.each([
  { startup_id: 's', name: 'Acme' },
  { startup_id: 's', name: 'Acme', trial_points: null },
])('C-50 tells an owner that the project is verified', (payload) => {
  const note = noteFor({ type: 'StartupVerified', payload });
  expect(note).toMatchObject({ subject: 'Your project is verified', action: { path: '/startup/create-quest' } });
  expect(note?.message).not.toContain('0 points');
});

it('C-81 tells an owner whose mailbox has already had its trial points that the project starts with none', () => {
  const note = noteFor({ type: 'StartupVerified', payload: { startup_id: 's', name: 'Acme', trial_points: 0 } });
  expect(note?.message).toBe(
    'Your project “Acme” is verified.\n\nYour email address has already received its trial points, so the project starts with 0 points.',
  );
});

it('BEY-10 sends a receipt for a shared address with the consent text and how to withdraw it', () => {
  const payload = { project: 'Acme', quest: 'Try it', email: 'me@example.com', statement: 'I agree that Acme …' };
  const note = noteFor({ type: 'EmailHandedOver', payload });
  expect(note?.message).toContain('me@example.com with “Acme”');
  expect(note?.message).toContain('“I agree that Acme ...”');
  expect(note?.message).toContain('take it back');
});

it('BEY-10 asks an owner to delete copies of a withdrawn address', () => {
  const note = noteFor({ type: 'EmailWithdrawn', payload: { quest: 'Try it', email: 'me@example.com' } });
  expect(note?.message).toContain('me@example.com');
  expect(note?.message).toContain('delete');
});

it.each([
  ['AccountSuspended', { reason: 'Spam' }, 'Your account is suspended', 'The reason: Spam'],
  [
    'VerificationRevoked',
    { name: 'Acme', reason: 'No site' },
    'Your project is no longer verified',
    'The reason: No site',
  ],
])('BEY-04 C-91 %s gives the reason and mentions the right to appeal', (type, payload, subject, reason) => {
  const note = noteFor({ type, payload });
  expect(note?.subject).toBe(subject);
  expect(note?.message).toContain(reason);
  expect(note?.message).toContain('you can appeal once');
});

it.each([
  ['suspension', 'upheld', 'We looked at the suspension of your account again, and our decision stands.'],
  ['revocation', 'overturned', 'We looked at the verification of your project again, and have reversed our decision.'],
])('BEY-04 tells the appellant that the appeal against a %s was %s', (kind, outcome, sentence) => {
  const note = noteFor({ type: 'AppealDecided', payload: { kind, outcome, note: 'See the rules' } });
  expect(note?.message).toBe(`${sentence}\n\nSee the rules`);
});

it('C-103 tells the payer of an unusable payment that it is refunded, unless it has been refunded already', () => {
  const note = (reason: string) => noteFor({ type: 'PaymentNotApplied', payload: { plan_id: 'og_lifetime', reason } });
  expect(note('sold_out')?.message).toMatch(
    /^Every slot of OG Lifetime Access is taken\.\n\nWe are refunding the whole amount/,
  );
  expect(note('already_subscribed')?.message).toContain('You already have OG Lifetime Access.');
  expect(note('startup_not_found')?.message).toMatch(/^The project that it was for has been deleted\./);
  expect(note('payment_ended')).toBeNull();
});

const quest = { campaign_id: 'c1', quest: 'Try it' };

it.each([
  [
    'SubmissionApproved',
    { campaign_id: 'c1', task: 'Try it', points: 50, held: 50 },
    'Your proof was accepted',
    'You earned 50 points.\n\nThey are held for now. Your wallet says why',
    '/community/quest/c1',
  ],
  [
    'SubmissionReversed',
    { campaign_id: 'c1', task: 'Try it', points: 50, reason: 'Copied' },
    'An approval was taken back',
    '50 points with it.\n\nThe reason: Copied',
    '/community/quest/c1',
  ],
  [
    'SubmissionApproved',
    { campaign_id: 'c1', points: 1250, held: 1200 },
    'Your proof was accepted',
    'You earned 1,250 points.\n\n1,200 of them are held',
    '/community/quest/c1',
  ],
  ['PointsHeld', { points: 250 }, '250 points are held for you', '250 points are yours, but held', '/rewards'],
  ['PointsHeld', { points: 1 }, '1 point is held for you', '1 point is yours, but held', '/rewards'],
  ['PointsReleased', { points: 1 }, '1 point is available now', '1 point that was held is available', '/rewards'],
  ['PointsReleased', { points: 1250 }, '1,250 points are available now', '1,250 points that were held', '/rewards'],
  [
    'PointsCorrected',
    { points: -1, reason: 'Twice', wallet: 'user' },
    'Your points were corrected',
    'took 1 point from your wallet.\n\nThe reason: Twice',
    '/rewards',
  ],
  [
    'PointsCorrected',
    { points: 5, reason: null, wallet: 'startup' },
    'Your points were corrected',
    'added 5 points to your project’s wallet.',
    '/startup/wallet',
  ],
  ['ReferralCompleted', { points: 500 }, 'Somebody joined with your link', '500 points', '/community/referrals'],
  ['ReferralCompleted', { points: 1 }, 'Somebody joined with your link', '1 point is yours', '/community/referrals'],
  [
    'ReferralCompleted',
    { points: 0 },
    'Somebody joined with your link',
    'You will find them under your referrals.',
    '/community/referrals',
  ],
  ['ProofsWaiting', quest, 'Proofs are waiting for your decision', '“Try it”', '/startup/campaigns/c1/submissions'],
  [
    'QuestPublished',
    { ...quest, project: 'Paperkite' },
    'A new quest from “Paperkite”',
    '“Paperkite”, which you follow, has published “Try it”.',
    '/community/quest/c1',
  ],
  ['QuestFull', quest, 'Your quest is full', 'All spots of “Try it”', '/startup/campaigns/c1/edit'],
  [
    'QuestHeld',
    { ...quest, reason: 'Spam' },
    'Your quest is on hold',
    'The reason: Spam',
    '/startup/campaigns/c1/edit',
  ],
  ['QuestHoldLifted', quest, 'Your quest is no longer on hold', '“Try it”', '/startup/campaigns/c1/edit'],
  ['StartupRejected', { name: 'Acme', reason: 'No site' }, 'Your project was not verified', 'No site', '/startup'],
  ['SuspensionLifted', {}, 'Your account is open again', 'no longer suspended', undefined],
  ['SubscriptionActivated', {}, 'OG Lifetime Access is yours', 'is active', '/startup/subscribe'],
  ['SubscriptionReinstated', {}, 'OG Lifetime Access is yours', 'is active', '/startup/subscribe'],
  ['SubscriptionEnded', { status: 'refunded' }, 'Your plan has ended', 'was refunded', '/startup/subscribe'],
  ['PointsPurchased', { points: 500 }, '500 points for your project', 'were added', '/startup/billing'],
  ['PointsPurchased', { points: 1 }, '1 point for your project', '1 point was added', '/startup/billing'],
  [
    'PurchaseTakenBack',
    { points: 500, taken_back: 120 },
    'A payment for points was returned',
    '120 points',
    '/startup/billing',
  ],
  [
    'PurchaseTakenBack',
    { points: 500, taken_back: 0 },
    'A payment for points was returned',
    'None of them were left to take back.',
    '/startup/billing',
  ],
  [
    'AppealDecided',
    { kind: 'rejection', outcome: 'overturned', campaign_id: 'c1', task: 'Try it', points: 10, held: 4 },
    'Your appeal is decided',
    'Your appeal was granted: your proof for “Try it” is approved. You earned 10 points.\n\n4 of them are held for now. Your wallet',
    '/community/quest/c1',
  ],
  ['PurchaseReinstated', { points: 500 }, 'Your payment was reinstated', 'was reinstated', '/startup/billing'],
])('BEY-03 %s says what happened and links to its subject', (type, payload, subject, words, path) => {
  const note = noteFor({ type, payload });
  expect(note?.subject).toBe(subject);
  expect(note?.message).toContain(words);
  expect(note?.action?.path).toBe(path);
});

it('BEY-03 the digest names the five quests with the most proofs and counts the rest', () => {
  const quests = [40, 9, 3, 2, 1, 1, 1].map((waiting, index) => ({ title: `Quest ${index}`, waiting }));
  expect(noteFor({ type: 'DigestDue', payload: { waiting: 57, quests } })).toEqual({
    subject: '57 proofs are waiting for your decision',
    message: [
      '“Quest 0”: 40 proofs are waiting',
      '“Quest 1”: 9 proofs are waiting',
      '“Quest 2”: 3 proofs are waiting',
      '“Quest 3”: 2 proofs are waiting',
      '“Quest 4”: 1 proof is waiting',
      '2 more quests: 2 proofs are waiting',
      'You get this mail at most once a day. You can switch it off in your settings.',
    ].join('\n\n'),
    action: { label: 'Review the proofs', path: '/startup/review' },
  });
});

it.each([
  [2, 0, 'We approved them.'],
  [2, 60, 'We approved them, and 60 points went to members.'],
  [1, 30, 'We approved it, and 30 points went to its member.'],
])('BEY-22 says what %i proofs approved at the end of their time paid: %i', (count, points, sentence) => {
  const note = noteFor({ type: 'ReviewTimeOver', payload: { campaign_id: 'c1', quest: 'Tour', count, points } });
  expect(note?.message.split('\n\n')[1]).toBe(sentence);
});

it('BEY-22 gives the end of the review time as the app writes dates, with its time zone', () => {
  const due = { campaign_id: 'c1', quest: 'Tour', count: 2, due_at: '2026-05-08T13:30:00Z' };
  expect(noteFor({ type: 'ReviewDueSoon', payload: due })?.message).toContain(
    'The first is approved and paid without you on May 8, 2026, 1:30 PM UTC.',
  );
});

it('sends nothing for an unknown event', () => {
  expect(noteFor({ type: 'SomethingNew', payload: {} })).toBeNull();
});

it.each([
  ['post', 'It will come by post, to the address that you gave.'],
  ['mail', 'It will come by email, to this address.'],
])('C-93 confirms a reward by %s, and explains the delivery', (delivery, how) => {
  const payload = { redemption_id: 'r', title: 'Mug', points: 30, delivery };
  expect(noteFor({ type: 'RewardRedeemed', payload })).toEqual({
    subject: 'We have your redemption: Mug',
    message: `You have redeemed “Mug” for 30 points. ${how}\n\nYour redemptions show how far along it is.`,
    action: { label: 'See your redemptions', path: '/rewards#redemptions' },
  });
});

it.each(['code', 'other'])('C-93 sends no confirmation for a reward by %s', (delivery) => {
  expect(noteFor({ type: 'RewardRedeemed', payload: { title: 'Mug', points: 30, delivery } })).toBeNull();
});

it('refuses an invalid payload', () => {
  expect(() => noteFor({ type: 'StartupVerified', payload: {} })).toThrow();
});
