export { RewardDisclosure } from './components/incentive-notes';
export { OwnQuestList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { HoldNotice, statusLabel } from './components/quest-status';
export { SaveQuestButton } from './components/save-quest-button';
export { useRecordQuestView } from './mutations';
export { type ProjectLimits, type Quest, questQueries, type Task } from './queries';
export {
  promisedHours,
  type QuestFacets,
  type QuestListItem,
  type QuestState,
  questPhase,
  remainingSlots,
  scheduleText,
  suggestionText,
  type TaskCounts,
  takesProofs,
  timeNeeded,
} from './quest';
export type { MyQuest } from './response-schemas';
export { useOwnQuestStates, useSavedQuestIds, useSuggestedQuests } from './use-member-quests';
