export { AppealDialog, AppealState } from './components/appeal';
export { ProjectDecisionNotice, SuspensionNotice } from './components/decision-notice';
export { type AppealedDecision, appealQueries } from './queries';
