import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asUser, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  projectPoints,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { markVerified } from './support/uploads.ts';

setUpDatabase();

const create = (
  who: Member,
  args: { p_name?: string; p_industry?: string; p_website?: string; p_logo_url?: string; p_description?: string } = {},
) => who.client.rpc('create_startup_profile', { p_name: `Lighthouse of ${who.name}`, p_industry: 'SaaS', ...args });

const events = async (userId: string) =>
  (await sql().query('select type from public.outbox_events where user_id = $1 order by id', [userId])).rows;

const NOT_FOUND = { status: 404, code: 'STARTUP_NOT_FOUND', message: 'Startup profile not found' };

describe('create_startup_profile', () => {
  test('TRUST-18 C-81 C-97 a suspended person creates none with an account whose address is verified only afterwards', async () => {
    const [suspended, second] = [await suspend(await newMember()), await newMember('second', { email: null })];
    const client = await asUser({ ...second, email: suspended.email });
    expect(await changesNothing(() => refusal(create({ ...second, client })))).toEqual(SUSPENDED);
    // Nobody else is concerned.
    expect(await unwrap(create(second))).toMatchObject({ status: 'verified' });
  });

  test('RULE-03 C-62 C-02 C-03 C-50 SPROF-01 in beta a project is verified at once, announced once, and granted the trial budget', async () => {
    const owner = await newMember('owner');
    const profile = await unwrap(
      create(owner, {
        p_website: 'example.com/a',
        p_logo_url: 'https://example.com/logo.png',
        p_description: 'A light',
      }),
    );
    expect(profile).toMatchObject({
      owner_user_id: owner.id,
      name: `Lighthouse of ${owner.name}`,
      description: 'A light',
      industry: 'SaaS',
      status: 'verified',
      reviewed_by: 'beta',
      website: 'https://example.com/a',
      owner_email: owner.email,
    });
    expect(await projectPoints(profile.id)).toEqual({ free: 500, reserved: 0 });
    expect(await unwrap(owner.client.from('transactions').select('points, type, description'))).toEqual([
      { points: 500, type: 'credit', description: 'Trial budget' },
    ]);
    expect(await walletOf(owner.id)).toEqual({ points: 0, lifetime: 0 });
    expect(await events(owner.id)).toEqual([{ type: 'StartupVerified' }]);
  });

  test('RULE-15 C-62 outside beta it waits for an admin, without points', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newMember('owner');
      const profile = await unwrap(create(owner));
      expect(profile).toMatchObject({ status: 'pending', reviewed_by: null, reviewed_at: null });
      expect(await projectPoints(profile.id)).toEqual({ free: 0, reserved: 0 });
      const { rows } = await sql().query('select owner_user_id from public.wallets where startup_id = $1', [
        profile.id,
      ]);
      expect(rows).toEqual([{ owner_user_id: owner.id }]);
      expect(await events(owner.id)).toEqual([]);
    }));

  test('one profile per owner, also in twenty concurrent calls, and one grant', async () => {
    const owner = await newMember('owner');
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(owner)));
    const made = answers.filter((answer) => !answer.error);
    expect(made).toHaveLength(1);
    for (const { error, status } of answers.filter((answer) => answer.error)) {
      expect({ status, hint: error?.hint, message: error?.message }).toEqual({
        status: 409,
        hint: 'STARTUP_EXISTS',
        message: 'You already have a project profile',
      });
    }
    expect(await projectPoints(made[0]?.data?.id ?? '')).toEqual({ free: 500, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-02 a re-created profile takes over the balance and gets no second grant', async () => {
    const owner = await newOwner();
    const { campaign, taskId } = await newQuest(owner);
    await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id });
    await owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id });
    const again = await unwrap(create(owner));
    expect(again.id).not.toBe(owner.startup.id);
    expect(await projectPoints(again.id)).toEqual({ free: 490, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test("C-81 a project takes over the first running plan of its owner's erased accounts, and none beside their own", async () => {
    const owner = await newOwner();
    /** Which of these plans, from the oldest to the newest, have become the project's. */
    const takenOf = (...plans: [account: string, status: string][]) =>
      rolledBack(async (client) => {
        for (const [number, [account, status]] of plans.entries()) {
          await client.query(
            `insert into private.known_mailboxes (user_id, mailbox)
             select $1, k.mailbox from private.known_mailboxes k where k.user_id = $2 on conflict do nothing`,
            [account, owner.id],
          );
          if (account.startsWith('erased'))
            await client.query('insert into private.deleted_users (user_id) values ($1)', [account]);
          await client.query(
            `insert into public.subscriptions (owner_user_id, plan_id, status, payment_ref, amount_cents, created_at)
             values ($1, 'og_lifetime', $2, $3::integer, 9900, now() + make_interval(mins => $3::integer))`,
            [account, status, number],
          );
        }
        const project = 'from public.startup_profiles s where s.id = $1';
        await client.query(`select private.take_over_plan(s) ${project}`, [owner.startup.id]);
        const taken = 'select payment_ref::integer as number from public.subscriptions where startup_id = $1';
        return (await client.query(taken, [owner.startup.id])).rows.map(({ number }) => number);
      });
    expect(await takenOf(['erased a', 'refunded'], ['erased b', 'active'], ['erased c', 'active'])).toEqual([1]);
    expect(await takenOf([owner.id, 'refunded'], ['erased a', 'active'])).toEqual([1]);
    expect(await takenOf([owner.id, 'active'], ['erased a', 'active'])).toEqual([]);
    expect(await takenOf(['another one of theirs', 'active'])).toEqual([]);
  });

  test('SPROF-03 refuses bad input with the exact sentences and changes nothing', async () => {
    const owner = await newMember('owner');
    const cases = [
      [{ p_name: ' \n' }, 'NAME_REQUIRED', 'Project name is required'],
      [{ p_name: 'x'.repeat(121) }, 'NAME_TOO_LONG', 'Please use a shorter name'],
      [
        { p_description: 'x'.repeat(2001) },
        'DESCRIPTION_TOO_LONG',
        'Please use at most 2000 characters for the description',
      ],
      [{ p_industry: '' }, 'INDUSTRY_REQUIRED', 'Please select an industry'],
      [{ p_industry: 'saas' }, 'INDUSTRY_REQUIRED', 'Please select an industry'],
      [{ p_website: 'javascript://alert(1)' }, 'INVALID_WEBSITE', 'Please enter a valid URL'],
      [{ p_website: 'nowhere' }, 'INVALID_WEBSITE', 'Please enter a valid URL'],
      [{ p_website: 'https://a b' }, 'INVALID_WEBSITE', 'Please enter a valid URL'],
      [{ p_website: 'https://user:pw@example.com' }, 'INVALID_WEBSITE', 'Please enter a valid URL'],
      [{ p_logo_url: 'data:image/png;base64,AA' }, 'INVALID_LOGO_URL', 'Please enter a valid image URL'],
      [{ p_logo_url: '//evil.example/x.png' }, 'INVALID_LOGO_URL', 'Please enter a valid image URL'],
    ] as const;
    await changesNothing(async () => {
      for (const [args, code, message] of cases) {
        expect(await refusal(create(owner, args)), JSON.stringify(args)).toEqual({ status: 400, code, message });
      }
      expect(await refusal(asAnon().rpc('create_startup_profile', { p_name: 'X' }))).toMatchObject({ status: 401 });
    });
    const text = "<script>alert(1)</script>'; drop table x; --";
    const longest = { p_name: text.padEnd(120, 'x'), p_description: 'x'.repeat(2000) };
    expect((await unwrap(create(owner, longest))).name).toBe(longest.p_name);
  });

  test('suspended owners are refused', async () => {
    const member = await suspend(await newMember());
    expect(await changesNothing(() => refusal(create(member)))).toEqual(SUSPENDED);
  });
});

