import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql, testEnv } from '../../local/testing/clients.ts';
import { newAdmin, newMember, newOwner, newQuest, refusal, unwrap, withSettings } from './support/factories.ts';
import { fillQuest } from './support/many-submissions.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const facts = async (p_kind: string, p_key?: string) => {
  const rows = await unwrap(asAnon().rpc('get_page_facts', { p_kind, p_key }, { get: true }));
  expect(rows).toHaveLength(1);
  return rows[0];
};
const stateOf = async (id: string) => (await facts('quest', id))?.state;
const listed = async (p_kind: string, page: { p_page?: number; p_size?: number } = {}) =>
  ((await unwrap(asAnon().rpc('list_public_pages', { p_kind, ...page }, { get: true }))) as [string, string][]).map(
    ([id]) => id,
  );

/** A published quest with its own owner: in beta each has one. */
async function ownQuest() {
  const owner = await newOwner();
  const { campaign } = await newQuest(owner);
  return { ...owner, owner: owner.id, id: campaign.id, args: { p_campaign_id: campaign.id } };
}

describe('BEY-17 page metadata', () => {
  test('C-70 of a published quest: its text, its project and what one member can still earn', async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner, {
      campaign: { summary: 'Say what you saw.' },
      task: { reward_points: 40 },
    });
    // A second task, without points, for more members than the first.
    await fillQuest(campaign.id, { tasks: 1, rows: 0 });
    expect(await facts('quest', campaign.id)).toEqual({
      ...{ state: 'shown', key: campaign.id, title: campaign.title, summary: 'Say what you saw.', is_listed: true },
      ...{ project_id: owner.startup.id, project_name: owner.startup.name, logo_url: null },
      ...{ reward_points: 40, reward_title: null, description: campaign.details_md, open_quests: null, level: null },
      ...{
        task_count: 2,
        max_participants: 1000,
        review_hours: null,
        preview: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
    expect(await facts('quest', campaign.id.toUpperCase())).toMatchObject({ state: 'shown', key: campaign.id });
  });

  test('says gone for a formerly public quest that is deleted, closed or held, and missing for drafts and unknown ids', async () => {
    const [deleted, closed, held, draft] = [await ownQuest(), await ownQuest(), await ownQuest(), await ownQuest()];
    await deleted.client.rpc('delete_campaign', deleted.args).throwOnError();
    await unwrap(closed.client.rpc('close_campaign', closed.args));
    const { client: admin } = await newAdmin();
    await unwrap(admin.rpc('unpublish_campaign', { ...held.args, p_reason: 'It is unlawful.' }));
    await unwrap(draft.client.rpc('unpublish_campaign', draft.args));
    for (const { id } of [deleted, closed, held]) {
      expect(await facts('quest', id)).toMatchObject({ state: 'gone', title: null, summary: null, is_listed: false });
    }
    expect(await stateOf(draft.id)).toBe('missing');
    await draft.client.rpc('delete_campaign', draft.args).throwOnError();
    expect(await stateOf(draft.id)).toBe('gone');
    expect(await facts('project', deleted.id)).toMatchObject({ state: 'missing' });
    for (const key of [randomUUID(), 'nonsense', '', "' or true --", '%']) expect(await stateOf(key)).toBe('missing');
    expect(await facts('startup_profiles', draft.startup.id)).toMatchObject({ state: 'missing', title: null });
  });

  test('reveals nothing about a quest that was never public', async () => {
    const { startup } = await newOwner();
    const { rows } = await sql().query<{ id: string }>(
      `insert into public.campaigns (startup_id, title) values ($1, 'Never public') returning id`,
      [startup.id],
    );
    const id = rows[0]?.id ?? '';
    expect(await stateOf(id)).toBe('missing');
    await sql().query(`update public.campaigns set status = 'closed' where id = $1`, [id]);
    expect(await stateOf(id)).toBe('missing');
    await sql().query('delete from public.campaigns where id = $1', [id]);
    expect(await stateOf(id)).toBe('missing');
  });

  test('describes a project or a public profile while visitors may see it, and says missing otherwise', async () => {
    const owner = await newOwner();
    const quest = await newQuest(owner);
    const { client: admin } = await newAdmin();
    const member = await newMember();
    const handle = `ada-${randomUUID().slice(0, 8)}`;
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
    await sql().query("update public.startup_profiles set description = 'We make maps.' where id = $1", [
      owner.startup.id,
    ]);
    expect(await facts('project', owner.startup.id)).toMatchObject({
      ...{ state: 'shown', title: owner.startup.name, is_listed: true },
      ...{ summary: 'We make maps.', description: 'We make maps.' },
    });
    expect(await facts('member', handle.toUpperCase())).toMatchObject({ state: 'shown', key: handle });
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle, p_is_public: false }));
    await unwrap(admin.rpc('suspend_user', { p_user_id: owner.id, p_reason: 'Fraud' }));
    expect(await facts('project', owner.startup.id)).toMatchObject({ state: 'missing', title: null, summary: null });
    expect(await facts('member', handle)).toMatchObject({ state: 'missing', title: null });
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
    expect(await facts('member', handle)).toMatchObject({ state: 'shown' });
    await unwrap(admin.rpc('suspend_user', { p_user_id: member.id, p_reason: 'Fraud' }));
    expect(await facts('member', handle)).toMatchObject({ state: 'missing', title: null });
    expect(await facts('quest', quest.campaign.id)).toMatchObject({ state: 'gone', project_name: null });
  });

  test('C-70 the preview image of a quest gets a new name when its content changes, and only then', async () => {
    const { id, startup } = await ownQuest();
    const name = async () => (await facts('quest', id))?.preview;
    const names = [await name()];
    await sql().query("update public.campaigns set summary = 'Other words', details_md = 'No picture' where id = $1", [
      id,
    ]);
    expect(await name()).toBe(names[0]);
    for (const change of [
      `update public.campaigns set title = 'Another' where id = '${id}'`,
      `update public.campaigns set custom_reward_title = 'A mug' where id = '${id}'`,
      `update public.campaigns set open_reward_points = open_reward_points + 1 where id = '${id}'`,
      `update public.startup_profiles set name = 'Renamed ${id}' where id = '${startup.id}'`,
      `update public.startup_profiles set logo_url = '/logo.png' where id = '${startup.id}'`,
    ]) {
      await sql().query(change);
      names.push(await name());
    }
    expect(new Set(names).size).toBe(6);
    await sql().query('update public.campaigns set open_reward_points = open_reward_points - 1 where id = $1', [id]);
  });

  test("BEY-17 that of a project, a member or an invitation does so with their name, and with the project's open quests, the level and the points", async () => {
    const { id, startup, args, client } = await ownQuest();
    const handle = `p-${randomUUID().slice(0, 8)}`;
    await unwrap(client.rpc('set_public_profile', { p_handle: handle }));
    const name = async (kind: string, key: string) => (await facts(kind, key))?.preview;
    const changed = async (kind: string, key: string, change: () => Promise<unknown>) => {
      const before = await name(kind, key);
      expect(await name(kind, key)).toBe(before);
      await change();
      return (await name(kind, key)) !== before;
    };
    const project = (change: string) => () =>
      sql().query(`update public.startup_profiles set ${change} where id = $1`, [startup.id]);
    expect(await changed('project', startup.id, project("description = 'Other words'"))).toBe(false);
    expect(await changed('project', startup.id, project(`name = 'Renamed ${id}'`))).toBe(true);
    expect(await changed('project', startup.id, project("logo_url = '/logo.png'"))).toBe(true);
    expect(await changed('project', startup.id, () => unwrap(client.rpc('unpublish_campaign', args)))).toBe(true);
    const profile = { p_username: '', p_display_name: 'Ada' };
    expect(await changed('member', handle, () => unwrap(client.rpc('update_profile', profile)))).toBe(true);
    const credit = (p_points: number) => async () =>
      unwrap(
        asService().rpc('credit_points_safe', { p_user_id: startup.owner_user_id, p_points, p_description: 'Test' }),
      );
    expect(await changed('member', handle, credit(999))).toBe(false);
    expect(await changed('member', handle, credit(1))).toBe(true);
    const invitation = await name('invitation', 'NOBODY');
    await withSettings({ referred_points: 7 }, async () => {
      expect(await name('invitation', 'NOBODY')).not.toBe(invitation);
    });
  });

  test("BEY-22 REWARD-02 contains the review promise if people review, a project's open quests, a member's level", async () => {
    const { id, startup, args, client } = await ownQuest();
    // The page, the card and the project's page say the same.
    const promised = async () => [
      (await facts('quest', id))?.review_hours,
      (await unwrap(asAnon().rpc('list_published_quests', { p_startup_id: startup.id })))[0]?.review_hours,
      (await unwrap(asAnon().rpc('get_project_promises', { p_startup_id: startup.id })))[0]?.most_review_hours,
    ];
    expect(await facts('quest', id)).toMatchObject({ max_participants: 5 });
    expect(await promised()).toEqual([null, null, 0]);
    await withSettings({ beta_mode: false }, async () => {
      expect(await promised()).toEqual([72, 72, 72]);
      await sql().query(
        "update public.tasks set verification = 'automatic', requires_proof = false where campaign_id = $1",
        [id],
      );
      expect(await promised()).toEqual([null, null, 0]);
    });
    expect(await facts('project', startup.id)).toMatchObject({ open_quests: 1 });
    await unwrap(client.rpc('unpublish_campaign', args));
    expect(await facts('project', startup.id)).toMatchObject({ open_quests: 0 });
    const [member, full] = [await newMember(), await newOwner()];
    const { taskId } = await newQuest(full, { task: { max_completions: 1 } });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
    expect(await facts('project', full.startup.id)).toMatchObject({ open_quests: 0 });
    const handle = `l-${randomUUID().slice(0, 8)}`;
    await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
    expect(await facts('member', handle)).toMatchObject({ level: 1 });
    const credit = async (p_points: number) => {
      const args = { p_user_id: member.id, p_points, p_description: 'Test' };
      await unwrap(asService().rpc('credit_points_safe', args));
      return (await facts('member', handle))?.level;
    };
    // 10 points are the proof's.
    expect([await credit(989), await credit(1)]).toEqual([1, 2]);
  });

  test('C-47 an invitation looks the same for every code', async () => {
    const points = { state: 'shown', reward_points: 250, title: null, is_listed: false };
    expect(await facts('invitation', 'NOBODY')).toMatchObject(points);
    expect(await facts('invitation')).toMatchObject(points);
  });

  test('may be kept by shared caches', async () => {
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const cacheControl = async (path: string) =>
      (await fetch(`${SUPABASE_URL}/rest/v1/rpc/${path}`, { headers: { apikey: SUPABASE_ANON_KEY } })).headers.get(
        'cache-control',
      );
    expect(await cacheControl('get_page_facts?p_kind=quest')).toBe('public, max-age=0, s-maxage=60');
    expect(await cacheControl('count_public_pages')).toBe('public, max-age=0, s-maxage=300');
    expect(await cacheControl('list_public_pages?p_kind=quests')).toBe('public, max-age=0, s-maxage=300');
  });
});

