import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { listen } from '../../../local/process/listen.ts';

/** Outcomes of successive requests: half of them fail, some after the mail was sent. */
const PATTERN = [
  'refused',
  'lost',
  'answered',
  'refused',
  'refused',
  'answered',
  'lost',
  'lost',
  'answered',
  'answered',
] as const;

export interface FlakyMail {
  url: string;
  /** Requests so far: refused, accepted with the response lost, accepted. */
  counts: Record<(typeof PATTERN)[number], number>;
  close(): Promise<void>;
}

/** A proxy in front of a mail provider that fails about every other request, in a fixed order. */
export async function startFlakyMail(mailUrl: string): Promise<FlakyMail> {
  const counts = { refused: 0, lost: 0, answered: 0 };
  let requests = 0;
  const app = new Hono();
  app.all('*', async (context) => {
    const fate = PATTERN[requests++ % PATTERN.length] ?? 'answered';
    counts[fate] += 1;
    if (fate === 'refused') return context.json({ name: 'internal_server_error' }, 500);
    const answer = await proxy(`${mailUrl}${new URL(context.req.url).pathname}`, { raw: context.req.raw });
    if (fate === 'answered') return answer;
    await answer.body?.cancel();
    return context.json({ name: 'application_error' }, 503);
  });
  return { ...(await listen(app, 0)), counts };
}
