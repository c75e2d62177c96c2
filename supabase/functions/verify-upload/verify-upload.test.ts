import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { afterAll, describe, expect, it } from 'vitest';
import { startFunctions } from '../../../local/functions/start-functions.ts';
import { listen } from '../../../local/process/listen.ts';
import { functionsEnv } from '../../../local/stack-env.ts';
import { asService, closeSql, sql, testEnv, tokenFor } from '../../../local/testing/clients.ts';
import { type PictureType, picture } from '../../../local/testing/pictures.ts';
import { type SignedIn, signIn } from '../_testing/stack.ts';

afterAll(closeSql);

/** Uploads bytes under a claimed type, as the app does, and returns the path. */
async function upload(person: SignedIn, bytes: Uint8Array<ArrayBuffer>, type = 'image/png', bucket = 'proofs') {
  const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
  const path = `${person.id}/${crypto.randomUUID()}.png`;
  const response = await fetch(`${SUPABASE_URL}/storage/v1/object/${bucket}/${path}`, {
    method: 'POST',
    headers: {
      apikey: SUPABASE_ANON_KEY,
      authorization: `Bearer ${await tokenFor(person)}`,
      'content-type': type,
    },
    body: bytes,
  });
  expect(response.status).toBe(200);
  return path;
}

const verify = (person: SignedIn, path: string, bucket = 'proofs') =>
  person.post('/functions/v1/verify-upload', { bucket, path });

async function foundIn(path: string) {
  const { rows } = await sql().query(
    'select sha256, dhash::text, bytes::integer, mime, owner from private.verified_uploads where path = $1',
    [path],
  );
  return rows[0];
}

const exists = async (path: string) =>
  (await sql().query('select 1 from storage.objects where name = $1', [path])).rowCount === 1;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const distance = (a: string, b: string) => [...a].filter((bit, at) => bit !== b[at]).length;

