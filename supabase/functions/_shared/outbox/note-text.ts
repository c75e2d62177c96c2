import { z } from 'zod';
import type { Note } from '../mail/messages.ts';
import { countOf } from '../notice-words.ts';

/** Writes the mail of an event from its payload; null when the event needs none. Throws ZodError on an unexpected payload. */
export type Notes = Readonly<Record<string, (payload: unknown) => Note | null>>;

export const optionalText = z.string().nullish();

/** Longest names and titles in a mail. */
export const NAME_LENGTH = 80;

export const questPath = (id: string) => `/community/quest/${encodeURIComponent(id)}`;
export const questEditPath = (id: string) => `/startup/campaigns/${encodeURIComponent(id)}/edit`;
export const reviewPath = (id: string) => `/startup/campaigns/${encodeURIComponent(id)}/submissions`;

export const proofsOf = (count: number) => countOf(count, 'proof is waiting', 'proofs are waiting');

export function paragraphs(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
