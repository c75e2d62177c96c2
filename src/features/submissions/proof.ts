import { pictureName, preparePicture } from '@/lib/picture';
import { displayUrl } from '@/lib/web-address';
import type { ReviewedSubmission } from './queries';

/** Largest screenshot in bytes, inclusive (QUEST-20); the bucket enforces the same. */
const maxScreenshotBytes = 10_485_760;

const notAnImage = 'Please select an image file (PNG, JPG, GIF, etc.)';
const tooLarge = 'File size must be less than 10MB';

export type CheckedScreenshot = { ok: true; picture: File } | { ok: false; message: string };

/** Some systems report no MIME type for photos from phones. */
const isImageFile = ({ type, name }: File) =>
  type.startsWith('image/') ? type !== 'image/svg+xml' : /\.hei[cf]$/i.test(name);

/** What is wrong with a chosen file by its name and size alone (QUEST-20); null if nothing. */
export function screenshotProblem(file: File): string | null {
  if (!isImageFile(file)) return notAnImage;
  return file.size > maxScreenshotBytes ? tooLarge : null;
}

/** Validates a chosen file before any upload and converts it to the picture to upload (QUEST-20, C-59, C-89). */
export async function prepareScreenshot(file: File): Promise<CheckedScreenshot> {
  const problem = screenshotProblem(file);
  if (problem !== null) return { ok: false, message: problem };
  // Large pictures can be more than a phone can draw, and old browsers cannot draw off the screen.
  const picture = await preparePicture(file).catch(() => null);
  if (!picture) return { ok: false, message: notAnImage };
  return { ok: true, picture: new File([picture], pictureName(file.name, picture.type), { type: picture.type }) };
}

/** Sanitises a file name for a storage key: ASCII letters, digits, dots, hyphens and single underscores (QUEST-21). */
export function sanitizeFileName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9.-]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 100);
}

/** Key of a new screenshot in the bucket: the member's own folder, so that the storage policy accepts it (C-59). */
export function proofObjectName(userId: string, fileName: string, timestamp: number): string {
  return `${userId}/proof_${timestamp}_${sanitizeFileName(fileName) || 'screenshot'}`;
}

/** Bucket of the screenshots; a submission names one as `proofs/{user}/{file}`. */
export const proofBucket = 'proofs' as const;
const proofPrefix = `${proofBucket}/`;

/** Object name of an uploaded screenshot out of a submission's proof_url; null for a link. */
export function screenshotName(proofUrl: string | null): string | null {
  return proofUrl?.startsWith(proofPrefix) ? proofUrl.slice(proofPrefix.length) : null;
}

/** Value of submit_proof's p_url for an uploaded screenshot. */
export function screenshotProofUrl(objectName: string): string {
  return proofPrefix + objectName;
}

/** A proof's link in short, 'blog.example/post', or the kind of proof. */
export function proofLinkText(url: string): string {
  return screenshotName(url) ? 'screenshot' : displayUrl(url);
}

/** Opens a submission's link with `noopener`; nothing for a screenshot. */
export function openLink({ proof_url }: Pick<ReviewedSubmission, 'proof_url'>): void {
  if (proof_url && !screenshotName(proof_url)) window.open(proof_url, '_blank', 'noopener,noreferrer');
}
