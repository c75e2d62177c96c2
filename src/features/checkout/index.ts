export { buyingObstacle } from './buying-obstacle';
export { ogPlan, ogPlanId } from './products';
