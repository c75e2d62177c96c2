import { reasonOfKey, rejectionProblems, reviewText } from './rejection';

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
