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

/** A message to the admins, as the database stores it. */
export type FeedbackMessage = { type: string; title: string; description: string; rating?: number; email?: string };

/** Why somebody reports a quest or a project. */
export const reportReasons = {
  misleading: 'Misleading or a scam',
  private: 'Asks for passwords, money or private data',
  harmful: 'Illegal, hateful or dangerous',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof reportReasons;

/** Form values of a report: a reason and some words; the e-mail address is optional. */
export const reportSchema = z.object({
  reason: z.enum(Object.keys(reportReasons) as ReportReason[], 'Please choose what is wrong'),
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please say in a few words what is wrong'),
      z.maxLength(4000, 'Please use a shorter text, at most 4,000 characters'),
    ),
  email: z.union([z.literal(''), z.email(databaseSentences.INVALID_EMAIL)]),
});
export type ReportInput = z.infer<typeof reportSchema>;

/** What is reported; `url` leads the admins to it. */
export type ReportSubject = { what: 'quest' | 'project'; name: string; url: string };

/** A report as a message to the admins: among the other feedback, of the type 'other' (C-51). */
export function reportMessage(
  { what, name, url }: ReportSubject,
  { reason, text, email }: ReportInput,
): FeedbackMessage {
  return {
    type: 'other',
    // Cut by characters: half of one would be no text. A title has at most 200.
    title: `Report of a ${what}: ${[...name].slice(0, 150).join('')}`,
    description: [reportReasons[reason], text, url].join('\n\n'),
    email: email || undefined,
  };
}

/** Caption of each number of stars, 0 included (FEED-06). */
export const ratingCaptions = ['Click to rate', 'Poor', 'Fair', 'Good', 'Very Good', 'Excellent'] as const;

/** Maximum length of a project's review; the same as in the database. */
export const reviewMaxLength = 2000;

/** A review is complete with one to five stars and some text (FEED-06). */
export function isCompleteReview({ rating, text }: { rating: number; text: string }): boolean {
  return rating >= 1 && rating <= 5 && text.trim() !== '';
}
