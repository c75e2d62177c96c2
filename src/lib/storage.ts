// Every key of local and session storage, and the functions to read and write them; only drafts.ts reads and writes its own, under
// privateKey. Storage can be missing, full or blocked: reading then returns null and writing does nothing, so nothing stored here
// may be required for the app to work.

/** Keys of local storage. */
const localKeys = {
  /** The role chosen in the picker or with the switch; named by the specification (AUTH-03). */
  selectedRole: 'selectedRole',
  /** User who chose selectedRole: another user of this browser must not inherit it. */
  roleOwner: 'questboard.role-owner',
  /** Referral code of the link that was followed, until sign-up has processed it (C-66). */
  pendingReferral: 'questboard.pending-referral',
  theme: 'questboard.theme',
  /** The advice before an owner's first quest was skipped (C-114). */
  questGateSkipped: 'questboard.quest-gate-skipped',
  onboardingCompleted: 'questboard.onboarding-completed',
  welcomeEmailSent: 'questboard.welcome-email-sent',
  registrationTracked: 'questboard.registration-tracked',
  /** 'granted' or 'denied': consent to the third-party analytics script. */
  analyticsConsent: 'questboard.analytics-consent',
  /** 'off' turns off the single-key shortcuts of the review (WCAG 2.1.4). */
  reviewShortcuts: 'questboard.review-shortcuts',
} as const;

/** Keys of session storage, which lasts until the tab is closed. */
const sessionKeys = {
  /** The query string with which somebody came to sign in or up; the provider's forms drop it. */
  authParams: 'questboard.auth-params',
  /** What a visitor pressed last before signing in. */
  pressedBeforeSignIn: 'questboard.pressed-before-sign-in',
  /** The entry script of the release that this tab has reloaded from. */
  reloadedFrom: 'questboard.reloaded-from',
  /** Random id of the visit. It identifies nobody (ANA-04). */
  sessionId: 'questboard.session-id',
  /** Idempotency keys of unanswered calls, one for each name (TRUST-21). */
  unansweredCall: 'questboard.unanswered',
} as const;

export type StorageKey = keyof typeof localKeys;
type SessionStorageKey = keyof typeof sessionKeys;

/** The raw key in localStorage, for `storage` events; per-user keys carry the user id. */
function storageKey(key: StorageKey, userId?: string): string {
  return userId ? `${localKeys[key]}.${userId}` : localKeys[key];
}

/** Reads a value, null when there is none. */
export function readStorage(key: StorageKey, userId?: string): string | null {
  try {
    return localStorage.getItem(storageKey(key, userId));
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. */
export function writeStorage(key: StorageKey, value: string | null, userId?: string): void {
  try {
    if (value === null) localStorage.removeItem(storageKey(key, userId));
    else localStorage.setItem(storageKey(key, userId), value);
  } catch {
    // The app must work in a browser without storage.
  }
}

/** A flag that is set once and never unset, such as 'welcome email sent' (MAIL-03, ONB-01). */
export const localFlag = {
  isSet: (key: StorageKey, userId?: string): boolean => readStorage(key, userId) === 'true',
  set: (key: StorageKey, userId?: string): void => writeStorage(key, 'true', userId),
};

const privatePrefix = 'questboard.private.';

/** Key of one person's data in this browser, such as a draft. Removed when they sign out or somebody else signs in. */
export const privateKey = (userId: string, name: string): string => `${privatePrefix}${userId}.${name}`;

/** Removes the data of all people except this one; of everybody for null. */
export function forgetPrivateStorage(exceptUserId: string | null): void {
  try {
    for (const key of Object.keys(localStorage)) {
      const isKept = exceptUserId !== null && key.startsWith(privateKey(exceptUserId, ''));
      if (key.startsWith(privatePrefix) && !isKept) localStorage.removeItem(key);
    }
  } catch {
    // See above.
  }
}

const sessionStorageKey = (key: SessionStorageKey, name?: string): string =>
  name ? `${sessionKeys[key]}.${name}` : sessionKeys[key];

/** Reads a value that is kept until this tab is closed, null when there is none. */
export function readSessionStorage(key: SessionStorageKey, name?: string): string | null {
  try {
    return sessionStorage.getItem(sessionStorageKey(key, name));
  } catch {
    return null;
  }
}

/** Stores a value until this tab is closed; null removes it. Returns whether that worked. */
export function writeSessionStorage(key: SessionStorageKey, value: string | null, name?: string): boolean {
  try {
    if (value === null) sessionStorage.removeItem(sessionStorageKey(key, name));
    else sessionStorage.setItem(sessionStorageKey(key, name), value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Subscribes to changes of a local storage key: in this tab by an event of that name on the window, in other tabs by
 * the storage event. For useSyncExternalStore. `onOtherTab` runs first when another tab has changed it.
 */
export function createStorageStore(key: StorageKey, event: string, onOtherTab: () => void = () => undefined) {
  return {
    subscribe: (onChange: () => void): (() => void) => {
      const handleStorage = (change: StorageEvent) => {
        // A null key: the whole storage was cleared.
        if (change.key !== null && change.key !== storageKey(key)) return;
        onOtherTab();
        onChange();
      };
      window.addEventListener(event, onChange);
      window.addEventListener('storage', handleStorage);
      return () => {
        window.removeEventListener(event, onChange);
        window.removeEventListener('storage', handleStorage);
      };
    },
    notify: (detail?: unknown): void => {
      window.dispatchEvent(new CustomEvent(event, { detail }));
    },
  };
}
