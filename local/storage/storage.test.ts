import { beforeAll, describe, expect, it } from 'vitest';
import { asAnon, asService, asUser, newPersona, sql, type TestClient, testEnv } from '../testing/clients.ts';

const owner = newPersona('owner');
const stranger = newPersona('stranger');
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const image = (bytes: Uint8Array<ArrayBuffer> = png) => new Blob([bytes], { type: 'image/png' });

let mine: TestClient;
let theirs: TestClient;

beforeAll(async () => {
  mine = await asUser(owner);
  theirs = await asUser(stranger);
  // Only members may upload (TRUST-26).
  for (const client of [mine, theirs]) expect((await client.rpc('sync_current_user')).error).toBeNull();
});

/** Uploads a proof as its owner and returns its path. */
async function uploadProof(name: string): Promise<string> {
  const path = `${owner.id}/${name}`;
  const { error } = await mine.storage.from('proofs').upload(path, image());
  expect(error).toBeNull();
  return path;
}

describe('upload', () => {
  it("stores a file in the member's own folder and returns it unchanged", async () => {
    const path = await uploadProof('proof_1_my file (1).png');
    const { data } = await mine.storage.from('proofs').download(path);
    expect(data?.type).toBe('image/png');
    expect(new Uint8Array(await (data ?? new Blob()).arrayBuffer())).toEqual(png);
  });

  it('accepts a raw body too', async () => {
    const path = `${owner.id}/bytes.png`;
    const { data, error } = await mine.storage.from('proofs').upload(path, png, { contentType: 'image/png' });
    expect([error, data?.fullPath]).toEqual([null, `proofs/${path}`]);
  });

  it("C-59 refuses another member's folder", async () => {
    const { error } = await theirs.storage.from('proofs').upload(`${owner.id}/planted.png`, image());
    expect(error).toMatchObject({ statusCode: '403' });
  });

  it("C-59 refuses a path that leaves the member's own folder", async () => {
    const { error } = await theirs.storage.from('proofs').upload(`${stranger.id}%2F..%2F${owner.id}%2Fa.png`, image());
    expect(error).toMatchObject({ statusCode: '400' });
  });

  it('C-59 refuses visitors', async () => {
    const { error } = await asAnon().storage.from('proofs').upload(`${owner.id}/visitor.png`, image());
    expect(error).toMatchObject({ statusCode: '403' });
  });

  it.each([
    ['C-59 QUEST-20', 'proofs', 10 * 1024 * 1024],
    ['C-59 C-56', 'project-logos', 5 * 1024 * 1024],
  ])('%s into %s takes files of exactly %i bytes and no more', async (_rows, name, bytes) => {
    const bucket = mine.storage.from(name);
    const tooBig = await bucket.upload(`${owner.id}/big.png`, image(new Uint8Array(bytes + 1)));
    expect(tooBig.error).toMatchObject({ statusCode: '413' });
    const atLimit = await bucket.upload(`${owner.id}/limit.png`, image(new Uint8Array(bytes)));
    expect(atLimit.error).toBeNull();
  });

  it.each(['text/html', 'image/svg+xml', 'application/pdf'])('C-59 C-56 QUEST-20 refuses the type %s', async (type) => {
    for (const bucket of ['proofs', 'project-logos']) {
      const { error } = await mine.storage.from(bucket).upload(`${owner.id}/file.png`, new Blob(['x'], { type }));
      expect(error, bucket).toMatchObject({ statusCode: '415' });
    }
  });

  it('refuses a second file of the same name', async () => {
    const path = await uploadProof('twice.png');
    const { error } = await mine.storage.from('proofs').upload(path, image());
    expect(error).toMatchObject({ statusCode: '409' });
  });

  it('knows no other bucket', async () => {
    const { error } = await mine.storage.from('elsewhere').upload(`${owner.id}/a.png`, image());
    expect(error).toMatchObject({ statusCode: '404' });
  });

  it('keeps the stored bytes when the policies refuse to replace them', async () => {
    const path = await uploadProof('kept.png');
    const changed = image(new Uint8Array([9, 9, 9]));
    expect((await theirs.storage.from('proofs').update(path, changed)).error).toMatchObject({ statusCode: '403' });
    const { data } = await mine.storage.from('proofs').download(path);
    expect(data?.size).toBe(png.byteLength);
  });

  it('replaces the bytes for the secret key', async () => {
    const path = await uploadProof('replaced.png');
    const { error } = await asService()
      .storage.from('proofs')
      .update(path, image(new Uint8Array([7])));
    expect(error).toBeNull();
    expect((await mine.storage.from('proofs').download(path)).data?.size).toBe(1);
  });
});

