// @vitest-environment jsdom
import { proofValues, readProofDraft, writeProofDraft } from './proof-drafts';
import { emptyProofForm } from './schema';

const typed = { ...emptyProofForm, url: 'https://x.test', text: 'Half a sentence' };

beforeEach(() => localStorage.clear());

describe('BEY-11 a proof draft', () => {
  it('is restored for this person and this task', () => {
    writeProofDraft('user_1', 't1', typed);
    expect(readProofDraft('user_1', 't1')).toEqual(typed);
    expect(readProofDraft('user_2', 't1')).toBeNull();
    expect(readProofDraft('user_1', 't2')).toBeNull();
  });

  it.each(['url', 'text', 'screenshot'] as const)(
    'is worth keeping when it is only a %s, and goes when it is empty',
    (field) => {
      writeProofDraft('user_1', 't1', { ...emptyProofForm, [field]: 'x' });
      expect(readProofDraft('user_1', 't1')).toMatchObject({ [field]: 'x' });
      writeProofDraft('user_1', 't1', emptyProofForm);
      expect(localStorage).toHaveLength(0);
    },
  );
});

it.each([
  [{ proof_url: 'https://x.test', proof_text: null }, { url: 'https://x.test' }],
  [
    { proof_url: 'proofs/user_1/a.png', proof_text: 'See' },
    { text: 'See', screenshot: 'user_1/a.png' },
  ],
  [{ proof_url: null, proof_text: 'See' }, { text: 'See' }],
])('C-08 the next try starts with what was sent: %j', (sent, values) => {
  expect(proofValues(sent)).toEqual({ ...emptyProofForm, ...values });
});
