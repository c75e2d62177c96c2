import { screenshotName } from './proof-file';
import type { ReviewedSubmission } from './queries';

/** A proof's address in short, 'blog.example/post', or what it is. */
export function linkAddress(url: string): string {
  if (screenshotName(url)) return 'screenshot';
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Opens a submission's link where the app is out of its reach; nothing for a screenshot. */
export function openLink({ proof_url }: Pick<ReviewedSubmission, 'proof_url'>): void {
  if (proof_url && !screenshotName(proof_url)) window.open(proof_url, '_blank', 'noopener,noreferrer');
}
