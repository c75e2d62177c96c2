import * as z from 'zod/mini';
import { createDrafts } from '@/lib/drafts';
import { screenshotName } from './proof-file';
import type { Submission } from './queries';
import type { ProofValues } from './schema';

/** Drafts of unsubmitted proofs (BEY-11). They never contain the e-mail address. */
const drafts = createDrafts(
  'proof-draft',
  z.object({ url: z.string(), text: z.string(), screenshot: z.nullable(z.string()) }),
);

/** The draft of a task, null when there is none. */
export const readProofDraft = (userId: string, taskId: string): ProofValues | null =>
  drafts.read(userId, taskId)?.values ?? null;

/** Saves a draft; removes an empty one. */
export function writeProofDraft(userId: string, taskId: string, values: ProofValues): void {
  const isEmpty = !values.url && !values.text && !values.screenshot;
  drafts.write(userId, taskId, isEmpty ? null : values);
}

/** Form values of the previous proof, to prefill the next one. */
export function proofValues(sent: Pick<Submission, 'proof_url' | 'proof_text'>): ProofValues {
  const screenshot = screenshotName(sent.proof_url);
  return { url: screenshot ? '' : (sent.proof_url ?? ''), text: sent.proof_text ?? '', screenshot };
}
