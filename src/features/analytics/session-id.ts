const key = 'questboard.session-id';
let inMemory: string | null = null;

function makeId(): string {
  // Not randomUUID: browsers offer that on secure origins only, and an unencrypted preview must work too.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random id of this tab's visit; the same until the tab is closed. It names nobody (ANA-04). */
export function sessionId(): string {
  if (inMemory) return inMemory;
  try {
    inMemory = sessionStorage.getItem(key) ?? makeId();
    sessionStorage.setItem(key, inMemory);
  } catch {
    inMemory ??= makeId();
  }
  return inMemory;
}
