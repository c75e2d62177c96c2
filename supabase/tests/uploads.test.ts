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
import { untilWaiting } from './support/locks.ts';
import { markVerified, storedFile, upload, uploadVerified } from './support/uploads.ts';

const png = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], { type: 'image/png' });

/** The storage API's answer to an upload into the caller's own folder: null or an error status. */
async function uploadAnswer({ id, client }: Member, bucket: string, name = `${crypto.randomUUID()}.png`) {
  const { error } = await client.storage.from(bucket).upload(`${id}/${name}`, png);
  return error === null ? null : Reflect.get(error, 'statusCode');
}

const submit = (member: Member, taskId: string, path: string) =>
  member.client.rpc('submit_proof', { p_task_id: taskId, p_url: `proofs/${path}` });

const NOT_CHECKED = {
  status: 409,
  code: 'UPLOAD_NOT_CHECKED',
  message: 'This file has not been checked yet. Please upload it again.',
};

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

      const large = new Blob([new Uint8Array(1024 * 1024)], { type: 'image/png' });
      expect((await member.client.storage.from('project-logos').upload(`${member.id}/l.png`, large)).error).toBeNull();
      expect(await uploadAnswer(member, 'project-logos')).toBe('403');
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
    await unwrap(markVerified('proofs', path));
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
    const unchecked = await upload(owner, 'project-logos');
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
    const ofAdmin = await uploadVerified(admin, 'project-logos');
    expect((await unwrap(save(admin, ofAdmin))).logo_url).toBe(urlOf(ofAdmin));
  });

  test('only the uploader can start a check', async () => {
    const [member, other] = await Promise.all([newMember(), newMember()]);
    const path = await upload(member, 'proofs');
    const start = (who: Member, p_path = path) => who.client.rpc('start_upload_check', { p_bucket: 'proofs', p_path });
    expect(await unwrap(start(member))).toMatchObject({ version: expect.any(String) });
    expect(await refusal(start(other))).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
    expect(await refusal(start(member, `${member.id}/none.png`))).toMatchObject({ code: 'FILE_NOT_FOUND' });
    const answers = await Promise.all(Array.from({ length: 40 }, () => start(member)));
    expect(answers.filter(({ error }) => error?.hint === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(10);
    expect(await refusal(start(await suspend(other)))).toMatchObject({ code: 'SUSPENDED' });
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
});

test('C-89 TRUST-08 nothing is uploaded under the name of a proof, even if its file is gone', async () => {
  const [owner, member] = await Promise.all([newOwner(), newMember()]);
  const { taskId } = await newQuest(owner);
  const path = await uploadVerified(member, 'proofs');
  await unwrap(submit(member, taskId, path));
  // As when its member deletes it at the moment of submitting.
  await asService().storage.from('proofs').remove([path]);
  expect(await uploadAnswer(member, 'proofs', path.split('/')[1])).toBe('403');
  expect(await uploadAnswer(member, 'proofs')).toBeNull();
});

describe('clean-up', () => {
  /** All pages, as the function remove-orphans reads them. */
  async function orphans(options: { p_min_age?: string } = { p_min_age: '0 seconds' }): Promise<string[]> {
    const found: string[] = [];
    let after = { p_after_bucket: '', p_after_path: '' };
    for (;;) {
      const rows = await unwrap(asService().rpc('claim_orphaned_files', { ...after, p_limit: 2, ...options }));
      const last = rows.at(-1);
      if (!last) return found;
      found.push(...rows.filter((row) => row.is_orphan).map((row) => `${row.bucket}/${row.path}`));
      after = { p_after_bucket: last.bucket, p_after_path: last.path };
    }
  }

  test('TRUST-26 finds unreferenced files that are old enough, and never files in use', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const [first, second] = [await newQuest(owner), await newQuest(await newOwner())];
    const used = await uploadVerified(member, 'proofs');
    await unwrap(submit(member, first.taskId, used));
    const spare = await uploadVerified(member, 'proofs');
    const logo = await uploadVerified(owner, 'project-logos');
    const oldLogo = await uploadVerified(owner, 'project-logos');
    await unwrap(
      owner.client.rpc('update_startup_profile', {
        p_startup_id: owner.startup.id,
        p_name: owner.startup.name,
        p_logo_url: owner.client.storage.from('project-logos').getPublicUrl(logo).data.publicUrl,
      }),
    );
    expect(await orphans({ p_min_age: '1 hour' })).not.toContain(`proofs/${spare}`);
    const found = await orphans();
    expect(found).toEqual(expect.arrayContaining([`proofs/${spare}`, `project-logos/${oldLogo}`]));
    expect(found).not.toContain(`proofs/${used}`);
    expect(found).not.toContain(`project-logos/${logo}`);
    // From then on it is too late to use it.
    expect(await refusal(submit(member, second.taskId, spare))).toEqual(NOT_CHECKED);
  });

  test('TRUST-26 a run goes on where the last one ended, and starts over after the last file', async () => {
    const member = await newMember();
    for (const _ of [1, 2, 3]) await uploadVerified(member, 'proofs');
    const args: object = { p_after_bucket: null, p_after_path: null, p_limit: 2 };
    const next = async () =>
      (await unwrap(asService().rpc('claim_orphaned_files', args))).map(({ bucket, path }) => `${bucket}/${path}`);
    /** Everything from one empty page to the next. */
    const round = async () => {
      const seen: string[] = [];
      for (let page = await next(); page.length > 0; page = await next()) seen.push(...page);
      return seen;
    };
    const first = await round();
    const { rows } = await sql().query(
      `select bucket_id || '/' || name as path from storage.objects
       where bucket_id in ('proofs', 'project-logos', 'reward-images', 'previews') order by bucket_id, name`,
    );
    expect(first).toEqual(rows.map(({ path }) => path));
    expect(await round()).toEqual(first);
  });

  test('TRUST-26 BEY-11 an unused file is kept for longer than the draft of a proof that may name it', async () => {
    const path = await uploadVerified(await newMember(), 'proofs');
    const makeOlder = (age: string) =>
      sql().query('update storage.objects set created_at = now() - $2::interval where name = $1', [path, age]);
    await makeOlder('7 days 1 hour');
    expect(await orphans({})).not.toContain(`proofs/${path}`);
    await makeOlder('8 days 1 hour');
    expect(await orphans({})).toContain(`proofs/${path}`);
  });

  test('TRUST-26 an earlier proof is kept as long as the history refers to it', async () => {
    const [owner, member, admin] = await Promise.all([newOwner(), newMember(), newAdmin()]);
    const { taskId } = await newQuest(owner);
    const [first, second] = [await uploadVerified(member, 'proofs'), await uploadVerified(member, 'proofs')];
    const submission = await unwrap(submit(member, taskId, first));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: submission.id, p_note: 'Not it' }));
    await unwrap(submit(member, taskId, second));
    expect(await orphans()).not.toContain(`proofs/${first}`);
    expect(await unwrap(owner.client.rpc('authorize_proof_link', { p_path: first }))).toBe(first);
  });

  test('TRUST-26 TRUST-28 finds files of erased people at once, whatever refers to them', async () => {
    const member = await newMember();
    const path = await uploadVerified(member, 'proofs');
    await unwrap(asService().rpc('anonymise_user', { p_user_id: member.id }));
    expect(await orphans({ p_min_age: '1 hour' })).toContain(`proofs/${path}`);
  });

  test('a proof that is being submitted is not removed', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner);
    const path = await uploadVerified(member, 'proofs');
    const client = await sql().connect();
    try {
      await client.query('begin');
      await client.query("select set_config('request.jwt.claims', $1, true)", [
        JSON.stringify({ iss: testEnv().IDENTITY_ISSUER, sub: member.id }),
      ]);
      await client.query('select public.submit_proof($1, $2)', [taskId, `proofs/${path}`]);
      const cleaning = orphans();
      await untilWaiting();
      await client.query('commit');
      expect(await cleaning).not.toContain(`proofs/${path}`);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('external logos', () => {
  const create = (who: Member, p_logo_url: string) =>
    unwrap(
      who.client.rpc('create_startup_profile', { p_name: `Project of ${who.name}`, p_industry: 'SaaS', p_logo_url }),
    );
  const waiting = async (id: string) =>
    (await sql().query('select url, attempts from private.logo_imports where startup_id = $1', [id])).rows;

  test('TRUST-26 an address elsewhere that ends like somebody’s file does not keep them from deleting it', async () => {
    const [owner, other] = [await newMember(), await newMember()];
    const path = await uploadVerified(owner, 'project-logos');
    await create(other, `https://elsewhere.example/project-logos/${path}`);
    const removed = await unwrap(owner.client.storage.from('project-logos').remove([path]));
    expect(removed).toHaveLength(1);
  });

  test('C-101 an external address waits to be fetched; the checked copy replaces it', async () => {
    const owner = await newMember();
    const { id } = await create(owner, 'https://elsewhere.example/logo.png');
    expect(await waiting(id)).toEqual([{ url: 'https://elsewhere.example/logo.png', attempts: 0 }]);
    const claims = await unwrap(asService().rpc('claim_logo_imports', { p_limit: 100 }));
    expect(claims.filter((claim) => claim.startup_id === id)).toEqual([
      { startup_id: id, owner_user_id: owner.id, url: 'https://elsewhere.example/logo.png' },
    ]);
    // Nobody else gets it meanwhile.
    expect(await unwrap(asService().rpc('claim_logo_imports', { p_limit: 100 }))).toEqual([]);

    const unchecked = await upload(owner, 'project-logos');
    const complete = (p_path: string, p_url = 'https://elsewhere.example/logo.png') =>
      asService().rpc('complete_logo_import', { p_startup_id: id, p_url, p_path });
    expect(await refusal(complete(unchecked))).toMatchObject({ code: 'FILE_NOT_FOUND' });
    const path = await uploadVerified(owner, 'project-logos');
    expect(await unwrap(complete(path, 'https://other.example/'))).toBe(false);
    expect(await unwrap(complete(path))).toBe(true);
    const shown = owner.client.from('startup_profiles').select('logo_url').eq('id', id).single();
    expect((await unwrap(shown)).logo_url).toBe(`/storage/v1/object/public/project-logos/${path}`);
    expect(await waiting(id)).toEqual([]);
    // The owner can then save the rest of the profile.
    const again = {
      p_startup_id: id,
      p_name: 'New name',
      p_logo_url: `/storage/v1/object/public/project-logos/${path}`,
    };
    expect((await unwrap(owner.client.rpc('update_startup_profile', again))).name).toBe('New name');
  });

  test('C-101 TRUST-26 TRUST-18 nothing is fetched for somebody who may not upload: at the limit, or suspended', async () => {
    const [full, large, suspended, other] = [
      await newMember(),
      await newMember(),
      await newMember(),
      await newMember(),
    ];
    const people = [full, large, suspended, other];
    const projects = [];
    for (const who of people) projects.push(await create(who, 'https://elsewhere.example/logo.png'));
    await sql().query('update public.startup_profiles set suspended_at = now() where owner_user_id = $1', [
      suspended.id,
    ]);
    const claimed = async () =>
      (await unwrap(asService().rpc('claim_logo_imports', { p_limit: 100 })))
        .map(({ owner_user_id }) => owner_user_id)
        .filter((id) => people.some((who) => who.id === id))
        .sort();
    const limits = { logo_files_per_person: 2, logo_megabytes_per_person: 1 };
    await withSettings(limits, async () => {
      for (let file = 0; file < 2; file += 1) await upload(full, 'project-logos');
      await upload(large, 'project-logos');
      await sql().query(`update storage.objects set metadata = '{"size": 1048576}' where name like $1`, [
        `${large.id}/%`,
      ]);
      expect(await claimed()).toEqual([other.id]);
    });
    // They are not given up.
    for (const { id } of projects.slice(0, 3)) expect(await waiting(id)).toMatchObject([{ attempts: 0 }]);
    expect(await claimed()).toEqual([full.id, large.id].sort());
  });

  test('C-101 it is tried three times, and again when the address changes; uploaded logos and paths on this site need no fetch', async () => {
    const owner = await newMember();
    const { id } = await create(owner, 'https://elsewhere.example/logo.png');
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await sql().query('update private.logo_imports set next_attempt_at = now() where startup_id = $1', [id]);
      await unwrap(asService().rpc('claim_logo_imports', { p_limit: 100 }));
    }
    expect(await waiting(id)).toMatchObject([{ attempts: 3 }]);
    const save = (p_logo_url: string) =>
      unwrap(owner.client.rpc('update_startup_profile', { p_startup_id: id, p_name: 'X', p_logo_url }));
    await save('https://elsewhere.example/other.png');
    expect(await waiting(id)).toEqual([{ url: 'https://elsewhere.example/other.png', attempts: 0 }]);
    await save('/demo/logos/saltbox.svg');
    expect(await waiting(id)).toEqual([]);
  });
});
