import { expect, it } from 'vitest';
import { noteFor } from './notes.ts';

it('C-50 tells a member why a proof was rejected and leads to the quest', () => {
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
      'You can mend it and send your proof again. The quest’s page shows the whole reason.',
    action: { label: 'Open the quest', path: '/community/quest/c1' },
  });
});

it.each([
  [
    'RedemptionFulfilled',
    'Your reward is ready: Mug',
    'We have fulfilled your redemption of “Mug”.\n\nIt is on its way',
  ],
  [
    'RedemptionCancelled',
    'Your redemption was cancelled: Mug',
    'We could not fulfil “Mug”. Your points are back in your wallet.\n\nIt is on its way',
  ],
])('C-50 %s tells what the admin noted', (type, subject, message) => {
  const payload = { redemption_id: 'r', title: 'Mug', note: 'It is on its way' };
  expect(noteFor({ type, payload })).toMatchObject({ subject, message });
});

it('TRUST-13 quotes the project, so that its words are not taken for ours', () => {
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

it('C-50 tells an owner that the project is verified', () => {
  const note = noteFor({ type: 'StartupVerified', payload: { startup_id: 's', name: 'Acme' } });
  expect(note).toMatchObject({ subject: 'Your project is verified', action: { path: '/startup/create-quest' } });
});

it('C-81 tells an owner whose mailbox has had its trial points that the project starts with none', () => {
  const note = noteFor({ type: 'StartupVerified', payload: { startup_id: 's', name: 'Acme', trial_points: 0 } });
  expect(note?.message).toBe(
    'Your project “Acme” is verified.\n\nYour email address has already received its trial points, so the project starts with 0 points.',
  );
});

it('BEY-10 sends a receipt for a shared address that says what was agreed to and where to take it back', () => {
  const payload = { project: 'Acme', quest: 'Try it', email: 'me@example.com', statement: 'I agree that Acme …' };
  const note = noteFor({ type: 'EmailHandedOver', payload });
  expect(note?.message).toContain('me@example.com with “Acme”');
  expect(note?.message).toContain('“I agree that Acme ...”');
  expect(note?.message).toContain('take it back');
});

it('BEY-10 asks an owner to delete copies of an address that was taken back', () => {
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
])('BEY-04 C-91 %s tells why, and that one may appeal', (type, payload, subject, reason) => {
  const note = noteFor({ type, payload });
  expect(note?.subject).toBe(subject);
  expect(note?.message).toContain(reason);
  expect(note?.message).toContain('you can appeal once');
});

it.each([
  ['upheld', 'We looked at it again, and our decision stays.'],
  ['overturned', 'We have taken our decision back.'],
])('BEY-04 tells whose appeal was %s', (outcome, sentence) => {
  const note = noteFor({ type: 'AppealDecided', payload: { kind: 'suspension', outcome, note: 'See the rules' } });
  expect(note?.message).toBe(`${sentence}\n\nSee the rules`);
});

it('C-103 tells who paid for nothing that the money comes back; not of a payment that was given back already', () => {
  const note = (reason: string) => noteFor({ type: 'PaymentNotApplied', payload: { plan_id: 'og_lifetime', reason } });
  expect(note('sold_out')?.message).toMatch(/^The last place was taken .*\n\nWe have refunded the whole amount/);
  expect(note('already_subscribed')?.message).toContain('You already have OG Lifetime Access.');
  expect(note('payment_ended')).toBeNull();
});

it.each(['SubmissionApproved', 'RewardRedeemed', 'ReferralCompleted', 'SomethingNew'])(
  'sends nothing for %s',
  (type) => {
    expect(noteFor({ type, payload: {} })).toBeNull();
  },
);

it('refuses a payload that its event cannot have', () => {
  expect(() => noteFor({ type: 'StartupVerified', payload: {} })).toThrow();
});
