export { AppealDialog } from './components/appeal-dialog';
export { AppealState } from './components/appeal-state';
export { ProjectDecisionNotice, SuspensionNotice } from './components/decision-notice';
export { appealQueries } from './queries';
