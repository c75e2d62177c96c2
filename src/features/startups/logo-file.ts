/** Logos end up as squares with this side, in pixels. */
export const logoSide = 512;
const maxBytes = 5 * 1024 * 1024;

/** What may be chosen. An SVG is drawn into a PNG here, because the bucket takes no SVG: it could carry scripts. */
const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };
export const acceptedLogoTypes = [...Object.keys(extensions), 'image/svg+xml'];

/** Why a chosen file cannot become a logo, null when it can (SPROF-04, C-56). */
export function logoFileProblem(file: { type: string; size: number }): string | null {
  if (!acceptedLogoTypes.includes(file.type)) return 'Please choose a PNG, JPG, WebP or SVG image';
  return file.size > maxBytes ? 'Please choose an image smaller than 5MB' : null;
}

/** The type that the cropped picture is written in: its own, PNG for an SVG. */
export function croppedType(type: string): string {
  return type in extensions ? type : 'image/png';
}

/** Path in the bucket: the user's folder, then user id, timestamp and extension (SPROF-04). `now` in milliseconds. */
export function logoPath(userId: string, type: string, now: number): string {
  return `${userId}/${userId}_${now}.${extensions[type] ?? 'png'}`;
}

/**
 * Path of a logo in the bucket, from its public address; null for pictures elsewhere and for files in somebody else's
 * folder. `publicPrefix` is the address of the bucket itself, ended by a slash.
 */
export function ownLogoPath(logoUrl: string | null, publicPrefix: string, userId: string): string | null {
  if (!logoUrl?.startsWith(publicPrefix)) return null;
  const path = decodeURIComponent(logoUrl.slice(publicPrefix.length));
  return path.startsWith(`${userId}/`) ? path : null;
}
