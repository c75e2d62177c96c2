import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { type Member, newMember, refusal, unwrap, withSettings } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { upload, uploadVerified } from './support/uploads.ts';

setUpDatabase();

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

    // Another project may show the same picture; each gets a copy of its own.
    const neighbour = await create(await newMember(), 'https://elsewhere.example/logo.png');
    const unchecked = await upload(owner, 'project-logos');
    const complete = (p_path: string, p_url = 'https://elsewhere.example/logo.png') =>
      asService().rpc('complete_logo_import', { p_startup_id: id, p_url, p_path });
    expect(await refusal(complete(unchecked))).toMatchObject({ code: 'FILE_NOT_FOUND' });
    const path = await uploadVerified(owner, 'project-logos');
    expect(await unwrap(complete(path, 'https://other.example/'))).toBe(false);
    expect(await unwrap(complete(path))).toBe(true);
    const shown = owner.client.from('startup_profiles').select('logo_url').eq('id', id).single();
    expect((await unwrap(shown)).logo_url).toBe(`/storage/v1/object/public/project-logos/${path}`);
    expect([await waiting(id), (await waiting(neighbour.id)).length]).toEqual([[], 1]);
    // The owner can then save the rest of the profile.
    const again = {
      p_startup_id: id,
      p_name: 'New name',
      p_logo_url: `/storage/v1/object/public/project-logos/${path}`,
    };
    expect((await unwrap(owner.client.rpc('update_startup_profile', again))).name).toBe('New name');
  });

  test('C-101 a logo is tried three times, each time after a longer pause', async () => {
    const { id } = await create(await newMember(), 'https://elsewhere.example/gone.png');
    const tries: string[] = [];
    for (let claimed = true; claimed; ) {
      const claims = await unwrap(asService().rpc('claim_logo_imports', { p_limit: 100 }));
      claimed = claims.some((claim) => claim.startup_id === id);
      const { rows } = await sql().query(
        `with before as (select * from private.logo_imports where startup_id = $1)
        update private.logo_imports i set next_attempt_at = now() from before b where i.startup_id = b.startup_id
        returning b.attempts || ', again in ' || round(extract(epoch from b.next_attempt_at - now()) / 60) || ' minutes' as what`,
        [id],
      );
      if (claimed) tries.push(rows[0].what);
    }
    expect(tries).toEqual(['1, again in 10 minutes', '2, again in 20 minutes', '3, again in 30 minutes']);
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
    // They are not given up. Who has waited longest is first.
    for (const { id } of projects.slice(0, 3)) expect(await waiting(id)).toMatchObject([{ attempts: 0 }]);
    await sql().query(
      "update private.logo_imports set next_attempt_at = now() - interval '1 day' where startup_id = $1",
      [projects[1]?.id],
    );
    const claimOf = async (p_limit: number) => unwrap(asService().rpc('claim_logo_imports', { p_limit }));
    expect([await claimOf(-1), await claimOf(1)]).toMatchObject([[], [{ owner_user_id: large.id }]]);
    expect(await claimed()).toEqual([full.id]);
    // A hundred at a time at most, whoever asks for more.
    await sql().query(
      `insert into public.startup_profiles (owner_user_id, name, industry, logo_url)
       select 'owner ' || n, 'Project ' || n, 'SaaS', 'https://elsewhere.example/many.png' from generate_series(1, 101) n`,
    );
    expect(await claimOf(101)).toHaveLength(100);
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
    const other = await create(await newMember(), 'https://elsewhere.example/logo.png');
    await save('https://elsewhere.example/other.png');
    expect(await waiting(id)).toEqual([{ url: 'https://elsewhere.example/other.png', attempts: 0 }]);
    // At once, also after a try a moment ago.
    const claim = () => unwrap(asService().rpc('claim_logo_imports', { p_limit: 100 }));
    await claim();
    await save('https://elsewhere.example/third.png');
    expect((await claim()).map(({ startup_id }) => startup_id)).toEqual([id]);
    await save('/demo/logos/saltbox.svg');
    expect(await waiting(id)).toEqual([]);
    const path = await uploadVerified(owner, 'project-logos');
    await save(`https://our.example/storage/v1/object/public/project-logos/${path}`);
    expect(await waiting(id)).toEqual([]);
    expect(await waiting(other.id)).toHaveLength(1);
  });
});
