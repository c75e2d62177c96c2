export { CampaignList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { type Campaign, campaignQueries, type Task } from './detail-queries';
export { questQueries, type TaskCounts } from './queries';
export {
  type HubView,
  hubViews,
  isInView,
  type Quest,
  type QuestSlots,
  remainingSlots,
  type SlotsById,
  slotsOf,
} from './quest';
