export { OwnQuestList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { type Quest, questQueries, type Task, type TaskCounts } from './queries';
export {
  type HubView,
  hubViews,
  isInView,
  type QuestListItem,
  type QuestSlots,
  remainingSlots,
  type SlotsById,
  slotsOf,
} from './quest';
