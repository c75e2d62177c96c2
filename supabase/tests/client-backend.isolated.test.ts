import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteScreenshot } from '@/features/submissions/mutations';
import { uploadScreenshot } from '@/features/submissions/upload';
import { setTokenSource } from '@/lib/auth/token';
import { testEnv } from '../../local/testing/clients.ts';
import { actAs, configureApp } from './support/app.ts';
import { newMember } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

beforeEach(() => {
  configureApp();
  client.clear();
});
afterEach(() => {
  actAs('visitor');
  vi.unstubAllGlobals();
});

// Edge functions do not run beside these databases; verify-upload has its own tests.
vi.mock('@/lib/picture', () => ({ verifyUpload: async () => undefined }));

describe('the configured backend', () => {
  test('DB-02 every request goes to the configured host with the configured key', async () => {
    const seen: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
    const other = createServer(({ url, headers }, response) => {
      seen.push({ url, headers });
      response.setHeader('content-type', 'application/json').end('[]');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      configureApp({ url: `http://127.0.0.1:${port}`, key: 'sb_publishable_elsewhere' });
      // A build has its configuration from the start.
      vi.resetModules();
      const { questQueries: elsewhere } = await import('@/features/quests/queries');
      const { storage } = await import('@/lib/supabase');
      await client.fetchQuery(elsewhere.list());
      await (await storage()).from('proofs').list();
      expect(seen.map(({ url }) => url?.split('?')[0])).toEqual([
        '/rest/v1/rpc/list_published_quests',
        '/storage/v1/object/list/proofs',
      ]);
      for (const { headers } of seen) expect(headers.apikey).toBe('sb_publishable_elsewhere');
    } finally {
      other.close();
    }
  });
});

describe('files', () => {
  test('ERR-02 an upload or a removal that storage refuses says so', async () => {
    const [member, other] = [await newMember(), await newMember()];
    // Does what a browser's upload does.
    const { JSDOM } = createRequire(import.meta.url)('jsdom');
    const { window } = new JSDOM('', { url: testEnv().SUPABASE_URL });
    for (const name of ['XMLHttpRequest', 'FormData', 'Blob'] as const) vi.stubGlobal(name, window[name]);
    const upload = (objectName: string) =>
      uploadScreenshot({
        file: new window.File(['png'], 'a.png', { type: 'image/png' }),
        objectName,
        onProgress: () => undefined,
        signal: new AbortController().signal,
      });
    actAs(member);
    await expect(upload(`${other.id}/a.png`)).rejects.toThrow(/^Upload failed: \S/);
    expect(await upload(`${member.id}/a.png`)).toBe(`${member.id}/a.png`);
    setTokenSource(async () => 'not a token');
    await expect(deleteScreenshot(`${member.id}/a.png`)).rejects.toThrow(/^Delete failed: \S/);
  });
});
