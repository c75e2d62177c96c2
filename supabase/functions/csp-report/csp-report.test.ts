import { afterAll, describe, expect, it } from 'vitest';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { refusalOf } from './input.ts';

const report = (fields: Record<string, string>) => ({
  'csp-report': {
    'document-uri': 'https://questboard.example/browse/quest/6f1c7c1e-0000-4000-8000-1234567890ab?ref=MINA',
    'effective-directive': 'connect-src',
    'blocked-uri': 'https://new.clerk.example/v1/client?email=mina@example.com',
    ...fields,
  },
});

describe('what is stored of a report', () => {
  it('is the directive, the blocked origin and the route of the page', () => {
    expect(refusalOf(report({}))).toEqual({
      directive: 'connect-src',
      blocked: 'https://new.clerk.example',
      page: '/browse/quest/:id',
    });
  });

  it.each(['inline', 'eval', 'data'])('is the word %s if no address was blocked', (word) => {
    expect(refusalOf(report({ 'blocked-uri': word }))?.blocked).toBe(word);
  });

  it.each(['chrome-extension://abcdef/inject.js', 'moz-extension://x', 'about:blank', '', 'Mina Example'])(
    'is nothing of %j, which is not of the site',
    (blocked) => {
      expect(refusalOf(report({ 'blocked-uri': blocked }))).toBeNull();
    },
  );
});

describe('on the stack', () => {
  const url = `${testEnv().SUPABASE_URL}/functions/v1/csp-report`;
  const origin = `https://${crypto.randomUUID()}.example`;
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report', ...headers },
      body: JSON.stringify(body),
    });
  const kept = async () =>
    (
      await sql().query('select directive, page, reports::integer from private.csp_reports where blocked = $1', [
        origin,
      ])
    ).rows;

  afterAll(async () => {
    await sql().query('delete from private.csp_reports where blocked = $1', [origin]);
    await sql().query("delete from private.rate_limits where action = 'csp_report'");
    await closeSql();
  });

  it('TRUST-24 counts reports in one row, 20 a minute per address whatever address is claimed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        send(report({ 'blocked-uri': `${origin}/${index}` }), {
          'x-forwarded-for': `203.0.113.${index}`,
          'cf-connecting-ip': `203.0.113.${index}`,
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await kept()).toEqual([{ directive: 'connect-src', page: '/browse/quest/:id', reports: 20 }]);
  });

  it('TRUST-24 behind a proxy of the installation, the address counts that this one vouches for', async () => {
    await sql().query("delete from private.rate_limits where action = 'csp_report'");
    await sql().query("update private.deployment set address_header = 'x-forwarded-for', trusted_hops = 2");
    try {
      const before = (await kept())[0]?.reports ?? 0;
      const from = (address: string) =>
        Array.from({ length: 25 }, (_, index) =>
          send(report({ 'blocked-uri': origin }), { 'x-forwarded-for': `192.0.2.${index}, ${address}` }),
        );
      await Promise.all([...from('203.0.113.1'), ...from('203.0.113.2')]);
      expect((await kept())[0]?.reports - before).toBe(40);
    } finally {
      await sql().query('update private.deployment set address_header = default, trusted_hops = default');
    }
  });

  it('refuses malformed and oversized reports, and those of another site', async () => {
    expect((await send({ anything: 1 })).status).toBe(400);
    expect((await send(report({ sample: 'x'.repeat(20_000) }))).status).toBe(413);
    expect((await send(report({}), { origin: 'https://evil.example' })).status).toBe(403);
  });
});
