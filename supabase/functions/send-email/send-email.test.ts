import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ISSUER, SECRET_KEY } from '../_testing/backend.ts';
import { type Served, SITE_URL, serveFunctions } from '../_testing/served-functions.ts';

interface SentMail {
  to: string[];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
}

let served: Served;
let user: string;
let email: string;

let lastEvent = 0;

/** The outbox as far as one welcome mail needs it: the request creates one event per person, which is claimed once. */
function outbox(procedures: Served['backend']['procedures']): void {
  const requested = new Set<unknown>();
  const waiting = new Map<unknown, object>();
  procedures.set('request_welcome_email', ({ p_user_id, p_first_name, p_is_startup }) => {
    if (requested.has(p_user_id)) return null;
    requested.add(p_user_id);
    // The mail provider identifies mails by the event's id, including those of earlier tests.
    lastEvent += 1;
    const id = lastEvent;
    const payload = { first_name: p_first_name, is_startup: p_is_startup };
    waiting.set(id, { id, type: 'WelcomeRequested', payload, attempt: 1, email: `${p_user_id}@mail.test` });
    return id;
  });
  procedures.set('claim_outbox_events', ({ p_event_id }) => {
    const event = waiting.get(p_event_id);
    waiting.delete(p_event_id);
    return event ? [event] : [];
  });
  procedures.set('complete_outbox_event', () => null);
  procedures.set('fail_outbox_event', () => null);
}

beforeAll(async () => {
  served = await serveFunctions();
});
afterAll(() => served.close());

beforeEach(() => {
  user = `user_${crypto.randomUUID()}`;
  email = `${user}@mail.test`;
  const { procedures } = served.backend;
  procedures.clear();
  procedures.set('take_rate_limit', () => true);
  procedures.set('get_user_email_by_clerk_id', ({ p_user_id }) => `${p_user_id}@mail.test`);
  procedures.set('get_unsubscribe_token', () => 'token/1');
  outbox(procedures);
});

const welcome = (changes = {}) => ({
  type: 'welcome',
  recipient: { email, name: 'Robin' },
  userRole: 'community',
  firstName: 'Robin',
  ...changes,
});

async function send(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return served.post('send-email', body, { authorization: `Bearer ${await served.backend.token(user)}`, ...headers });
}

const sendAsService = (body: unknown, headers: Record<string, string> = {}) =>
  served.post('send-email', body, { authorization: `Bearer ${SECRET_KEY}`, ...headers });

async function inbox(address: string): Promise<SentMail[]> {
  const response = await fetch(`${served.emulators.mailUrl}/emails`);
  const { data } = (await response.json()) as { data: SentMail[] };
  return data.filter((mail) => mail.to.includes(address));
}

