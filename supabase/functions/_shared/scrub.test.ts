import { describe, expect, it } from 'vitest';
import { routeOf, scrubReport, scrubText } from './scrub.ts';

describe('scrubText', () => {
  it.each([
    ['duplicate key: Key (email)=(mina@example.com) already exists', 'duplicate key: Key (email)=(…) already exists'],
    [`Unexpected token 'M', "My proof is here" is not valid JSON`, `Unexpected token '…', "…" is not valid JSON`],
    ['Mail to mina.b+x@mail.example.org failed', 'Mail to [email] failed'],
    ['GET https://a.example/m/mina?token=abc#x failed', 'GET https://a.example/m/:handle failed'],
    ['asked /auth/signin?email=x%40y.z and left', 'asked /auth/signin and left'],
    ['Bearer eyJhbGciOi.eyJzdWIi.c2ln refused', '[token] refused'],
    ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyXzEifQ.c2lnbmF0dXJl is old', 'token [id] is old'],
    ['user user_2abCdEf3 and 6f1c7c1e-0000-4000-8000-1234567890ab', 'user [id] and [id]'],
    ['key sk_live_abcdefghijklmnop is old', 'key [token] is old'],
    ['whsec_Ab1defGh+IjKlMnOp/QrSt== does not fit', '[token] does not fit'],
    ['re_abcDEFghi, sb_secret_abcdefgh and github_pat_of_somebody', '[token] [token] and [token]'],
    [
      'connect failed: password=hunter user=app, api_key: abc',
      'connect failed: password=[secret] user=app, api_key=[secret]',
    ],
    [
      'PGPASSWORD=hunter access_token=abc x-api-key: abc',
      'PGPASSWORD=[secret] access_token=[secret] x-api-key=[secret]',
    ],
    ['connect 203.0.113.7:5432 and 2001:db8::8a2e:1 at 12:30:45', 'connect [ip]:5432 and [ip] at 12:30:45'],
    ['call +49 170 1234567 now', 'call [number] now'],
    ["Cannot read properties of undefined (reading 'title')", "Cannot read properties of undefined (reading 'title')"],
    ['Failed to fetch', 'Failed to fetch'],
  ])('%s', (text, scrubbed) => {
    expect(scrubText(text)).toBe(scrubbed);
  });

  it('limits the length of its output', () => {
    expect(scrubText('too long '.repeat(1_000))).toHaveLength(300);
  });

  it.each(['“', 'a.', '1', '/', '-a', '`a', ':', 'token'])('takes a long text of %s in no time', (part) => {
    const before = performance.now();
    scrubText(part.repeat(40_000));
    expect(performance.now() - before).toBeLessThan(500);
  });

  it.each([
    ['"', '"', '"…"'],
    ['“', '”', '"…"'],
    ['`', '`', '"…"'],
    ["'", "'", "'…'"],
    ['=(', ')', '=(…)'],
  ])('keeps nothing of a long text that begins with %s', (open, close, kept) => {
    expect(scrubText(`Unexpected 'M' in ${open}${'My proof '.repeat(1_000)}${close} here`)).toBe(
      `Unexpected '…' in ${kept}`,
    );
  });

  it('keeps no half of an address at which a long text is cut', () => {
    expect(scrubText(`"${'x '.repeat(490)}" is not mina.mustermann@example.com ${'y '.repeat(500)}`)).not.toContain(
      'mina',
    );
  });
});

it.each([
  ['/browse/quest/6f1c7c1e-0000-4000-8000-1234567890ab?ref=MINA', '/browse/quest/:id'],
  ['https://a.example/m/mina', '/m/:handle'],
  ['/startup/campaigns/1a2b3c4d/submissions#row', '/startup/campaigns/:id/submissions'],
  ['/community/settings', '/community/settings'],
])('the route of %s is %s', (url, route) => {
  expect(routeOf(url)).toBe(route);
});

it('keeps the technical part of a report and no personal data', () => {
  const report = {
    event_id: '1',
    message: 'failure of mina@example.com',
    user: { id: 'user_1', email: 'mina@example.com', ip_address: '203.0.113.7' },
    request: { url: 'https://a.example/m/mina?token=1', cookies: 'a=b', headers: { authorization: 'Bearer x' } },
    breadcrumbs: [{ message: 'typed mina@example.com' }],
    extra: { proof: 'My proof' },
    contexts: { state: { proof: 'My proof' } },
    server_name: 'minas-laptop',
    tags: { code: 'UNKNOWN', name: 'Mina', reference: '1a2b3c4d' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'no "Mina"',
          stacktrace: {
            frames: [
              {
                filename: 'https://a.example/assets/a.js?v=Mina',
                lineno: 1,
                vars: { name: 'Mina' },
                context_line: 'Mina',
              },
            ],
          },
        },
      ],
    },
  };
  expect(scrubReport(report)).toEqual({
    event_id: '1',
    message: 'failure of [email]',
    tags: { code: 'UNKNOWN', reference: '1a2b3c4d' },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'no "…"',
          stacktrace: { frames: [{ filename: 'https://a.example/assets/a.js', lineno: 1 }] },
        },
      ],
    },
  });
});

it.each([
  ['12345678', '12345678'],
  ['1a2b3c4d', '1a2b3c4d'],
  ['+49 170 1234567', '[number]'],
])('the reference %s, by which support finds a report, is reported as %s', (reference, reported) => {
  expect(scrubReport({ tags: { reference } }).tags).toEqual({ reference: reported });
});
