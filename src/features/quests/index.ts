export { RewardDisclosure } from './components/incentive-notes';
export { OwnQuestList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export type { MyQuest } from './my-quest';
export { type ProjectLimits, type Quest, questQueries, type Task } from './queries';
export { type QuestListItem, type QuestState, remainingSlots, type TaskCounts } from './quest';
export { useOwnQuestStates, useSuggestedQuests } from './use-own-quest-states';
