import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
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
import { runPeriodicJob, runPeriodicJobs } from './support/periodic-jobs.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const save = (who: Member, id: string, isSaved = true) =>
  who.client.rpc('set_quest_saved', { p_campaign_id: id, p_is_saved: isSaved });
const follow = (who: Member, id: string, isFollowed = true) =>
  who.client.rpc('set_project_followed', { p_startup_id: id, p_is_followed: isFollowed });
const saved = async (who: Member) => (await unwrap(who.client.rpc('list_saved_quests', {}))).map(({ id }) => id);
const followed = async (who: Member) =>
  (await unwrap(who.client.rpc('list_followed_projects', {}))).map(({ id }) => id);
const followedRows = async (who: Member) =>
  (await unwrap(who.client.from('followed_projects').select('startup_id'))).map(({ startup_id }) => startup_id);
const told = async (who: Member) =>
  (await unwrap(who.client.rpc('list_notifications', { p_limit: 50 })))
    .filter(({ type }) => type === 'QuestPublished')
    .map(({ data }) => data);

/** What is reported of the job that announces quests. */
const failed = async () =>
  (await sql().query("select last_error from private.failed_jobs where job = 'announce_quests'")).rows;

describe('BEY-18 saved quests', () => {
  test('are private, listed last saved first, and saved or removed once however often one presses', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const [first, second] = [await newQuest(await newOwner()), await newQuest(await newOwner())];
    for (const { campaign } of [first, first, second]) expect(await unwrap(save(member, campaign.id))).toBe(true);
    expect(await saved(member)).toEqual([second.campaign.id, first.campaign.id]);
    expect(await saved(other)).toEqual([]);
    const [page] = await unwrap(member.client.rpc('list_saved_quests', { p_limit: 1 }));
    const next = await unwrap(member.client.rpc('list_saved_quests', { p_cursor: page?.cursor ?? '' }));
    expect(next.map(({ id }) => id)).toEqual([first.campaign.id]);
    await unwrap(save(other, second.campaign.id));
    for (const _ of [1, 2]) expect((await save(member, second.campaign.id, false)).data).toBe(false);
    expect((await save(member, second.campaign.id, null as never)).data).toBe(false);
    expect(await saved(member)).toEqual([first.campaign.id]);
    expect(await saved(other)).toEqual([second.campaign.id]);
  });

  test('leave the list while the quest is not public; such a quest cannot be saved, but removed', async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    const { campaign } = await newQuest(owner);
    await unwrap(save(member, campaign.id));
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect(await saved(member)).toEqual([]);
    const late = await newMember();
    const refused = { status: 404, code: 'CAMPAIGN_NOT_FOUND', message: 'Campaign not found' };
    for (const id of [campaign.id, randomUUID()]) expect(await refusal(save(late, id))).toEqual(refused);
    // The draft's words are private to the owner.
    await sql().query("update public.campaigns set title = 'Secret plan' where id = $1", [campaign.id]);
    const data = await unwrap(member.client.rpc('get_own_data'));
    expect(data).toMatchObject({ saved_quests: [{ campaign_id: campaign.id, quest: null }] });
    expect(JSON.stringify(data)).not.toContain('Secret plan');
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    expect(await saved(member)).toEqual([campaign.id]);
    expect((await save(member, campaign.id, false)).data).toBe(false);
  });

  test('are limited to 500, also under concurrent saves; saving one again does not count', async () => {
    const member = await newMember();
    const { campaign } = await newQuest(await newOwner());
    const spare = [await newQuest(await newOwner()), await newQuest(await newOwner())];
    await unwrap(save(member, campaign.id));
    await sql().query(
      `with made as (
         insert into public.campaigns (startup_id, title) select $2, 'Draft ' || n from generate_series(1, 498) n returning id
       ) insert into public.saved_quests (user_id, campaign_id) select $1, id from made`,
      [member.id, campaign.startup_id],
    );
    const first = await sql().connect();
    try {
      await first.query('begin');
      await actAs(first, member);
      await first.query('select public.set_quest_saved($1, true)', [spare[0]?.campaign.id]);
      const second = refusal(save(member, spare[1]?.campaign.id ?? ''));
      await untilWaiting();
      await first.query('commit');
      expect(await second).toMatchObject({ status: 409, code: 'SAVED_LIMIT' });
    } finally {
      await first.query('rollback');
      first.release();
    }
    expect(await unwrap(save(member, campaign.id))).toBe(true);
  });

  test('SEC-07 TRUST-18 are refused to visitors and suspended members', async () => {
    const { campaign } = await newQuest(await newOwner());
    const suspended = await suspend(await newMember());
    const anon = asAnon();
    expect((await refusal(anon.rpc('set_quest_saved', { p_campaign_id: campaign.id, p_is_saved: true }))).status).toBe(
      401,
    );
    expect((await refusal(anon.rpc('list_saved_quests', {}))).status).toBe(401);
    expect((await refusal(anon.rpc('list_followed_projects', {}))).status).toBe(401);
    expect((await refusal(save(suspended, campaign.id))).code).toBe('SUSPENDED');
    expect((await refusal(follow(suspended, campaign.startup_id))).code).toBe('SUSPENDED');
  });
});

