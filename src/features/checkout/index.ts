export { ogPlan, ogPlanId } from './og-plan';
