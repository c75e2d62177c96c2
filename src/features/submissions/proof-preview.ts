import type { Submission } from './queries';

/** Characters of a text proof that the table shows (SUBM-05). */
const previewLength = 50;

/** A proof in a few words: 'Link Proof' for a link or screenshot, else the start of the text. */
export function proofPreview({ proof_url, proof_text }: Pick<Submission, 'proof_url' | 'proof_text'>): string {
  if (proof_url) return 'Link Proof';
  const text = proof_text ?? '';
  return text.length > previewLength ? `${text.slice(0, previewLength)}...` : text;
}
