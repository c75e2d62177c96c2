/** Largest screenshot in bytes, inclusive (QUEST-20); the bucket enforces the same. */
export const maxScreenshotBytes = 10_485_760;

/** What the bucket accepts. SVG is left out on purpose: it can carry scripts. */
export const screenshotTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ScreenshotType = (typeof screenshotTypes)[number];

const notAnImage = 'Please select an image file (PNG, JPG, GIF, etc.)';
const tooLarge = 'File size must be less than 10MB';

const startsWith = (bytes: Uint8Array, signature: readonly number[], offset = 0) =>
  signature.every((byte, index) => bytes[offset + index] === byte);
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** The image type that the first bytes of a file say, whatever its name claims; null when none that we accept. */
export function detectImageType(bytes: Uint8Array): ScreenshotType | null {
  if (startsWith(bytes, [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, ascii('GIF87a')) || startsWith(bytes, ascii('GIF89a'))) return 'image/gif';
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes, ascii('WEBP'), 8)) return 'image/webp';
  return null;
}

export type CheckedScreenshot = { ok: true; type: ScreenshotType } | { ok: false; message: string };

/** Checks declared type, size and content of a chosen file before anything is sent (QUEST-20, C-59). */
export async function checkScreenshot(file: File): Promise<CheckedScreenshot> {
  if (!file.type.startsWith('image/')) return { ok: false, message: notAnImage };
  if (file.size > maxScreenshotBytes) return { ok: false, message: tooLarge };
  const type = detectImageType(new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  return type ? { ok: true, type } : { ok: false, message: notAnImage };
}

/** Makes a file name safe as a storage key: plain letters, digits, dots, hyphens and single underscores (QUEST-21). */
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
export const proofBucket = 'proofs';
const proofPrefix = `${proofBucket}/`;

/** Object name of an uploaded screenshot out of a submission's proof_url; null for a link. */
export function screenshotName(proofUrl: string | null): string | null {
  return proofUrl?.startsWith(proofPrefix) ? proofUrl.slice(proofPrefix.length) : null;
}

/** What submit_proof takes as p_url for an uploaded screenshot. */
export function screenshotProofUrl(objectName: string): string {
  return proofPrefix + objectName;
}
