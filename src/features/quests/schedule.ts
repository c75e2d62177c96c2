import { formatAge, formatDateTime } from '@/lib/format';
import type { Quest } from './queries';

type Scheduled = Pick<Quest, 'status' | 'starts_at' | 'ends_at'>;

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
