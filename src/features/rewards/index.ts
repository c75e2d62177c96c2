export { RewardPicture } from './components/reward-picture';
export { levelOf } from './level';
export type { Reward } from './queries';
