import type { Note } from '../mail/messages.ts';
import { memberNotes } from './member-notes.ts';
import { projectNotes } from './project-notes.ts';

const notes = new Map(Object.entries({ ...memberNotes, ...projectNotes }));

/**
 * The mail of an event (C-50, BEY-03); null for events without one. People who have switched off this kind of mail are filtered out
 * earlier: the worker then gets no address.
 * @throws ZodError when the payload does not have the shape that the event's procedure enqueues.
 */
export function noteFor({ type, payload }: { type: string; payload: unknown }): Note | null {
  return notes.get(type)?.(payload) ?? null;
}
