export { FlagList } from './components/flag-list';
export { RejectionNotice, SentProof } from './components/own-proof';
export { ProofView } from './components/proof-view';
export { QuickVerify } from './components/quick-verify';
export { RejectionDialog } from './components/rejection-dialog';
export { CompletionCode, ProjectVerification, ProofDialog } from './components/task-actions';
export { describeFlag, type Flag, flagSentence } from './flags';
export { useWithdrawConsent } from './mutations';
export { type EmailConsent, type ReviewCounts, type Submission, submissionQueries } from './queries';
export {
  approvedHow,
  canTryAgain,
  decidedBy,
  isAppealOpen,
  isByDeadline,
  isOverdue,
  proofPreview,
  type Rejection,
  reviewStatus,
  reviewText,
  taskStatus,
} from './submission';
