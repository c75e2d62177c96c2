import { approvedHow, decidedHow } from './submission-status';

const reviewed_at = '2026-05-01T10:00:00+00:00';

test.each([
  ['code', 'Verified by code'],
  ['call', 'Confirmed by the project’s system'],
  ['check', 'Confirmed by a check'],
  ['beta', 'Auto-approved (Beta)'],
])('BEY-13 C-69 an approval by %s says how it came about', (reviewed_by, words) => {
  expect(decidedHow({ status: 'approved', reviewed_by, reviewed_at })).toBe(words);
  expect(approvedHow({ status: 'rejected', reviewed_by })).toBeNull();
});

test('C-69 a person’s decision names who and when, also about what a code had proven before', () => {
  expect(approvedHow({ status: 'approved', reviewed_by: 'project' })).toBeNull();
  expect(decidedHow({ status: 'approved', reviewed_by: 'project', reviewed_at })).toMatch(/^by you, /);
});
