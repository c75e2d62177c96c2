export { OwnQuestList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { type Quest, questQueries, type Task } from './queries';
export {
  type HubView,
  hubViews,
  isInView,
  type QuestListItem,
  type QuestSlots,
  remainingSlots,
  type SlotsById,
  slotsOf,
  type TaskCounts,
} from './quest';
