export { buyingObstacle } from './buying-obstacle';
export { ogPlan, ogPlanId, type PointPack, pointPacks } from './products';
