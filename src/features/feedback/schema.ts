import * as z from 'zod/mini';
import * as databaseSentences from '@/types/database-errors';

/** Types in the dialog. `feature_request` is stored as `feature` (FEED-03, C-51). */
export const betaFeedbackKinds = ['bug', 'feature_request', 'general'] as const;
export type BetaFeedbackKind = (typeof betaFeedbackKinds)[number];

/** Form values: text is required, a rating of 0 means none, the e-mail address is optional (FEED-02). */
export const betaFeedbackSchema = z.object({
  kind: z.enum(betaFeedbackKinds),
  description: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, databaseSentences.FEEDBACK_TEXT_REQUIRED),
      z.maxLength(5000, 'Please use a shorter text, at most 5,000 characters'),
    ),
  rating: z.int().check(z.minimum(0), z.maximum(5)),
  email: z.union([z.literal(''), z.email(databaseSentences.INVALID_EMAIL)]),
});
export type BetaFeedbackInput = z.infer<typeof betaFeedbackSchema>;

const titles: Readonly<Record<BetaFeedbackKind, string>> = {
  bug: 'Bug Report',
  feature_request: 'Feature Request',
  general: 'General Feedback',
};

/** The stored type and the title derived from it (FEED-03). */
export function typeAndTitle(kind: BetaFeedbackKind): { type: string; title: string } {
  return { type: kind === 'feature_request' ? 'feature' : kind, title: titles[kind] };
}

/** Caption of each number of stars, 0 included (FEED-06). */
export const ratingCaptions = ['Click to rate', 'Poor', 'Fair', 'Good', 'Very Good', 'Excellent'] as const;

/** Maximum length of a project's review; the same as in the database. */
export const reviewMaxLength = 2000;

/** A review is complete with one to five stars and some text (FEED-06). */
export function isCompleteReview({ rating, text }: { rating: number; text: string }): boolean {
  return rating >= 1 && rating <= 5 && text.trim() !== '';
}