describe('authorization', () => {
  it('C-54 answers the health check without a session', async () => {
    const response = await fetch(`${served.functions.url}/send-email/health`);
    expect(await response.json()).toEqual({ ok: true, function: 'send-email', release: 'unstamped' });
  });

  it.each(['', 'Bearer user_demo_member', 'Bearer a.b.c'])(
    'C-49 refuses the authorization %j',
    async (authorization) => {
      const response = await send(welcome(), { authorization });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' });
    },
  );

  it.each([
    ['an expired token', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['a token of another issuer', { iss: 'https://elsewhere.test' }],
    ['a token without a subject', { sub: undefined }],
    ["a token issued to another site's page", { azp: 'https://elsewhere.test' }],
    ['a token of a pending session', { sts: 'pending' }],
  ])('C-49 refuses %s', async (_name, claims) => {
    const authorization = `Bearer ${await served.backend.token(user, claims)}`;
    expect((await send(welcome(), { authorization })).status).toBe(401);
  });

  it('C-49 refuses a token signed by another key', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const forged = await new SignJWT({ iss: ISSUER, sub: user })
      .setProtectedHeader({ alg: 'RS256', kid: 'test' })
      .setExpirationTime('1m')
      .sign(privateKey);
    expect((await send(welcome(), { authorization: `Bearer ${forged}` })).status).toBe(401);
  });

  it('C-49 requires the configured audience in the token', async () => {
    const strict = await serveFunctions({ CLERK_AUDIENCE: 'questboard' });
    try {
      const statusFor = async (claims: Record<string, unknown>) => {
        const authorization = `Bearer ${await strict.backend.token(user, claims)}`;
        return (await strict.post('send-email', welcome(), { authorization })).status;
      };
      expect(await statusFor({ aud: 'another-app' })).toBe(401);
      expect(await statusFor({ aud: ['another-app'] })).toBe(401);
      expect(await statusFor({})).toBe(401);
      expect(strict.backend.calls).toEqual([]);
      strict.backend.procedures.set('take_rate_limit', () => false);
      expect(await statusFor({ aud: 'questboard' })).toBe(429);
      expect(await statusFor({ aud: ['another-app', 'questboard'] })).toBe(429);
    } finally {
      await strict.close();
    }
  });

  it('refuses a page of another site and accepts our own', async () => {
    const foreign = await send(welcome(), { origin: 'https://evil.test' });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    for (const origin of [
      'https://questboard-a.evil.test-team.hosting.test',
      'https://x-team.hosting.test',
      'https://questboard-x-team.hosting.test.evil.test',
    ]) {
      expect((await send(welcome(), { origin })).status, origin).toBe(403);
    }
    for (const origin of [SITE_URL, 'https://preview.functions.test', 'https://questboard-git-x1-team.hosting.test']) {
      const preflight = await fetch(`${served.functions.url}/send-email`, { method: 'OPTIONS', headers: { origin } });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    }
  });

  it('C-49 answers 429 when the database counts too many calls', async () => {
    served.backend.procedures.set('take_rate_limit', ({ p_subject }) => p_subject !== `user:${user}`);
    const response = await send(welcome());
    expect(response.status).toBe(429);
    expect(await inbox(email)).toHaveLength(0);
  });
});

describe('the welcome mail', () => {
  it('MAIL-03 is sent once, however often and concurrently it is requested', async () => {
    const responses = await Promise.all([send(welcome()), send(welcome()), send(welcome())]);
    const bodies = await Promise.all(responses.map((response) => response.json()));
    expect(bodies.filter((body) => body.sent)).toHaveLength(1);
    expect(await (await send(welcome())).json()).toEqual({ ok: true, sent: false });
    expect(await inbox(email)).toHaveLength(1);
  });

  it('C-49 is sent only to the address that the database has for the caller', async () => {
    const response = await send(welcome({ recipient: { email: 'someone.else@mail.test' } }));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'NOT_YOUR_ADDRESS' });
    expect(await inbox('someone.else@mail.test')).toHaveLength(0);
  });

  it('C-50 has both parts and the unsubscribe links', async () => {
    await send(welcome());
    const [mail] = await inbox(email);
    const page = `${SITE_URL}/unsubscribe?token=token%2F1`;
    expect(mail?.text).toContain(`Unsubscribe: ${page}`);
    expect(mail?.html).toContain(`href="${page}"`);
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': `<${served.backend.url}/functions/v1/unsubscribe?token=token%2F1>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('is still sent when the database has no unsubscribe token', async () => {
    served.backend.procedures.delete('get_unsubscribe_token');
    expect(await (await send(welcome())).json()).toEqual({ ok: true, sent: true });
    expect((await inbox(email))[0]?.headers).toEqual({});
  });

  it('MAIL-04 greets by first name, and links members to the quests and projects to their profile', async () => {
    expect(await (await send(welcome())).json()).toEqual({ ok: true, sent: true });
    const [mail] = await inbox(email);
    expect(mail?.subject).toBe('Welcome to Questboard');
    expect(mail?.text).toContain('Welcome to Questboard, Robin');
    expect(mail?.text).toContain(`${SITE_URL}/browse`);
    user = `user_${crypto.randomUUID()}`;
    email = `${user}@mail.test`;
    await send(welcome({ userRole: 'startup_unverified' }));
    expect((await inbox(email))[0]?.text).toContain(`${SITE_URL}/startup`);
  });

  it('is not available to the service role', async () => {
    expect((await sendAsService(welcome())).status).toBe(403);
  });
});

