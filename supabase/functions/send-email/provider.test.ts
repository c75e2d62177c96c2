import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Provider, silent, startProvider } from '../_testing/provider.ts';
import { type Served, SHORT_DEADLINE, serveFunctions } from '../_testing/served-functions.ts';

const USER = 'user_provider_test';
const EMAIL = 'provider@mail.test';

/** Responds as the test says. */
let provider: Provider;
let answer: (request: Request) => Promise<Response> | Response;
let before: number;
/** The reports to the database about the mail's event. */
let reports: unknown[];

beforeAll(async () => {
  provider = await startProvider((_attempt, request) => answer(request));
});
afterAll(() => provider.close());
beforeEach(() => {
  reports = [];
  before = provider.requests();
});
const requests = () => provider.requests() - before;

async function sendWelcome({ backend, post }: Served): Promise<Response> {
  const { procedures, token } = backend;
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
  return post('send-email', body, { authorization: `Bearer ${await token(USER)}` });
}

/** Serves the functions with another environment, for one test. */
async function servedWith<T>(environment: Record<string, string>, work: (served: Served) => Promise<T>): Promise<T> {
  const served = await serveFunctions(environment);
  try {
    return await work(served);
  } finally {
    await served.close();
  }
}

describe('the mail provider', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveFunctions({ RESEND_API_URL: provider.url });
  });
  afterAll(() => served.close());

  it.each<[string, number, Record<string, string>, unknown]>([
    ['refusing the mail', 422, {}, 'failure'],
    ['down', 503, {}, 'deferred'],
    ['broken', 500, {}, 'deferred'],
    ['no longer accepting the key', 401, {}, 'deferred'],
    ['not allowing the sender', 403, {}, 'deferred'],
    ['asking for a later retry', 429, { 'retry-after': '90' }, ['deferred', 90]],
    ['asking for more seconds than an integer holds', 429, { 'retry-after': '99999999999' }, ['deferred', 86_400]],
    ['behind a gateway without a response', 504, {}, 'uncertain'],
  ])('%s: is called once, and the outbox records why', async (_state, status, headers, report) => {
    answer = () => Response.json({ name: 'some_error' }, { status, headers });
    expect(await (await sendWelcome(served)).json()).toEqual({ ok: true, sent: false });
    expect(requests()).toBe(1);
    expect(reports).toEqual([report]);
  });

  it('asking for a retry after a date: waits until then', async () => {
    const date = new Date(Date.now() + 600_000);
    answer = () => Response.json({}, { status: 429, headers: { 'retry-after': date.toUTCString() } });
    await sendWelcome(served);
    const [[kind, seconds]] = reports as [[string, number]];
    expect(kind).toBe('deferred');
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  it('gets keys of this installation: for those of another one with the same account it would send nothing', async () => {
    let key: string | null = null;
    answer = ({ headers }) => {
      key = headers.get('idempotency-key');
      return Response.json({ id: 'sent' });
    };
    expect(await (await sendWelcome(served)).json()).toEqual({ ok: true, sent: true });
    expect(key).toBe(`${new URL(served.backend.url).host}/event/7`);
  });

  it('MAIL-03 unreachable: leaves the welcome mail to the outbox, so that it is sent later', () =>
    servedWith({ RESEND_API_URL: 'http://127.0.0.1:2' }, async (other) => {
      expect(await (await sendWelcome(other)).json()).toEqual({ ok: true, sent: false });
      expect(reports).toEqual(['deferred']);
    }));

  it('unresponsive: gives up after the deadline, without knowing whether the mail was sent', () =>
    servedWith({ RESEND_API_URL: provider.url, ...SHORT_DEADLINE }, async (other) => {
      answer = silent;
      expect(await (await sendWelcome(other)).json()).toEqual({ ok: true, sent: false });
      expect(requests()).toBe(1);
      expect(reports).toEqual(['uncertain']);
    }));

  it('has taken the mail, but the database does not learn of it: the mail may have been sent', async () => {
    answer = () => Response.json({ id: 'sent' });
    const pending = sendWelcome(served);
    served.backend.procedures.set('complete_outbox_event', () => {
      throw new Error('down');
    });
    expect(await (await pending).json()).toEqual({ ok: true, sent: false });
    expect(requests()).toBe(1);
    expect(reports).toEqual(['uncertain']);
  });

  it('not configured: names the missing variable, to the caller and in the log', () =>
    servedWith({ MAIL_FROM: '' }, async ({ functions, log }) => {
      const response = await fetch(`${functions.url}/send-email/health`);
      expect(response.status).toBe(500);
      const body = await response.json();
      expect(body.code).toBe('NOT_CONFIGURED');
      expect(body.details.join()).toContain('MAIL_FROM');
      expect(log.join()).toContain('MAIL_FROM');
    }));
});

describe('the identity provider', () => {
  it.each([
    ['down', () => new Response('down', { status: 500 })],
    ['sending malformed keys', () => new Response('<html>')],
  ])('%s: answers 503, and does not blame the session', (_state, keys) =>
    servedWith({ CLERK_JWKS_URL: provider.url }, async ({ post, backend }) => {
      answer = keys;
      const authorization = `Bearer ${await backend.token(USER)}`;
      const response = await post('send-email', { type: 'welcome' }, { authorization });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: 'IDENTITY_UNAVAILABLE' });
    }),
  );
});
