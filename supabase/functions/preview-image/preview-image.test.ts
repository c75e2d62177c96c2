import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import { asService, closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { picture } from '../../../local/testing/pictures.ts';
import { newAdmin, newMember, newOwner, newQuest, unwrap } from '../../tests/support/factories.ts';
import { defaultPreview, drawPreview } from './drawing.ts';
import { renderPng } from './render.ts';

afterAll(closeSql);

const { SUPABASE_URL, SUPABASE_ANON_KEY, CRON_SECRET, APP_URL } = testEnv();

const ask = (query: Record<string, string>) =>
  fetch(`${SUPABASE_URL}/functions/v1/preview-image?${new URLSearchParams(query)}`, {
    headers: { apikey: SUPABASE_ANON_KEY },
    redirect: 'manual',
  });

/** The image that the page names now. */
async function pictureOf(kind: string, key: string) {
  const facts = await unwrap(asService().rpc('get_page_facts', { p_kind: kind, p_key: key }).single());
  const preview = facts.preview ?? '';
  const response = await ask({ kind, key, preview });
  return { response, preview, bytes: Buffer.from(await response.arrayBuffer()) };
}

function expectPng(bytes: Buffer) {
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
}

const expectSitePicture = (response: Response) =>
  expect([response.status, response.headers.get('location')]).toEqual([302, `${APP_URL}/preview.png`]);

const storedFor = async (key: string) =>
  (
    await sql().query("select name, version from storage.objects where bucket_id = 'previews' and name like $1", [
      `%/${key}/%`,
    ])
  ).rows as { name: string; version: string }[];

describe("BEY-17 a page's preview image", () => {
  it('is drawn once for the same content, is immutable, and gets a new name when the content changes', async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    const first = await pictureOf('quest', campaign.id);
    expect([first.response.status, first.response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(first.response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expectPng(first.bytes);
    const drawn = await storedFor(campaign.id);
    expect(drawn.map(({ name }) => name)).toEqual([`quest/${campaign.id}/${first.preview}.png`]);

    const again = await pictureOf('quest', campaign.id);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(await storedFor(campaign.id)).toEqual(drawn);

    await sql().query("update public.campaigns set title = '</text>]]> another' where id = $1", [campaign.id]);
    const changed = await pictureOf('quest', campaign.id);
    expect(changed.preview).not.toBe(first.preview);
    expectPng(changed.bytes);
    expect(changed.bytes.equals(first.bytes)).toBe(false);
    // The former name returns the current image, for a minute.
    const old = await ask({ kind: 'quest', key: campaign.id, preview: first.preview });
    expect(old.headers.get('cache-control')).toBe('public, max-age=60');
    expect(Buffer.from(await old.arrayBuffer()).equals(changed.bytes)).toBe(true);
  });

  it('BEY-08 exists for projects, public profiles and invitations', async () => {
    const owner = await newOwner();
    const member = await newMember();
    const handle = `p-${randomUUID().slice(0, 8)}`;
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
    for (const [kind, key] of [
      ['project', owner.startup.id],
      ['member', handle],
      ['invitation', ''],
    ] as const) {
      const { response, bytes } = await pictureOf(kind, key);
      expect(response.status, kind).toBe(200);
      expectPng(bytes);
    }
  });

  it.each(['png', 'jpeg', 'webp'] as const)("shows the project's logo from our bucket: a %s", async (type) => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    const plain = await pictureOf('quest', campaign.id);
    const path = `${owner.id}/${randomUUID()}.${type}`;
    const file = new Blob([await picture(7, { type })], { type: `image/${type}` });
    expect((await asService().storage.from('project-logos').upload(path, file)).error).toBeNull();
    const setLogo = (url: string) =>
      sql().query('update public.startup_profiles set logo_url = $2 where id = $1', [owner.startup.id, url]);
    await setLogo(`/storage/v1/object/public/project-logos/${path}`);
    const withLogo = await pictureOf('quest', campaign.id);
    expect(withLogo.preview).not.toBe(plain.preview);
    expectPng(withLogo.bytes);
    expect(withLogo.bytes.equals(plain.bytes)).toBe(false);
    // An external, missing or invalid logo falls back to the initial; nothing external is fetched.
    for (const logo of [
      'https://127.0.0.1:1/logo.png',
      `/storage/v1/object/public/project-logos/${owner.id}/none.png`,
    ]) {
      await setLogo(logo);
      expect((await pictureOf('quest', campaign.id)).bytes.equals(plain.bytes)).toBe(true);
    }
  });

  it("drafts, held quests, projects of suspended owners, hidden profiles and malformed ids get the site's image", async () => {
    const [draft, held, owner, member, { client: admin }] = await Promise.all([
      ...[newOwner(), newOwner(), newOwner(), newMember(), newAdmin()],
    ] as const);
    const quests = [await newQuest(draft), await newQuest(held), await newQuest(owner)] as const;
    const [first, second, third] = quests.map(({ campaign }) => campaign.id) as [string, string, string];
    const handle = `h-${randomUUID().slice(0, 8)}`;
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
    const pages = [
      ...([first, second, third].map((id) => ['quest', id]) as [string, string][]),
      ...([
        ['project', owner.startup.id],
        ['member', handle],
      ] as [string, string][]),
    ];
    const previews = new Map<string, string>();
    for (const [kind, key] of pages) {
      const shown = await pictureOf(kind, key);
      expect(shown.response.status, kind).toBe(200);
      previews.set(key, shown.preview);
    }
    await unwrap(draft.client.rpc('unpublish_campaign', { p_campaign_id: first }));
    await unwrap(admin.rpc('unpublish_campaign', { p_campaign_id: second, p_reason: 'It is unlawful.' }));
    await unwrap(admin.rpc('suspend_user', { p_user_id: owner.id, p_reason: 'Fraud' }));
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle, p_is_public: false }));
    // Even for someone who knows the name of the former image.
    for (const [kind, key] of pages) {
      const response = await ask({ kind, key, preview: previews.get(key) ?? '' });
      expectSitePicture(response);
      expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    }
    for (const key of [randomUUID(), 'nonsense', '../x', '%00', "' or true --"]) {
      expectSitePicture(await ask({ kind: 'quest', key, preview: 'x' }));
    }
    expect((await ask({ kind: 'wallet', key: first })).status).toBe(400);
    expect((await ask({ kind: 'quest', key: 'x'.repeat(101) })).status).toBe(400);
    // The drawn image is removed by the next clean-up.
    const swept = await fetch(`${SUPABASE_URL}/functions/v1/remove-orphans`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CRON_SECRET}` },
    });
    expect(swept.status).toBe(200);
    for (const [, key] of pages) expect(await storedFor(key)).toEqual([]);
  });

  it('TRUST-24 is drawn at most ten times an hour per page, whatever changes; the existing image is still shown', async () => {
    const { campaign } = await newQuest(await newOwner());
    const drawn = await pictureOf('quest', campaign.id);
    await sql().query(
      `update private.rate_limits set hits = array_fill(clock_timestamp(), array[10])
       where subject = 'preview:quest:' || $1 and action = 'preview_image'`,
      [campaign.id],
    );
    expect((await pictureOf('quest', campaign.id)).bytes.equals(drawn.bytes)).toBe(true);
    await sql().query("update public.campaigns set title = 'One more' where id = $1", [campaign.id]);
    expectSitePicture((await pictureOf('quest', campaign.id)).response);
  });

  it('is drawn again when its bytes are gone', async () => {
    const { campaign } = await newQuest(await newOwner());
    const { bytes } = await pictureOf('quest', campaign.id);
    // The stored bytes are found by the version.
    await sql().query("update storage.objects set version = $1 where bucket_id = 'previews' and name like $2", [
      randomUUID(),
      `%/${campaign.id}/%`,
    ]);
    const again = await pictureOf('quest', campaign.id);
    expect([again.response.status, again.bytes.equals(bytes)]).toEqual([200, true]);
    expect((await pictureOf('quest', campaign.id)).bytes.equals(bytes)).toBe(true);
  });

  it('cannot be read, written or listed except through the function', async () => {
    const { campaign } = await newQuest(await newOwner());
    const { preview } = await pictureOf('quest', campaign.id);
    const path = `quest/${campaign.id}/${preview}.png`;
    const member = await newMember();
    const files = member.client.storage.from('previews');
    expect((await files.download(path)).error).not.toBeNull();
    expect((await files.list(`quest/${campaign.id}`)).data ?? []).toEqual([]);
    expect((await files.upload(path, new Blob(['x'], { type: 'image/png' }), { upsert: true })).error).not.toBeNull();
    expect((await fetch(`${SUPABASE_URL}/storage/v1/object/public/previews/${path}`)).ok).toBe(false);
    expect((await fetch(`${SUPABASE_URL}/functions/v1/preview-image`, { method: 'POST' })).status).toBe(405);
  });
});

it('draws again after its renderer could not be read', async () => {
  const module = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  const unreadable = () => Promise.reject(new Error('too many open files'));
  await expect(renderPng(drawPreview(defaultPreview), unreadable)).rejects.toThrow('too many open files');
  const png = await renderPng(drawPreview(defaultPreview), async () => new Uint8Array(readFileSync(module)));
  expect(png.byteLength).toBeGreaterThan(1_000);
});

it("BEY-17 the site's image is what would be drawn now", async () => {
  const module = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  const png = await renderPng(drawPreview(defaultPreview), async () => new Uint8Array(readFileSync(module)));
  expect(Buffer.from(png).equals(readFileSync(new URL('../../../public/preview.png', import.meta.url)))).toBe(true);
});
