import { betaFeedbackSchema, isCompleteReview, ratingCaptions, reportMessage, typeAndTitle } from './schema';

const filled = { kind: 'bug', description: 'It blinks', rating: 0, email: '' } as const;

it('FEED-02 text is required and trimmed; rating and email are optional', () => {
  expect(betaFeedbackSchema.parse({ ...filled, description: '  It blinks ' })).toEqual(filled);
  expect(betaFeedbackSchema.safeParse({ ...filled, description: '   ' }).success).toBe(false);
  expect(betaFeedbackSchema.safeParse({ ...filled, rating: 5, email: 'a@example.org' }).success).toBe(true);
  expect(betaFeedbackSchema.safeParse({ ...filled, rating: 6 }).success).toBe(false);
  expect(betaFeedbackSchema.safeParse({ ...filled, email: 'nobody' }).success).toBe(false);
});

it('FEED-03 the title follows from the type, and feature_request is sent as feature', () => {
  expect(typeAndTitle('bug')).toEqual({ type: 'bug', title: 'Bug Report' });
  expect(typeAndTitle('feature_request')).toEqual({ type: 'feature', title: 'Feature Request' });
  expect(typeAndTitle('general')).toEqual({ type: 'general', title: 'General Feedback' });
});

it('C-51 a report fits into the database, whatever the name of what is reported', () => {
  const url = 'https://questboard.example/browse/quest/q1';
  const input = { reason: 'harmful', text: 'x'.repeat(4000), email: '' } as const;
  const { type, title, description, email } = reportMessage({ what: 'quest', name: '🌿'.repeat(200), url }, input);
  expect([type, email]).toEqual(['other', undefined]);
  expect(title).toBe(`Report of a quest: ${'🌿'.repeat(150)}`);
  expect(description).toMatch(
    /^Illegal, hateful or dangerous\n\nx{4000}\n\nhttps:\/\/questboard\.example\/browse\/quest\/q1$/,
  );
});

it('FEED-06 a review needs one to five stars and text that is not blank', () => {
  expect(isCompleteReview({ rating: 4, text: 'Fine' })).toBe(true);
  expect(isCompleteReview({ rating: 0, text: 'Fine' })).toBe(false);
  expect(isCompleteReview({ rating: 4, text: ' \n' })).toBe(false);
  expect(isCompleteReview({ rating: 6, text: 'Fine' })).toBe(false);
});

it('FEED-06 each number of stars has its caption', () => {
  expect(ratingCaptions).toEqual(['Click to rate', 'Poor', 'Fair', 'Good', 'Very Good', 'Excellent']);
});
