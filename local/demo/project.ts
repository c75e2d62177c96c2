import { Hono } from 'hono';
import { html } from 'hono/html';
import type pg from 'pg';
import { svixHeaders } from '../emulators/clerk-webhooks.ts';
import type { StackEnv } from '../env.ts';

/** Host of the demo project's pages in supabase/seed.sql, and of its endpoint for the function check-task; it does not exist. */
const SEEDED_ADDRESS = 'https://project.questboard.test';

/** Below the gateway's address. */
export const DEMO_PROJECT_PATH = '/demo-project';

/**
 * The site and the system of a project whose tasks are confirmed without a reviewer: its page takes the member's token,
 * its button sends the signed call, and its endpoint answers Questboard's checks. All state is in memory.
 */
export function createDemoProject(env: Pick<StackEnv, 'SUPABASE_URL' | 'SUPABASE_SECRET_KEY'>): Hono {
  const completed = new Set<string>();
  const app = new Hono();

  app.get('/completed', (context) => context.json({ completed: completed.has(context.req.query('token') ?? '') }));
  app.get('/:project/tour', (context) => {
    const token = context.req.query('questboard_token') ?? '';
    return context.html(
      page(html`<p>This page stands for a project’s own site. It knows you by this token alone:</p>
      <p><code>${token}</code></p>
      <form method="post"><input type="hidden" name="token" value="${token}" /><button>Finish the tour</button></form>`),
    );
  });
  app.post('/:project/tour', async (context) => {
    const token = String((await context.req.parseBody()).token);
    completed.add(token);
    const message = await sendCall(env, context.req.param('project'), token);
    return context.html(page(html`<p>You have finished the tour. Go back to Questboard.</p><p>${message}</p>`));
  });
  return app;
}

const page = (content: unknown) => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" /><link rel="icon" href="data:," /><meta name="viewport" content="width=device-width" />
      <title>Demo project</title>
    </head>
    <body style="font: 1.125rem/1.5 sans-serif; max-width: 36rem; margin: 3rem auto; padding: 0 1rem"><h1>Demo project</h1>${content}</body>
  </html>`;

/** The example of the developers page. Returns Questboard's answer as a sentence. */
async function sendCall(
  { SUPABASE_URL, SUPABASE_SECRET_KEY }: Pick<StackEnv, 'SUPABASE_URL' | 'SUPABASE_SECRET_KEY'>,
  project: string,
  token: string,
): Promise<string> {
  const known = await fetch(`${SUPABASE_URL}/rest/v1/rpc/get_signing_secrets`, {
    method: 'POST',
    headers: { apikey: SUPABASE_SECRET_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ p_startup_id: project }),
  });
  const secrets: unknown = await known.json();
  const secret = Array.isArray(secrets) ? secrets[0] : undefined;
  if (typeof secret !== 'string') return 'This project has no signing secret, so it sends no calls.';
  const body = JSON.stringify({ token });
  const response = await fetch(`${SUPABASE_URL}/functions/v1/complete-task/${project}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...standardHeaders(body, secret) },
    body,
  });
  const { message } = (await response.json()) as { message?: string };
  return `Questboard answered ${response.status}: ${message}`;
}

/** Svix's headers under the names of Standard Webhooks. */
const standardHeaders = (body: string, secret: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(svixHeaders(body, secret)).map(([name, value]) => [name.replace('svix-', 'webhook-'), value]),
  );

/** The gateway's port may have changed since the last start. */
export async function linkDemoProject(
  client: pg.Client,
  { SUPABASE_URL }: Pick<StackEnv, 'SUPABASE_URL'>,
): Promise<void> {
  await client.query(`update public.tasks set link_url = regexp_replace(link_url, $1, $2) where link_url ~ $1`, [
    `^(${SEEDED_ADDRESS}|http://127\\.0\\.0\\.1:\\d+${DEMO_PROJECT_PATH})(?=/)`,
    `${SUPABASE_URL}${DEMO_PROJECT_PATH}`,
  ]);
}
