import { displayUrl } from '@/features/projects';
import { screenshotName } from './proof-file';
import type { ReviewedSubmission } from './queries';

/** A proof's link in short, 'blog.example/post', or the kind of proof. */
export function proofLinkText(url: string): string {
  return screenshotName(url) ? 'screenshot' : displayUrl(url);
}

/** Opens a submission's link with `noopener`; nothing for a screenshot. */
export function openLink({ proof_url }: Pick<ReviewedSubmission, 'proof_url'>): void {
  if (proof_url && !screenshotName(proof_url)) window.open(proof_url, '_blank', 'noopener,noreferrer');
}
