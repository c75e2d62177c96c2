import { formatAge, formatDateTime, formatSpan } from '@/lib/format';
import type { Database, Tables } from '@/types/database';

type PublishedQuest = Database['public']['Functions']['list_published_quests']['Returns'][number];

/** A published quest in lists. Without a cursor there is no next page. `review_hours`: null where a proof is approved at once. */
export type QuestListItem = Omit<PublishedQuest, 'cursor'> & { cursor?: string };

/** An owner's quest with the owner's figures. */
export type OwnQuest = Database['public']['Functions']['list_own_quests']['Returns'][number];

/** A member's state in a quest: started, waiting for a decision, a proof rejected, complete, or closed with nothing left to do (BEY-21). */
export const questStates = ['started', 'waiting', 'rejected', 'complete', 'closed'] as const;
export type QuestState = (typeof questStates)[number];

/** Parses a state from the server. Throws on values unknown to this version of the app. */
export function toQuestState(name: string): QuestState {
  const state = questStates.find((known) => known === name);
  if (!state) throw new Error(`unknown quest state ${name}`);
  return state;
}

/** States by quest id; quests that the member has not started have no entry. */
export type QuestStates = Readonly<Record<string, QuestState>>;

/** A suggested quest with its reason. */
export type SuggestedQuest = Database['public']['Functions']['list_suggested_quests']['Returns'][number];

/** A saved quest. */
export type SavedQuest = Database['public']['Functions']['list_saved_quests']['Returns'][number];

/** `match`: by relevance; without a search the same as `new`. */
export type QuestSort = 'new' | 'match' | 'reward' | 'trending';

/** Filters of a list besides the search; omitted ones do not filter. */
export type QuestFacets = {
  /** Minimum and maximum of the points that one member can still earn. */
  minReward?: number;
  maxReward?: number;
  proof?: Database['public']['Enums']['proof_type'];
  industry?: string;
  /** Measured minutes that members took; unmeasured quests match no range. */
  minMinutes?: number;
  maxMinutes?: number;
  /** Only quests without a task that asks for a proof. */
  isOnePress?: boolean;
};

/**
 * Arguments of a list: `search` in title, project, tasks and texts, at most `limit` quests (1 to 100), optionally of
 * one project.
 */
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
 * Free slots of a task, never negative; pending submissions and rejected ones that may be appealed hold theirs
 * (QUEST-07, TRUST-04, BEY-23).
 */
export function remainingSlots({ max_completions, approved_count, pending_count, kept_count }: SlotCounts): number {
  return Math.max(0, max_completions - approved_count - pending_count - kept_count);
}

/** Median duration of a quest as text, 'about 5 minutes'; null with too few measurements (BEY-18). */
export const timeNeeded = ({ median_minutes: minutes }: { median_minutes?: number | null }): string | null =>
  minutes ? `about ${formatSpan(minutes * 60)}` : null;

type Verified = Pick<Tables<'tasks'>, 'verification'> & { requires_proof?: boolean };

/**
 * Hours within which a proof is answered; null when every proof is approved at once: during the beta (RULE-02, C-06), and when no task
 * waits for a reviewer (BEY-13). The `review_hours` of lists follow the same rule.
 */
export function promisedHours(tasks: readonly Verified[], reviewHours: number, isBeta: boolean): number | null {
  const isReviewed = tasks.some(({ verification, requires_proof }) => verification === 'review' || requires_proof);
  return isBeta || !isReviewed ? null : reviewHours;
}

type Scheduled = Pick<Tables<'campaigns'>, 'status' | 'starts_at' | 'ends_at'>;

/**
 * State of a published quest's schedule: before its start, open, or over (BEY-07). The server applies the same rule.
 */
export function questPhase({ starts_at, ends_at }: Omit<Scheduled, 'status'>, now = Date.now()) {
  if (starts_at !== null && Date.parse(starts_at) > now) return 'upcoming';
  return ends_at !== null && Date.parse(ends_at) <= now ? 'ended' : 'open';
}

/** Whether the quest accepts proofs now, judging by status and schedule. */
export function takesProofs(quest: Scheduled, now = Date.now()): boolean {
  return quest.status === 'published' && questPhase(quest, now) === 'open';
}

const inWords = (time: string, now: number) =>
  Math.abs(Date.parse(time) - now) < 60_000 ? 'in a moment' : formatAge(time, new Date(now));

/** 'Starts in 3 days', 'Ends tomorrow', 'Ended on May 1, 2026, 9:00 AM'; null without a relevant time. */
export function scheduleText(quest: Scheduled, now = Date.now()): string | null {
  const { status, starts_at, ends_at } = quest;
  const phase = questPhase(quest, now);
  if (phase === 'ended' && status !== 'draft' && ends_at !== null) return `Ended on ${formatDateTime(ends_at)}`;
  if (status !== 'published') return null;
  if (phase === 'upcoming' && starts_at !== null) return `Starts ${inWords(starts_at, now)}`;
  return ends_at === null ? null : `Ends ${inWords(ends_at, now)}`;
}

/** What publishing has done: '“Try our app” is live', '“Try our app” is published and starts in 3 days'. */
export function publishedText(name: string, quest: Scheduled, now = Date.now()): string {
  if (questPhase(quest, now) !== 'upcoming' || quest.starts_at === null) return `${name} is live`;
  return `${name} is published and starts ${inWords(quest.starts_at, now)}`;
}

/** Reason of a suggestion in one line; null when the only reason is that the quest is open. */
export function suggestionText({
  reason,
  reason_subject: subject,
}: Pick<SuggestedQuest, 'reason' | 'reason_subject'>): string | null {
  switch (reason) {
    case 'saved':
      return 'Because you saved it';
    case 'topic':
    case 'interest':
    case 'industry':
      return subject && `Because you like ${subject} quests`;
    case 'followed':
      return subject && `Because you follow ${subject}`;
    case 'new_project':
      return subject && `Because ${subject} is new here`;
    default:
      return null;
  }
}
