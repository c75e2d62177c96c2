import { join } from 'node:path';
import { randomId, randomSecret } from './ids.ts';
import { readJson, writeJson } from './json-file.ts';
import type { Client, EmailAddress, Metadata, Session, StoredState, User } from './model.ts';

const day = 86_400_000;
/** Clerk's default: a session ends seven days after sign-in. */
const sessionLifetime = 7 * day;
const saveDelay = 100;

export interface NewUser {
  /** Fixed ids are for demo data; a random one otherwise. */
  id?: string;
  email: string;
  emailVerified?: boolean;
  passwordHash?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  publicMetadata?: Metadata;
  unsafeMetadata?: Metadata;
}

function normalizeEmail(address: string): string {
  return address.trim().toLowerCase();
}

/** Users, browsers and their sessions: in memory, mirrored to `identity.json` shortly after each change. */
export class Store {
  readonly #path: string;
  readonly #users = new Map<string, User>();
  readonly #clients = new Map<string, Client>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, state: StoredState | undefined) {
    this.#path = path;
    for (const user of state?.users ?? []) this.#users.set(user.id, user);
    for (const client of state?.clients ?? []) this.#clients.set(client.key, client);
  }

  static async open(dataDir: string): Promise<Store> {
    const path = join(dataDir, 'identity.json');
    const stored = await readJson(path);
    if (stored !== undefined && !isState(stored)) {
      throw new Error(`${path} was written by another version: start over with npm start -- --fresh.`);
    }
    return new Store(path, stored);
  }

  users(): User[] {
    return [...this.#users.values()];
  }

  user(id: string): User | undefined {
    return this.#users.get(id);
  }

  /** The user with this verified address. Unverified addresses belong to nobody. */
  userByEmail(address: string): User | undefined {
    const wanted = normalizeEmail(address);
    return this.users().find((user) => user.emails.some((email) => email.verified && email.address === wanted));
  }

  addUser(input: NewUser): User {
    const id = input.id ?? randomId('user');
    if (this.#users.has(id)) throw new Error(`The user ${id} exists already.`);
    if (this.userByEmail(input.email)) throw new Error(`A user with the address ${input.email} exists already.`);
    const email = newEmail(input.email, input.emailVerified ?? true);
    const user: User = {
      id,
      emails: [email],
      primaryEmailId: email.id,
      passwordHash: input.passwordHash ?? null,
      firstName: input.firstName || null,
      lastName: input.lastName || null,
      publicMetadata: input.publicMetadata ?? {},
      unsafeMetadata: input.unsafeMetadata ?? {},
      createdAt: Date.now(),
      updatedAt: Date.now(),
      lastSignInAt: null,
    };
    this.#users.set(id, user);
    this.changed();
    return user;
  }

  /** Also ends the user's sessions everywhere. */
  removeUser(id: string): void {
    this.#users.delete(id);
    this.endSessions((session) => session.userId === id);
    this.changed();
  }

  client(key: string): Client | undefined {
    const client = this.#clients.get(key);
    if (client) client.sessions = client.sessions.filter((session) => session.expiresAt > Date.now());
    return client;
  }

  addClient(): Client {
    const now = Date.now();
    const client = { id: randomId('client'), key: randomSecret(), sessions: [], createdAt: now, updatedAt: now };
    this.#clients.set(client.key, client);
    return client;
  }

  startSession(client: Client, user: User, userAgent: string): Session {
    const now = Date.now();
    const session: Session = {
      id: randomId('sess'),
      userId: user.id,
      createdAt: now,
      lastActiveAt: now,
      expiresAt: now + sessionLifetime,
      userAgent,
    };
    // One account at a time in a browser: see `single_session_mode` in environment.ts.
    client.sessions = [session];
    user.lastSignInAt = now;
    this.changed();
    return session;
  }

  /** Ends every session that matches, in every browser. */
  endSessions(matches: (session: Session) => boolean): void {
    for (const client of this.#clients.values()) {
      client.sessions = client.sessions.filter((session) => !matches(session));
    }
    this.changed();
  }

  sessionsOf(user: User): Session[] {
    return [...this.#clients.values()]
      .flatMap((client) => client.sessions)
      .filter((session) => session.userId === user.id && session.expiresAt > Date.now());
  }

  /** To be called after every change made to a user, a client or a session from outside. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#save().catch((error: unknown) => console.error('Could not save the identity store:', error));
    }, saveDelay);
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    if (this.#timer) await this.#save();
    await this.#writing;
  }

  #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Writes follow each other, so that an older state never replaces a newer one.
    this.#writing = this.#writing.catch(() => {}).then(() => writeJson(this.#path, this.#state()));
    return this.#writing;
  }

  #state(): StoredState {
    // Browsers without a session are not persisted.
    const clients = [...this.#clients.values()].filter((client) => client.sessions.length > 0);
    return { version: 1, users: this.users(), clients };
  }
}

export function newEmail(address: string, verified: boolean): EmailAddress {
  return { id: randomId('idn'), address: normalizeEmail(address), verified, createdAt: Date.now() };
}

function isState(value: unknown): value is StoredState {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}
