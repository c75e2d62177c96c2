// @vitest-environment jsdom

import { paths } from '@/lib/paths';
import { fakeApi } from '@/lib/testing/fake-api';
import { readMailHealth, readSystemHealth, sitemapXml, storageRoundTrip } from './queries';

describe('C-54 system health', () => {
  const upload = /^POST \/storage\/v1\/object\/site\/(health\/[0-9a-f-]+\.txt)$/;

  /** A bucket that stores one file; `change` is what it does to it. */
  function bucket(change: (text: string) => string = (text) => text) {
    const done: string[] = [];
    let kept = '';
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const path = new URL(String(input)).pathname;
      const method = init?.method ?? 'GET';
      done.push(upload.test(`${method} ${path}`) ? 'upload' : method === 'DELETE' ? 'remove' : 'download');
      if (method === 'GET') return new Response(change(kept));
      if (init?.body instanceof FormData) kept = await (init.body.get('') as Blob).text();
      return Response.json(method === 'DELETE' ? [] : { Key: path, Id: '1' });
    });
    return done;
  }

  it('the storage check writes a file, reads it back and removes it', async () => {
    const done = bucket();
    await storageRoundTrip();
    expect(done).toEqual(['upload', 'download', 'remove']);
  });

  it('a file that comes back changed is a failure, and is removed as well', async () => {
    const done = bucket((text) => `${text}!`);
    await expect(storageRoundTrip()).rejects.toMatchObject({
      code: 'STORAGE_CHANGED_FILE',
      message: 'The file came back changed',
    });
    expect(done).toEqual(['upload', 'download', 'remove']);
  });

  it('the database check uses GET', async () => {
    const health = {
      server_version: '17.10',
      database_bytes: 1,
      last_event_at: null,
      outbox: { waiting: 0, failed: 0 },
      csp_reports: [],
    };
    const api = fakeApi({ 'rpc get_system_health': health });
    expect(await readSystemHealth()).toEqual(health);
    expect(api.calls[0]?.method).toBe('GET');
  });

  it('the mail function is healthy only when it says so', async () => {
    const answer = (body: unknown, status = 200) =>
      fakeApi({ 'GET /api/send-email': body instanceof Response ? body : Response.json(body, { status }) });
    answer({ ok: true });
    await expect(readMailHealth()).resolves.toBeUndefined();
    for (const [body, status] of [
      [{ ok: false }, 200],
      [{ ok: 1 }, 200],
      [{}, 200],
      [null, 200],
      ['ok', 200],
      [{ ok: true }, 503],
    ] as const) {
      answer(body, status);
      await expect(readMailHealth(), JSON.stringify(body)).rejects.toMatchObject({
        code: 'MAIL_FUNCTION_DOWN',
        message: `The function answered with status ${status}`,
        status,
      });
    }
    answer(new Response('<h1>Hello</h1>'));
    await expect(readMailHealth()).rejects.toMatchObject({ code: 'MAIL_FUNCTION_DOWN' });
  });
});

describe('ADMIN-12 the sitemap of quests and projects', () => {
  const xml = sitemapXml('https://board.example', [
    { path: paths.publicQuest('q1'), updatedAt: '2026-02-03T04:05:06Z' },
    { path: '/community/project/a&b', updatedAt: null },
  ]);
  const document = new DOMParser().parseFromString(xml, 'application/xml');
  const addresses = [...document.querySelectorAll('loc')].map((loc) => loc.textContent);

  it('is well-formed and contains the given quests and projects', () => {
    expect(document.querySelector('parsererror')).toBeNull();
    expect(addresses).toEqual(['https://board.example/browse/quest/q1', 'https://board.example/community/project/a&b']);
  });

  it('contains the change date of a page where known', () => {
    expect([...document.querySelectorAll('lastmod')].map((element) => element.textContent)).toEqual(['2026-02-03']);
  });

  it('contains no more addresses than a sitemap may', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({ path: `/browse/quest/${index}`, updatedAt: null }));
    expect(sitemapXml('https://board.example', many).match(/<url>/g)).toHaveLength(50_000);
  });
});
