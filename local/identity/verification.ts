import { failures } from './errors.ts';
import { randomCode } from './ids.ts';
import { type CodeStrategy, codeMail, type Mail } from './mail.ts';

/** How long a code is valid. */
export const codeLifetimeMs = 10 * 60_000;
/** Wrong attempts after which a code is invalid. */
export const maximumAttempts = 5;
/** Clerk's test mode: addresses with this tag get no mail, and this code. */
const testTag = '+clerk_test';
const testCode = '424242';

/** A code sent to an address, and its status. */
export interface Verification {
  strategy: CodeStrategy | 'password';
  status: 'unverified' | 'verified' | 'failed' | 'expired';
  attempts: number;
  expiresAt: number;
  code: string;
}

/** Creates a new code and mails it; this invalidates an earlier code of the same attempt. */
export async function sendCode(
  strategy: CodeStrategy,
  to: string,
  sendMail: (mail: Mail) => Promise<void>,
): Promise<Verification> {
  const isTest = to.includes(testTag);
  const code = isTest ? testCode : randomCode();
  if (!isTest) await sendMail(codeMail(strategy, to, code));
  return { strategy, status: 'unverified', attempts: 0, expiresAt: Date.now() + codeLifetimeMs, code };
}

/** Marks the verification verified, or throws why not. */
export function attemptCode(verification: Verification | undefined, code: string | undefined): void {
  if (!verification || verification.strategy === 'password') throw failures.verificationMissing();
  if (verification.status === 'verified') throw failures.verificationUsed();
  if (verification.status === 'failed') throw failures.verificationFailed();
  if (verification.expiresAt <= Date.now()) {
    verification.status = 'expired';
    throw failures.verificationExpired();
  }
  verification.attempts += 1;
  if (verification.code === code) {
    verification.status = 'verified';
    return;
  }
  if (verification.attempts >= maximumAttempts) {
    verification.status = 'failed';
    throw failures.verificationFailed();
  }
  throw failures.codeIncorrect();
}

/** Verification of a password sign-in. */
export function passwordVerified(): Verification {
  return { strategy: 'password', status: 'verified', attempts: 1, expiresAt: Date.now(), code: '' };
}
