export { FeedbackProvider, FeedbackTab, useOpenFeedback } from './components/feedback-tab';
export { ProjectFeedback } from './components/project-feedback';
export { feedbackQueries } from './queries';
