import { afterEach, expect, it, vi } from 'vitest';
import { askStorage } from './project.ts';

const project = { databaseUrl: '', supabaseUrl: 'http://supabase.test', secretKey: 'x' };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Breaks off within its body. */
const cutOff = () =>
  new Response(
    new ReadableStream({
      start: (body) => body.enqueue(new TextEncoder().encode('pic')),
      pull: (body) => body.error(new TypeError('terminated')),
    }),
  );

/** Asks for a file while storage gives these answers, one after the other; null: none. */
async function askFor(...answers: (number | 'cut off' | null)[]) {
  vi.useFakeTimers();
  const fetching = vi.spyOn(globalThis, 'fetch');
  for (const status of answers) {
    if (status === null) fetching.mockRejectedValueOnce(new TypeError('fetch failed'));
    else if (status === 'cut off') fetching.mockResolvedValueOnce(cutOff());
    else fetching.mockResolvedValueOnce(new Response('picture', { status }));
  }
  const asked = askStorage(project, 'GET', 'proofs/a/1.png').then(
    (bytes) => new TextDecoder().decode(bytes),
    (error: Error) => error.message,
  );
  await vi.runAllTimersAsync();
  return { outcome: await asked, times: fetching.mock.calls.length };
}

it('goes on after an outage of storage, which would otherwise lose all of a backup', async () => {
  expect(await askFor(502, null, 429, 200)).toEqual({ outcome: 'picture', times: 4 });
});

it('asks again for a file that breaks off, which would otherwise lose all of a backup', async () => {
  expect(await askFor('cut off', 'cut off', 200)).toEqual({ outcome: 'picture', times: 3 });
});

it('gives up on an outage that lasts, and at once on a refusal', async () => {
  expect(await askFor(503, 503, 503, 503)).toEqual({
    outcome: 'Storage answers 503 to GET proofs/a/1.png.',
    times: 4,
  });
  expect(await askFor(404)).toMatchObject({ outcome: 'Storage answers 404 to GET proofs/a/1.png.' });
});
