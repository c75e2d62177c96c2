import * as z from 'zod/mini';

/** Most characters of a text proof, inclusive (QUEST-19); the database refuses more, too. */
export const maxProofTextLength = 2000;

function isHttpUrl(value: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(value).protocol);
  } catch {
    return false;
  }
}

const trimmed = z.pipe(
  z.string(),
  z.transform((value) => value.trim()),
);

/** What the proof dialog holds. `screenshot` is the object name of an uploaded file. */
export const proofFormSchema = z
  .object({ url: trimmed, text: trimmed, email: trimmed, screenshot: z.nullable(z.string()) })
  .check(
    z.refine(({ url, text, screenshot }) => Boolean(url || text || screenshot), {
      error: 'Proof is required',
      path: ['text'],
    }),
    z.refine(({ url }) => url === '' || isHttpUrl(url), { error: 'Invalid URL format', path: ['url'] }),
    z.refine(({ email }) => email === '' || z.safeParse(z.email(), email).success, {
      error: 'Please enter a valid email address',
      path: ['email'],
    }),
    z.superRefine((form, context) => {
      if (proofText(form).length > maxProofTextLength) {
        context.issues.push({ code: 'custom', message: 'Text proof too long', path: ['text'], input: form.text });
      }
    }),
  );

/** The form as typed, before it is checked. */
export type ProofValues = z.infer<typeof proofFormSchema>;

export const emptyProofForm: ProofValues = { url: '', text: '', email: '', screenshot: null };

/**
 * The text to send. A submission has one address; when a screenshot takes that place, the link the member gave as well
 * goes to the end of the text, so that the reviewer still gets it.
 */
export function proofText({ url, text, screenshot }: Pick<ProofValues, 'url' | 'text' | 'screenshot'>): string {
  return screenshot && url ? [text, url].filter(Boolean).join('\n') : text;
}

/** Whether there is anything to submit, and the e-mail where the quest asks for one (QUEST-17). */
export function canSubmitProof(form: ProofValues & { hasFile: boolean }, isEmailRequired: boolean): boolean {
  const hasProof = Boolean(form.url.trim() || form.text.trim() || form.screenshot || form.hasFile);
  return hasProof && (!isEmailRequired || form.email.trim() !== '');
}
