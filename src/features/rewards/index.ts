export { RewardPicture } from './components/reward-picture';
export { StreakCard } from './components/streak';
export { levelOf, levelProgress } from './level';
export { type Reward, rewardQueries } from './queries';
export { distanceTo } from './redeem-check';
