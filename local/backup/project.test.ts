import { afterEach, expect, it, vi } from 'vitest';
import { askStorage } from './project.ts';

const project = { databaseUrl: '', supabaseUrl: 'http://supabase.test', secretKey: 'x' };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Asks for a file while storage gives these answers, one after the other; null: none. */
async function askFor(...answers: (number | null)[]) {
  vi.useFakeTimers();
  const fetching = vi.spyOn(globalThis, 'fetch');
  for (const status of answers) {
    if (status === null) fetching.mockRejectedValueOnce(new TypeError('fetch failed'));
    else fetching.mockResolvedValueOnce(new Response('picture', { status }));
  }
  const asked = askStorage(project, 'GET', 'proofs/a/1.png').then(
    (response) => response.text(),
    (error: Error) => error.message,
  );
  await vi.runAllTimersAsync();
  return { outcome: await asked, times: fetching.mock.calls.length };
}

it('goes on after an outage of storage, which would otherwise lose all of a backup', async () => {
  expect(await askFor(502, null, 429, 200)).toEqual({ outcome: 'picture', times: 4 });
});

it('gives up on an outage that lasts, and at once on a refusal', async () => {
  expect(await askFor(503, 503, 503, 503)).toEqual({
    outcome: 'Storage answers 503 to GET proofs/a/1.png.',
    times: 4,
  });
  expect(await askFor(404)).toMatchObject({ outcome: 'Storage answers 404 to GET proofs/a/1.png.' });
});
