import { flagSentence, parseFlags } from './flags';

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
  ['same_picture', {}, 'Another member submitted the very same picture.'],
  ['similar_picture', { distance: 3 }, 'Another member submitted a picture that looks the same.'],
  ['similar_text', { similarity: 0.93 }, 'Another member wrote nearly the same text: 93% alike.'],
  ['too_fast', { seconds: 2.1, usual_seconds: 45.4 }, 'Submitted after 2 s; nearly everybody takes longer than 45 s.'],
  ['related_account', { relation: 'mailbox_of_owner' }, 'This account and the quest’s owner use the same mailbox.'],
  ['disposable_mailbox', { domain: 'yopmail.com' }, 'The account uses a throw-away address at yopmail.com.'],
  ['aliased_mailbox', {}, 'The account’s address is an alias of another mailbox.'],
])('BEY-02 says %s %j in a sentence', (kind, evidence, expected) => {
  expect(sentence(kind, evidence)).toBe(expected);
});

it('BEY-02 refuses a kind that has no sentence, rather than showing nothing', () => {
  expect(() => sentence('new_kind', {})).toThrow();
});