describe('update_startup_profile', () => {
  const update = (who: Member, startupId: string, name = 'Renamed', website = '') =>
    who.client.rpc('update_startup_profile', { p_startup_id: startupId, p_name: name, p_website: website });

  test('SEC-13 C-31 the owner and an admin edit; other owners, strangers and visitors cannot', async () => {
    const [owner, other, stranger, admin] = [await newOwner(), await newOwner(), await newMember(), await newAdmin()];
    const id = owner.startup.id;
    await changesNothing(async () => {
      for (const who of [other, stranger]) expect(await refusal(update(who, id))).toEqual(FORBIDDEN);
      expect(await refusal(asAnon().rpc('update_startup_profile', { p_startup_id: id, p_name: 'x' }))).toMatchObject({
        status: 401,
      });
      for (const who of [owner, admin]) expect(await refusal(update(who, randomUUID()))).toEqual(NOT_FOUND);
      expect(await refusal(update(owner, id, ''))).toEqual({
        status: 400,
        code: 'COMPANY_NAME_REQUIRED',
        message: 'Company name is required',
      });
      expect(await refusal(update(owner, id, 'x', 'ftp://x'))).toMatchObject({ code: 'INVALID_WEBSITE' });
    });
    expect(await unwrap(update(owner, id))).toMatchObject({ name: 'Renamed', website: null, status: 'verified' });
    expect((await unwrap(update(admin, id, 'By admin'))).name).toBe('By admin');
    // The name is the project's own, in whatever letters and whoever writes it.
    const [p_name, p_logo_url] = ['BY ADMIN', 'https://x.example/logo.png'];
    const described = { p_startup_id: id, p_name, p_website: 'x.example', p_description: 'Edited', p_logo_url };
    await unwrap(admin.client.rpc('update_startup_profile', described));
    const { rows } = await sql().query(
      "select actor_id, action, after -> 'changed' as changed from public.audit_log where subject_id = $1 order by id",
      [id],
    );
    expect(rows).toEqual([
      { actor_id: owner.id, action: 'startup.create', changed: null },
      { actor_id: owner.id, action: 'startup.update', changed: null },
      { actor_id: admin.id, action: 'startup.update', changed: null },
      // What must be erased with the owner is named only.
      { actor_id: admin.id, action: 'startup.update', changed: ['website', 'logo', 'description'] },
    ]);
    await suspend(owner);
    expect(await changesNothing(() => refusal(update(owner, id)))).toEqual(SUSPENDED);
  });
});

