// @vitest-environment jsdom
import { AppError } from './errors';
import { sendReport } from './sentry';

/** The reports sent since the last call, as the receiver parses them. */
function receiver() {
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'));
  const read = async (count: number) => {
    await expect.poll(() => fetch).toHaveBeenCalledTimes(count);
    return Promise.all(
      fetch.mock.calls.map(async ([, init]) => {
        const lines = (await new Response(init?.body).text()).split('\n');
        return JSON.parse(lines[2] ?? '') as Record<string, unknown> & { tags: object };
      }),
    );
  };
  return { fetch, read };
}

it('a report contains the error, the kind of page and the reference, but no personal data', async () => {
  const { fetch, read } = receiver();
  window.history.replaceState(null, '', '/community/quest/0a0a0a0a-0000-4000-8000-000000000001?token=secret');
  const cause = new TypeError('x is null');
  sendReport('https://key@reports.test/1', new AppError('UNEXPECTED', 'Something', 500, cause), '1a2b3c4d');
  sendReport('https://key@reports.test/1', new RangeError('too far'), undefined);
  const [first, second] = await read(2);
  expect(String(fetch.mock.calls[0]?.[0])).toContain('https://reports.test/api/1/envelope/');
  expect(first?.tags).toMatchObject({ reference: '1a2b3c4d', code: 'UNEXPECTED', status: '500' });
  expect(first).toMatchObject({ exception: { values: [{ type: 'TypeError', value: expect.any(String) }] } });
  expect(first).toMatchObject({ environment: window.location.host });
  expect(second?.tags).not.toHaveProperty('reference');
  expect(second?.tags).not.toHaveProperty('code');
  expect(JSON.stringify([first, second])).not.toMatch(/secret|0a0a0a0a/);
});
