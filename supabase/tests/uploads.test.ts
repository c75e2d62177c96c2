import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, asUser, newPersona, sql, testEnv, tokenFor } from '../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  refusal,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { markVerified, NOT_CHECKED, storedFile, upload, uploadVerified } from './support/uploads.ts';

setUpDatabase();

const png = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], { type: 'image/png' });

/** The storage API's answer to an upload into the caller's own folder: null or an error status. */
async function uploadAnswer({ id, client }: Member, bucket: string, name = `${crypto.randomUUID()}.png`) {
  const { error } = await client.storage.from(bucket).upload(`${id}/${name}`, png);
  return error === null ? null : Reflect.get(error, 'statusCode');
}

const submit = (member: Member, taskId: string, path: string) =>
  member.client.rpc('submit_proof', { p_task_id: taskId, p_url: `proofs/${path}` });

describe('who may upload', () => {
  const outsiders: [string, () => Promise<Member>][] = [
    ['a suspended member', async () => suspend(await newMember())],
    [
      'an erased person whose session has not expired',
      async () => {
        const member = await newMember();
        await unwrap(asService().rpc('anonymise_user', { p_user_id: member.id }));
        return member;
      },
    ],
    [
      'a token that has never signed in to the product',
      async () => {
        const persona = newPersona();
        return { ...persona, client: await asUser(persona), claims: {} };
      },
    ],
  ];

  test.each(outsiders)('TRUST-18 TRUST-26 %s uploads nothing and removes nothing', async (_who, make) => {
    const outsider = await make();
    // Existing files, put there by the server.
    const path = `${outsider.id}/before.png`;
    for (const bucket of ['proofs', 'project-logos']) {
      expect((await asService().storage.from(bucket).upload(path, png)).error).toBeNull();
      expect(await uploadAnswer(outsider, bucket)).toBe('403');
      await outsider.client.storage.from(bucket).update(path, png);
      await outsider.client.storage.from(bucket).remove([path]);
      expect((await asService().storage.from(bucket).download(path)).error).toBeNull();
    }
  });

  test("TRUST-18 a suspended admin writes to none of the admins' buckets", async () => {
    const admin = await newAdmin();
    const write = () =>
      admin.client.storage
        .from('site')
        .upload('sitemap.xml', new Blob(['<a/>'], { type: 'application/xml' }), { upsert: true });
    expect((await write()).error).toBeNull();
    await suspend(admin);
    expect((await write()).error).toMatchObject({ statusCode: '403' });
    expect((await admin.client.storage.from('reward-images').upload('x.png', png)).error).toMatchObject({
      statusCode: '403',
    });
    await admin.client.storage.from('site').remove(['sitemap.xml']);
    expect((await asService().storage.from('site').download('sitemap.xml')).error).toBeNull();
  });

  test('TRUST-26 files and bytes per person and bucket are limited, independently of others', async () => {
    await withSettings({ proof_files_per_person: 2, logo_megabytes_per_person: 1 }, async () => {
      const [member, other] = await Promise.all([newMember(), newMember()]);
      // Files in one bucket take no room in another.
      expect(await uploadAnswer(member, 'project-logos')).toBeNull();
      const answers = [];
      for (let file = 0; file < 3; file += 1) answers.push(await uploadAnswer(member, 'proofs'));
      expect(answers).toEqual([null, null, '403']);
      expect(await uploadAnswer(other, 'proofs')).toBeNull();

      // As much as there is room for.
      const large = new Blob([new Uint8Array(1024 * 1024 - png.size)], { type: 'image/png' });
      expect((await member.client.storage.from('project-logos').upload(`${member.id}/l.png`, large)).error).toBeNull();
      expect(await uploadAnswer(member, 'project-logos')).toBe('403');
      expect((await markVerified('project-logos', `${member.id}/l.png`)).error).toBeNull();
    });
  });

  test('TRUST-26 files beyond the limit, as concurrent uploads may create, are not accepted', async () => {
    await withSettings({ proof_files_per_person: 2 }, async () => {
      const member = await newMember();
      const paths = ['a.png', 'b.png', 'c.png'].map((name) => `${member.id}/${name}`);
      for (const path of paths) await asService().storage.from('proofs').upload(path, png);
      expect(await refusal(markVerified('proofs', paths[0] ?? ''))).toEqual({
        status: 409,
        code: 'UPLOAD_LIMIT',
        message: 'You have uploaded too many files. Please delete some or try again tomorrow.',
      });
      await member.client.storage.from('proofs').remove([paths[2] ?? '']);
      expect((await markVerified('proofs', paths[0] ?? '')).error).toBeNull();
      // What has been accepted stays so, and the answer to a check that is sent again says the same.
      await asService().storage.from('proofs').upload(`${member.id}/d.png`, png);
      expect((await markVerified('proofs', paths[0] ?? '')).error).toBeNull();
      expect(await refusal(markVerified('proofs', paths[1] ?? ''))).toMatchObject({ code: 'UPLOAD_LIMIT' });
    });
    await withSettings({ logo_megabytes_per_person: 1 }, async () => {
      const member = await newMember();
      const paths = ['a.png', 'b.png'].map((name) => `${member.id}/${name}`);
      const large = new Blob([new Uint8Array(600 * 1024)], { type: 'image/png' });
      for (const path of paths) await asService().storage.from('project-logos').upload(path, large);
      expect(await refusal(markVerified('project-logos', paths[0] ?? ''))).toMatchObject({ code: 'UPLOAD_LIMIT' });
    });
  });
});