describe('reading', () => {
  it('C-59 shows a proof only to its owner', async () => {
    const path = await uploadProof('private.png');
    expect((await theirs.storage.from('proofs').download(path)).error).not.toBeNull();
    expect((await asAnon().storage.from('proofs').download(path)).error).not.toBeNull();
    const { publicUrl } = mine.storage.from('proofs').getPublicUrl(path).data;
    expect((await fetch(publicUrl)).status).toBe(400);
  });

  it("lists the member's own files and no others", async () => {
    await uploadProof('listed.png');
    const names = async (client: TestClient) =>
      (await client.storage.from('proofs').list(owner.id)).data?.map(({ name }) => name);
    expect(await names(mine)).toContain('listed.png');
    expect(await names(theirs)).toEqual([]);
    expect((await mine.storage.from('proofs').list()).data).toMatchObject([{ name: owner.id, id: null }]);
  });

  it('serves a public file to everybody, with headers that prevent it from running as a page', async () => {
    const path = `${owner.id}/logo.png`;
    await mine.storage.from('project-logos').upload(path, image(), { cacheControl: '600' });
    const { publicUrl } = asAnon().storage.from('project-logos').getPublicUrl(path).data;
    const response = await fetch(publicUrl);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'max-age=600',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(publicUrl, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('refuses a forged token', async () => {
    const path = await uploadProof('forged.png');
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const response = await fetch(`${SUPABASE_URL}/storage/v1/object/proofs/${path}`, {
      headers: { apikey: SUPABASE_ANON_KEY, authorization: 'Bearer a.b.c' },
    });
    expect(await response.json()).toMatchObject({ statusCode: '403', message: 'JWT invalid' });
  });
});

describe('signed URLs', () => {
  it('C-59 open a private file without a session, until they expire', async () => {
    const path = await uploadProof('signed.png');
    const { data } = await mine.storage.from('proofs').createSignedUrl(path, 6);
    const url = data?.signedUrl ?? '';
    expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(png);
    await expect.poll(async () => (await fetch(url)).status).toBe(400);
  });

  it('C-59 are given only to those who may read the file', async () => {
    const path = await uploadProof('unsigned.png');
    expect((await theirs.storage.from('proofs').createSignedUrl(path, 60)).error).not.toBeNull();
    const many = await theirs.storage.from('proofs').createSignedUrls([path], 60);
    expect(many.data?.[0]).toMatchObject({ signedUrl: null });
  });

  it.each([1e308, 0.5, 0, -1])('C-59 are not given for %d seconds', async (seconds) => {
    const path = await uploadProof(`for-${seconds}-seconds.png`);
    const { error } = await mine.storage.from('proofs').createSignedUrl(path, seconds);
    expect(error).toMatchObject({ status: 400, statusCode: '400' });
  });

  it('C-59 open no other file', async () => {
    const one = await uploadProof('one.png');
    await uploadProof('other.png');
    const { data } = await mine.storage.from('proofs').createSignedUrl(one, 60);
    const url = data?.signedUrl ?? '';
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url.replace('one.png', 'other.png'))).status).toBe(400);
  });
});

