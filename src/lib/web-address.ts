/**
 * 'example.com' -> 'https://example.com' (SPROF-03, C-56, C-118). Some forms prefill https://, which alone counts as blank; a URL pasted
 * after it keeps its own scheme.
 */
export function ensureScheme(address: string): string {
  const trimmed = address.trim().replace(/^https?:\/\/(?=[a-z]+:\/\/|$)/i, '');
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

/**
 * Whether the text, with a scheme prepended if missing, is an http(s) URL whose host has a dot, without credentials. The same rule as
 * `private.is_web_address` in the database; spaces and markup are refused there, while a browser would encode them.
 */
export function isWebAddress(address: string): boolean {
  const full = ensureScheme(address);
  if (full.length > 2048 || /[\s<>"]/.test(full) || !URL.canParse(full)) return false;
  const { protocol, hostname, username } = new URL(full);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && /[^.]\.[^.]/.test(hostname);
}

/** 'https://www.example.com/a/' -> 'example.com/a', for display. */
export function displayUrl(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}
