import { Hono } from 'hono';
import { currentSession, type FapiContext, type FapiEnv, reply } from '../context.ts';
import { failures } from '../errors.ts';
import { parseEmail } from '../forms.ts';
import type { EmailAddress, User } from '../model.ts';
import { serializeEmail } from '../serializers.ts';
import { mailCode } from '../services.ts';
import { newEmail } from '../store.ts';
import { attemptCode, type Verification } from '../verification.ts';

/** Further addresses of the signed-in user, each verified by a code: `/v1/me/email_addresses`. */
export function meEmailRoutes() {
  const routes = new Hono<FapiEnv>();
  const verifications = new WeakMap<EmailAddress, Verification>();

  routes.get('/', (c) =>
    reply(
      c,
      currentSession(c).user.emails.map((email) => serializeEmail(email)),
    ),
  );

  routes.post('/', (c) => {
    const { user } = currentSession(c);
    const { store } = c.get('services');
    const address = parseEmail(c.get('form').email_address);
    if (store.userByEmail(address)) throw failures.identifierExists('email_address');
    // Requested again before it was verified: the same entry is reused.
    const pending = user.emails.find((email) => email.address === address);
    const email = pending ?? newEmail(address, false);
    if (!pending) user.emails.push(email);
    store.changed();
    return reply(c, serializeEmail(email));
  });

  routes.get('/:id', (c) => reply(c, serializeEmail(ownEmail(c).email)));

  routes.post('/:id/prepare_verification', async (c) => {
    const { email } = ownEmail(c);
    if (c.get('form').strategy !== 'email_code') throw failures.paramInvalid('strategy');
    if (email.verified) throw failures.verificationUsed();
    const verification = await mailCode(c.get('services'), 'email_code', email.address);
    verifications.set(email, verification);
    return reply(c, serializeEmail(email, verification));
  });

  routes.post('/:id/attempt_verification', (c) => {
    const { email } = ownEmail(c);
    const { store } = c.get('services');
    const verification = verifications.get(email);
    attemptCode(verification, c.get('form').code);
    if (store.userByEmail(email.address)) throw failures.identifierExists('email_address');
    email.verified = true;
    store.changed();
    return reply(c, serializeEmail(email, verification));
  });

  routes.delete('/:id', (c) => {
    const { email, user } = ownEmail(c);
    if (email.id === user.primaryEmailId) throw failures.lastEmail();
    user.emails = user.emails.filter((other) => other !== email);
    c.get('services').store.changed();
    return reply(c, { object: 'email_address', id: email.id, deleted: true });
  });

  return routes;
}

function ownEmail(c: FapiContext): { email: EmailAddress; user: User } {
  const { user } = currentSession(c);
  const email = user.emails.find((candidate) => candidate.id === c.req.param('id'));
  if (!email) throw failures.notFound('The e-mail address');
  return { email, user };
}