describe('notifications', () => {
  const notification = () => ({
    type: 'notification',
    recipient: { email },
    subject: 'Your proof\r\nBcc: victim@mail.test',
    message: 'First <script>alert(1)</script>\n\nSecond & "last"',
  });

  it('C-49 are refused to a signed-in user', async () => {
    expect((await send(notification())).status).toBe(403);
    expect(await inbox(email)).toHaveLength(0);
  });

  it('MAIL-04 C-49 have the given subject and message, and escape every field', async () => {
    expect((await sendAsService(notification())).status).toBe(200);
    const [mail] = await inbox(email);
    expect(mail?.subject).toBe('Your proof Bcc: victim@mail.test');
    expect(mail?.html).toContain('First &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(mail?.html).not.toContain('<script');
    expect(mail?.text).toContain('Second & "last"');
  });

  it('C-49 are accepted from the holder of the secret key, whichever variable the platform sets it in', async () => {
    const withKey = (apikey: string) => served.post('send-email', notification(), { apikey });
    expect((await withKey(SECRET_KEY)).status).toBe(200);
    expect((await withKey('sb_publishable_local')).status).toBe(401);
    const hosted = await serveFunctions({
      SUPABASE_SECRET_KEY: '',
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: SECRET_KEY }),
      SUPABASE_SERVICE_ROLE_KEY: 'former',
    });
    try {
      const response = await hosted.post('send-email', notification(), { apikey: SECRET_KEY });
      expect(response.status).toBe(200);
    } finally {
      await hosted.close();
    }
  });

  it('MAIL-02 are not mailed to unsubscribed addresses', async () => {
    served.backend.unsubscribed.add(email);
    expect(await (await sendAsService(notification())).json()).toEqual({ ok: true, sent: false });
    expect(await inbox(email)).toHaveLength(0);
  });

  it('C-50 of one event are mailed once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await sendAsService(notification(), headers);
    await sendAsService(notification(), headers);
    expect(await inbox(email)).toHaveLength(1);
  });
});

describe('input', () => {
  it('MAIL-04 names the invalid fields', async () => {
    const response = await send(welcome({ recipient: { email: 'nobody' }, userRole: 'king' }));
    expect(response.status).toBe(400);
    const { code, details } = await response.json();
    expect(code).toBe('INVALID_INPUT');
    expect(details.join()).toMatch(/recipient\.email.*userRole/);
  });

  it('refuses malformed JSON, other methods and bodies over 16 KB', async () => {
    expect(await (await send('{')).json()).toMatchObject({ code: 'INVALID_JSON' });
    expect((await fetch(`${served.functions.url}/send-email`, { method: 'DELETE' })).status).toBe(405);
    const oversize = await send(welcome({ firstName: 'x'.repeat(17 * 1024) }));
    expect(oversize.status).toBe(413);
  });

  it('refuses a large body even without a declared size', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(8 * 1024));
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    const authorization = `Bearer ${await served.backend.token(user)}`;
    const init = { method: 'POST', headers: { authorization }, body, duplex: 'half' };
    const response = await fetch(`${served.functions.url}/send-email`, init);
    expect(response.status).toBe(413);
  });

  it("puts no e-mail address into a request's URL, which platforms log", async () => {
    served.backend.urls.length = 0;
    await send(welcome());
    expect(await inbox(email)).toHaveLength(1);
    expect(served.backend.calls.some(({ args }) => JSON.stringify(args).includes(email))).toBe(true);
    expect(served.backend.urls.length).toBeGreaterThan(3);
    expect(served.backend.urls.filter((url) => /@|%40|mail\.test/i.test(url))).toEqual([]);
  });

  it('logs no personal data', async () => {
    await send(welcome());
    const text = served.log.join('\n');
    expect(text).toContain('"event":"request"');
    expect(text).not.toMatch(/mail\.test|Robin|user_|eyJ/);
  });
});
