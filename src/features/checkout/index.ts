export { ogPlan, ogPlanId } from './products';
