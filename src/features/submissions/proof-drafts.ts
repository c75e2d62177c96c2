import * as z from 'zod/mini';
import { privateKey } from '@/lib/storage';
import { screenshotName } from './proof-file';
import type { Submission } from './queries';
import { emptyProofForm, type ProofValues } from './schema';

/** How long an unsent proof is kept, in milliseconds. */
const keptFor = 7 * 24 * 60 * 60 * 1000;

/**
 * What a member typed into a proof dialog and has not submitted. A failed submit, a closed dialog, a reload or a closed tab must not
 * cost the work (BEY-11). It goes after a week, with the sign-out, and when somebody else signs in; the e-mail address is never kept.
 */
const draftSchema = z.object({
  savedAt: z.number(),
  url: z.string(),
  text: z.string(),
  screenshot: z.nullable(z.string()),
});

const keyOf = (userId: string, taskId: string) => privateKey(userId, `proof-draft.${taskId}`);

/** The draft of a task, null when there is none, it is too old, or storage is not available. */
export function readProofDraft(userId: string, taskId: string): ProofValues | null {
  try {
    const { savedAt, ...draft } = draftSchema.parse(JSON.parse(localStorage.getItem(keyOf(userId, taskId)) ?? ''));
    if (Date.now() - savedAt < keptFor) return { ...emptyProofForm, ...draft };
    localStorage.removeItem(keyOf(userId, taskId));
    return null;
  } catch {
    return null;
  }
}

/** Keeps a draft; an empty one is removed. */
export function writeProofDraft(userId: string, taskId: string, { url, text, screenshot }: ProofValues): void {
  try {
    if (!url && !text && !screenshot) localStorage.removeItem(keyOf(userId, taskId));
    else localStorage.setItem(keyOf(userId, taskId), JSON.stringify({ savedAt: Date.now(), url, text, screenshot }));
  } catch {
    // Without storage the draft lives in the open dialog only.
  }
}

/** The form of a proof that was sent before, to begin the next one with. */
export function proofValues(sent: Pick<Submission, 'proof_url' | 'proof_text'>): ProofValues {
  const screenshot = screenshotName(sent.proof_url);
  return { ...emptyProofForm, url: screenshot ? '' : (sent.proof_url ?? ''), text: sent.proof_text ?? '', screenshot };
}
