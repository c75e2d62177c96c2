import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeFreePort } from '../../../local/process/ports.ts';
import { type Provider, startProvider, TOO_SLOW_MS, tooSlow } from '../_testing/provider.ts';
import { type Served, serveFunctions } from '../_testing/served-functions.ts';

const USER = 'user_provider_test';
const EMAIL = 'provider@mail.test';

let served: Served;
let provider: Provider | undefined;
/** What the database was told about the mail's event. */
let reports: unknown[];

beforeEach(() => {
  reports = [];
  provider = undefined;
});
afterEach(async () => {
  await Promise.all([served.close(), provider?.close()]);
});

async function sendWelcome(mailUrl: string): Promise<Response> {
  served = await serveFunctions({ RESEND_API_URL: mailUrl });
  const { procedures, token } = served.backend;
  procedures.set('take_rate_limit', () => true);
  procedures.set('get_user_email_by_clerk_id', () => EMAIL);
  procedures.set('get_unsubscribe_token', () => null);
  procedures.set('request_welcome_email', () => 7);
  procedures.set('claim_outbox_events', () => [
    { id: 7, type: 'WelcomeRequested', payload: { first_name: null, is_startup: false }, attempt: 1, email: EMAIL },
  ]);
  procedures.set('complete_outbox_event', () => void reports.push('completed'));
  procedures.set(
    'fail_outbox_event',
    ({ p_kind, p_retry_after_seconds: seconds }) => void reports.push(seconds ? [p_kind, seconds] : p_kind),
  );
  const body = { type: 'welcome', recipient: { email: EMAIL } };
  return served.post('send-email', body, { authorization: `Bearer ${await token(USER)}` });
}

describe('the mail provider', () => {
  it('MAIL-03 down: leaves the welcome mail to the outbox, so that it goes out later', async () => {
    const response = await sendWelcome(`http://127.0.0.1:${await probeFreePort()}`);
    expect(await response.json()).toEqual({ ok: true, sent: false });
    expect(reports).toEqual(['deferred']);
  });

  it('slow: gives up after the deadline, and nobody knows whether the mail went out', async () => {
    provider = await startProvider(tooSlow);
    const startedAt = performance.now();
    const response = await sendWelcome(provider.url);
    expect(await response.json()).toEqual({ ok: true, sent: false });
    expect(provider.requests()).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(TOO_SLOW_MS);
    expect(reports).toEqual(['uncertain']);
  });

  it.each<[string, number, Record<string, string>, unknown]>([
    ['refusing the mail', 422, {}, 'failure'],
    ['down', 503, {}, 'deferred'],
    ['broken', 500, {}, 'deferred'],
    ['not taking the key any more', 401, {}, 'deferred'],
    ['not letting us send', 403, {}, 'deferred'],
    ['asking for patience', 429, { 'retry-after': '90' }, ['deferred', 90]],
    ['behind a gateway that got no answer', 504, {}, 'uncertain'],
  ])('%s: is asked once, and the outbox learns why', async (_state, status, headers, report) => {
    provider = await startProvider(() => Response.json({ name: 'some_error' }, { status, headers }));
    expect(await (await sendWelcome(provider.url)).json()).toEqual({ ok: true, sent: false });
    expect(provider.requests()).toBe(1);
    expect(reports).toEqual([report]);
  });

  it('asking for patience until a date: waits until then', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 600_000).toUTCString() };
    provider = await startProvider(() => Response.json({}, { status: 429, headers }));
    await sendWelcome(provider.url);
    const [[kind, seconds]] = reports as [[string, number]];
    expect(kind).toBe('deferred');
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  it('not configured: says which variable is missing, to the caller and in the log', async () => {
    served = await serveFunctions({ MAIL_FROM: '' });
    const response = await fetch(`${served.functions.url}/send-email/health`);
    expect(response.status).toBe(500);
    const body = await response.json();
    expect(body.code).toBe('NOT_CONFIGURED');
    expect(body.details.join()).toContain('MAIL_FROM');
    expect(served.log.join()).toContain('MAIL_FROM');
  });
});

describe('the identity provider', () => {
  it.each([
    ['down', () => new Response('down', { status: 500 })],
    ['talking nonsense', () => new Response('<html>')],
  ])('%s: answers 503, not that the session is wrong', async (_state, answer) => {
    provider = await startProvider(answer);
    served = await serveFunctions({ CLERK_JWKS_URL: provider.url });
    const authorization = `Bearer ${await served.backend.token(USER)}`;
    const response = await served.post('send-email', { type: 'welcome' }, { authorization });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'IDENTITY_UNAVAILABLE' });
  });
});
