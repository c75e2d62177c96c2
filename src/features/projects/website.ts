/**
 * 'example.com' -> 'https://example.com' (SPROF-03, C-56). The form prefills https://, which alone counts as blank; a
 * URL pasted after it keeps its own scheme.
 */
export function ensureScheme(address: string): string {
  const trimmed = address.trim().replace(/^https?:\/\/(?=[a-z]+:\/\/|$)/i, '');
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

/** Whether the text, with a scheme prepended if missing, is an http(s) URL whose host has a dot. */
export function isWebAddress(address: string): boolean {
  const full = ensureScheme(address);
  if (/\s/.test(full) || !URL.canParse(full)) return false;
  const { protocol, hostname } = new URL(full);
  return (protocol === 'https:' || protocol === 'http:') && /[^.]\.[^.]/.test(hostname);
}

/** 'https://www.example.com/a/' -> 'example.com/a', for display. */
export function displayUrl(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}
