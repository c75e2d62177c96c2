// @vitest-environment jsdom
import {
  canSubmitProof,
  emptyProofForm,
  proofFormSchema,
  proofText,
  proofValues,
  readProofDraft,
  writeProofDraft,
} from './proof-form';

const messages = (form: Partial<typeof emptyProofForm>) => {
  const result = proofFormSchema.safeParse({ ...emptyProofForm, ...form });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

describe('proofFormSchema', () => {
  it('QUEST-19 requires a URL or a text; blanks are neither', () => {
    expect(messages({ url: ' ', text: '\n ' })).toEqual(['text: Proof is required']);
    expect(messages({ text: 'done' })).toEqual([]);
    expect(messages({ screenshot: 'user_1/proof_1_a.png' })).toEqual([]);
  });

  it.each([
    ['example.com/pattern', 'https://example.com/pattern'],
    [' example.com:8080/x ', 'https://example.com:8080/x'],
    ['HTTP://example.com', 'HTTP://example.com'],
    ['', ''],
  ])('C-118 parses %j as %j', (url, read) => {
    expect(proofFormSchema.parse({ ...emptyProofForm, text: 'x', url }).url).toBe(read);
  });

  it.each(['not a url', 'nowhere', 'mailto:a@example.com', 'http//x', 'javascript:alert(1)', 'ftp://example.com'])(
    'QUEST-19 TRUST-13 C-118 refuses %j, which is no address with a scheme either',
    (url) => {
      expect(messages({ url })).toEqual(['url: Invalid URL format']);
    },
  );

  it.each(['https://example.com/a b', 'https://exa mple.com', 'https://example.com/<b>', 'https://example.com/"b"'])(
    'QUEST-19 refuses %j, as the database does',
    (url) => {
      expect(messages({ url })).toEqual(['url: Invalid URL format']);
    },
  );

  it('QUEST-19 accepts 2000 characters of text and refuses 2001', () => {
    expect(messages({ text: 'a'.repeat(2000) })).toEqual([]);
    expect(messages({ text: 'a'.repeat(2001) })).toEqual(['text: Text proof too long']);
  });

  it('counts a link that is appended to the text', () => {
    expect(messages({ text: 'a'.repeat(1990), url: 'https://example.com/', screenshot: 'u/p' })).toEqual([
      'text: Text proof too long',
    ]);
  });

  it('trims what it accepts', () => {
    expect(proofFormSchema.parse({ ...emptyProofForm, text: ' x ' }).text).toBe('x');
  });
});

describe('canSubmitProof', () => {
  const form = { ...emptyProofForm, hasFile: false };

  it('QUEST-17 requires a URL, a text, a file or an uploaded file', () => {
    expect(canSubmitProof(form)).toBe(false);
    expect(canSubmitProof({ ...form, text: '   ' })).toBe(false);
    expect(canSubmitProof({ ...form, url: 'x' })).toBe(true);
    expect(canSubmitProof({ ...form, text: 'x' })).toBe(true);
    expect(canSubmitProof({ ...form, hasFile: true })).toBe(true);
    expect(canSubmitProof({ ...form, screenshot: 'u/p' })).toBe(true);
  });
});

it('keeps the link beside a screenshot by writing it into the text', () => {
  expect(proofText({ url: 'https://a.example', text: 'see', screenshot: 'u/p' })).toBe('see\nhttps://a.example');
  expect(proofText({ url: 'https://a.example', text: 'see', screenshot: null })).toBe('see');
});

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
