import { expect, it } from 'vitest';
import { testEnv } from '../../../local/testing/clients.ts';
import { signIn } from '../_testing/stack.ts';

interface Mail {
  to: string[];
  headers: Record<string, string>;
}

async function mailsTo(address: string): Promise<Mail[]> {
  const response = await fetch(`${testEnv().MAIL_URL}/emails`);
  const { data } = (await response.json()) as { data: Mail[] };
  return data.filter((mail) => mail.to.includes(address));
}

it('MAIL-03 C-49 records in the database that the welcome mail was sent', async () => {
  const person = await signIn();
  const welcome = { type: 'welcome', recipient: { email: person.email.toUpperCase() }, userRole: 'community' };
  const send = async () => (await person.post('/api/send-email', welcome)).json();
  const answers = await Promise.all([send(), send(), send()]);
  expect(answers.filter((answer) => answer.sent)).toHaveLength(1);
  expect(await send()).toEqual({ ok: true, sent: false });
  expect(await mailsTo(person.email)).toHaveLength(1);
});

it('C-49 allows a person five calls in ten minutes, without affecting others', async () => {
  const [person, other] = [await signIn(), await signIn()];
  const body = { type: 'notification', recipient: { email: person.email }, subject: 'Hi', message: 'Hi' };
  const statuses: number[] = [];
  for (let call = 1; call <= 6; call += 1) statuses.push((await person.post('/api/send-email', body)).status);
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  expect((await other.post('/api/send-email', body)).status).toBe(403);
});

it('C-50 MAIL-02 unsubscribes from notifications through the one-click link of a mail', async () => {
  const person = await signIn();
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = testEnv();
  const notify = async () => {
    const response = await fetch(`${SUPABASE_URL}/functions/v1/send-email`, {
      method: 'POST',
      headers: { apikey: SUPABASE_SECRET_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'notification', recipient: { email: person.email }, subject: 'Hi', message: 'Hi' }),
    });
    return response.json();
  };
  expect(await notify()).toEqual({ ok: true, sent: true });
  const [mail] = await mailsTo(person.email);
  const oneClickUrl = /<(.+)>/.exec(mail?.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
  const click = await fetch(oneClickUrl, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
  expect(await click.json()).toEqual({ ok: true });
  expect(await notify()).toEqual({ ok: true, sent: false });
  expect(await mailsTo(person.email)).toHaveLength(1);
});
