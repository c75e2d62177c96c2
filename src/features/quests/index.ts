export { OwnQuestList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { type Quest, questQueries, type Task, type TaskCounts } from './queries';
export { type QuestListItem, remainingSlots } from './quest';
export { useOwnQuestStates } from './use-own-quest-states';
