export { FlagList } from './components/flag-list';
export { ProofDialog } from './components/proof-dialog';
export { ProofView } from './components/proof-view';
export { QuickVerify } from './components/quick-verify';
export { type Flag, flagSentence } from './flags';
export { useWithdrawConsent } from './mutations';
export { type EmailConsent, type Submission, type SubmissionPoint, submissionQueries } from './queries';
export { reviewText } from './rejection';
export { proofPreview, reviewStatus, taskStatus } from './submission-status';
