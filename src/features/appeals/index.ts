export { ProjectDecisionNotice, SuspensionNotice } from './components/decision-notice';
