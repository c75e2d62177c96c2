import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { svixHeaders } from '../../../local/emulators/clerk-webhooks.ts';
import { type Served, serveFunctions } from '../_testing/served-functions.ts';

/** During rotation (docs/deploy.md, "Replacing a key") both secrets are valid; afterwards only the new one. */
const OLD = {
  clerk: `whsec_${btoa('old')}`,
  stripe: 'whsec_old',
  cron: 'old_secret_of_the_schedule',
  key: 'sb_secret_old',
};
const NEW = {
  clerk: `whsec_${btoa('new')}`,
  stripe: 'whsec_new',
  cron: 'new_secret_of_the_schedule',
  key: 'sb_secret_new',
};
type Secrets = typeof OLD;

let served: Served;
afterEach(() => served.close());

async function configuredWith(...secrets: Secrets[]): Promise<void> {
  const join = (name: keyof Secrets) => secrets.map((each) => each[name]).join(',');
  served = await serveFunctions({
    CLERK_WEBHOOK_SECRET: join('clerk'),
    STRIPE_WEBHOOK_SECRET: join('stripe'),
    CRON_SECRET: join('cron'),
    SUPABASE_SECRET_KEYS: JSON.stringify(Object.fromEntries(secrets.map(({ key }, index) => [`key_${index}`, key]))),
  });
  served.backend.procedures.set('claim_logo_imports', () => []);
  served.backend.procedures.set('report_worker_run', () => null);
}

/** HTTP status by the secret used. */
async function statuses({ clerk, stripe, cron, key }: Secrets): Promise<Record<keyof Secrets, number>> {
  const clerkBody = JSON.stringify({ type: 'questboard.test', data: {} });
  const stripeBody = JSON.stringify({ id: 'evt_test', object: 'event', type: 'questboard.test', data: { object: {} } });
  const signature = await new Stripe('sk_test_x').webhooks.generateTestHeaderStringAsync({
    payload: stripeBody,
    secret: stripe,
  });
  const note = { type: 'notification', recipient: { email: 'rotation@mail.test' }, subject: 'A', message: 'B' };
  const answers = await Promise.all([
    served.post('clerk-webhook', clerkBody, svixHeaders(clerkBody, clerk)),
    served.post('stripe-webhook', stripeBody, { 'stripe-signature': signature }),
    served.post('import-logos', {}, { authorization: `Bearer ${cron}` }),
    served.post('send-email', note, { apikey: key }),
  ]);
  const [forClerk = 0, forStripe = 0, forCron = 0, forKey = 0] = answers.map(({ status }) => status);
  return { clerk: forClerk, stripe: forStripe, cron: forCron, key: forKey };
}

const ACCEPTED = { clerk: 200, stripe: 200, cron: 200, key: 200 };
const REFUSED = { clerk: 400, stripe: 400, cron: 403, key: 401 };

describe('secret rotation', () => {
  it('accepts signatures of the new and the old secrets while both are set', async () => {
    await configuredWith(NEW, OLD);
    expect(await statuses(NEW)).toEqual(ACCEPTED);
    expect(await statuses(OLD)).toEqual(ACCEPTED);
  });

  it('refuses the old ones once they are removed', async () => {
    await configuredWith(NEW);
    expect(await statuses(NEW)).toEqual(ACCEPTED);
    expect(await statuses(OLD)).toEqual(REFUSED);
  });
});
