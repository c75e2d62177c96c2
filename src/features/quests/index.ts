export { QuestCard, QuestCardSkeleton } from './components/quest-card';
export { questQueries } from './queries';
export { type Quest, type QuestSlots, slotsOf } from './quest';
