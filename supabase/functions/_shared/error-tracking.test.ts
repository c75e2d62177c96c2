import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { svixHeaders } from '../../../local/emulators/clerk-webhooks.ts';
import { CRON_SECRET, SECRET_KEY } from '../_testing/backend.ts';
import { type Ingest, startIngest } from '../_testing/ingest.ts';
import { silent, startProvider } from '../_testing/provider.ts';
import { CLERK_WEBHOOK_SECRET, type Served, serveFunctions } from '../_testing/served-functions.ts';

let ingest: Ingest;
let served: Served;

beforeAll(async () => {
  ingest = await startIngest();
  // The other tests' deadline is too short for a busy machine, and irrelevant here.
  served = await serveFunctions({ SENTRY_DSN: ingest.dsn, PROVIDER_TIMEOUT_MS: '5000' });
});
afterAll(() => Promise.all([served.close(), ingest.close()]));
beforeEach(() => {
  ingest.reports.length = 0;
  served.backend.procedures.clear();
});

const notification = { type: 'notification', recipient: { email: 'mina@example.com' }, subject: 'Mina', message: 'Hi' };
const asServer = { apikey: SECRET_KEY };

describe('a server error', () => {
  it('is reported under the reference in the response and in the log line', async () => {
    served.backend.procedures.set('anonymise_user', () => {
      throw new Error('down');
    });
    const body = JSON.stringify({ type: 'user.deleted', data: { id: 'user_2abCdEf3' } });
    const response = await served.post('clerk-webhook', body, svixHeaders(body, CLERK_WEBHOOK_SECRET));
    const { requestId } = (await response.json()) as { requestId: string };
    expect(response.status).toBe(503);

    await expect.poll(() => ingest.reports).toHaveLength(1);
    expect(ingest.reports[0]?.event).toMatchObject({
      platform: 'javascript',
      environment: 'site.functions.test',
      release: 'questboard-functions@unstamped',
      tags: {
        event: 'failure',
        function: 'clerk-webhook',
        code: 'DATABASE_UNAVAILABLE',
        reference: requestId.slice(0, 8),
      },
      exception: { values: expect.arrayContaining([expect.objectContaining({ stacktrace: expect.anything() })]) },
    });
    expect(served.log.filter((line) => line.includes(requestId) && line.includes('"failure"'))).toHaveLength(1);
  });

  it('TRUST-28 contains nothing about the person, their input or the request', async () => {
    served.backend.procedures.set('admit_mail', () => {
      throw new Error('down');
    });
    const response = await served.post('send-email?email=mina@example.com', notification, asServer);
    expect(response.status).toBe(503);
    await expect.poll(() => ingest.reports).toHaveLength(1);
    const [{ text = '', event = {} } = {}] = ingest.reports;
    for (const secret of ['mina', 'Mina', SECRET_KEY, '127.0.0.1', 'apikey', 'authorization']) {
      expect(text).not.toContain(secret);
    }
    for (const part of ['user', 'request', 'breadcrumbs', 'contexts', 'extra', 'server_name']) {
      expect(event).not.toHaveProperty(part);
    }
  });
});

it('a refusal is not reported', async () => {
  expect((await served.post('send-email', notification)).status).toBe(401);
  expect((await served.post('send-email', '{', asServer)).status).toBe(400);
  served.backend.procedures.set('admit_mail', () => 'limited');
  expect((await served.post('send-email', notification, asServer)).status).toBe(200);
  // Followed by a tracked failure, because reports are sent in order.
  served.backend.procedures.set('admit_mail', () => 'nonsense');
  expect((await served.post('send-email', notification, asServer)).status).toBe(500);
  await expect.poll(() => ingest.reports).toHaveLength(1);
  expect(ingest.reports[0]?.event).toMatchObject({ tags: { code: 'UNEXPECTED' } });
});

it("an error logged without an exception is reported as well: the self-check's findings", async () => {
  const found = [{ problem: 'points', subject_type: 'user', subject_id: 'user_2abCdEf3' }];
  served.backend.procedures.set('run_self_check', () => ({ owner_email: null, problems: [] }));
  served.backend.procedures.set('reconcile_ledger', () => found);
  served.backend.procedures.set('report_worker_run', () => null);
  expect((await served.post('self-check', {}, { authorization: `Bearer ${CRON_SECRET}` })).status).toBe(200);
  await expect.poll(() => ingest.reports).toHaveLength(1);
  expect(ingest.reports[0]?.event).toMatchObject({
    message: 'self_check',
    tags: { problems: 'Ledger: 1 figures differ from their recount, the first is points of user [id]' },
  });
});

it('a response does not wait for an unresponsive tracker, and later ones are unaffected', async () => {
  const tracker = await startProvider(silent);
  const silently = await serveFunctions({ SENTRY_DSN: `${tracker.url.replace('//', '//publickey@')}/1` });
  try {
    const times: number[] = [];
    for (let time = 1; time <= 3; time += 1) {
      const response = await silently.post('send-email', notification, asServer);
      expect(response.status).toBe(200);
      silently.backend.procedures.set('admit_mail', () => 'nonsense');
      const startedAt = performance.now();
      expect((await silently.post('send-email', notification, asServer)).status).toBe(500);
      times.push(performance.now() - startedAt);
      silently.backend.procedures.clear();
    }
    // Each would wait two seconds. The median, because on a busy machine one may take that long, the first of them to load the tracker.
    expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(1_500);
    await expect.poll(() => tracker.requests()).toBeGreaterThan(0);
  } finally {
    await Promise.all([silently.close(), tracker.close()]);
  }
});

it('without SENTRY_DSN nothing is reported', async () => {
  const silent = await serveFunctions();
  try {
    silent.backend.procedures.set('admit_mail', () => 'nonsense');
    const before = ingest.requests();
    expect((await silent.post('send-email', notification, asServer)).status).toBe(500);
    // The tracked stack's report comes after it, and is the only one.
    served.backend.procedures.set('admit_mail', () => 'nonsense');
    await served.post('send-email', notification, asServer);
    await expect.poll(() => ingest.requests()).toBe(before + 1);
  } finally {
    await silent.close();
  }
});
