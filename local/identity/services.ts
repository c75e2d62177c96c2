import type { Attempts } from './attempts.ts';
import { failures } from './errors.ts';
import type { SigningKey } from './keys.ts';
import type { Limiter } from './limiter.ts';
import type { CodeStrategy, Mail } from './mail.ts';
import type { Session, User } from './model.ts';
import { hashPassword, maximumPasswordLength, minimumPasswordLength, passwordMatches } from './passwords.ts';
import type { Pictures } from './pictures.ts';
import type { Store } from './store.ts';
import { signSessionToken, tokenSubject } from './tokens.ts';
import { sendCode, type Verification } from './verification.ts';

/** Clerk's webhook event types for an account. */
export interface UserEvent {
  type: 'user.updated' | 'user.deleted';
  data: { object: string; id: string };
}

/** What the routes work with. */
export interface Services {
  store: Store;
  pictures: Pictures;
  attempts: Attempts;
  key: SigningKey;
  issuer: string;
  tokenTtlSeconds: number;
  sendMail: (mail: Mail) => Promise<void>;
  /** An account changed its address or picture, or was deleted; the caller does not wait for the consequences. */
  onUserEvent: (event: UserEvent) => void;
  passwordTries: Limiter;
  codesSent: Limiter;
}

/** The session's token for the requesting page. */
export function sessionToken(services: Services, session: Session, user: User, origin: string): Promise<string> {
  return signSessionToken(services.key, tokenSubject(user), {
    issuer: services.issuer,
    sessionId: session.id,
    authorizedParty: origin,
    ttlSeconds: services.tokenTtlSeconds,
  });
}

/** Mails a code; 429 when the address was sent too many. */
export function mailCode(services: Services, strategy: CodeStrategy, address: string): Promise<Verification> {
  services.codesSent.take(address);
  return sendCode(strategy, address, services.sendMail);
}

/** Whether this is the user's password; 429 after too many wrong ones, even for the right one. */
export async function checkPassword(services: Services, user: User, password: string | undefined): Promise<boolean> {
  services.passwordTries.take(user.id);
  const matches = await passwordMatches(password ?? '', user.passwordHash);
  if (matches) services.passwordTries.forgive(user.id);
  return matches;
}

/** Hashes a password that a user chose; 422 when the rules forbid it. `param` names the form field. */
export async function hashChosenPassword(password: string | undefined, param: string): Promise<string> {
  if (!password) throw failures.paramMissing(param);
  if (password.length < minimumPasswordLength) throw failures.passwordTooShort(minimumPasswordLength, param);
  if (password.length > maximumPasswordLength) throw failures.passwordTooLong(maximumPasswordLength, param);
  return hashPassword(password);
}
