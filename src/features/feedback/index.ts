export { FeedbackProvider, FeedbackTab, useOpenFeedback } from './components/feedback-tab';
export { ProjectFeedback } from './components/project-feedback';
export { ReportButton } from './components/report-button';
export { feedbackQueries } from './queries';
