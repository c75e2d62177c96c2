import * as z from 'zod/mini';
import { createDrafts } from '@/lib/drafts';
import { ensureScheme, isWebAddress } from '@/lib/web-address';
import * as databaseSentences from '@/types/database-errors';
import { screenshotName } from './proof';
import type { Submission } from './queries';

/** Maximum length of a text proof, inclusive (QUEST-19); the same as in the database. */
export const maxProofTextLength = 2000;

const trimmed = z.pipe(
  z.string(),
  z.transform((value) => value.trim()),
);

const link = z.pipe(
  z.string(),
  z.transform((value) => ensureScheme(value)),
);

/** Form values of the proof dialog. `screenshot` is the object name of an uploaded file. */
export const proofFormSchema = z
  .object({
    url: link,
    text: trimmed,
    screenshot: z.nullable(z.string()),
  })
  .check(
    z.refine(({ url, text, screenshot }) => Boolean(url || text || screenshot), {
      error: databaseSentences.PROOF_REQUIRED,
      path: ['text'],
    }),
    z.refine(({ url }) => url === '' || isWebAddress(url), {
      error: databaseSentences.INVALID_PROOF_URL,
      path: ['url'],
    }),
    z.superRefine((form, context) => {
      if (proofText(form).length > maxProofTextLength) {
        context.issues.push({
          code: 'custom',
          message: databaseSentences.PROOF_TOO_LONG,
          path: ['text'],
          input: form.text,
        });
      }
    }),
  );

/** The form's input before validation. */
export type ProofValues = z.infer<typeof proofFormSchema>;

export const emptyProofForm: ProofValues = { url: '', text: '', screenshot: null };

/**
 * The text to send. A submission has a single URL; if a screenshot takes it, the member's link is appended to the text,
 * so that the reviewer still gets it.
 */
export function proofText({ url, text, screenshot }: Pick<ProofValues, 'url' | 'text' | 'screenshot'>): string {
  return screenshot && url ? [text, url].filter(Boolean).join('\n') : text;
}

/** Whether there is something to submit (QUEST-17). */
export const canSubmitProof = ({ url, text, screenshot, hasFile }: ProofValues & { hasFile: boolean }): boolean =>
  Boolean(url.trim() || text.trim() || screenshot || hasFile);

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