describe('delete_startup_profile', () => {
  const remove = (who: Member, startupId: string) =>
    who.client.rpc('delete_startup_profile', { p_startup_id: startupId });

  test('SPROF-08 C-24 only the owner, and only without quests of any status', async () => {
    const [owner, other, admin] = [await newOwner(), await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    await sql().query("insert into public.campaigns (startup_id, title) values ($1, 'A draft')", [owner.startup.id]);
    await changesNothing(async () => {
      for (const who of [other, admin]) {
        expect(await refusal(remove(who, owner.startup.id))).toEqual({
          status: 403,
          code: 'NOT_YOUR_STARTUP',
          message: "You don't have permission to delete this startup profile",
        });
      }
      expect(await refusal(remove(owner, owner.startup.id))).toEqual({
        status: 409,
        code: 'STARTUP_HAS_QUESTS',
        message:
          'Cannot delete startup profile: You have 2 active quest(s). Please delete all quests first before deleting your profile.',
      });
      expect(await refusal(remove(owner, randomUUID()))).toEqual(NOT_FOUND);
      expect(await refusal(asAnon().rpc('delete_startup_profile', { p_startup_id: owner.startup.id }))).toMatchObject({
        status: 401,
      });
    });
    await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id });
    expect((await refusal(remove(owner, owner.startup.id))).message).toContain('You have 1 active quest(s).');
    await sql().query('delete from public.campaigns where startup_id = $1', [owner.startup.id]);
    expect((await remove(owner, owner.startup.id)).error).toBeNull();
    expect(await projectPoints(other.startup.id)).toEqual({ free: 500, reserved: 0 });
    expect(await refusal(remove(owner, owner.startup.id))).toEqual(NOT_FOUND);
    expect(await ledgerProblems()).toEqual([]);
    const wallet = "select startup_id from public.wallets where owner_user_id = $1 and kind = 'startup'";
    expect((await sql().query(wallet, [owner.id])).rows).toEqual([{ startup_id: null }]);
  });
});

