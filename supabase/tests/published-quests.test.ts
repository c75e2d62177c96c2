import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { newAdmin, newMember, newOwner, newQuest, refusal, unwrap, withSettings } from './support/factories.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

type ListArguments = {
  p_sort?: string;
  p_limit?: number;
  p_cursor?: string;
  p_only_open?: boolean;
  p_view?: string;
  p_search?: string;
};

describe('public quest list', () => {
  test('HUB-01 DB-04 RULE-14 DB-22 C-60 searches, sorts and pages published quests, and only open ones when asked', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const [first, hidden] = [await newOwner(), await newOwner()];
    const quests = [];
    for (const reward of [10, 30, 20]) {
      quests.push(
        await newQuest(reward === 10 ? first : await newOwner(), {
          campaign: { title: `${word} 100% ${reward}` },
          task: { reward_points: reward, max_completions: 1 },
        }),
      );
    }
    // Created first, published last.
    const again = { p_campaign_id: quests[0]?.campaign.id ?? '' };
    await unwrap(first.client.rpc('unpublish_campaign', again));
    await unwrap(first.client.rpc('publish_campaign', again));
    const draft = await newQuest(hidden, { campaign: { title: `${word} draft` } });
    await unwrap(hidden.client.rpc('unpublish_campaign', { p_campaign_id: draft.campaign.id }));
    const list = (args: ListArguments) => unwrap(asAnon().rpc('list_published_quests', { p_search: word, ...args }));
    const budgets = async (args: Parameters<typeof list>[0]) => (await list(args)).map((row) => row.budget_points);
    expect(await budgets({})).toEqual([20, 30, 10]);
    expect(await budgets({ p_sort: 'trending' })).toEqual([10, 20, 30]);
    expect(await budgets({ p_sort: 'reward' })).toEqual([30, 20, 10]);
    for (const sort of ['new', 'reward', 'trending']) {
      const whole = await list({ p_sort: sort });
      const paged = [];
      for (let cursor: string | undefined, i = 0; i < 4; i += 1) {
        const page = await list({ p_sort: sort, p_limit: 1, ...(cursor && { p_cursor: cursor }) });
        paged.push(...page);
        cursor = page[0]?.cursor;
        if (!cursor) break;
      }
      expect(paged.map((row) => row.id)).toEqual(whole.map((row) => row.id));
    }
    // Without words to match, the newest come first.
    expect(await list({ p_search: ' ', p_sort: 'match' })).toEqual(await list({ p_search: ' ' }));
    expect((await list({ p_search: `${word} 100%` })).length).toBe(3);
    expect(await list({ p_search: `${word}_100%` })).toEqual([]);
    await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: quests[0]?.taskId ?? '', p_text: 'x' }));
    expect(await budgets({ p_only_open: true })).toEqual([20, 30]);
    const stats = await unwrap(
      asAnon().rpc('get_quest_completion_stats', { p_campaign_ids: [quests[0]?.campaign.id ?? '', draft.campaign.id] }),
    );
    // The draft is private.
    expect(stats).toEqual([
      {
        campaign_id: quests[0]?.campaign.id,
        total_slots: 1,
        available_slots: 0,
        completed_slots: 1,
        is_quest_full: true,
      },
    ]);
    const many = `m${word}`;
    await sql().query(
      `insert into public.campaigns (startup_id, title, summary, status, published_at)
       select $1, 'One of many', $2, 'published', now() from generate_series(1, 11)`,
      [hidden.startup.id, `About ${many}`],
    );
    expect(await list({ p_search: many })).toHaveLength(10);
    await sql().query('delete from public.campaigns where startup_id = $1 and title = $2', [
      hidden.startup.id,
      'One of many',
    ]);
  });

  test('HUB-10 HUB-11 C-70 C-86 C-107 a row has its slots, its tasks and what one member can still earn, which is the sort key', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const quest = async (title: string, tasks: [reward: number, spots: number][]) => {
      const owner = await newOwner();
      const [first = [0, 1], ...more] = tasks;
      const { campaign, taskId } = await newQuest(owner, {
        campaign: { title: `${word} ${title}` },
        task: { reward_points: first[0], max_completions: first[1] },
      });
      const kept = await unwrap(asAnon().from('tasks').select().eq('id', taskId));
      if (more.length > 0) {
        const added = more.map(([reward_points, max_completions]) => ({
          ...kept[0],
          id: undefined,
          reward_points,
          max_completions,
        }));
        await unwrap(
          owner.client.rpc('update_campaign', {
            p_campaign_id: campaign.id,
            p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 500 },
            p_tasks: [...kept, ...added],
          }),
        );
      }
      return { id: campaign.id, taskId };
    };
    const two = await quest('two tasks', [
      [40, 1],
      [30, 2],
    ]);
    await quest('one task', [[60, 3]]);
    const rows = async () => {
      const list = await unwrap(asAnon().rpc('list_published_quests', { p_search: word, p_sort: 'reward' }));
      return list.map((row) => [
        row.title.slice(word.length + 1),
        row.reward_points,
        row.task_count,
        row.open_slots,
        row.total_slots,
      ]);
    };
    expect(await rows()).toEqual([
      ['two tasks', 70, 2, 3, 3],
      ['one task', 60, 1, 3, 3],
    ]);
    // The last slot of the higher-paid task: a pending proof holds it just as an approved one does.
    const submit = async () =>
      unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: two.taskId, p_text: 'x' }));
    const waiting = await withSettings({ beta_mode: false }, submit);
    expect(waiting.status).toBe('pending');
    expect(await rows()).toEqual([
      ['one task', 60, 1, 3, 3],
      ['two tasks', 30, 2, 2, 3],
    ]);
    const admin = await newAdmin();
    await unwrap(
      admin.client.rpc('review_submission', { p_submission_id: waiting.id, p_decision: 'reject', p_note: 'no' }),
    );
    // The rejected one keeps it for as long as it may be appealed (BEY-23).
    expect((await rows())[1]).toEqual(['two tasks', 30, 2, 2, 3]);
    await letHoursPass(8 * 24);
    await settleReviews();
    expect((await rows())[0]).toEqual(['two tasks', 70, 2, 3, 3]);
    expect((await unwrap(asAnon().from('campaigns').select('open_reward_points').eq('id', two.id)))[0]).toEqual({
      open_reward_points: 70,
    });
    expect(await unwrap(admin.client.rpc('reconcile_ledger'))).toEqual([]);
  });

  test('C-70 equal rewards are ordered by budget, and pages continue within ties', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    for (const budget_points of [100, 300, 200, 300]) {
      const { campaign } = await newQuest(await newOwner(), {
        campaign: { title: word },
        task: { reward_points: 20, max_completions: 1 },
      });
      await sql().query('update public.campaigns set budget_points = $2 where id = $1', [campaign.id, budget_points]);
    }
    const whole = await unwrap(asAnon().rpc('list_published_quests', { p_search: word, p_sort: 'reward' }));
    expect(whole.map((row) => row.budget_points)).toEqual([300, 300, 200, 100]);
    const paged: string[] = [];
    for (let cursor: string | undefined; paged.length < 4; ) {
      const args = { p_search: word, p_sort: 'reward', p_limit: 1, ...(cursor && { p_cursor: cursor }) };
      const [row] = await unwrap(asAnon().rpc('list_published_quests', args));
      expect(row).toBeDefined();
      paged.push(row?.id ?? '');
      cursor = row?.cursor;
    }
    expect(paged).toEqual(whole.map((row) => row.id));
  });

  test('HUB-08 C-60 C-61 the views open and full page independently, however their quests alternate', async () => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const member = await newMember();
    const isFull = [true, false, true, true, false, true];
    const ids: string[] = [];
    for (const full of isFull) {
      const quest = await newQuest(await newOwner(), {
        campaign: { title: `${word} quest` },
        task: { max_completions: 1 },
      });
      ids.unshift(quest.campaign.id);
      if (full) await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'x' }));
    }
    const list = (args: ListArguments) => unwrap(asAnon().rpc('list_published_quests', { p_search: word, ...args }));
    const wanted = (full: boolean) => ids.filter((_, index) => isFull.toReversed()[index] === full);
    for (const sort of ['new', 'reward', 'trending']) {
      for (const [view, expected] of [
        ['open', wanted(false)],
        ['full', wanted(true)],
        ['all', ids],
      ] as const) {
        const pages: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await list({ p_view: view, p_sort: sort, p_limit: 2, ...(cursor && { p_cursor: cursor }) });
          pages.push(...page.map(({ id }) => id));
          expect(page.every((row) => view === 'all' || row.is_full === (view === 'full'))).toBe(true);
          cursor = page.length === 2 ? page[1]?.cursor : undefined;
        } while (cursor);
        expect(pages.toSorted()).toEqual(expected.toSorted());
        if (sort !== 'reward') expect(pages).toEqual(expected);
      }
    }
    expect((await list({ p_only_open: true })).map(({ id }) => id)).toEqual(wanted(false));
    // A cursor belongs to the view and the sort that issued it.
    const [row] = await list({ p_view: 'open' });
    for (const other of [{ p_view: 'full' }, { p_view: 'open', p_sort: 'reward' }]) {
      const args = { p_cursor: row?.cursor ?? '', ...other };
      expect(await refusal(asAnon().rpc('list_published_quests', args))).toMatchObject({ code: 'INVALID_CURSOR' });
    }
  });

  test("PROJ-02 lists one project's published quests alone", async () => {
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    const list = () => unwrap(asAnon().rpc('list_published_quests', { p_startup_id: owner.startup.id }));
    expect((await list()).map(({ id }) => id)).toEqual([campaign.id]);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect(await list()).toEqual([]);
  });

  test("HUB-01 C-119 a search finds quests by their project's name and their tasks, but by nobody's address", async () => {
    const owner = await newOwner();
    const [named, tasked] = [`Zanzi${owner.id.slice(-6)}`, `Quokka${owner.id.slice(-6)}`];
    await sql().query('update public.startup_profiles set name = $2 where id = $1', [owner.startup.id, named]);
    const { campaign } = await newQuest(owner, { task: { title: `Draw a ${tasked}` } });
    const find = async (p_search: string) =>
      (await unwrap(asAnon().rpc('list_published_quests', { p_search }))).map(({ id }) => id);
    expect(await find(named.toLowerCase())).toEqual([campaign.id]);
    expect(await find(tasked.toUpperCase())).toEqual([campaign.id]);
    expect(await find(owner.email)).toEqual([]);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect([await find(named), await find(tasked)]).toEqual([[], []]);
  });

  test('C-83 HOME-01 home counts the quests that the hub lists as open', async () => {
    const admin = await newAdmin();
    const counted = async () => (await unwrap(admin.client.rpc('rebuild_site_stats_cache')))[0]?.active_campaigns;
    const listed = async () =>
      (await unwrap(asAnon().rpc('list_published_quests', { p_view: 'open', p_limit: 100 }))).length;
    const { taskId } = await newQuest(await newOwner(), { task: { max_completions: 1 } });
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    expect(await counted()).toBe(await listed());
    const before = (await counted()) ?? 0;
    const submission = await withSettings({ beta_mode: false }, async () =>
      unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' })),
    );
    expect([await counted(), await listed()]).toEqual([before - 1, before - 1]);
    await unwrap(
      admin.client.rpc('review_submission', { p_submission_id: submission.id, p_decision: 'reject', p_note: 'no' }),
    );
    await letHoursPass(8 * 24);
    await settleReviews();
    expect([await counted(), await listed()]).toEqual([before, before]);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect([await counted(), await listed()]).toEqual([before - 1, before - 1]);
  });

  test('BEY-21 shows a member, and nobody else, what they did in each started quest', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    const states = async (who = member) =>
      new Map((await unwrap(who.client.rpc('get_own_quest_states'))).map((row) => [row.campaign_id, row.state]));
    const owner = await newOwner();
    const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 10, max_completions: 5 } });
    const submit = (who = member, task = taskId) =>
      unwrap(who.client.rpc('submit_proof', { p_task_id: task, p_text: 'x' }));
    const review = (id: string, p_decision: string) =>
      unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision, p_note: 'note' }));
    expect(await states()).toEqual(new Map());
    await withSettings({ beta_mode: false }, async () => {
      const { id } = await submit();
      expect(await states()).toEqual(new Map([[campaign.id, 'waiting']]));
      await review(id, 'reject');
      expect(await states()).toEqual(new Map([[campaign.id, 'rejected']]));
      await submit();
      expect(await states()).toEqual(new Map([[campaign.id, 'waiting']]));
      await review(id, 'approve');
      expect(await states()).toEqual(new Map([[campaign.id, 'complete']]));
      // Another task: the quest is no longer complete.
      const kept = await unwrap(asAnon().from('tasks').select().eq('id', taskId));
      await unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 500 },
          p_tasks: [...kept, { ...kept[0], id: undefined, order_index: 1 }],
        }),
      );
      expect(await states()).toEqual(new Map([[campaign.id, 'started']]));
    });
    expect(await states(await newMember())).toEqual(new Map());
    expect((await refusal(asAnon().rpc('get_own_quest_states'))).status).toBe(401);
  });

  test("SDASH-06 SDASH-08 DB-05 an owner's list has all their quests and figures, page by page", async () => {
    const owner = await newOwner();
    const { campaign, taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const own = (args: { p_limit?: number; p_cursor?: string } = {}) =>
      unwrap(owner.client.rpc('list_own_quests', args));
    const member = await newMember();
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x', p_email: member.email }));
    await newQuest(await newOwner());
    const [row, ...others] = await own();
    expect(others).toEqual([]);
    const { rows } = await sql().query('select * from public.campaigns where id = $1', [campaign.id]);
    for (const key of [
      'title',
      'status',
      'total_slots',
      'open_slots',
      'is_full',
      'participant_count',
      'submission_count',
      'pending_count',
      'approved_count',
      'task_count',
      'budget_points',
    ] as const) {
      expect(row?.[key], key).toEqual(rows[0][key]);
    }
    expect(row).toMatchObject({ email_count: 1, reward_points: rows[0].open_reward_points, approved_count: 1 });
    expect(row).toMatchObject({
      points_distributed: 10,
      reserved_points: 40,
      daily_submissions: [...Array(13).fill(0), 1],
    });
    await sql().query('insert into public.campaigns (startup_id, title) select $1, generate_series(1, 2)::text', [
      owner.startup.id,
    ]);
    const drafts = (await own()).filter(({ status }) => status === 'draft');
    expect(drafts.map(({ reserved_points, open_slots }) => [reserved_points, open_slots])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const whole = (await own()).map(({ id }) => id);
    expect(whole).toHaveLength(3);
    const first = await own({ p_limit: 2 });
    const second = await own({ p_limit: 2, p_cursor: first[1]?.cursor ?? '' });
    expect([...first, ...second].map(({ id }) => id)).toEqual(whole);
    expect(await unwrap((await newMember()).client.rpc('list_own_quests'))).toEqual([]);
    expect((await refusal(asAnon().rpc('list_own_quests'))).status).toBe(401);
  });

  test('refuses unknown sorts, views, limits, cursors and overlong searches', async () => {
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const time = '2026-01-01T00:00:00Z';
    const cases = [
      [{ p_view: 'mine' }, 'INVALID_VIEW'],
      [{ p_cursor: forged(['quests:new', 'yesterday', randomUUID(), 1]) }, 'INVALID_CURSOR'],
      [{ p_cursor: forged(['quests:new', 'x', randomUUID()]) }, 'INVALID_CURSOR'],
      [{ p_cursor: forged(['quests:new', time, "') or true --"]) }, 'INVALID_CURSOR'],
      [{ p_cursor: forged(['quests:new', time, null]) }, 'INVALID_CURSOR'],
      [{ p_cursor: forged(['quests:new', time]) }, 'INVALID_CURSOR'],
      [{ p_cursor: forged(['other', time, randomUUID()]) }, 'INVALID_CURSOR'],
      [{ p_cursor: forged('quests:new') }, 'INVALID_CURSOR'],
      [{ p_sort: 'old' }, 'INVALID_SORT'],
      [{ p_limit: 0 }, 'INVALID_LIMIT'],
      [{ p_limit: 1000 }, 'INVALID_LIMIT'],
      [{ p_cursor: 'not a cursor' }, 'INVALID_CURSOR'],
      [{ p_search: 'x'.repeat(2001) }, 'SEARCH_TOO_LONG'],
    ] as const;
    for (const [args, code] of cases) {
      expect(await refusal(asAnon().rpc('list_published_quests', args))).toMatchObject({ status: 400, code });
    }
    const tooMany = Array.from({ length: 201 }, () => randomUUID());
    expect(await refusal(asAnon().rpc('get_quest_completion_stats', { p_campaign_ids: tooMany }))).toMatchObject({
      code: 'TOO_MANY_IDS',
    });
  });
});
