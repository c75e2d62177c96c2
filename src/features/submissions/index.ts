export { ProofDialog } from './components/proof-dialog';
export { ProofView } from './components/proof-view';
export { QuickVerify } from './components/quick-verify';
export { proofPreview } from './proof-preview';
export { type Submission, type SubmissionPoint, submissionQueries } from './queries';
export { reviewStamp, taskStamp } from './submission-status';
