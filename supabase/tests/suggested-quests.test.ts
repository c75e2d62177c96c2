import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newMember,
  newOwner,
  newQuest,
  type Quest,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const suggested = (who: Member, limit = 12) => unwrap(who.client.rpc('list_suggested_quests', { p_limit: limit }));
const submit = (who: Member, taskId: string) =>
  unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
/** A quest of a project that is no longer new. */
const oldQuest = async (title: string, industry = 'Other'): Promise<Quest> => {
  const owner = await newOwner();
  await sql().query(
    "update public.startup_profiles set reviewed_at = now() - interval '90 days', industry = $2 where id = $1",
    [owner.startup.id, industry],
  );
  return newQuest(owner, { campaign: { title } });
};

describe('BEY-18 suggested quests', () => {
  test('a member who did three design quests sees at least five of eight design quests first, with the reason', async () => {
    const member = await newMember();
    for (const title of ['Design a poster', 'A better design', 'Judge our design']) {
      const { taskId } = await oldQuest(title);
      await submit(member, taskId);
    }
    const design = new Set<string>();
    for (const what of ['a cup', 'the lid', 'our logo', 'an icon', 'a chair', 'the menu', 'a badge', 'a map']) {
      design.add((await oldQuest(`Design ${what}`)).campaign.id);
    }
    // Newer ones, which come first for everybody else.
    for (const what of ['Taste', 'Count', 'Visit', 'Write', 'Listen', 'Compare', 'Answer', 'Watch']) {
      await oldQuest(`${what} something`);
    }
    const rows = await suggested(member, 8);
    const first = rows.slice(0, 8).filter(({ id }) => design.has(id));
    expect(first.length).toBeGreaterThanOrEqual(5);
    expect(design.has(rows[0]?.id ?? '')).toBe(true);
    expect(new Set(first.map(({ reason, reason_subject }) => `${reason} ${reason_subject}`))).toEqual(
      new Set(['topic design']),
    );
    const other = await suggested(await newMember(), 8);
    expect(other.filter(({ id }) => design.has(id)).length).toBeLessThan(5);
  });

  test("a topic is a word of four letters or more that two of the member's completed quests share", async () => {
    const member = await newMember();
    for (const title of ['Taste rye in your bread', 'Grow your rye', 'Mend a boat', 'Row a boat']) {
      await submit(member, (await oldQuest(title)).taskId);
    }
    const shared = await oldQuest('Paint a boat');
    // The first two share a word, too, but one that says nothing.
    const others = [await oldQuest('Mill rye'), await oldQuest('Mend a sail'), await oldQuest('Feed your cat')];
    const rows = await suggested(member);
    const reasonOf = ({ campaign }: Quest) => rows.find(({ id }) => id === campaign.id)?.reason;
    expect(reasonOf(shared)).toBe('topic');
    for (const other of others) expect(reasonOf(other)).not.toBe('topic');
  });

  test('the topics are the eight words that most quests share which the member has completed or saved', async () => {
    const member = await newMember();
    const { startup } = await newOwner();
    /** The topics of a member with these quests, each of one task: [title, status, status of their proof; null: saved without one]. */
    const topicsOf = (...quests: [title: string, status?: string, proof?: string | null][]) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        for (const [title, status = 'closed', proof = 'approved'] of quests) {
          const { rows } = await client.query(
            'insert into public.campaigns (startup_id, title, status) values ($1, $2, $3) returning id',
            [startup.id, title, status],
          );
          await (proof === null
            ? client.query('insert into public.saved_quests (user_id, campaign_id) values ($1, $2)', [
                member.id,
                rows[0].id,
              ])
            : client.query(
                `insert into public.submissions (user_id, campaign_id, task_id, status, reward_points, proof_text)
                 values ($1, $2, gen_random_uuid(), $3, 1, 'Done')`,
                [member.id, rows[0].id, proof],
              ));
        }
        const { rows } = await client.query('select word, quests::integer from private.quest_topics($1)', [member.id]);
        return rows.map(({ word, quests }) => `${word} ${quests}`);
      });
    const words = 'alpha bravo charlie delta echoed foxtrot golf hotel';
    expect(await topicsOf([`${words} zebra`], [`${words} zebra`], ['zebra', 'closed', null])).toEqual([
      'zebra 3',
      ...['alpha', 'bravo', 'charlie', 'delta', 'echoed', 'foxtrot', 'golf'].map((word) => `${word} 2`),
    ]);
    // A quest whose title repeats a word is one quest.
    expect(await topicsOf(['Chess, chess'], ['Tune, tune'], ['Tune'])).toEqual(['tune 2']);
    expect(await topicsOf(['A quest for gold'], ['Quest: gold'])).toEqual(['gold 2']);
    expect(await topicsOf(['Bread'], ['Bread', 'closed', 'pending'], ['Bread', 'draft', null])).toEqual([]);
  });

  test('two tasks of one quest are no history: an industry counts from its second quest on', async () => {
    const member = await newMember();
    const owner = await newOwner();
    await sql().query("update public.startup_profiles set industry = 'Travel' where id = $1", [owner.startup.id]);
    const { campaign, taskId } = await newQuest(owner, { campaign: { title: 'Knit socks' } });
    const task = { title: 'T', instructions_md: 'I', reward_points: 10, max_completions: 3 };
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Knit socks', summary: 'S', budget_points: 500 },
        p_tasks: [{ ...task, id: taskId }, task],
      }),
    );
    const tasks = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', campaign.id));
    expect(tasks).toHaveLength(2);
    for (const { id } of tasks) await submit(member, id);
    const next = await oldQuest('Plain five', 'Travel');
    const reason = async () => (await suggested(member)).find(({ id }) => id === next.campaign.id)?.reason;
    expect(await reason()).not.toBe('industry');
    await submit(member, (await oldQuest('Plain six', 'Travel')).taskId);
    expect(await reason()).toBe('industry');
    expect((await suggested(member)).find(({ id }) => id === next.campaign.id)?.reason_subject).toBe('Travel');
    const other = (await suggested(await newMember())).find(({ id }) => id === next.campaign.id);
    expect(other?.reason).toBe('new');
  });

  test('saved quests, followed projects and interests come before merely new quests', async () => {
    const member = await newMember();
    const followed = await oldQuest('Plain one');
    const saved = await oldQuest('Plain two');
    const interest = await oldQuest('Plain three', 'Energy');
    await unwrap(member.client.rpc('save_interests', { p_interests: ['Energy'] }));
    await unwrap(member.client.rpc('set_quest_saved', { p_campaign_id: saved.campaign.id, p_is_saved: true }));
    await unwrap(
      member.client.rpc('set_project_followed', { p_startup_id: followed.campaign.startup_id, p_is_followed: true }),
    );
    const plain = await oldQuest('Plain four');
    const rows = await suggested(member);
    const reasonOf = ({ campaign }: Quest) => rows.find(({ id }) => id === campaign.id)?.reason;
    expect([saved, followed, interest].map(reasonOf)).toEqual(['saved', 'followed', 'interest']);
    const found = ({ campaign }: Quest, list = rows) => list.find(({ id }) => id === campaign.id);
    expect(found(interest)?.reason_subject).toBe('Energy');
    const { rows: projects } = await sql().query('select name from public.startup_profiles where id = $1', [
      followed.campaign.startup_id,
    ]);
    expect(found(followed)).toMatchObject({ reason_subject: projects[0].name, startup_verified: true, open_slots: 5 });
    // What one member likes is nothing to another.
    const others = await suggested(await newMember());
    expect([saved, followed, interest].map((quest) => found(quest, others)?.reason)).toEqual(['new', 'new', 'new']);
    const place = ({ campaign }: Quest) => rows.findIndex(({ id }) => id === campaign.id);
    expect(place(saved)).toBe(0);
    for (const liked of [saved, followed, interest]) expect(place(plain)).toBeGreaterThan(place(liked));
  });

  test("a project of the last 30 days is among the first four, whatever the member's interests", async () => {
    const member = await newMember();
    await unwrap(member.client.rpc('save_interests', { p_interests: ['Fashion'] }));
    for (let i = 0; i < 6; i += 1) await oldQuest(`Sew number ${i}`, 'Fashion');
    const { campaign } = await newQuest(await newOwner());
    const rows = await suggested(member, 4);
    const isNew = async (id: string) =>
      (
        await sql().query<{ is_new: boolean }>(
          `select s.reviewed_at > now() - interval '30 days' as is_new from public.campaigns c
           join public.startup_profiles s on s.id = c.startup_id where c.id = $1`,
          [id],
        )
      ).rows[0]?.is_new;
    expect(rows.slice(0, 3).map(({ reason }) => reason)).toEqual(['interest', 'interest', 'interest']);
    expect(await isNew(rows[3]?.id ?? campaign.id)).toBe(true);
    expect(rows[3]).toMatchObject({ reason: 'new_project', reason_subject: rows[3]?.startup_name });
    const reasonAfter = (age: string) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        const moved = 'update public.startup_profiles set reviewed_at = now() - $2::interval where id = $1';
        await client.query(moved, [campaign.startup_id, age]);
        await actAs(client, member);
        const found = 'select reason from public.list_suggested_quests(12) where id = $1';
        return (await client.query(found, [campaign.id])).rows[0]?.reason;
      });
    expect([await reasonAfter('30 days -1 second'), await reasonAfter('30 days')]).toEqual(['new_project', 'new']);
  });

  test('what they are suggested for counts by its weight: saved, topic, followed or interest, industry; the newer of two alike is first', async () => {
    const member = await newMember();
    for (const title of ['Tune a harmonium', 'Carry a harmonium']) {
      await submit(member, (await oldQuest(title, 'Non-profit')).taskId);
    }
    await unwrap(member.client.rpc('save_interests', { p_interests: ['Real Estate'] }));
    // From the oldest to the newest.
    const quests = {
      saved: await oldQuest('Plain'),
      both: await oldQuest('Plain', 'Non-profit'),
      topic: await oldQuest('Sell a harmonium'),
      followed: await oldQuest('Plain'),
      interest: await oldQuest('Plain', 'Real Estate'),
      industry: await oldQuest('Plain', 'Non-profit'),
    };
    await unwrap(member.client.rpc('set_quest_saved', { p_campaign_id: quests.saved.campaign.id, p_is_saved: true }));
    for (const { campaign } of [quests.both, quests.followed])
      await unwrap(
        member.client.rpc('set_project_followed', { p_startup_id: campaign.startup_id, p_is_followed: true }),
      );
    const names = new Map(Object.entries(quests).map(([name, { campaign }]) => [campaign.id, name]));
    const order = (await suggested(member)).flatMap(({ id }) => names.get(id) ?? []);
    expect(order).toEqual(['both', 'saved', 'topic', 'interest', 'followed', 'industry']);
  });

  test('for whom all are alike, those of one project alternate with others; the newer and emptier come first', async () => {
    const member = await newMember();
    /** The order in which quests of one task are suggested; each of its own project unless two begin with the same letter. */
    const orderOf = (quests: Record<string, { daysAgo: number; left: number }>) =>
      rolledBack(async (client) => {
        await client.query(`set local session_replication_role = replica;
          update public.campaigns set status = 'closed' where status = 'published'`);
        for (const [title, { daysAgo, left }] of Object.entries(quests))
          await client.query(
            `with project as (
               insert into public.startup_profiles (owner_user_id, name, industry, status)
               values ('owner-' || left($1, 1), left($1, 1), 'Other', 'verified')
               on conflict (owner_user_id) do update set name = excluded.name returning id
             ) insert into public.campaigns (startup_id, title, status, published_at, total_slots, approved_count)
               select p.id, $1, 'published', now() - $2 * interval '1 day', 100, 100 - $3::integer from project p`,
            [title, daysAgo, left],
          );
        await actAs(client, member);
        return (await client.query('select title from public.list_suggested_quests(12)')).rows.map((row) => row.title);
      });
    const order = ['a1', 'b', 'a2', 'a3', 'c', 'a4', 'd', 'e', 'f'];
    const quests = {
      ...{ a1: { daysAgo: 0, left: 100 }, a2: { daysAgo: 0.1, left: 100 }, a3: { daysAgo: 0.2, left: 100 } },
      ...{ a4: { daysAgo: 0.3, left: 100 }, b: { daysAgo: 0.4, left: 100 }, c: { daysAgo: 0, left: 72 } },
      ...{ d: { daysAgo: 0, left: 50 }, e: { daysAgo: 0, left: 10 }, f: { daysAgo: 14, left: 100 } },
    };
    expect(await orderOf(quests)).toEqual(order);
  });

  test('are chosen from the latest 500 open quests, and from the saved ones', async () => {
    const [member, saver] = [await newMember(), await newMember()];
    const { campaign } = await oldQuest('Older than many');
    for (const { client } of [member, saver])
      await unwrap(client.rpc('set_project_followed', { p_startup_id: campaign.startup_id, p_is_followed: true }));
    await unwrap(saver.client.rpc('set_quest_saved', { p_campaign_id: campaign.id, p_is_saved: true }));
    const { startup } = await newOwner();
    const firstOf = (who: Member, newer: number, changes = {}) =>
      rolledBack(async (client) => {
        await client.query('set local session_replication_role = replica');
        await client.query(
          `insert into public.campaigns (startup_id, title, status, published_at, total_slots, starts_at, ends_at, approved_count)
           select $1, 'Newer', c.status, now(), 1, c.starts_at, c.ends_at, c.approved_count
           from generate_series(1, $2), jsonb_populate_record(null::public.campaigns, $3) c`,
          [startup.id, newer, { status: 'published', approved_count: 0, ...changes }],
        );
        await actAs(client, who);
        return (await client.query('select id from public.list_suggested_quests(1)')).rows[0]?.id;
      });
    expect(await firstOf(member, 499)).toBe(campaign.id);
    expect(await firstOf(member, 500)).not.toBe(campaign.id);
    expect(await firstOf(saver, 500)).toBe(campaign.id);
    expect(await firstOf(member, 500, { starts_at: new Date(0) })).not.toBe(campaign.id);
    const hour = (away: number) => new Date(Date.now() + away * 3_600_000).toISOString();
    for (const closed of [{ status: 'draft' }, { approved_count: 1 }, { starts_at: hour(1) }, { ends_at: hour(-1) }])
      expect(await firstOf(member, 500, closed), JSON.stringify(closed)).toBe(campaign.id);
  });

  test('C-72 never contain completed, pending, full, ended, future or own quests', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const own = await newQuest(owner);
    const [begun, waiting, full, ended, future, open] = [
      await newQuest(await newOwner()),
      await newQuest(await newOwner()),
      await newQuest(await newOwner(), { task: { max_completions: 1 } }),
      await newQuest(await newOwner()),
      await newQuest(await newOwner()),
      await newQuest(await newOwner()),
    ];
    await submit(member, full.taskId);
    await submit(owner, begun.taskId);
    await withSettings({ beta_mode: false }, () => submit(owner, waiting.taskId));
    // Even if they are saved.
    for (const { campaign } of [own, begun, waiting, ended, future, open]) {
      await unwrap(owner.client.rpc('set_quest_saved', { p_campaign_id: campaign.id, p_is_saved: true }));
    }
    await sql().query("update public.campaigns set ends_at = now() - interval '1 minute' where id = $1", [
      ended.campaign.id,
    ]);
    await sql().query("update public.campaigns set starts_at = now() + interval '1 day' where id = $1", [
      future.campaign.id,
    ]);
    const ids = (await suggested(owner)).map(({ id }) => id);
    expect(ids[0]).toBe(open.campaign.id);
    for (const { campaign } of [own, begun, waiting, full, ended, future]) expect(ids).not.toContain(campaign.id);
    expect((await refusal(asAnon().rpc('list_suggested_quests'))).status).toBe(401);
  });
});
