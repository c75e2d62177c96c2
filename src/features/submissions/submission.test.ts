import {
  approvedHow,
  canTryAgain,
  completedMessage,
  decidedBy,
  decidedHow,
  isAppealOpen,
  isByDeadline,
  proofPreview,
  reasonOfKey,
  rejectionProblems,
  reviewStatus,
  reviewText,
  taskStatus,
} from './submission';

const reviewed_at = '2026-05-01T10:00:00+00:00';

test.each([
  ['code', 'Verified by code'],
  ['call', 'Confirmed by the project’s system'],
  ['check', 'Confirmed by a check'],
  ['beta', 'Auto-approved (Beta)'],
])('BEY-13 C-69 an approval by %s shows how it came about', (reviewed_by, words) => {
  expect(decidedHow({ status: 'approved', reviewed_by, reviewed_at })).toBe(words);
  expect(approvedHow({ status: 'rejected', reviewed_by })).toBeNull();
});

test("C-69 a person's decision names who and when, even after a code", () => {
  expect(approvedHow({ status: 'approved', reviewed_by: 'project' })).toBeNull();
  expect(decidedHow({ status: 'approved', reviewed_by: 'project', reviewed_at })).toMatch(/^by you, /);
});

test('BEY-22 C-69 C-102 an automatic decision says so, one by Questboard names it, and none says nothing', () => {
  const decided = { status: 'approved', reviewed_at } as const;
  expect(decidedHow({ ...decided, reviewed_by: 'deadline' })).toBe('when its review time ended, May 1, 2026');
  expect(decidedHow({ ...decided, reviewed_by: 'admin' })).toBe('by Questboard, May 1, 2026');
  expect(decidedHow({ ...decided, reviewed_by: null })).toBeNull();
  expect(decidedHow({ ...decided, reviewed_by: 'deadline', reviewed_at: null })).toBeNull();
  expect(decidedHow({ ...decided, reviewed_by: 'project', reviewed_at: null })).toBeNull();
  expect(decidedBy('project', 'the project')).toBe('the project');
  expect(decidedBy(null, 'you')).toBeNull();
  expect(['deadline', 'project', null].map(isByDeadline)).toEqual([true, false, false]);
});

test('QUEST-04 the status of a task is that of the member’s proof', () => {
  expect(taskStatus(undefined)).toBe('Not Started');
  expect((['pending', 'approved', 'rejected'] as const).map((status) => taskStatus({ status }))).toEqual([
    'Processing',
    'Completed',
    'Try Again',
  ]);
});

test('BEY-23 a task whose rejection is being appealed says so', () => {
  const rejected = { status: 'rejected', kept_until: '2026-05-08T00:00:00Z' } as const;
  expect(taskStatus({ ...rejected, appealed_at: null })).toBe('Try Again');
  expect(taskStatus({ ...rejected, appealed_at: '2026-05-02T10:00:00Z' })).toBe('Under Appeal');
  expect(taskStatus({ status: 'rejected', kept_until: null, appealed_at: '2026-05-02T10:00:00Z' })).toBe('Try Again');
});

test('SUBM-08 BEY-23 its reviewer reads the decision, and that it is being appealed', () => {
  const appealed = { kept_until: '2026-05-08T00:00:00Z', appealed_at: '2026-05-02T10:00:00Z' };
  expect((['pending', 'approved', 'rejected'] as const).map((status) => reviewStatus({ status }))).toEqual([
    'Pending',
    'Approved',
    'Rejected',
  ]);
  expect(reviewStatus({ status: 'rejected', ...appealed })).toBe('Under Appeal');
  expect(reviewStatus({ status: 'rejected', ...appealed, kept_until: null })).toBe('Rejected');
  expect(reviewStatus({ status: 'approved', ...appealed })).toBe('Approved');
});

test('SUBM-05 a proof in the table is its kind, or the first fifty characters', () => {
  expect(proofPreview({ proof_url: 'https://x.test', proof_text: 'See there' })).toBe('Link Proof');
  expect(proofPreview({ proof_url: null, proof_text: 'x'.repeat(50) })).toBe('x'.repeat(50));
  expect(proofPreview({ proof_url: null, proof_text: 'x'.repeat(51) })).toBe(`${'x'.repeat(50)}...`);
  expect(proofPreview({ proof_url: null, proof_text: null })).toBe('');
});

test('C-08 BEY-23 a rejected proof may be resubmitted into its kept slot or a free one, unless its appeal is open', () => {
  const kept = { status: 'rejected', kept_until: reviewed_at, appealed_at: null, is_slot_reopened: false } as const;
  expect(canTryAgain(kept, false)).toBe(true);
  expect(canTryAgain({ ...kept, is_slot_reopened: true }, false)).toBe(false);
  expect(canTryAgain({ ...kept, is_slot_reopened: true }, true)).toBe(true);
  expect(canTryAgain({ ...kept, kept_until: null }, false)).toBe(false);
  const appealed = { ...kept, appealed_at: reviewed_at };
  expect(isAppealOpen(appealed)).toBe(true);
  expect(canTryAgain(appealed, true)).toBe(false);
  expect(isAppealOpen(kept)).toBe(false);
  expect(isAppealOpen({ ...appealed, status: 'pending' })).toBe(false);
  // It was decided: nothing is kept any more.
  expect(isAppealOpen({ ...appealed, kept_until: null })).toBe(false);
});

test('QUEST-14 the message after sending', () => {
  expect(completedMessage({ status: 'approved', reward_points: 1250 })).toBe('Task completed! +1,250 points earned!');
  // Of a quest with a custom reward only.
  expect(completedMessage({ status: 'approved', reward_points: 0 })).toBe('Task completed!');
  expect(completedMessage({ status: 'pending', reward_points: 50 })).toBe(
    'Proof submitted. The project will review it.',
  );
});

describe('C-77 a rejection', () => {
  it.each([
    ['without a reason', { reason: '' as const, note: 'Blurred' }, { reason: 'A reason is required', note: undefined }],
    [
      'for another reason without a note',
      { reason: 'other' as const, note: '  ' },
      { reason: undefined, note: 'Please say in a few words why' },
    ],
    ['for one of the five', { reason: 'duplicate' as const, note: '' }, { reason: undefined, note: undefined }],
    ['with a note', { reason: 'other' as const, note: 'Blurred' }, { reason: undefined, note: undefined }],
  ])('%s', (_what, rejection, problems) => {
    expect(rejectionProblems(rejection)).toEqual(problems);
  });

  it.each([
    ['incomplete', 'The second page is missing', 'Incomplete: The second page is missing'],
    ['cannot_open', null, 'Cannot be opened or read'],
    ['other', 'Blurred', 'Blurred'],
    [null, 'Approved by project owner', 'Approved by project owner'],
    [null, null, null],
  ] as const)('%s with the words %j reads %j', (rejection_reason, review_note, text) => {
    expect(reviewText({ rejection_reason, review_note })).toBe(text);
  });

  it('is chosen by the digits from 1 to 6, in the order of the list', () => {
    expect(['1', '6'].map(reasonOfKey)).toEqual(['does_not_match', 'other']);
    expect(['0', '7', 'a', '1.5'].map(reasonOfKey)).toEqual(Array(4).fill(undefined));
  });
});