describe('verify-upload', () => {
  it.each<[PictureType, string]>([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ])('C-89 accepts a %s and records the detected type, whatever the uploader claimed', async (type, mime) => {
    const person = await signIn();
    const bytes = await picture(1, { type });
    const path = await upload(person, bytes, type === 'png' ? 'image/webp' : 'image/png');
    const answer = await verify(person, path);
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true, sha256: sha256(bytes) }]);
    expect(await foundIn(path)).toEqual({
      sha256: sha256(bytes),
      dhash: expect.stringMatching(/^[01]{64}$/),
      bytes: bytes.byteLength,
      mime,
      owner: person.id,
    });
  });

  it('BEY-02 gives similar hashes to the same picture in another size and format, and a different one to another picture', async () => {
    const person = await signIn();
    const hashOf = async (bytes: Uint8Array<ArrayBuffer>) => {
      const path = await upload(person, bytes);
      expect((await verify(person, path)).status).toBe(200);
      return (await foundIn(path)).dhash as string;
    };
    const original = await hashOf(await picture(2));
    expect(
      distance(original, await hashOf(await picture(2, { type: 'jpeg', width: 900, height: 640 }))),
    ).toBeLessThanOrEqual(6);
    expect(
      distance(original, await hashOf(await picture(2, { type: 'webp', width: 135, height: 120 }))),
    ).toBeLessThanOrEqual(6);
    expect(distance(original, await hashOf(await picture(3)))).toBeGreaterThan(6);
  });

  it('C-89 accepts an animated GIF by its header, without a perceptual hash', async () => {
    const person = await signIn();
    const gif = new Uint8Array(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'));
    const path = await upload(person, gif, 'image/gif');
    expect((await verify(person, path)).status).toBe(200);
    expect(await foundIn(path)).toMatchObject({ mime: 'image/gif', dhash: null });
  });

  const text = (content: string) => new TextEncoder().encode(content);
  const notPictures: [string, () => Promise<Uint8Array<ArrayBuffer>>][] = [
    ['an HTML page', async () => text('<!doctype html><script>alert(1)</script>')],
    ['an SVG with scripts', async () => text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    [
      'a PNG’s first bytes and then a page',
      async () => new Uint8Array([...(await picture(4)).slice(0, 40), ...text('<html>')]),
    ],
    ['half a JPEG header', async () => (await picture(4, { type: 'jpeg' })).slice(0, 30)],
    ['a bitmap', async () => new Uint8Array([0x42, 0x4d, ...new Uint8Array(60).fill(1)])],
  ];

  it.each(notPictures)('C-59 C-89 deletes %s that is declared as a picture', async (_what, make) => {
    const person = await signIn();
    const path = await upload(person, await make());
    const answer = await verify(person, path);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { ok: false, code: 'NOT_A_PICTURE', message: 'Please select an image file (PNG, JPG, GIF, etc.)' },
    ]);
    expect(await exists(path)).toBe(false);
    expect(await foundIn(path)).toBeUndefined();
  });

  it('deletes a small file that would exhaust the memory, without decoding it', async () => {
    const person = await signIn();
    const bomb = await picture(5);
    // Width and height in the PNG's header.
    new DataView(bomb.buffer).setUint32(16, 50_000);
    new DataView(bomb.buffer).setUint32(20, 50_000);
    const path = await upload(person, bomb);
    const answer = await verify(person, path);
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'PICTURE_TOO_LARGE' }]);
    expect(await exists(path)).toBe(false);
  });

  it("processes no other member's files, and none for a visitor", async () => {
    const [person, other] = await Promise.all([signIn(), signIn()]);
    const path = await upload(person, text('not a picture'));
    const answer = await verify(other, path);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'FILE_NOT_FOUND' }]);
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const visit = await fetch(`${SUPABASE_URL}/functions/v1/verify-upload`, {
      method: 'POST',
      headers: { apikey: SUPABASE_ANON_KEY },
      body: JSON.stringify({ bucket: 'proofs', path }),
    });
    expect(visit.status).toBe(401);
    expect(await exists(path)).toBe(true);
  });

  it('C-89 does not take a former file of the same name for the one to verify, as a CDN may serve it', async () => {
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const kept = new Map<string, Response>();
    const app = new Hono();
    app.all('*', async ({ req }) => {
      const { pathname, search } = new URL(req.url);
      const isFile = req.method === 'GET' && pathname.startsWith('/storage/');
      const answer =
        (isFile && kept.get(pathname)) || (await proxy(`${SUPABASE_URL}${pathname}${search}`, { raw: req.raw }));
      if (isFile) kept.set(pathname, answer.clone());
      return answer;
    });
    const cdn = await listen(app, 0);
    const functions = await startFunctions({ env: { ...functionsEnv(testEnv()), SUPABASE_URL: cdn.url } });
    try {
      const person = await signIn();
      const headers = { apikey: SUPABASE_ANON_KEY, authorization: `Bearer ${await tokenFor(person)}` };
      const verifyThere = async (path: string) => {
        const body = JSON.stringify({ bucket: 'proofs', path });
        return (await fetch(`${functions.url}/verify-upload`, { method: 'POST', headers, body })).status;
      };
      const path = await upload(person, await picture(6));
      expect(await verifyThere(path)).toBe(200);
      await asService().storage.from('proofs').remove([path]);
      await asService()
        .storage.from('proofs')
        .upload(path, new Blob(['no picture'], { type: 'image/png' }));
      expect(await verifyThere(path)).toBe(503);
      kept.clear();
      expect(await verifyThere(path)).toBe(422);
    } finally {
      await functions.close();
      await cdn.close();
    }
  });

  it('C-89 says of a file that is removed while it is verified, as by a second call, that it is not there', async () => {
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const app = new Hono();
    app.all('*', async ({ req }) => {
      const { pathname, search } = new URL(req.url);
      if (pathname.startsWith('/storage/')) await asService().storage.from('proofs').remove([path]);
      return proxy(`${SUPABASE_URL}${pathname}${search}`, { raw: req.raw });
    });
    const person = await signIn();
    const path = await upload(person, await picture(7));
    const gateway = await listen(app, 0);
    const functions = await startFunctions({ env: { ...functionsEnv(testEnv()), SUPABASE_URL: gateway.url } });
    try {
      const headers = { apikey: SUPABASE_ANON_KEY, authorization: `Bearer ${await tokenFor(person)}` };
      const body = JSON.stringify({ bucket: 'proofs', path });
      const answer = await fetch(`${functions.url}/verify-upload`, { method: 'POST', headers, body });
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'FILE_NOT_FOUND' }]);
    } finally {
      await functions.close();
      await gateway.close();
    }
  });

  it("TRUST-26 deletes files beyond the member's limit, and keeps what was accepted before", async () => {
    const person = await signIn();
    const files = [];
    for (let file = 0; file < 10; file += 1)
      files.push(await upload(person, await picture(file), 'image/png', 'project-logos'));
    expect((await verify(person, files[0] ?? '', 'project-logos')).status).toBe(200);
    // An eleventh, as happens when two arrive at once.
    const surplus = `${person.id}/surplus.png`;
    const { SUPABASE_URL, SUPABASE_SECRET_KEY } = testEnv();
    await fetch(`${SUPABASE_URL}/storage/v1/object/project-logos/${surplus}`, {
      method: 'POST',
      headers: { apikey: SUPABASE_SECRET_KEY, 'content-type': 'image/png' },
      body: await picture(11),
    });
    expect((await verify(person, files[0] ?? '', 'project-logos')).status).toBe(200);
    const answer = await verify(person, surplus, 'project-logos');
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'UPLOAD_LIMIT' }]);
    expect([await exists(files[0] ?? ''), await exists(surplus)]).toEqual([true, false]);
  });
});