describe('set_startup_status', () => {
  const decide = (who: Member, startupId: string, status: string, note?: string) =>
    who.client.rpc('set_startup_status', {
      p_startup_id: startupId,
      p_status: status,
      ...(note !== undefined && { p_note: note }),
    });

  test('RULE-15 SEC-15 ADMIN-03 an admin verifies once: budget, role and event exactly once under concurrent calls', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, waiting, member, admin] = [await newOwner(), await newOwner(), await newOwner(), await newAdmin()];
      for (const { client } of [owner, waiting]) await unwrap(client.rpc('switch_role', { p_role: 'startup' }));
      const answers = await Promise.all(Array.from({ length: 20 }, () => decide(admin, owner.startup.id, 'verified')));
      expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
      for (const { error } of answers.filter((answer) => answer.error)) {
        expect(error).toMatchObject({ hint: 'STATUS_FINAL', message: 'This project has already been reviewed' });
      }
      const [{ data: profile } = { data: null }] = answers.filter((answer) => !answer.error);
      expect(profile).toMatchObject({
        status: 'verified',
        reviewed_by: 'questboard',
        review_note: 'Approved by admin',
      });
      expect(await projectPoints(owner.startup.id)).toEqual({ free: 500, reserved: 0 });
      expect(await events(owner.id)).toEqual([{ type: 'StartupVerified' }]);
      const roleOf = async ({ client }: Member) =>
        (await unwrap(client.from('user_profiles').select('role').single())).role;
      // Who looks around as a member goes on as one.
      await unwrap(decide(admin, member.startup.id, 'verified'));
      expect([await roleOf(owner), await roleOf(waiting), await roleOf(member)]).toEqual([
        'startup_verified',
        'startup_unverified',
        'community',
      ]);
    }));

  test('ADMIN-03 C-62 rejecting needs a reason; a rejected project may be verified later, a verified one not be rejected', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, admin] = [await newOwner(), await newAdmin()];
      const id = owner.startup.id;
      await changesNothing(async () => {
        for (const note of [undefined, '', ' \n']) {
          expect(await refusal(decide(admin, id, 'rejected', note))).toEqual({
            status: 400,
            code: 'REASON_REQUIRED',
            message: 'A reason is required',
          });
        }
        for (const status of ['pending', '', 'x'.repeat(2001), null as never]) {
          expect(await refusal(decide(admin, id, status, 'no site'))).toEqual({
            status: 400,
            code: 'INVALID_STATUS',
            message: 'Unknown status',
          });
        }
        expect(await refusal(decide(admin, randomUUID(), 'verified'))).toEqual(NOT_FOUND);
      });
      expect(await unwrap(decide(admin, id, 'rejected', ' no site '))).toMatchObject({
        status: 'rejected',
        review_note: 'no site',
        reviewed_by: 'questboard',
        reviewed_at: expect.any(String),
      });
      expect(await refusal(decide(admin, id, 'rejected', 'again'))).toMatchObject({ code: 'STATUS_FINAL' });
      expect((await unwrap(decide(admin, id, 'verified'))).status).toBe('verified');
      expect(await refusal(decide(admin, id, 'rejected', 'no site'))).toMatchObject({ code: 'STATUS_FINAL' });
      const { rows } = await sql().query('select action from public.audit_log where subject_id = $1 order by id', [id]);
      expect(rows.map(({ action }) => action)).toEqual(['startup.create', 'startup.rejected', 'startup.verified']);
    }));

  test('ADMIN-03 the owner reads the first 1,000 characters of the reason, as with every other decision', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, admin] = [await newOwner(), await newAdmin()];
      const [id, reason] = [owner.startup.id, 'x'.repeat(1001)];
      const note = reason.slice(0, 1000);
      expect((await unwrap(decide(admin, id, 'rejected', reason))).review_note).toBe(note);
      await unwrap(decide(admin, id, 'verified'));
      const revocation = { p_startup_id: id, p_reason: reason };
      expect((await unwrap(admin.client.rpc('revoke_verification', revocation))).review_note).toBe(note);
      const log = await sql().query('select note from public.audit_log where subject_id = $1 order by id', [id]);
      expect(log.rows.map((row) => row.note)).toEqual([null, note, null, note]);
    }));

  test('SEC-04 SEC-13 the owner, strangers, visitors and suspended admins decide nothing', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, stranger, admin] = [await newOwner(), await newMember(), await suspend(await newAdmin())];
      await changesNothing(async () => {
        for (const who of [owner, stranger]) {
          expect(await refusal(decide(who, owner.startup.id, 'verified'))).toEqual(FORBIDDEN);
        }
        expect(await refusal(decide(admin, owner.startup.id, 'verified'))).toEqual(SUSPENDED);
        expect(
          await refusal(asAnon().rpc('set_startup_status', { p_startup_id: owner.startup.id, p_status: 'verified' })),
        ).toMatchObject({ status: 401 });
      });
    }));
});

test('C-56 a logo can be removed by its uploader once no project shows it, and not before', async () => {
  const [owner, stranger] = await Promise.all([newOwner(), newMember()]);
  const logos = owner.client.storage.from('project-logos');
  const path = `${owner.id}/${owner.id}_1.png`;
  const png = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], { type: 'image/png' });
  expect((await logos.upload(path, png)).error).toBeNull();
  await unwrap(markVerified('project-logos', path));
  const { publicUrl } = logos.getPublicUrl(path).data;
  const isThere = async () => (await fetch(publicUrl)).ok;
  const save = (p_logo_url: string) =>
    unwrap(
      owner.client.rpc('update_startup_profile', {
        p_startup_id: owner.startup.id,
        p_name: owner.startup.name,
        p_logo_url,
      }),
    );

  await save(publicUrl);
  await logos.remove([path]);
  expect(await isThere()).toBe(true);
  await save('https://elsewhere.example/logo.png');
  await stranger.client.storage.from('project-logos').remove([path]);
  expect(await isThere()).toBe(true);
  await logos.remove([path]);
  expect(await isThere()).toBe(false);
});
