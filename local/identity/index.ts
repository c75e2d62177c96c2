import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { JSONWebKeySet, JWTPayload } from 'jose';
import { IDENTITY_ISSUER } from '../constants.ts';
import { createApp } from './app.ts';
import { Attempts } from './attempts.ts';
import type { FapiEnv } from './context.ts';
import { loadSigningKey } from './keys.ts';
import { Limiter } from './limiter.ts';
import { type Mail, printMail } from './mail.ts';
import type { Metadata, User } from './model.ts';
import { hashPassword } from './passwords.ts';
import { Pictures } from './pictures.ts';
import type { Services, UserEvent } from './services.ts';
import { Store } from './store.ts';
import { defaultTokenTtl, signSessionToken, type TokenSubject, tokenSubject } from './tokens.ts';

export { prepareClerkAssets } from './assets.ts';
export type { Mail } from './mail.ts';

/** Where Clerk's browser files are kept, shared by all stacks of this checkout. */
export const defaultAssetsDir = fileURLToPath(new URL('../../.local/cache/clerk', import.meta.url));

const tenMinutes = 600_000;

export interface IdentityOptions {
  /** Directory for users, sessions and the signing key. */
  dataDir: string;
  issuer?: string;
  assetsDir?: string;
  /** Sends a code; prints it to the terminal by default. */
  sendMail?: (mail: Mail) => void | Promise<void>;
  /** Notified of each account whose owner deletes it or changes its address or picture. */
  onUserEvent?: (event: UserEvent) => void;
  tokenTtlSeconds?: number;
}

interface CreateUser {
  /** Fixed ids are for demo data; a random one otherwise. */
  id?: string;
  email: string;
  /** Without one the account signs in by e-mail code. */
  password?: string;
  /** Full name: the first word becomes the first name. */
  name?: string;
  publicMetadata?: Metadata;
}

export interface Identity {
  /** Answers with and without the `/__clerk` prefix. */
  app: Hono<FapiEnv>;
  issuer: string;
  /** The public key set, for PostgREST and the gateway. */
  jwks(): JSONWebKeySet;
  users: {
    list(): User[];
    /** By id or verified e-mail address. */
    find(idOrEmail: string): User | undefined;
    /** Throws when the id or the address is taken. */
    create(input: CreateUser): Promise<User>;
    /** The only way to a role: no browser request changes public metadata. Throws when there is no such user. */
    setPublicMetadata(id: string, metadata: Metadata): void;
  };
  /** Signs a token as a session of this user would have it; `claims` replaces or adds some. */
  mintToken(user: User | TokenSubject, options?: { ttlSeconds?: number; claims?: JWTPayload }): Promise<string>;
  /** Resolves when everything is saved. */
  close(): Promise<void>;
}

/** The local stand-in for a Clerk instance: enough of its Frontend API for the real SDK and its real forms. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { dataDir, issuer = IDENTITY_ISSUER, sendMail = printMail } = options;
  const store = await Store.open(dataDir);
  const key = await loadSigningKey(dataDir);
  const services: Services = {
    store,
    pictures: new Pictures(dataDir),
    key,
    issuer,
    attempts: new Attempts(),
    tokenTtlSeconds: options.tokenTtlSeconds ?? defaultTokenTtl,
    sendMail: async (mail) => sendMail(mail),
    onUserEvent: options.onUserEvent ?? (() => undefined),
    passwordTries: new Limiter(10, tenMinutes),
    codesSent: new Limiter(10, tenMinutes),
  };

  return {
    app: createApp(services, options.assetsDir ?? defaultAssetsDir),
    issuer,
    jwks: () => key.jwks,
    users: {
      list: () => store.users(),
      find: (idOrEmail) => store.user(idOrEmail) ?? store.userByEmail(idOrEmail),
      create: async (input) => {
        const user = await createUser(store, input);
        await store.flush();
        return user;
      },
      setPublicMetadata(id, metadata) {
        const user = store.user(id);
        if (!user) throw new Error(`There is no user ${id}.`);
        user.publicMetadata = metadata;
        user.updatedAt = Date.now();
        store.changed();
      },
    },
    mintToken: (user, { ttlSeconds, claims } = {}) => {
      const subject = 'emails' in user ? tokenSubject(user) : user;
      return signSessionToken(key, subject, {
        issuer,
        ttlSeconds: ttlSeconds ?? services.tokenTtlSeconds,
        claims,
      });
    },
    close: () => store.flush(),
  };
}

async function createUser(store: Store, { id, email, password, name, publicMetadata }: CreateUser): Promise<User> {
  const [firstName, ...lastNames] = name?.trim().split(/\s+/) ?? [];
  const passwordHash = password ? await hashPassword(password) : null;
  return store.addUser({ id, email, passwordHash, firstName, lastName: lastNames.join(' '), publicMetadata });
}
