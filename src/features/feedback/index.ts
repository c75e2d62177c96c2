export { FeedbackButton } from './components/feedback-button';
export { ProjectFeedback } from './components/project-feedback';
export { feedbackQueries } from './queries';