describe('other ways to a file', () => {
  /** The status in the storage API's answer to a request by hand: null when it succeeded. */
  async function ask(
    who: Member,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<string | null> {
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const authorization = `Bearer ${await tokenFor(who, { claims: who.claims })}`;
    const response = await fetch(`${SUPABASE_URL}/storage/v1/object/${path}`, {
      method: 'POST',
      headers: { apikey: SUPABASE_ANON_KEY, authorization, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.ok ? null : Reflect.get(Object(await response.json()), 'statusCode');
  }

  test('TRUST-18 TRUST-26 nobody signs an upload for later, which no quota and no suspension would stop', async () => {
    const [member, admin] = await Promise.all([newMember(), newAdmin()]);
    for (const upsert of ['false', 'true']) {
      const headers = { 'content-type': 'image/png', 'x-upsert': upsert };
      expect(await ask(member, `upload/sign/proofs/${member.id}/later.png`, headers)).toBe('403');
      expect(await ask(member, `upload/sign/project-logos/${member.id}/later.png`, headers)).toBe('403');
      expect(await ask(admin, 'upload/sign/site/later.xml', { 'x-upsert': upsert })).toBe('403');
    }
  });

  test('C-59 C-89 TRUST-26 a copy is an upload: of an own file, into the own folder, of an allowed type, within the quota', async () => {
    const [member, other] = await Promise.all([newMember(), newMember()]);
    const path = `${member.id}/a.png`;
    const copy = (who: Member, destinationKey: string, more: object = {}, headers: Record<string, string> = {}) =>
      ask(who, 'copy', headers, { bucketId: 'proofs', sourceKey: path, destinationKey, ...more });
    await member.client.storage.from('proofs').upload(path, png);
    expect(await copy(other, `${other.id}/a.png`)).toBe('404');
    expect(await copy(member, `${other.id}/a.png`)).toBe('403');
    expect(await copy(member, `${member.id}/page.png`, { metadata: { mimetype: 'text/html' } })).toBe('403');
    await withSettings({ proof_files_per_person: 2 }, async () => {
      const copied = `${member.id}/b.png`;
      expect(await copy(member, copied)).toBeNull();
      expect(await copy(member, copied, {}, { 'x-upsert': 'true' })).toBe('403');
      expect(await copy(member, `${member.id}/c.png`)).toBe('403');
      expect(await copy(await suspend(member), copied, { destinationBucket: 'project-logos' })).toBe('403');
    });
  });

  test("TRUST-28 there are no folders in a member's folder, whose files an erasure would leave until the next search for orphans", async () => {
    const member = await newMember();
    for (const bucket of ['proofs', 'project-logos']) {
      expect(await uploadAnswer(member, bucket, 'folder/a.png'), bucket).toBe('403');
      const original = `${member.id}/${bucket}.png`;
      expect(await uploadAnswer(member, bucket, `${bucket}.png`)).toBeNull();
      const { error } = await member.client.storage.from(bucket).copy(original, `${member.id}/folder/a.png`);
      expect(error, bucket).toMatchObject({ statusCode: '403' });
    }
  });

  test('C-89 nobody renames a file', async () => {
    const member = await newMember();
    for (const bucket of ['proofs', 'project-logos']) {
      const files = member.client.storage.from(bucket);
      await files.upload(`${member.id}/a.png`, png);
      expect((await files.move(`${member.id}/a.png`, `${member.id}/b.png`)).error).toMatchObject({ statusCode: '404' });
      expect((await files.download(`${member.id}/a.png`)).error).toBeNull();
    }
  });
});

describe('which files are accepted', () => {
  test('C-89 TRUST-26 a screenshot is a proof only once the server has verified that it is a picture', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    const path = await upload(member, 'proofs');
    expect(await refusal(submit(member, taskId, path))).toEqual(NOT_CHECKED);
    await unwrap(markVerified('proofs', path));
    const elsewhere = { p_task_id: taskId, p_url: `avatar/${path}` };
    expect(await refusal(member.client.rpc('submit_proof', elsewhere))).toMatchObject({ code: 'INVALID_PROOF_URL' });
    expect((await unwrap(submit(member, taskId, path))).proof_url).toBe(`proofs/${path}`);
  });

  test('C-89 a file that replaced a checked one is not accepted', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    const path = await uploadVerified(member, 'proofs');
    await member.client.storage.from('proofs').remove([path]);
    expect(await uploadAnswer(member, 'proofs', path.split('/')[1])).toBeNull();
    expect(await refusal(submit(member, taskId, path))).toEqual(NOT_CHECKED);
    // Even when the new bytes overwrote the old ones.
    const other = await uploadVerified(member, 'proofs');
    await asService().storage.from('proofs').update(other, png);
    expect(await refusal(submit(member, taskId, other))).toEqual(NOT_CHECKED);
  });

  test('C-89 a check is valid only for the version that it read, not for later bytes until they are checked', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    const path = await upload(member, 'proofs');
    const { version } = await storedFile('proofs', path);
    const replace = () => asService().storage.from('proofs').update(path, png);
    await replace();
    expect(await refusal(markVerified('proofs', path, { version }))).toEqual({
      status: 404,
      code: 'FILE_NOT_FOUND',
      message: 'File not found',
    });
    await unwrap(markVerified('proofs', path));
    await replace();
    expect(await refusal(submit(member, taskId, path))).toEqual(NOT_CHECKED);
    // Nor for a file that was deleted and uploaded again under the same name.
    const another = () => refusal(markVerified('proofs', path, { id: crypto.randomUUID() }));
    expect(await another()).toMatchObject({ code: 'FILE_NOT_FOUND' });
    const bytes = new Uint8Array([2, 3]);
    await unwrap(markVerified('proofs', path, { bytes, dhash: '0123456789abcdef', mime: 'image/webp' }));
    const query =
      "select sha256, dhash = x'0123456789abcdef' as has_hash, bytes::int, mime from private.verified_uploads";
    expect((await sql().query(`${query} where path = $1`, [path])).rows).toEqual([
      { sha256: createHash('sha256').update(bytes).digest('hex'), has_hash: true, bytes: 2, mime: 'image/webp' },
    ]);
    expect(await another()).toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect((await unwrap(submit(member, taskId, path))).proof_url).toBe(`proofs/${path}`);
  });

  test("C-89 another member's checked screenshot is no proof", async () => {
    const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
    const { taskId } = await newQuest(owner);
    const path = await uploadVerified(other, 'proofs');
    expect(await refusal(submit(member, taskId, path))).toMatchObject({ status: 400, code: 'INVALID_PROOF_URL' });
  });

  test("C-89 an uploaded logo is accepted only when checked, and only from the owner's or the admin's own folder", async () => {
    const [owner, stranger, admin] = await Promise.all([newOwner(), newOwner(), newAdmin()]);
    const urlOf = (path: string) => owner.client.storage.from('project-logos').getPublicUrl(path).data.publicUrl;
    const save = (who: Member, path: string) =>
      who.client.rpc('update_startup_profile', {
        p_startup_id: owner.startup.id,
        p_name: owner.startup.name,
        p_logo_url: urlOf(path),
      });
    // A checked screenshot of the same name says nothing about it.
    const name = `${crypto.randomUUID()}.png`;
    await uploadVerified(owner, 'proofs', name);
    const unchecked = await upload(owner, 'project-logos', { name });
    const foreign = await uploadVerified(stranger, 'project-logos');
    expect(await refusal(save(owner, unchecked))).toEqual(NOT_CHECKED);
    expect(await refusal(save(owner, foreign))).toEqual(NOT_CHECKED);
    const fresh = await newMember();
    const create = fresh.client.rpc('create_startup_profile', {
      p_name: 'New',
      p_industry: 'SaaS',
      p_logo_url: urlOf(unchecked),
    });
    expect(await refusal(create)).toEqual(NOT_CHECKED);

    await unwrap(markVerified('project-logos', unchecked));
    expect((await unwrap(save(owner, unchecked))).logo_url).toBe(urlOf(unchecked));
    // A logo that is already shown remains when the rest is edited, even by somebody else.
    expect((await unwrap(save(admin, unchecked))).logo_url).toBe(urlOf(unchecked));
    const ofOwner = await uploadVerified(owner, 'project-logos');
    expect((await unwrap(save(admin, ofOwner))).logo_url).toBe(urlOf(ofOwner));
    const ofAdmin = await uploadVerified(admin, 'project-logos');
    expect((await unwrap(save(admin, ofAdmin))).logo_url).toBe(urlOf(ofAdmin));
  });

  test('only the uploader can start a check', async () => {
    const [member, other] = await Promise.all([newMember(), newMember()]);
    const path = await upload(member, 'proofs');
    const start = (who: Member, p_path = path, p_bucket = 'proofs') =>
      who.client.rpc('start_upload_check', { p_bucket, p_path });
    expect(await unwrap(start(member))).toMatchObject({ version: expect.any(String) });
    expect(await refusal(start(member, path, 'project-logos'))).toMatchObject({ code: 'FILE_NOT_FOUND' });
    expect(await refusal(start(other))).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
    expect(await refusal(start(member, `${member.id}/none.png`))).toMatchObject({ code: 'FILE_NOT_FOUND' });
    const answers = await Promise.all(Array.from({ length: 40 }, () => start(member)));
    // Thirty a minute, of which one was taken before.
    expect(answers.filter(({ error }) => error?.hint === 'RATE_LIMITED')).toHaveLength(11);
    const { rows } = await sql().query(
      'select extract(epoch from expires_at - hits[cardinality(hits)])::int as seconds from private.rate_limits where subject = $1',
      [`user:${member.id}`],
    );
    expect(rows).toContainEqual({ seconds: 60 });
    expect(await refusal(start(await suspend(other)))).toMatchObject({ code: 'SUSPENDED' });
  });

  test('only what members upload is checked', async () => {
    const admin = await newAdmin();
    const path = `${admin.id}/mug.png`;
    expect((await admin.client.storage.from('reward-images').upload(path, png)).error).toBeNull();
    const check = admin.client.rpc('start_upload_check', { p_bucket: 'reward-images', p_path: path });
    expect(await refusal(check)).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
  });
});

describe('who may see a screenshot', () => {
  test("C-59 the member, the quest's owner and admins get a link; strangers and other owners do not", async () => {
    const [owner, otherOwner, member, stranger, admin] = await Promise.all([
      newOwner(),
      newOwner(),
      newMember(),
      newMember(),
      newAdmin(),
    ]);
    const { taskId } = await newQuest(owner);
    const path = await uploadVerified(member, 'proofs');
    const ask = (who: Member) => who.client.rpc('authorize_proof_link', { p_path: path });
    // Before it is submitted, it is private to the member.
    expect(await refusal(ask(owner))).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
    await unwrap(submit(member, taskId, path));
    for (const who of [member, owner, admin]) expect(await unwrap(ask(who))).toBe(path);
    for (const who of [otherOwner, stranger]) {
      expect(await refusal(ask(who))).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
    }
    expect(await refusal(ask(await suspend(owner)))).toMatchObject({ code: 'SUSPENDED' });
  });

  test('C-59 nobody but the member can sign or read the file without that function', async () => {
    const [owner, member, admin] = await Promise.all([newOwner(), newMember(), newAdmin()]);
    const { taskId } = await newQuest(owner);
    const path = await uploadVerified(member, 'proofs');
    await unwrap(submit(member, taskId, path));
    for (const who of [owner, admin]) {
      expect((await who.client.storage.from('proofs').createSignedUrl(path, 315_360_000)).error).not.toBeNull();
      expect((await who.client.storage.from('proofs').download(path)).error).not.toBeNull();
    }
    expect((await member.client.storage.from('proofs').download(path)).error).toBeNull();
  });

  test('C-59 C-89 a file that was replaced after its check is shown to nobody', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    const path = await uploadVerified(member, 'proofs');
    await unwrap(submit(member, taskId, path));
    await asService().storage.from('proofs').update(path, png);
    const ask = owner.client.rpc('authorize_proof_link', { p_path: path });
    expect(await refusal(ask)).toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('C-59 C-89 nor is another file that has its name and version, as after a restore of the storage', async () => {
    const member = await newMember();
    const path = await uploadVerified(member, 'proofs');
    const ask = () => member.client.rpc('authorize_proof_link', { p_path: path });
    expect(await unwrap(ask())).toBe(path);
    await sql().query('update storage.objects set id = gen_random_uuid() where name = $1', [path]);
    expect(await refusal(ask())).toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});

test('C-89 TRUST-08 nothing is uploaded under the name of a proof, even if its file is gone', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const { taskId } = await newQuest(owner);
  const path = await uploadVerified(member, 'proofs');
  await unwrap(submit(member, taskId, path));
  // As after a restore of the database alone.
  await asService().storage.from('proofs').remove([path]);
  expect(await uploadAnswer(member, 'proofs', path.split('/')[1])).toBe('403');
  expect(await uploadAnswer(member, 'proofs')).toBeNull();
});

test('C-59 TRUST-26 whoever submits a file and deletes it at the same moment has not submitted it, or still has it', async () => {
  const { taskId } = await newQuest(await newOwner(), { task: { max_completions: 12 } });
  const kept = async () => {
    const member = await newMember();
    const path = await uploadVerified(member, 'proofs');
    const [submitted] = await Promise.all([
      submit(member, taskId, path),
      member.client.storage.from('proofs').remove([path]),
    ]);
    const { data } = await member.client.storage.from('proofs').list(member.id);
    return [submitted.error === null, data?.length === 1];
  };
  for (const [isSubmitted, isThere] of await Promise.all(Array.from({ length: 12 }, kept))) {
    expect(isThere).toBe(isSubmitted);
  }
});
