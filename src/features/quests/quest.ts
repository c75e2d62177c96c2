import { formatSpan } from '@/lib/format';
import type { Database } from '@/types/database';

type PublishedQuest = Database['public']['Functions']['list_published_quests']['Returns'][number];

/** A published quest as lists show it. Without a cursor there is no further page. */
export type QuestListItem = Omit<PublishedQuest, 'cursor'> & { cursor?: string };

/** An own quest with the figures that its owner sees. */
export type OwnQuest = Database['public']['Functions']['list_own_quests']['Returns'][number];

/** How far a member has come in a quest: begun, waiting for a decision, a proof rejected, or all done (BEY-21). */
export const questStates = ['started', 'waiting', 'rejected', 'complete'] as const;
export type QuestState = (typeof questStates)[number];

/** A state as the server names it. Throws for a name that this version of the app does not know. */
export function toQuestState(name: string): QuestState {
  const state = questStates.find((known) => known === name);
  if (!state) throw new Error(`unknown quest state ${name}`);
  return state;
}

/** States by quest id; a quest that the member has not begun has no entry. */
export type QuestStates = Readonly<Record<string, QuestState>>;

/** A quest to do next, as its card shows it. */
export type SuggestedQuest = Database['public']['Functions']['list_suggested_quests']['Returns'][number];

/** A quest that the member saved. */
export type SavedQuest = Database['public']['Functions']['list_saved_quests']['Returns'][number];

/** `match`: how well a quest fits the search; without one it is `new`. */
export type QuestSort = 'new' | 'match' | 'reward' | 'trending';

/** What narrows a list beyond a search; everything that is left out narrows nothing. */
export type QuestFacets = {
  /** Points that one member can still earn, at least and at most. */
  minReward?: number;
  maxReward?: number;
  proof?: Database['public']['Enums']['proof_type'];
  industry?: string;
  /** Minutes that members took, as measured; quests that nothing was measured of are in neither range. */
  minMinutes?: number;
  maxMinutes?: number;
  /** Only quests without a task that asks for a proof. */
  isOnePress?: boolean;
};

/** What to list: `search` in title, project, tasks and texts, at most `limit` quests (1 to 100), those of one project. */
export type QuestFilters = {
  search?: string;
  sort?: QuestSort;
  limit?: number;
  view?: 'open' | 'full' | 'all';
  projectId?: string;
  facets?: QuestFacets;
};

/** Submissions of a task that count against its slots. */
export type TaskCounts = { approved_count: number; pending_count: number; kept_count: number };

type SlotCounts = TaskCounts & { max_completions: number };

/**
 * Free slots of a task, never below zero; submissions under review hold theirs, and so do rejected ones that may be appealed
 * (QUEST-07, TRUST-04, BEY-23).
 */
export function remainingSlots({ max_completions, approved_count, pending_count, kept_count }: SlotCounts): number {
  return Math.max(0, max_completions - approved_count - pending_count - kept_count);
}

/** How long a quest takes by the median of its members, 'about 5 minutes'; null where too few have been measured (BEY-18). */
export const timeNeeded = ({ median_minutes: minutes }: { median_minutes?: number | null }): string | null =>
  minutes ? `about ${formatSpan(minutes * 60)}` : null;
