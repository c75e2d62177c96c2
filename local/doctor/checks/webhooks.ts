import Stripe from 'stripe';
import { svixHeaders } from '../../emulators/clerk-webhooks.ts';
import { ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

type Known = SettingsWith<'VITE_SUPABASE_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'CLERK_WEBHOOK_SECRET'>;

/** An event type that neither provider has: the functions verify it and do nothing. */
const TYPE = 'questboard.doctor';

/** The webhooks accept signatures made with our secrets, which shows that theirs are the same. */
export async function checkWebhooks(settings: Known): Promise<Finding[]> {
  const base = `${settings.VITE_SUPABASE_URL}/functions/v1`;
  const id = `evt_doctor_${Date.now()}`;
  const stripeBody = JSON.stringify({ id, object: 'event', type: TYPE, data: { object: {} } });
  const signature = await new Stripe(settings.STRIPE_SECRET_KEY).webhooks.generateTestHeaderStringAsync({
    payload: stripeBody,
    secret: settings.STRIPE_WEBHOOK_SECRET[0],
  });
  const clerkBody = JSON.stringify({ type: TYPE, object: 'event', data: {} });
  return [
    await deliver(`${base}/stripe-webhook`, 'STRIPE_WEBHOOK_SECRET', stripeBody, { 'stripe-signature': signature }),
    await deliver(
      `${base}/clerk-webhook`,
      'CLERK_WEBHOOK_SECRET',
      clerkBody,
      svixHeaders(clerkBody, settings.CLERK_WEBHOOK_SECRET[0]),
    ),
  ];
}

async function deliver(url: string, secret: string, body: string, headers: Record<string, string>): Promise<Finding> {
  const answer = await ask(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  if (field(answer.body, 'outcome') === 'ignored') return fine(secret, 'is the one that the function has');
  const code = field(answer.body, 'code');
  if (code === 'INVALID_SIGNATURE') return problem(secret, 'is not the one that the function has');
  return problem(secret, `could not be tried: the function answers ${answer.status} ${code ?? ''}`.trim());
}
