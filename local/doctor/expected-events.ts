import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUNCTIONS_DIRECTORY } from '../paths.ts';

/** Stripe's events that the webhook acts on, read from its source, sorted. */
export function expectedEvents(): string[] {
  const source = readFileSync(join(FUNCTIONS_DIRECTORY, 'stripe-webhook/handle-event.ts'), 'utf8');
  return [...source.matchAll(/case '([a-z_.]+)':/g)].map(([, name = '']) => name).sort();
}
