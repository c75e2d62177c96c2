// @vitest-environment jsdom
import { proofValues, readProofDraft, writeProofDraft } from './proof-drafts';
import { emptyProofForm } from './schema';

const day = 24 * 60 * 60 * 1000;
const typed = { ...emptyProofForm, url: 'https://x.test', text: 'Half a sentence', email: 'a@example.org' };

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());

describe('BEY-11 a proof draft', () => {
  it('is restored for this person and this task, without the address', () => {
    writeProofDraft('user_1', 't1', typed);
    expect(readProofDraft('user_1', 't1')).toEqual({ ...typed, email: '' });
    expect(readProofDraft('user_2', 't1')).toBeNull();
    expect(readProofDraft('user_1', 't2')).toBeNull();
    expect(JSON.stringify(localStorage)).not.toContain('a@example.org');
  });

  it('is kept for a week, and then removed', () => {
    writeProofDraft('user_1', 't1', typed);
    vi.setSystemTime(Date.now() + 7 * day - 1);
    expect(readProofDraft('user_1', 't1')).not.toBeNull();
    vi.setSystemTime(Date.now() + 1);
    expect(readProofDraft('user_1', 't1')).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it.each(['url', 'text', 'screenshot'] as const)(
    'is worth keeping when it is only a %s, and goes when it is empty',
    (field) => {
      writeProofDraft('user_1', 't1', { ...emptyProofForm, [field]: 'x' });
      expect(readProofDraft('user_1', 't1')).toMatchObject({ [field]: 'x' });
      writeProofDraft('user_1', 't1', { ...emptyProofForm, email: 'a@example.org' });
      expect(localStorage).toHaveLength(0);
    },
  );

  it('is ignored when it cannot be parsed', () => {
    writeProofDraft('user_1', 't1', typed);
    const [key = ''] = Object.keys(localStorage);
    for (const kept of ['', '{', '{"savedAt":1}', `{"savedAt":${Date.now()},"url":1,"text":"","screenshot":null}`]) {
      localStorage.setItem(key, kept);
      expect(readProofDraft('user_1', 't1'), kept).toBeNull();
    }
  });

  it('remains in the dialog where storage is disabled', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Storage is forbidden', 'SecurityError');
    });
    expect(() => writeProofDraft('user_1', 't1', typed)).not.toThrow();
  });
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
