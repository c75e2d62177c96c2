import { Hono } from 'hono';
import type { SignUpAttempt } from '../attempts.ts';
import { ensureClient, type FapiContext, type FapiEnv, reply } from '../context.ts';
import { failures } from '../errors.ts';
import { parseEmail, parseMetadata, refuseServerFields } from '../forms.ts';
import { randomId } from '../ids.ts';
import { serializeSignUp } from '../serializers.ts';
import { hashChosenPassword, mailCode } from '../services.ts';
import { attemptCode } from '../verification.ts';

/** Sign-up by e-mail and password, with the address verified by a code: `/v1/client/sign_ups`. */
export function signUpRoutes() {
  const routes = new Hono<FapiEnv>();

  routes.post('/', async (c) => {
    const client = ensureClient(c);
    if (client.sessions.length > 0) throw failures.sessionExists();
    const attempt: SignUpAttempt = { id: randomId('sua'), status: 'missing_requirements', unsafeMetadata: {} };
    await fill(c, attempt);
    c.get('services').attempts.setSignUp(client, attempt);
    return reply(c, serializeSignUp(attempt));
  });

  routes.get('/:id', (c) => reply(c, serializeSignUp(currentAttempt(c))));

  routes.patch('/:id', async (c) => {
    const attempt = currentAttempt(c);
    await fill(c, attempt);
    completeIfReady(c, attempt);
    return reply(c, serializeSignUp(attempt));
  });

  routes.post('/:id/prepare_verification', async (c) => {
    const attempt = currentAttempt(c);
    if (c.get('form').strategy !== 'email_code') throw failures.paramInvalid('strategy');
    if (!attempt.emailAddress) throw failures.paramMissing('email_address');
    attempt.verification = await mailCode(c.get('services'), 'email_code', attempt.emailAddress);
    return reply(c, serializeSignUp(attempt));
  });

  routes.post('/:id/attempt_verification', (c) => {
    const attempt = currentAttempt(c);
    attemptCode(attempt.verification, c.get('form').code);
    completeIfReady(c, attempt);
    return reply(c, serializeSignUp(attempt));
  });

  return routes;
}

/** This browser's pending attempt; nobody else can continue it. */
function currentAttempt(c: FapiContext): SignUpAttempt {
  const client = c.get('client');
  const attempt = client && c.get('services').attempts.signUp(client);
  if (!attempt || attempt.status === 'complete' || attempt.id !== c.req.param('id')) {
    throw failures.notFound('The sign-up');
  }
  return attempt;
}

async function fill(c: FapiContext, attempt: SignUpAttempt): Promise<void> {
  const form = c.get('form');
  refuseServerFields(form);
  if (form.email_address !== undefined) {
    const address = parseEmail(form.email_address);
    if (c.get('services').store.userByEmail(address)) throw failures.identifierExists('email_address');
    // Verifying one address does not verify another.
    if (address !== attempt.emailAddress) attempt.verification = undefined;
    attempt.emailAddress = address;
  }
  if (form.password !== undefined) attempt.passwordHash = await hashChosenPassword(form.password, 'password');
  if (form.first_name !== undefined) attempt.firstName = form.first_name.trim();
  if (form.last_name !== undefined) attempt.lastName = form.last_name.trim();
  if (form.unsafe_metadata) attempt.unsafeMetadata = parseMetadata(form.unsafe_metadata, 'unsafe_metadata');
}

/** Creates the user and signs in, once nothing is missing and the address is verified. */
function completeIfReady(c: FapiContext, attempt: SignUpAttempt): void {
  const { store } = c.get('services');
  const { emailAddress, passwordHash, firstName, lastName, unsafeMetadata } = attempt;
  if (!emailAddress || !passwordHash || attempt.verification?.status !== 'verified') return;
  // Somebody else may have verified it while this code was on its way.
  if (store.userByEmail(emailAddress)) throw failures.identifierExists('email_address');
  const user = store.addUser({ email: emailAddress, passwordHash, firstName, lastName, unsafeMetadata });
  attempt.createdUserId = user.id;
  attempt.createdSessionId = store.startSession(ensureClient(c), user, c.req.header('user-agent') ?? '').id;
  attempt.status = 'complete';
}
