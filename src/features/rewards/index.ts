export { RewardPicture } from './components/reward-picture';
export { levelOf, levelProgress } from './level';
export { type Reward, rewardQueries } from './queries';
