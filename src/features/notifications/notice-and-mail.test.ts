import { noteFor } from '../../../supabase/functions/_shared/outbox/notes.ts';
import kinds from '../../../supabase/schemas/05_notifications.sql?raw';
import { describeNotification } from './notification';

/** Every event that both rings the bell and is mailed; the digest is a mail alone. */
const types = [...kinds.matchAll(/when '(\w+)' then/g)].flatMap(([, type = '']) => (type === 'DigestDue' ? [] : type));

/** What the payloads of all events have, but not of the same one. */
const payload = {
  campaign_id: 'q1',
  quest: 'Tour',
  task: 'Try it',
  project: 'Paperkite',
  name: 'Acme',
  title: 'Mug',
  reason: 'sold_out',
  note: 'See the rules',
  status: 'expired',
  outcome: 'upheld' as const,
  kind: 'rejection',
  due_at: '2026-05-08T12:00:00Z',
  points: 1250,
  held: 40,
  taken_back: 120,
  count: 3,
};

function bothTexts(type: string, data: Partial<typeof payload> & { decided_by?: string; delivery?: string } = {}) {
  const { sentence, detail, to } = describeNotification({ type, data: { ...payload, ...data }, waiting: null });
  const note = noteFor({ type, payload: { ...payload, ...data } });
  return {
    notice: [sentence, detail].join('\n'),
    mail: [note?.subject, note?.message].join('\n'),
    links: { notice: to, mail: note?.action?.path },
  };
}

/** The names and figures that a text gives. */
const facts = (text: string) =>
  text.match(/Tour|Try it|Paperkite|Acme|Mug|See the rules|1,250|\b40\b|\b120\b|\b3\b/g) ?? [];

/** Of the mails that lead elsewhere than the notice: to the first quest, to signing in (from where a suspended person may appeal), nowhere. */
const mailLinks: Readonly<Record<string, string | undefined>> = {
  StartupVerified: '/startup/create-quest',
  AccountSuspended: '/app-dashboard',
  SuspensionLifted: undefined,
};

it('finds the types of events', () => {
  expect(types).toContain('SubmissionApproved');
  expect(types).toContain('QuestPublished');
});

describe.each(types)('BEY-03 %s', (type) => {
  it('is described in the bell and in a mail, which gives the same facts', () => {
    const { notice, mail } = bothTexts(type);
    expect(notice).not.toContain('Something new happened');
    expect(mail.trim()).not.toBe('');
    expect(facts(mail)).toEqual(expect.arrayContaining(facts(notice)));
  });

  it('leads to the same place from both, or where its mail is meant to', () => {
    const { links } = bothTexts(type);
    expect(links.mail).toBe(type in mailLinks ? mailLinks[type] : links.notice);
  });

  it('speaks of one in the singular in both', () => {
    const { notice, mail } = bothTexts(type, { points: 1, held: 1, taken_back: 1, count: 1 });
    for (const text of [notice, mail]) {
      expect(text).not.toMatch(/\b1 (?:points|proofs|(?:points?|proofs?)(?: of \S+)?(?: that)? (?:are|were|go))\b/);
    }
  });
});

it.each<[string, Parameters<typeof bothTexts>[1], string]>([
  ['SubmissionApproved', { decided_by: 'deadline' }, 'it was not reviewed in time'],
  ['PointsCorrected', { points: -1250 }, 'Questboard took 1,250 points from your wallet.'],
  ['RedemptionFulfilled', { delivery: 'post' }, 'Your reward “Mug” is on its way to you.'],
  ['RedemptionFulfilled', { delivery: 'mail' }, 'Your reward “Mug” is in your inbox.'],
  ['RedemptionFulfilled', { delivery: 'code' }, 'Your reward “Mug” is ready.'],
  ['RedemptionCancelled', {}, 'Your redemption of “Mug” was cancelled. The points are back in your wallet.'],
  ['PointsPurchased', {}, '1,250 points were added to your project.'],
  ['SubscriptionEnded', { status: 'expired' }, 'It expired.'],
  ['SubscriptionEnded', { status: 'refunded' }, 'Its payment was refunded.'],
  ['SubscriptionEnded', { status: 'disputed' }, 'Its payment is disputed.'],
  ['SubscriptionEnded', { status: 'cancelled' }, 'It was cancelled.'],
  ['PaymentNotApplied', { reason: 'sold_out' }, 'very slot of OG Lifetime Access is taken.'],
  ['PaymentNotApplied', { reason: 'already_subscribed' }, 'ou already have OG Lifetime Access.'],
  ['PaymentNotApplied', { reason: 'startup_not_found' }, 'he project that it was for has been deleted.'],
])('BEY-03 %s %j is said with the same words in both', (type, data, words) => {
  const { notice, mail } = bothTexts(type, data);
  expect(notice).toContain(words);
  expect(mail).toContain(words);
});
