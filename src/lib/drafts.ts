import * as z from 'zod/mini';
import { dayMs } from './format';
import { privateKey } from './storage';

/** How long a draft is kept, in milliseconds. */
const keptFor = 7 * dayMs;

type Draft<Values> = {
  values: Values;
  /** Milliseconds since 1970. */
  savedAt: number;
};

/**
 * Drafts of a form in this browser, so that a failed submit, a reload, a closed tab or an expired session does not lose work.
 * Removed after a week, on sign-out, and when somebody else signs in. `name` must not change: it is part of the storage key.
 * The schema lists what is stored; it must not contain secrets.
 */
export function createDrafts<Schema extends z.ZodMiniObject>(name: string, schema: Schema) {
  const draftSchema = z.object({ savedAt: z.number(), values: schema });
  const keyOf = (userId: string, id: string) => privateKey(userId, `${name}.${id}`);

  return {
    /** Null when there is no draft, it has expired, was stored by another release, or storage is unavailable. */
    read(userId: string, id: string): Draft<z.infer<Schema>> | null {
      const key = keyOf(userId, id);
      try {
        const draft = draftSchema.parse(JSON.parse(localStorage.getItem(key) ?? ''));
        if (Date.now() - draft.savedAt < keptFor) return draft as Draft<z.infer<Schema>>;
        localStorage.removeItem(key);
        return null;
      } catch {
        return null;
      }
    },
    /** Calls back when another tab has removed the draft; returns a function that stops it. */
    onRemovedElsewhere(userId: string, id: string, callback: () => void): () => void {
      const handleStorage = ({ key, newValue }: StorageEvent) => {
        if (key === keyOf(userId, id) && newValue === null) callback();
      };
      window.addEventListener('storage', handleStorage);
      return () => window.removeEventListener('storage', handleStorage);
    },
    /** Null removes the draft. */
    write(userId: string, id: string, values: z.infer<Schema> | null): void {
      const key = keyOf(userId, id);
      const draft = values && { savedAt: Date.now(), values: schema.parse(values) };
      try {
        if (draft === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(draft));
      } catch {
        // Without storage, the draft lasts as long as the form.
      }
    },
  };
}