describe('removing', () => {
  it('DB-29 C-59 a proof has one key from upload to deletion, is cached by browsers for 3600 s, and never becomes public', async () => {
    const proofs = mine.storage.from('proofs');
    const path = `${owner.id}/proof_1_whole life.png`;
    expect((await proofs.upload(path, image(), { cacheControl: '3600' })).data?.path).toBe(path);
    const signedUrl = (await proofs.createSignedUrl(path, 60)).data?.signedUrl ?? '';
    const served = await fetch(signedUrl);
    expect([served.status, served.headers.get('cache-control')]).toEqual([200, 'max-age=3600']);
    expect((await fetch(proofs.getPublicUrl(path).data.publicUrl)).ok).toBe(false);
    // A refused proof is not stored among the public logos instead.
    expect((await mine.storage.from('project-logos').upload(`proofs/${path}`, image())).error).toMatchObject({
      statusCode: '403',
    });
    expect((await proofs.remove([path])).data).toMatchObject([{ name: path }]);
    expect((await fetch(signedUrl)).ok).toBe(false);
  });

  it("deletes the member's own file and ignores others", async () => {
    const path = await uploadProof('removed.png');
    expect((await theirs.storage.from('proofs').remove([path])).data).toEqual([]);
    expect((await mine.storage.from('proofs').remove([path])).data).toMatchObject([{ name: path }]);
    expect((await mine.storage.from('proofs').download(path)).error).not.toBeNull();
  });

  it('refuses to delete rows outside the storage API, as the platform does', async () => {
    const path = await uploadProof('guarded.png');
    await expect(sql().query('delete from storage.objects where name = $1', [path])).rejects.toThrow('Storage API');
  });
});

describe('copying, moving and signing uploads, for the secret key', () => {
  const proofs = () => asService().storage.from('proofs');

  it('a copy has its own bytes; a moved file is in one place', async () => {
    const path = await uploadProof('original.png');
    const copied = `${owner.id}/copied.png`;
    expect((await proofs().copy(path, copied)).error).toBeNull();
    expect((await proofs().copy(path, copied)).error).toMatchObject({ statusCode: '409' });
    await proofs().remove([path]);
    const moved = `${owner.id}/moved.png`;
    expect((await proofs().move(copied, moved)).error).toBeNull();
    expect((await proofs().download(copied)).error).not.toBeNull();
    expect((await proofs().download(moved)).data?.size).toBe(png.byteLength);
  });

  it('a signed upload takes one file, at the address that was signed', async () => {
    const path = `${owner.id}/signed-upload.png`;
    const { data } = await proofs().createSignedUploadUrl(path);
    const token = data?.token ?? '';
    const visitor = asAnon().storage.from('proofs');
    const elsewhere = await visitor.uploadToSignedUrl(`${owner.id}/other.png`, token, image());
    expect(elsewhere.error).toMatchObject({ statusCode: '400' });
    expect((await visitor.uploadToSignedUrl(path, token, image())).error).toBeNull();
    expect((await visitor.uploadToSignedUrl(path, token, image())).error).toMatchObject({ statusCode: '409' });
    expect((await mine.storage.from('proofs').download(path)).data?.size).toBe(png.byteLength);
  });

  it('a link for an upload shows nothing, and a link that shows takes no upload', async () => {
    const path = await uploadProof('scoped.png');
    const upload = await proofs().createSignedUploadUrl(`${owner.id}/scoped.png`, { upsert: true });
    const link = await proofs().createSignedUrl(path, 60);
    const shown = (link.data?.signedUrl ?? '').replace(/token=.*/, `token=${upload.data?.token}`);
    expect((await fetch(shown)).status).toBe(400);
    const token = new URL(link.data?.signedUrl ?? '').searchParams.get('token') ?? '';
    const { error } = await asAnon().storage.from('proofs').uploadToSignedUrl(path, token, image());
    expect(error).toMatchObject({ statusCode: '400' });
  });
});
