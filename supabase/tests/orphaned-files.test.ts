import { describe, expect, test } from 'vitest';
import { asService, sql, testEnv } from '../../local/testing/clients.ts';
import { type Member, newAdmin, newMember, newOwner, newQuest, refusal, unwrap } from './support/factories.ts';
import { answerDuring, untilWaiting } from './support/locks.ts';
import { newReward } from './support/rewards.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { NOT_CHECKED, uploadVerified } from './support/uploads.ts';

setUpDatabase();

const submit = (member: Member, taskId: string, path: string) =>
  member.client.rpc('submit_proof', { p_task_id: taskId, p_url: `proofs/${path}` });

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

  test("TRUST-26 a reward's picture is in use whatever follows its path in the address", async () => {
    const admin = await newAdmin();
    const files = admin.client.storage.from('reward-images');
    const paths = ['plain', 'query', 'fragment', 'unused'].map((name) => `${name}-${crypto.randomUUID()}.png`);
    for (const path of paths) await unwrap(files.upload(path, new Blob([new Uint8Array([1])], { type: 'image/png' })));
    for (const [index, ending] of ['', '?v=2', '#top'].entries()) {
      const image_url = files.getPublicUrl(paths[index] ?? '').data.publicUrl + ending;
      await newReward({ image_url });
    }
    expect((await orphans()).filter((path) => paths.includes(path.replace('reward-images/', '')))).toEqual([
      `reward-images/${paths[3]}`,
    ]);
  });

  test('TRUST-26 BEY-17 finds a preview that no page shows, however new it is, and none that one shows', async () => {
    const { campaign } = await newQuest(await newOwner());
    const { rows } = await sql().query<{ preview: string }>("select preview from private.page_facts('quest', $1)", [
      campaign.id,
    ]);
    const paths = [rows[0]?.preview, 'former'].map((version) => `quest/${campaign.id}/${version}.png`);
    await sql().query("insert into storage.objects (bucket_id, name) select 'previews', unnest($1::text[])", [paths]);
    const found = await orphans({ p_min_age: '1 hour' });
    expect(found.filter((path) => path.includes(campaign.id))).toEqual([`previews/${paths[1]}`]);
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

  test('TRUST-26 a page has one file at least and a thousand at most, and none of the site’s own', async () => {
    const sizes = await rolledBack(async (client) => {
      await client.query(`
        insert into storage.objects (bucket_id, name)
        select b, n from unnest(array['proofs', 'site']) b, generate_series(1, 1001) n`);
      const { rows } = await client.query<{ size: number }>(
        `select count(c.path)::integer as size from unnest($1::text[], $2::integer[]) with ordinality p (bucket, most, place)
         left join lateral public.claim_orphaned_files(p.bucket, '', p.most) c on true group by p.place order by p.place`,
        [
          ['', '', '', '', 'site'],
          [0, 1, 2, 1001, 1],
        ],
      );
      return rows.map(({ size }) => size);
    });
    expect(sizes).toEqual([1, 1, 2, 1000, 0]);
  });

  test('TRUST-26 two runs at once share the files', async () => {
    for (const _ of [1, 2]) await uploadVerified(await newMember(), 'proofs');
    await sql().query("update private.file_search set bucket = '', path = ''");
    const next = 'select bucket, path from public.claim_orphaned_files(null, null, 1)';
    let first: unknown;
    const second = await answerDuring(
      async (client) => {
        first = (await client.query(next)).rows;
      },
      async () => (await sql().query(next)).rows,
    );
    expect(second).not.toEqual(first);
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

  test('TRUST-26 files that are kept stay checked, also when one of the same bucket or name goes', async () => {
    const owner = await newOwner();
    const [gone, proof] = [await uploadVerified(owner, 'proofs'), await uploadVerified(owner, 'proofs')];
    const logo = await uploadVerified(owner, 'project-logos', gone.replace(`${owner.id}/`, ''));
    const age =
      "update storage.objects set created_at = now() - interval '9 days' where bucket_id = 'proofs' and name = $1";
    await sql().query(age, [gone]);
    const files = await unwrap(asService().rpc('claim_orphaned_files'));
    expect(files.filter(({ path }) => path.includes(owner.id))).toEqual([
      { bucket: 'project-logos', path: logo, is_orphan: false },
      ...[gone, proof].toSorted().map((path) => ({ bucket: 'proofs', path, is_orphan: path === gone })),
    ]);
    const { publicUrl } = owner.client.storage.from('project-logos').getPublicUrl(logo).data;
    const profile = { p_startup_id: owner.startup.id, p_name: owner.startup.name, p_logo_url: publicUrl };
    await unwrap(owner.client.rpc('update_startup_profile', profile));
    await unwrap(submit(owner, (await newQuest(await newOwner())).taskId, proof));
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
    const stranger = (await newOwner()).client.rpc('authorize_proof_link', { p_path: first });
    expect(await refusal(stranger)).toMatchObject({ code: 'FILE_NOT_FOUND' });
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
