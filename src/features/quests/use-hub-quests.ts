import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { questQueries } from './queries';
import { type HubView, isInView, type Quest, type QuestSlots, type SlotsById, slotsOf } from './quest';

/** A quest of the hub with its slots; undefined while they load, null when the statistics do not name it. */
export type HubQuest = { quest: Quest; slots: QuestSlots | null | undefined };

type PageStats = { data: SlotsById | undefined; isError: boolean };

/** Slots of a quest by what is known of its page's statistics; a failed refresh keeps the last known numbers. */
function slotsIn({ data, isError }: PageStats, questId: string): QuestSlots | null | undefined {
  if (data) return slotsOf(questId, data);
  return isError ? slotsOf(questId, 'failed') : undefined;
}

/** The quests of a view, with statistics read page by page, because one request answers for 200 quests at most. */
export function useHubQuests(view: HubView, filters: { search: string; sort: 'new' | 'reward' }) {
  const list = useInfiniteQuery(questQueries.pages(filters));
  const pages = list.data?.pages ?? [];
  const stats = useQueries({ queries: pages.map((page) => questQueries.stats(page.map(({ id }) => id))) });

  const quests = pages.flatMap((page, index) =>
    page.map(
      (quest): HubQuest => ({ quest, slots: slotsIn(stats[index] ?? { data: undefined, isError: false }, quest.id) }),
    ),
  );
  const isWaiting = list.isPending || quests.some(({ slots }) => slots === undefined);
  return {
    list,
    /** True until the first quests and their slots are known: before that no view can be told. */
    isWaiting,
    quests: isWaiting ? [] : quests.filter(({ slots }) => isInView(view, slots ?? null)),
    failedStats: stats.filter(({ isError, data }) => isError && !data),
  };
}
