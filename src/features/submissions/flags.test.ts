import { describeFlag, flagSentence, parseFlags } from './flags';

const sentence = (kind: string, evidence: Record<string, unknown>) => {
  const [flag] = parseFlags([
    { id: 'f', kind, evidence, dismissed_at: null, dismissal_reason: null, twin: null, has_twin: false },
  ]);
  if (!flag) throw new Error('no flag');
  return flagSentence(flag);
};

it.each([
  ['same_link', { link: 'x.com/a/status/1' }, 'Another member submitted the same link: x.com/a/status/1'],
  // Erased with the account.
  ['same_link', {}, 'Another member submitted the same link.'],
  ['same_picture', {}, 'Another member submitted an identical picture.'],
  ['similar_picture', { distance: 3 }, 'Another member submitted a picture that looks the same.'],
  ['similar_text', { similarity: 0.93 }, 'Another member wrote nearly the same text: 93% alike.'],
  ['too_fast', { seconds: 2.1, usual_seconds: 45.4 }, 'Submitted after 2 s; most people take longer than 45 s.'],
  ['related_account', { relation: 'mailbox_of_owner' }, 'This account and the quest’s owner use the same mailbox.'],
  ['related_account', { relation: 'same_mailbox' }, 'Another account with the same mailbox took part in this quest.'],
  [
    'related_account',
    { relation: 'referred_by_owner' },
    'The quest’s owner invited this member, directly or through somebody else.',
  ],
  [
    'related_account',
    { relation: 'referred_owner' },
    'This member invited the quest’s owner, directly or through somebody else.',
  ],
  [
    'related_account',
    { relation: 'mutual_projects' },
    'This member has a project, and the quest’s owner submitted to one of its quests.',
  ],
  ['disposable_mailbox', {}, 'The account uses a disposable email address.'],
  ['disposable_mailbox', { domain: 'yopmail.com' }, 'The account uses a disposable email address at yopmail.com.'],
  ['aliased_mailbox', {}, 'The account’s address is an alias of another mailbox.'],
])('BEY-02 words %s %j', (kind, evidence, expected) => {
  expect(sentence(kind, evidence)).toBe(expected);
});

it('BEY-02 fails on an unknown kind, rather than showing nothing', () => {
  expect(() => sentence('new_kind', {})).toThrow();
});

it('BEY-02 words a flag parsed from JSON', () => {
  expect(describeFlag({ kind: 'similar_text', evidence: { similarity: 0.5 } })).toBe(
    'Another member wrote nearly the same text: 50% alike.',
  );
});