describe('BEY-18 followed projects', () => {
  test('are private, listed last followed first; only public ones can be followed', async () => {
    const [member, owner, hidden, second] = [await newMember(), await newOwner(), await newOwner(), await newOwner()];
    for (const _ of [1, 2]) expect(await unwrap(follow(member, owner.startup.id))).toBe(true);
    expect(await followed(member)).toEqual([owner.startup.id]);
    for (const list of [followed, followedRows]) expect(await list(owner)).toEqual([]);
    await sql().query("update public.startup_profiles set status = 'rejected' where id = $1", [hidden.startup.id]);
    for (const id of [hidden.startup.id, randomUUID()]) {
      expect((await refusal(follow(member, id))).code).toBe('STARTUP_NOT_FOUND');
    }
    expect(await unwrap(member.client.rpc('get_own_data'))).toMatchObject({
      followed_projects: [{ startup_id: owner.startup.id, project: owner.startup.name }],
    });
    await unwrap(follow(member, second.startup.id));
    expect(await followed(member)).toEqual([second.startup.id, owner.startup.id]);
    const [page] = await unwrap(member.client.rpc('list_followed_projects', { p_limit: 1 }));
    const { id, name, industry, logo_url } = second.startup;
    expect(page).toMatchObject({ id, name, industry, logo_url });
    const next = await unwrap(member.client.rpc('list_followed_projects', { p_cursor: page?.cursor ?? '' }));
    expect(next.map((project) => project.id)).toEqual([owner.startup.id]);
    const other = await newMember();
    await unwrap(follow(other, owner.startup.id));
    for (const _ of [1, 2]) expect((await follow(member, owner.startup.id, false)).data).toBe(false);
    for (const list of [followed, followedRows]) {
      expect([await list(member), await list(other)]).toEqual([[second.startup.id], [owner.startup.id]]);
    }
  });

  test('are limited to 500; following one again does not count', async () => {
    const [member, owner, other] = [await newMember(), await newOwner(), await newOwner()];
    await unwrap(follow(member, owner.startup.id));
    await sql().query(
      `with owners as (
         insert into public.user_profiles (user_id, username) select 'followed_' || n, 'followed_' || n
         from generate_series(1, 499) n returning user_id
       ), projects as (
         insert into public.startup_profiles (owner_user_id, name, industry) select user_id, user_id, 'SaaS' from owners returning id
       ) insert into public.followed_projects (user_id, startup_id) select $1, id from projects`,
      [member.id],
    );
    expect(await refusal(follow(member, other.startup.id))).toEqual({
      status: 409,
      code: 'FOLLOWED_LIMIT',
      message: 'You can follow up to 500 projects. Please unfollow one first.',
    });
    expect(await unwrap(follow(member, owner.startup.id))).toBe(true);
    await follow(member, owner.startup.id, false);
    expect(await unwrap(follow(member, other.startup.id))).toBe(true);
  });

  test('leave the list while the project is not public, and can be unfollowed all the same', async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    await unwrap(follow(member, owner.startup.id));
    const setStatus = (status: string) =>
      sql().query('update public.startup_profiles set status = $2 where id = $1', [owner.startup.id, status]);
    await setStatus('rejected');
    expect(await followed(member)).toEqual([]);
    expect(await followedRows(member)).toEqual([owner.startup.id]);
    await setStatus('verified');
    expect(await followed(member)).toEqual([owner.startup.id]);
    await setStatus('rejected');
    expect((await follow(member, owner.startup.id, false)).data).toBe(false);
    await setStatus('verified');
    expect(await followed(member)).toEqual([]);
  });

  test('BEY-03 a new quest is announced to followers, once, however often it is published', async () => {
    const [member, stranger, suspended, owner] = [
      await newMember(),
      await newMember(),
      await newMember(),
      await newOwner(),
    ];
    for (const who of [member, suspended, owner]) await unwrap(follow(who, owner.startup.id));
    await suspend(suspended);
    const { campaign } = await newQuest(owner);
    await unwrap(follow(stranger, owner.startup.id));
    await runPeriodicJobs();
    const news = [{ campaign_id: campaign.id, quest: campaign.title, project: owner.startup.name }];
    expect(await told(member)).toEqual(news);
    await runPeriodicJobs();
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    await runPeriodicJobs();
    expect(await told(member)).toEqual(news);
    for (const who of [stranger, owner, suspended]) expect(await told(who)).toEqual([]);
    // A new follower is not told about existing quests, whether these have been announced or not.
    for (const isFollowed of [false, true]) await follow(stranger, owner.startup.id, isFollowed);
    await runPeriodicJobs();
    expect(await told(stranger)).toEqual([]);
  });

  test('TRUST-27 a project is announced once in six hours, however many quests it creates and deletes; the others wait', () =>
    withSettings({ trial_quest_limit: 10 }, async () => {
      const [member, owner] = [await newMember(), await newOwner()];
      await unwrap(follow(member, owner.startup.id));
      const create = async () => (await newQuest(owner, { task: { max_completions: 1 } })).campaign.id;
      const waiting = await create();
      for (const _ of [1, 2]) {
        const id = await create();
        await runPeriodicJobs();
        await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: id }));
        expect((await owner.client.rpc('delete_campaign', { p_campaign_id: id })).error).toBeNull();
      }
      expect(await told(member)).toHaveLength(1);
      const letPass = (time: string) =>
        sql().query('update private.quest_announcements set announced_at = announced_at - $1::interval', [time]);
      await letPass('5 hours 59 minutes');
      await runPeriodicJobs();
      expect(await told(member)).toHaveLength(1);
      await letPass('1 minute');
      await runPeriodicJobs();
      expect(await told(member)).toMatchObject([{ campaign_id: waiting }, {}]);
    }));

  test('TRUST-27 two workers at the same moment announce one quest of a project', () =>
    withSettings({ trial_quest_limit: 10 }, async () => {
      const [member, owner] = [await newMember(), await newOwner()];
      await unwrap(follow(member, owner.startup.id));
      await newQuest(owner, { task: { max_completions: 1 } });
      const worker = await sql().connect();
      try {
        await worker.query('begin');
        await worker.query('select private.announce_quests()');
        await newQuest(owner, { task: { max_completions: 1 } });
        await runPeriodicJobs();
        await worker.query('commit');
      } finally {
        await worker.query('rollback');
        worker.release();
      }
      expect(await told(member)).toHaveLength(1);
    }));

  test('BEY-03 very many followers are told piece by piece, each once, also when the worker dies between two', async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    const worker = await sql().connect();
    const told = async () =>
      (
        await worker.query<{ user_id: string; times: number }>(
          "select user_id, count(*)::integer as times from public.outbox_events where payload ->> 'campaign_id' = $1 group by 1",
          [campaign.id],
        )
      ).rows;
    const setStatus = (status: string) =>
      worker.query('update public.campaigns set status = $2 where id = $1', [campaign.id, status]);
    try {
      await worker.query('begin');
      await worker.query(
        `with fans as (
           insert into public.user_profiles (user_id, email, username, display_name)
           select 'user_fan_' || n, 'fan' || n || '@example.com', 'fan' || n, 'Fan' from generate_series(1, 1500) n returning user_id
         )
         insert into public.followed_projects (user_id, startup_id, followed_at) select user_id, $1, now() - interval '1 day' from fans
           union all select $3::text, $1::uuid, published_at from public.campaigns where id = $2`,
        [owner.startup.id, campaign.id, (await newMember()).id],
      );
      const tick = () => worker.query("select private.announce_quests('0 seconds')");
      // Other quests of this file may come first.
      while ((await told()).length === 0) await tick();
      expect(await told()).toHaveLength(1000);
      await worker.query('savepoint before');
      await tick();
      await worker.query('rollback to savepoint before');
      // While it is not public, nobody else is told.
      await setStatus('draft');
      await tick();
      expect(await told()).toHaveLength(1000);
      await setStatus('published');
      for (const _ of [1, 2]) await tick();
      const all = await told();
      expect([all.length, all.every(({ times }) => times === 1)]).toEqual([1500, true]);
      // By default nobody wants this by mail, so other mails do not wait behind these events.
      const waiting = await worker.query(
        "select 1 from public.outbox_events where processed_at is null and payload ->> 'campaign_id' = $1",
        [campaign.id],
      );
      expect(waiting.rowCount).toBe(0);
    } finally {
      await worker.query('rollback');
      worker.release();
    }
  });

  test('BEY-03 C-50 a follower who cannot be told keeps no other waiting, is reported, and is told once it is possible', async () => {
    const [broken, member, owner] = [await newMember(), await newMember(), await newOwner()];
    for (const who of [broken, member]) await unwrap(follow(who, owner.startup.id));
    const { campaign } = await newQuest(owner);
    const news = [{ campaign_id: campaign.id, quest: campaign.title, project: owner.startup.name }];
    await whileDamaged('insert on public.notifications', `new.user_id = '${broken.id}'`, async () => {
      for (const _ of [1, 2]) await runPeriodicJob('announce_quests');
      expect([await told(broken), await told(member)]).toEqual([[], news]);
      expect(await failed()).toEqual([{ last_error: `P0001 followers of quest ${campaign.id}` }]);
    });
    for (const _ of [1, 2]) await runPeriodicJobs();
    expect([await told(broken), await told(member), await failed()]).toEqual([news, news, []]);
  });

  test('BEY-03 C-50 a quest that cannot be announced keeps no other waiting, and is announced once it is possible', async () => {
    const [member, first, second] = [await newMember(), await newOwner(), await newOwner()];
    for (const { startup } of [first, second]) await unwrap(follow(member, startup.id));
    await newQuest(first);
    const broken = await newQuest(second);
    const names = async () => (await told(member)).map((data) => (data as { project: string }).project);
    await whileDamaged(
      'insert on private.quest_announcements',
      `new.campaign_id = '${broken.campaign.id}'`,
      async () => {
        for (const _ of [1, 2]) await runPeriodicJob('announce_quests');
        expect(await names()).toEqual([first.startup.name]);
        expect(await failed()).toEqual([{ last_error: `P0001 quest ${broken.campaign.id}` }]);
        // While it fails, what is new comes before it.
        const third = await newOwner();
        await unwrap(follow(member, third.startup.id));
        await newQuest(third);
        await sql().query("select private.announce_quests('0 seconds')");
        expect(await names()).toEqual([third.startup.name, first.startup.name]);
      },
    );
    await runPeriodicJobs();
    expect([(await names())[0], await failed()]).toEqual([second.startup.name, []]);
  });

  test('BEY-03 a quest is announced, however many newer ones have been announced already', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const { campaign } = await newQuest(owner);
    const announced = await rolledBack(async (client) => {
      await client.query('set local session_replication_role = replica');
      // As many as one tick looks at.
      await client.query(
        `with newer as (
           insert into public.campaigns (startup_id, title, status, published_at, total_slots)
           select $1, 'Newer', 'published', now(), 1 from generate_series(1, 1000) returning id, startup_id
         ) insert into private.quest_announcements (campaign_id, startup_id) select id, startup_id from newer`,
        [other.startup.id],
      );
      await client.query("select private.announce_quests('1 minute')");
      return client.query('select 1 from private.quest_announcements where campaign_id = $1', [campaign.id]);
    });
    expect(announced.rowCount).toBe(1);
  });

  test('BEY-03 TRUST-18 quests that are held, not started, or of a suspended owner are not announced', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    const [held, suspended, scheduled] = [await newOwner(), await newOwner(), await newOwner()];
    for (const { startup } of [held, suspended, scheduled]) await unwrap(follow(member, startup.id));
    const quest = await newQuest(held);
    await newQuest(suspended);
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    const later = await newQuest(scheduled, { campaign: { starts_at } });
    await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: quest.campaign.id, p_reason: 'Spam' }));
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: suspended.id, p_reason: 'Spam' }));
    await runPeriodicJobs();
    expect(await told(member)).toEqual([]);
    await sql().query("update public.campaigns set starts_at = now() - interval '1 second' where id = $1", [
      later.campaign.id,
    ]);
    await runPeriodicJobs();
    expect(await told(member)).toMatchObject([{ campaign_id: later.campaign.id }]);
  });

  test('BEY-03 are announced by mail only to members who enable it', async () => {
    const [member, reader, owner] = [await newMember(), await newMember(), await newOwner()];
    for (const who of [member, reader]) await unwrap(follow(who, owner.startup.id));
    const preferences = await unwrap(member.client.rpc('get_notification_preferences'));
    expect(preferences).toContainEqual({ kind: 'quest_published', is_mailed: false });
    const enabled = { p_kind: 'quest_published', p_is_mailed: true };
    await reader.client.rpc('set_notification_preference', enabled).throwOnError();
    await newQuest(owner);
    await runPeriodicJobs();
    const { rows } = await sql().query(
      "select user_id, processed_at is null as is_waiting from public.outbox_events where type = 'QuestPublished' and user_id = any ($1)",
      [[member.id, reader.id]],
    );
    expect(new Map(rows.map(({ user_id, is_waiting }) => [user_id, is_waiting]))).toEqual(
      new Map([
        [member.id, false],
        [reader.id, true],
      ]),
    );
  });
});
