import type { Client, Metadata, User } from './model.ts';
import type { Verification } from './verification.ts';

/** A sign-in under way. In memory only: after a restart the form starts again. */
export interface SignInAttempt {
  id: string;
  status: 'needs_first_factor' | 'needs_new_password' | 'complete';
  identifier: string;
  user: User;
  verification?: Verification;
  createdSessionId?: string;
}

/** A sign-up under way; the user exists only once it is complete. */
export interface SignUpAttempt {
  id: string;
  status: 'missing_requirements' | 'complete';
  emailAddress?: string;
  passwordHash?: string;
  firstName?: string;
  lastName?: string;
  unsafeMetadata: Metadata;
  verification?: Verification;
  createdSessionId?: string;
  createdUserId?: string;
}

/** Pending sign-ins and sign-ups by browser. */
export class Attempts {
  readonly #signIns = new WeakMap<Client, SignInAttempt>();
  readonly #signUps = new WeakMap<Client, SignUpAttempt>();

  signIn(client: Client): SignInAttempt | undefined {
    return this.#signIns.get(client);
  }

  signUp(client: Client): SignUpAttempt | undefined {
    return this.#signUps.get(client);
  }

  setSignIn(client: Client, attempt: SignInAttempt): void {
    this.#signIns.set(client, attempt);
  }

  setSignUp(client: Client, attempt: SignUpAttempt): void {
    this.#signUps.set(client, attempt);
  }

  clear(client: Client): void {
    this.#signIns.delete(client);
    this.#signUps.delete(client);
  }
}