describe('BEY-17 the sitemap', () => {
  test('lists at once what visitors can find: nothing unpublished, not yet started, ended or of a suspended owner', async () => {
    const quests = [await ownQuest(), await ownQuest(), await ownQuest(), await ownQuest()] as const;
    const [open, draft, later, ended] = quests;
    await sql().query(
      `update public.campaigns set starts_at = now(), ends_at = now() + interval '1 day' where id = $1`,
      [open.id],
    );
    const found = async () => (await listed('quests')).filter((id) => quests.some((quest) => quest.id === id));
    expect(await found()).toEqual(quests.map(({ id }) => id));
    await unwrap(draft.client.rpc('unpublish_campaign', draft.args));
    await sql().query(`update public.campaigns set starts_at = now() + interval '1 day' where id = $1`, [later.id]);
    await sql().query(`update public.campaigns set ends_at = now() - interval '1 second' where id = $1`, [ended.id]);
    expect(await found()).toEqual([open.id]);
    for (const [quest, is_listed] of [
      [open, true],
      [later, false],
      [ended, false],
    ] as const) {
      expect(await facts('quest', quest.id)).toMatchObject({ state: 'shown', is_listed });
      expect(await facts('project', quest.startup.id)).toMatchObject({ open_quests: is_listed ? 1 : 0 });
    }
    expect(await listed('projects')).toContain(open.startup.id);
    const { client: admin } = await newAdmin();
    await unwrap(admin.rpc('suspend_user', { p_user_id: open.owner, p_reason: 'Fraud' }));
    expect(await found()).toEqual([]);
    expect(await listed('projects')).not.toContain(open.startup.id);
  });

  test('pages follow each other without gap or repetition, and end', async () => {
    const made = [await ownQuest(), await ownQuest(), await ownQuest()].map(({ startup }) => startup.id);
    expect((await listed('projects')).filter((id) => made.includes(id))).toEqual(made);
    for (const kind of ['quests', 'projects']) {
      const whole = await listed(kind);
      const pieces: string[] = [];
      for (let p_page = 1; p_page <= whole.length / 2 + 1; p_page++)
        pieces.push(...(await listed(kind, { p_page, p_size: 2 })));
      expect(pieces).toEqual(whole);
      expect(await listed(kind, { p_page: 0, p_size: 2 })).toEqual(whole.slice(0, 2));
    }
    const { rows } = await sql().query(
      "select count(*)::integer as n from public.campaigns where status = 'published'",
    );
    const [counts] = await unwrap(asAnon().rpc('count_public_pages'));
    expect(counts).toEqual({ quests: rows[0].n, projects: (await listed('projects')).length });
    for (const p_size of [0, 50_001]) {
      expect(await refusal(asAnon().rpc('list_public_pages', { p_kind: 'quests', p_size }))).toMatchObject({
        status: 400,
        code: 'INVALID_LIMIT',
      });
    }
  });

  test('gives the day of the last change in UTC, whatever time zone the request asks for', async () => {
    const { id, startup } = await ownQuest();
    await sql().query("update public.campaigns set updated_at = '2026-01-31 23:30+00' where id = $1", [id]);
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const answer = await fetch(`${SUPABASE_URL}/rest/v1/rpc/list_public_pages?p_kind=quests`, {
      headers: { apikey: SUPABASE_ANON_KEY, prefer: 'timezone=Pacific/Auckland' },
    });
    expect(((await answer.json()) as string[][]).find(([quest]) => quest === id)).toEqual([id, '2026-01-31']);
    const projects = await rolledBack(async (client) => {
      await client.query("set local session_replication_role = replica; set local time zone 'Pacific/Auckland'");
      await client.query("update public.startup_profiles set updated_at = '2026-01-31 23:30+00' where id = $1", [
        startup.id,
      ]);
      return (await client.query("select public.list_public_pages('projects') as pages")).rows[0].pages as string[][];
    });
    expect(projects).toContainEqual([startup.id, '2026-01-31']);
  });

  test('BEY-08 does not reveal who has a profile', async () => {
    for (const kind of ['members', 'member_profiles', 'user_profiles', '']) expect(await listed(kind)).toEqual([]);
  });
});
