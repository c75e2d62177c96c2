export { ProofDialog } from './components/proof-dialog';
export { ProofView } from './components/proof-view';
export { QuickVerify } from './components/quick-verify';
export { type Submission, type SubmissionPoint, submissionQueries } from './queries';
export { proofPreview, reviewStatus, taskStatus } from './submission-status';
