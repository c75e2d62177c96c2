import { useQuery } from '@tanstack/react-query';
import { type Quest, type QuestSlots, questQueries, slotsOf } from '@/features/quests';

/** Quests that home shows at most (HOME-04). */
const liveQuestLimit = 3;

/** A quest on home with its slots; null when the statistics do not name it. */
type LiveQuest = { quest: Quest; slots: QuestSlots | null };

/**
 * The newest quests with free spots, at most three; the server leaves full ones out before it counts to three (C-60).
 * Without statistics they count as full and are not shown (C-34).
 */
export function useLiveQuests() {
  const list = useQuery(questQueries.list({ limit: liveQuestLimit, isOnlyOpen: true }));
  const ids = list.data?.map(({ id }) => id) ?? [];
  const stats = useQuery(questQueries.stats(ids));

  const statistics = stats.data ?? (stats.isError ? 'failed' : {});
  const quests = (list.data ?? [])
    .map((quest): LiveQuest => ({ quest, slots: slotsOf(quest.id, statistics) }))
    .filter(({ slots }) => !slots?.is_quest_full);
  const failed = [list, stats].filter(({ isError, data }) => isError && !data);
  return {
    quests,
    isWaiting: list.isPending || (ids.length > 0 && stats.isPending),
    error: failed[0]?.error ?? null,
    isRetrying: failed.some(({ isFetching }) => isFetching),
    retry: () => failed.map(({ refetch }) => refetch()),
  };
}
