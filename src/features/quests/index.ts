export { OwnQuestList } from './components/own-quest-list';
export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { type Quest, questQueries, type Task } from './queries';
export { type QuestListItem, remainingSlots, type TaskCounts } from './quest';
export { useOwnQuestStates } from './use-own-quest-states';
