import { withDetails } from './failure-details';

const answer = (status: number, headers: Record<string, string>, body: object = { code: 'X' }) =>
  withDetails(Response.json(body, { status, headers }));
const details = async (status: number, headers: Record<string, string>) => (await answer(status, headers)).json();

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-01T12:00:00Z') }));

it.each([
  ['7', 7],
  ['120', 120],
  ['Fri, 01 May 2026 12:01:30 GMT', 90],
  ['Fri, 01 May 2026 11:00:00 GMT', 0],
  ['-1', undefined],
  ['soon', undefined],
  ['7 minutes', undefined],
  ['2026-05-01', undefined],
])('Retry-After: %s means %s seconds', async (header, seconds) => {
  expect((await details(503, { 'retry-after': header, 'x-request-id': 'r1' })).retryAfter).toBe(seconds);
});

it.each(['x-request-id', 'sb-request-id'])("a failure of the server carries its request's id: %s", async (header) => {
  expect(await details(500, { [header]: 'r1' })).toEqual({ code: 'X', requestId: 'r1' });
  expect(await details(409, { [header]: 'r1' })).toEqual({ code: 'X' });
});

it('keeps status and headers', async () => {
  const { status, headers } = await answer(503, { 'retry-after': '7' });
  expect([status, headers.get('retry-after'), headers.get('content-type')]).toEqual([503, '7', 'application/json']);
});

it.each<[string, Response]>([
  ['is not JSON', new Response('down', { status: 503, headers: { 'retry-after': '7', 'content-type': 'text/plain' } })],
  ['says no more', Response.json({ code: 'X' }, { status: 500 })],
])('an answer that %s stays as it is', async (_what, response) => {
  expect(await withDetails(response)).toBe(response);
});

it('an answer without a content type stays as it is', async () => {
  const response = new Response(new Uint8Array([1]), { status: 503, headers: { 'retry-after': '7' } });
  expect(await withDetails(response)).toBe(response);
});
