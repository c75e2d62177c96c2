import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FUNCTIONS_DIRECTORY } from '../../paths.ts';
import { ask } from '../../process/ask.ts';
import { type Finding, fine, problem, skipped } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

const SUBJECT = 'Payment events';
const endpoints = z.object({
  data: z.array(z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) })),
});

/** Stripe sends our webhook every event that it handles. */
export async function checkPayments({
  VITE_SUPABASE_URL,
  STRIPE_SECRET_KEY,
  STRIPE_API_URL = 'https://api.stripe.com',
}: SettingsWith<'VITE_SUPABASE_URL' | 'STRIPE_SECRET_KEY'>): Promise<Finding[]> {
  const { status, body } = await ask(`${STRIPE_API_URL}/v1/webhook_endpoints?limit=100`, {
    headers: { authorization: `Bearer ${STRIPE_SECRET_KEY}` },
  });
  if (status === 401) return [problem('STRIPE_SECRET_KEY', 'is not accepted by Stripe')];
  if (status === 0 || status >= 500) return [problem(SUBJECT, `Stripe answers ${status || 'nothing'}`)];
  const answer = endpoints.safeParse(body);
  if (status !== 200 || !answer.success)
    return [skipped(SUBJECT, `Stripe answers ${status}: a restricted key may not read webhook endpoints`)];

  const url = `${VITE_SUPABASE_URL}/functions/v1/stripe-webhook`;
  const ours = answer.data.data.filter((endpoint) => endpoint.url === url && endpoint.status === 'enabled');
  if (ours.length === 0) return [problem(SUBJECT, `no endpoint of Stripe leads to ${url} (docs/deploy.md)`)];
  const sent = new Set(ours.flatMap(({ enabled_events }) => enabled_events));
  const missing = expectedEvents().filter((event) => !sent.has(event) && !sent.has('*'));
  return missing.length > 0
    ? [problem(SUBJECT, `the endpoint does not send ${missing.join(', ')} (docs/deploy.md)`)]
    : [fine(SUBJECT, 'the endpoint sends all that is acted on')];
}

/** Stripe's events that the webhook acts on, read from its source, sorted. */
export function expectedEvents(): string[] {
  const source = readFileSync(join(FUNCTIONS_DIRECTORY, 'stripe-webhook/handle-event.ts'), 'utf8');
  return [...source.matchAll(/case '([a-z_.]+)':/g)].map(([, name = '']) => name).sort();
}
