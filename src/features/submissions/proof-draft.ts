import * as z from 'zod/mini';
import { emptyProofForm, type ProofForm } from './schema';

/**
 * What a member typed into a proof dialog and has not submitted. It lives as long as the tab: a failed submit, a closed
 * dialog or a reload must not cost the work, and a shared computer must not keep an e-mail address.
 */
const draftSchema = z.object({
  url: z.string(),
  text: z.string(),
  email: z.string(),
  screenshot: z.nullable(z.string()),
});

const keyOf = (userId: string, taskId: string) => `questboard.proof-draft.${userId}.${taskId}`;

/** The draft of a task, empty when there is none or storage is not available. */
export function readProofDraft(userId: string, taskId: string): ProofForm {
  try {
    return draftSchema.parse(JSON.parse(sessionStorage.getItem(keyOf(userId, taskId)) ?? ''));
  } catch {
    return emptyProofForm;
  }
}

/** Keeps a draft; an empty one is removed. */
export function writeProofDraft(userId: string, taskId: string, draft: ProofForm): void {
  const isEmpty = !draft.url && !draft.text && !draft.email && !draft.screenshot;
  try {
    if (isEmpty) sessionStorage.removeItem(keyOf(userId, taskId));
    else sessionStorage.setItem(keyOf(userId, taskId), JSON.stringify(draft));
  } catch {
    // Without storage the draft lives in the open dialog only.
  }
}
