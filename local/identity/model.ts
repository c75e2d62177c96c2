/** Free-form data attached to a user. Public metadata is written by servers only, unsafe metadata by the user. */
export type Metadata = Record<string, unknown>;

export interface EmailAddress {
  id: string;
  /** Trimmed and lower-cased. */
  address: string;
  verified: boolean;
  /** Milliseconds since the epoch, as everywhere in this model. */
  createdAt: number;
}

export interface User {
  id: string;
  emails: EmailAddress[];
  primaryEmailId: string;
  /** `scrypt$…`, or null for an account that signs in by e-mail code alone. */
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  /** Address of the uploaded profile picture. Missing in states saved before there were any. */
  pictureUrl?: string | null;
  publicMetadata: Metadata;
  unsafeMetadata: Metadata;
  createdAt: number;
  updatedAt: number;
  lastSignInAt: number | null;
}

export interface Session {
  id: string;
  userId: string;
  createdAt: number;
  lastActiveAt: number;
  expiresAt: number;
  userAgent: string;
}

/** One browser, recognised by its `__client` cookie. */
export interface Client {
  id: string;
  /** The cookie's secret value. */
  key: string;
  /** Active sessions only: an ended session is removed. */
  sessions: Session[];
  createdAt: number;
  updatedAt: number;
}

/** What survives a restart. */
export interface StoredState {
  version: 1;
  users: User[];
  clients: Client[];
}

export function primaryEmail(user: User): EmailAddress | undefined {
  return user.emails.find((email) => email.id === user.primaryEmailId);
}

export function fullName(user: Pick<User, 'firstName' | 'lastName'>): string | null {
  return [user.firstName, user.lastName].filter(Boolean).join(' ') || null;
}
