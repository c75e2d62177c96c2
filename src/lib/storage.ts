/**
 * All access to local and session storage. Storage can be missing, full or blocked: reading then returns null and writing does
 * nothing, so nothing stored here may be required for the app to work.
 */
const keys = {
  /** The role chosen in the picker or with the switch; named by the specification (AUTH-03). */
  selectedRole: 'selectedRole',
  /** User who chose selectedRole: another user of this browser must not inherit it. */
  roleOwner: 'questboard.role-owner',
  /** Referral code of the link that was followed, until sign-up has processed it (C-66). */
  pendingReferral: 'questboard.pending-referral',
  theme: 'questboard.theme',
  /** The advice before the first quest of one's own was skipped (C-114). */
  questGateSkipped: 'questboard.quest-gate-skipped',
  onboardingCompleted: 'questboard.onboarding-completed',
  welcomeEmailSent: 'questboard.welcome-email-sent',
  registrationTracked: 'questboard.registration-tracked',
  /** 'granted' or 'denied': consent to the third-party analytics script. */
  analyticsConsent: 'questboard.analytics-consent',
  /** 'off' turns off the single-key shortcuts of the review (WCAG 2.1.4). */
  reviewShortcuts: 'questboard.review-shortcuts',
} as const;

export type StorageKey = keyof typeof keys;

/** The raw key in localStorage, for `storage` events; per-user keys carry the user id. */
export function storageKey(key: StorageKey, userId?: string): string {
  return userId ? `${keys[key]}.${userId}` : keys[key];
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

/** Reads a value that is kept until this tab is closed, null when there is none. */
export function readSessionStorage(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value until this tab is closed; null removes it. Returns whether that worked. */
export function writeSessionStorage(key: string, value: string | null): boolean {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
