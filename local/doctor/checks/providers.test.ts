import { Hono } from 'hono';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../process/listen.ts';
import {
  examineWith,
  rightConfiguration,
  serveResend,
  serveStripe,
  setUpDeployment,
} from '../../testing/deployment.ts';
import { examine } from '../examine.ts';
import type { Finding } from '../finding.ts';
import { expectedEvents } from './payments.ts';

setUpDeployment();

describe('with Resend', () => {
  it.each<[string, object, 200 | 401 | 403, string, Finding['state']]>([
    ['a wrong key', { name: 'validation_error', message: 'API key is invalid' }, 401, 'RESEND_API_KEY', 'problem'],
    ['another account', { data: [] }, 200, 'MAIL_FROM', 'problem'],
    ['a pending domain', { data: [{ name: 'questboard.local', status: 'pending' }] }, 200, 'MAIL_FROM', 'problem'],
    ['a key that may only send', { name: 'restricted_api_key' }, 401, 'Mail sender', 'skipped'],
  ])('%s is named', async (_what, answer, status, subject, state) => {
    const other = await serveResend(answer, status);
    onTestFinished(other.close);
    const findings = await examine({ ...(await rightConfiguration()), RESEND_API_URL: other.url });
    expect(findings).toContainEqual({ state, subject, detail: expect.any(String) });
    expect(findings.filter((finding) => finding.subject === 'Mail sender' && finding.state === 'fine')).toEqual([]);
  });
});

it('a token that GitHub refuses is named, and one that it takes is fine', async () => {
  const github = await listen(
    new Hono().get('/rate_limit', ({ req, json }) =>
      json({}, req.header('authorization') === 'Bearer good' ? 200 : 401),
    ),
    0,
  );
  onTestFinished(github.close);
  const found = async (GITHUB_TOKEN: string) => examineWith({ GITHUB_API_URL: github.url, GITHUB_TOKEN });
  expect(await found('expired')).toMatchObject([{ subject: 'GITHUB_TOKEN', state: 'problem' }]);
  expect(await found('good')).toEqual([]);
});

describe('with Stripe', () => {
  const all = expectedEvents();

  it.each([
    ['no endpoint', null, 'Payment events', 'no endpoint of Stripe leads to'],
    ['an endpoint of another project', { url: 'https://other.example' }, 'Payment events', 'no endpoint'],
    ['a disabled endpoint', { status: 'disabled', enabled_events: all }, 'Payment events', 'no endpoint'],
    ['too few events', { enabled_events: all.slice(1) }, 'Payment events', `does not send ${all[0]}`],
  ])('%s is detected', async (_what, endpoint, subject, detail) => {
    const other = await serveStripe(endpoint && { enabled_events: [], ...endpoint });
    onTestFinished(other.close);
    const [found, ...more] = await examineWith({ STRIPE_API_URL: other.url });
    expect(found).toMatchObject({ subject, detail: expect.stringContaining(detail) });
    expect(more).toEqual([]);
  });

  it('an endpoint for all events is accepted', async () => {
    const other = await serveStripe({ enabled_events: ['*'] });
    onTestFinished(other.close);
    expect(await examineWith({ STRIPE_API_URL: other.url })).toEqual([]);
  });

  it('a refused key is named, and without access to the endpoints the check is skipped', async () => {
    const other = await serveStripe({ enabled_events: all }, 'sk_test_other');
    onTestFinished(other.close);
    expect((await examineWith({ STRIPE_API_URL: other.url })).map(({ subject }) => subject)).toEqual([
      'STRIPE_SECRET_KEY',
    ]);
    const findings = await examine({ ...(await rightConfiguration()), STRIPE_API_URL: `${other.url}/nothing` });
    expect(findings.find(({ subject }) => subject === 'Payment events')?.state).toBe('skipped');
  });
});
