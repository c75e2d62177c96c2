import { Hono } from 'hono';
import type { SignInAttempt } from '../attempts.ts';
import { ensureClient, type FapiContext, type FapiEnv, reply } from '../context.ts';
import { failures } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { CodeStrategy } from '../mail.ts';
import { primaryEmail } from '../model.ts';
import { serializeSignIn } from '../serializers.ts';
import { checkPassword, hashChosenPassword, mailCode } from '../services.ts';
import { attemptCode, passwordVerified } from '../verification.ts';

/** Sign-in by password or e-mail code, and password reset: `/v1/client/sign_ins`. */
export function signInRoutes() {
  const routes = new Hono<FapiEnv>();

  routes.post('/', async (c) => {
    const { store, attempts } = c.get('services');
    const { identifier, password, strategy } = c.get('form');
    const client = ensureClient(c);
    if (client.sessions.length > 0) throw failures.sessionExists();
    if (!identifier) throw failures.paramMissing('identifier');
    const user = store.userByEmail(identifier);
    if (!user) throw failures.identifierNotFound();
    const attempt: SignInAttempt = { id: randomId('sia'), status: 'needs_first_factor', identifier, user };
    attempts.setSignIn(client, attempt);
    if (password !== undefined) await attemptPassword(c, attempt, password);
    else if (isCodeStrategy(strategy)) await prepareCode(c, attempt, strategy);
    return reply(c, serializeSignIn(attempt));
  });

  routes.get('/:id', (c) => reply(c, serializeSignIn(currentAttempt(c))));

  routes.post('/:id/prepare_first_factor', async (c) => {
    const attempt = currentAttempt(c);
    const { strategy, email_address_id: emailId } = c.get('form');
    if (!isCodeStrategy(strategy)) throw failures.paramInvalid('strategy');
    await prepareCode(c, attempt, strategy, emailId);
    return reply(c, serializeSignIn(attempt));
  });

  routes.post('/:id/attempt_first_factor', async (c) => {
    const attempt = currentAttempt(c);
    const { strategy, password, code } = c.get('form');
    if (strategy === 'password') await attemptPassword(c, attempt, password);
    else if (isCodeStrategy(strategy) && attempt.verification?.strategy === strategy) {
      attemptCode(attempt.verification, code);
      if (strategy === 'reset_password_email_code') attempt.status = 'needs_new_password';
      else complete(c, attempt);
    } else throw failures.verificationMissing();
    return reply(c, serializeSignIn(attempt));
  });

  routes.post('/:id/reset_password', async (c) => {
    const attempt = currentAttempt(c);
    if (attempt.status !== 'needs_new_password') throw failures.verificationMissing();
    const { password, sign_out_of_other_sessions: signOutOthers } = c.get('form');
    const { store, passwordTries } = c.get('services');
    attempt.user.passwordHash = await hashChosenPassword(password, 'password');
    attempt.user.updatedAt = Date.now();
    passwordTries.forgive(attempt.user.id);
    if (signOutOthers === 'true') store.endSessions((session) => session.userId === attempt.user.id);
    complete(c, attempt);
    return reply(c, serializeSignIn(attempt));
  });

  return routes;
}

function isCodeStrategy(strategy: string | undefined): strategy is CodeStrategy {
  return strategy === 'email_code' || strategy === 'reset_password_email_code';
}

/** This browser's pending attempt; nobody else can continue it. */
function currentAttempt(c: FapiContext): SignInAttempt {
  const client = c.get('client');
  const attempt = client && c.get('services').attempts.signIn(client);
  const isLive = attempt && attempt.status !== 'complete' && attempt.id === c.req.param('id');
  if (!isLive || !c.get('services').store.user(attempt.user.id)) throw failures.notFound('The sign-in');
  return attempt;
}

async function prepareCode(c: FapiContext, attempt: SignInAttempt, strategy: CodeStrategy, emailId?: string) {
  const email = emailId
    ? attempt.user.emails.find((candidate) => candidate.id === emailId && candidate.verified)
    : primaryEmail(attempt.user);
  if (!email) throw failures.paramInvalid('email_address_id');
  attempt.verification = await mailCode(c.get('services'), strategy, email.address);
}

async function attemptPassword(c: FapiContext, attempt: SignInAttempt, password: string | undefined) {
  if (!(await checkPassword(c.get('services'), attempt.user, password))) throw failures.passwordIncorrect();
  attempt.verification = passwordVerified();
  complete(c, attempt);
}

function complete(c: FapiContext, attempt: SignInAttempt) {
  const userAgent = c.req.header('user-agent') ?? '';
  attempt.createdSessionId = c.get('services').store.startSession(ensureClient(c), attempt.user, userAgent).id;
  attempt.status = 'complete';
}
