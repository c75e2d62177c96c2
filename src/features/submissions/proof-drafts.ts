import * as z from 'zod/mini';
import { dayMs } from '@/lib/format';
import { privateKey } from '@/lib/storage';
import { screenshotName } from './proof-file';
import type { Submission } from './queries';
import { emptyProofForm, type ProofValues } from './schema';

/** How long an unsent proof is kept, in milliseconds. */
const keptFor = 7 * dayMs;

/**
 * Draft of an unsubmitted proof, so that a failed submit, a closed dialog, a reload or a closed tab does not lose work
 * (BEY-11). Removed after a week, on sign-out, and when somebody else signs in; never contains the e-mail address.
 */
const draftSchema = z.object({
  savedAt: z.number(),
  url: z.string(),
  text: z.string(),
  screenshot: z.nullable(z.string()),
});

const keyOf = (userId: string, taskId: string) => privateKey(userId, `proof-draft.${taskId}`);

/** The draft of a task, null when there is none, it has expired, or storage is unavailable. */
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

/** Saves a draft; removes an empty one. */
export function writeProofDraft(userId: string, taskId: string, { url, text, screenshot }: ProofValues): void {
  try {
    if (!url && !text && !screenshot) localStorage.removeItem(keyOf(userId, taskId));
    else localStorage.setItem(keyOf(userId, taskId), JSON.stringify({ savedAt: Date.now(), url, text, screenshot }));
  } catch {
    // Without storage, the draft lasts as long as the dialog.
  }
}

/** Form values of the previous proof, to prefill the next one. */
export function proofValues(sent: Pick<Submission, 'proof_url' | 'proof_text'>): ProofValues {
  const screenshot = screenshotName(sent.proof_url);
  return { ...emptyProofForm, url: screenshot ? '' : (sent.proof_url ?? ''), text: sent.proof_text ?? '', screenshot };
}
