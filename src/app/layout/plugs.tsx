/**
 * What features plug into the frame for everyone; see member-plugs.ts for members. No props; each renders nothing where
 * it does not apply.
 */
export { AnalyticsTracker, ConsentBanner, ConsentLink } from '@/features/analytics';
export { FeedbackButton } from '@/features/feedback';
export { MailingListForm } from '@/features/mailing-list';
