import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql, testEnv, tokenFor } from '../../local/testing/clients.ts';
import { withinOneDay } from '../../local/testing/one-day.ts';
import {
  FORBIDDEN,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { answerDuring } from './support/locks.ts';
import { fillQuest } from './support/many-submissions.ts';
import { changesNothing } from './support/raw.ts';
import { daysOf } from './support/rows.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('the leaderboard', () => {
  const credit = (userId: string, points: number, description: string) =>
    unwrap(asService().rpc('credit_points_safe', { p_user_id: userId, p_points: points, p_description: description }));

  // All credits of the three kinds count, not just the last 5000 (C-84).
  test('TRUST-11 REWARD-06 REWARD-07 C-46 matches a recount of the ledger, with ties broken by user id, names masked and ids withheld', async () => {
    const members = [await newMember('tie'), await newMember('tie'), await newMember('tie')];
    const phrases = ['Task Completion: x', 'referral bonus', 'WELCOME BONUS'];
    for (const [index, { id }] of members.entries()) await credit(id, 900_000, phrases[index] ?? '');
    await credit(members[0]?.id ?? '', 50_000, 'A gift that does not count');
    const board = await unwrap(asAnon().rpc('get_leaderboard', { p_limit: 50 }));
    const { rows } = await sql().query<{ user_id: string; points: string; name: string }>(`
      select t.user_id, sum(case t.type when 'credit' then t.points else -t.points end) as points, max(coalesce(p.display_name, p.username)) as name
      from public.transactions t left join public.user_profiles p on p.user_id = t.user_id
      where t.user_id is not null and (t.kind in ('task_completion', 'referral_bonus', 'welcome_bonus') and t.type = 'credit' or t.kind = 'reversal')
      group by t.user_id having sum(case t.type when 'credit' then t.points else -t.points end) > 0
      order by 2 desc, t.user_id limit 50`);
    expect(board.map((entry) => entry.total_points)).toEqual(rows.map((row) => Number(row.points)));
    expect(board.slice(0, 3).map(({ rank, total_points }) => [rank, total_points])).toEqual([
      [1, 900_000],
      [2, 900_000],
      [3, 900_000],
    ]);
    for (const [index, entry] of board.slice(0, 3).entries()) {
      const name = rows[index]?.name ?? '';
      expect(entry.display_name).toBe(`${name.slice(0, 5)}***${name.slice(-3)}`);
      expect(entry).toMatchObject({ user_id: null, is_self: false });
    }
    const [best] = members.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const own = await unwrap((best ?? members[0])?.client.rpc('get_leaderboard', { p_limit: 1 }) ?? Promise.reject());
    expect(own).toMatchObject([{ rank: 1, user_id: best?.id, is_self: true }]);
  });

  test('REWARD-07 a masked name keeps at most its first five and last three characters, and never all', async () => {
    const { rows } = await sql().query<{ masked: string }>(
      'select private.mask_name(name) as masked from unnest($1::text[]) with ordinality n (name, place) order by place',
      [['Robin Reedwarbler', 'Robinsons', 'Robinson', 'Robin', 'Al', 'A', null]],
    );
    expect(rows.map(({ masked }) => masked)).toEqual([
      ...['Robin***ler', 'Robin***ons', 'Robi***n', 'Ro***n', 'A***', '***', '***'],
    ]);
  });

  test('REWARD-05 is empty while the feature is off; refuses invalid limits', async () => {
    await withSettings({ leaderboard_enabled: false }, async () => {
      expect(await unwrap(asAnon().rpc('get_leaderboard'))).toEqual([]);
    });
    for (const limit of [0, -1, 101]) {
      expect(await refusal(asAnon().rpc('get_leaderboard', { p_limit: limit }))).toMatchObject({
        status: 400,
        code: 'INVALID_LIMIT',
      });
    }
  });
});

describe('site stats', () => {
  test('HOME-01 DB-21 C-26 base plus counts; at most 30 s old, refreshed by an admin', async () => {
    const admin = await newAdmin();
    const read = async () => (await unwrap(asAnon().rpc('get_site_stats')))[0];
    const rebuild = async () => (await unwrap(admin.client.rpc('rebuild_site_stats_cache')))[0];
    await rebuild();
    const before = await read();
    const { rows } = await sql().query<{ n: number }>('select count(*)::integer as n from public.user_profiles');
    expect(before?.total_members).toBe(1000 + (rows[0]?.n ?? 0));
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId } = await newQuest(owner, { task: { reward_points: 15 } });
    const proof = { p_task_id: taskId, p_text: 'x' };
    await unwrap(member.client.rpc('submit_proof', proof));
    // What is taken back does not count.
    const { id } = await unwrap((await newMember()).client.rpc('submit_proof', proof));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    expect(await read()).toEqual(before);
    const after = await rebuild();
    expect(after).toEqual({
      total_members: (before?.total_members ?? 0) + 3,
      active_campaigns: (before?.active_campaigns ?? 0) + 1,
      verified_startups: (before?.verified_startups ?? 0) + 1,
      total_rewards_paid: (before?.total_rewards_paid ?? 0) + 15,
    });
    expect(await read()).toEqual(after);
    const countedAgo = (seconds: number) =>
      sql().query(
        'update private.site_stats_cache set counted_at = now() - make_interval(secs => $1), member_count = 0',
        [seconds],
      );
    await countedAgo(20);
    expect((await read())?.total_members).toBe(1000);
    await countedAgo(31);
    expect((await read())?.total_members).toBe(after?.total_members);
    expect(await refusal((await newMember()).client.rpc('rebuild_site_stats_cache'))).toEqual(FORBIDDEN);
  });

  test('DB-21 the worker counts at most every half minute, and not while somebody else counts; an admin waits for that', async () => {
    const admin = await newAdmin();
    const rebuild = () => unwrap(admin.client.rpc('rebuild_site_stats_cache'));
    const countedAt = async () =>
      (await sql().query('select counted_at::text from private.site_stats_cache')).rows[0]?.counted_at;
    await rebuild();
    const before = await countedAt();
    await sql().query('select private.roll_up_figures()');
    expect(await countedAt()).toBe(before);
    await answerDuring(async (counting) => {
      await counting.query("select pg_advisory_xact_lock(hashtextextended('site_stats', 0))");
      await sql().query("select private.roll_up_figures('0 seconds')");
      expect(await countedAt()).toBe(before);
    }, rebuild);
    expect(await countedAt()).not.toBe(before);
  });

  test('HOME-09 C-26 the base comes from the settings, which hold the floors as well and are public', () =>
    withSettings({ member_count_base: 7 }, async () => {
      const admin = await newAdmin();
      const rebuilt = (await unwrap(admin.client.rpc('rebuild_site_stats_cache')))[0];
      const { rows } = await sql().query<{ n: number }>('select count(*)::integer as n from public.user_profiles');
      expect(rebuilt?.total_members).toBe(7 + (rows[0]?.n ?? 0));
      const floors = await unwrap(
        asAnon().from('app_settings').select('member_count_base, member_floor, quest_floor, points_floor').single(),
      );
      expect(floors).toEqual({ member_count_base: 7, member_floor: 47, quest_floor: 3, points_floor: 12_700 });
      // The client uses the floors when the call fails; the server returns the real figures.
      expect((await unwrap(asAnon().rpc('get_site_stats')))[0]?.total_members).toBe(rebuilt?.total_members);
    }));

  test('shared caches may store the answers that are the same for everybody, and only those', async () => {
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const owner = await newOwner();
    const authorization = `Bearer ${await tokenFor(owner)}`;
    const cacheControl = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${SUPABASE_URL}/rest/v1/rpc/${path}`, {
        headers: { apikey: SUPABASE_ANON_KEY, ...headers },
      });
      return answer.ok ? answer.headers.get('cache-control') : 'refused';
    };
    const shared = (seconds: number) => `public, max-age=0, s-maxage=${seconds}`;
    const project = owner.startup.id;
    const answers = [
      ['get_site_stats', shared(30), shared(30)],
      ['get_og_slots', shared(15), shared(15)],
      ['list_published_quests', shared(15), shared(15)],
      [`get_project_promises?p_startup_id=${project}`, shared(60), shared(60)],
      ['get_member_profile?p_handle=nobody', shared(60), shared(60)],
      ['get_leaderboard', shared(30), 'private, no-cache'],
      ['get_quest_completion_stats?p_campaign_ids={}', shared(15), 'private, no-cache'],
      ['get_task_completion_counts?p_task_ids={}', shared(15), 'private, no-cache'],
      [`list_project_feedback?p_project_id=${project}`, shared(15), 'private, no-cache'],
      [`get_project_feedback_stats?p_project_id=${project}`, shared(15), 'private, no-cache'],
      ['get_own_rank', 'refused', 'private, no-cache'],
      ['get_own_streak', 'refused', 'private, no-cache'],
      ['get_project_points', 'refused', 'private, no-cache'],
      ['get_own_quest_states', 'refused', 'private, no-cache'],
      ['list_own_quests', 'refused', 'private, no-cache'],
      ['list_my_quests', 'refused', 'private, no-cache'],
      ['list_saved_quests', 'refused', 'private, no-cache'],
      ['list_followed_projects', 'refused', 'private, no-cache'],
      ['list_suggested_quests', 'refused', 'private, no-cache'],
      ['get_project_payouts', 'refused', 'private, no-cache'],
      ['get_review_counts', 'refused', 'private, no-cache'],
      ['get_page_facts?p_kind=quest', shared(60), shared(60)],
      ['count_public_pages', shared(300), shared(300)],
      ['list_public_pages?p_kind=quests', shared(300), shared(300)],
    ] as const;
    const { rows } = await sql().query<{ name: string }>(
      "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'cache_for|response.headers'",
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(answers.map(([path]) => path.split('?')[0]).sort());
    for (const [path, toVisitors, toMembers] of answers) {
      expect(await cacheControl(path), path).toBe(toVisitors);
      expect(await cacheControl(path, { authorization }), path).toBe(toMembers);
    }
  });

  test('a shared cache gives nobody the answer to other request headers', async () => {
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    await newQuest(await newOwner());
    await newQuest(await newOwner());
    const ask = async (headers: Record<string, string>) => {
      const url = `${SUPABASE_URL}/rest/v1/rpc/list_published_quests?select=title`;
      const response = await fetch(url, { headers: { apikey: SUPABASE_ANON_KEY, ...headers } });
      const varying = response.headers.get('vary')?.toLowerCase().split(/, */);
      return { varying, answer: `${response.headers.get('content-range')} ${await response.text()}` };
    };
    const { answer } = await ask({});
    for (const [name, value] of [
      ['accept', 'text/csv'],
      ['prefer', 'count=exact'],
      ['range', '0-0'],
    ] as const) {
      const other = await ask({ [name]: value });
      expect(other.answer, name).not.toBe(answer);
      expect(other.varying).toContain(name);
    }
  });
});

describe('eligibility before the first quest', () => {
  test('DB-23 DB-25 RULE-06 QNEW-05 C-39 one approved submission of several makes eligible; available quests exclude completed and own ones', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const quest = await newQuest(owner, { task: { reward_points: 15 } });
    const untouched = await newQuest(await newOwner());
    const [task] = await unwrap(asAnon().from('tasks').select().eq('id', quest.taskId));
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: quest.campaign.id,
        p_campaign: { title: quest.campaign.title, summary: quest.campaign.summary, budget_points: 500 },
        p_tasks: [{ ...task }, { ...task, id: undefined, order_index: 1 }],
      }),
    );
    const self = { p_user_id: member.id };
    expect(await unwrap(member.client.rpc('validate_campaign_creation_eligibility', self))).toMatchObject({
      user_id: member.id,
      user_role: 'community',
      is_eligible: false,
      quest_completion: {
        has_completed_quests: false,
        completed_quests_count: 0,
        total_quests_attempted: 0,
        quest_details: [],
      },
    });
    const available = () => unwrap(member.client.rpc('get_available_quests_for_new_user', { ...self, p_limit: 100 }));
    expect((await available()).map((row) => row.task_id)).toContain(quest.taskId);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'x' }));
    const { id } = await unwrap(
      asAnon().from('tasks').select('id').match({ campaign_id: task?.campaign_id, order_index: 1 }).single(),
    );
    const waiting = await withSettings({ beta_mode: false }, () =>
      unwrap(member.client.rpc('submit_proof', { p_task_id: id, p_text: 'waits' })),
    );
    expect(await unwrap(member.client.rpc('check_user_quest_completion', self))).toMatchObject({
      has_completed_quests: true,
      completed_quests_count: 1,
      can_create_campaigns: true,
      quest_details: [{ campaign_title: quest.campaign.title, startup_name: owner.startup.name, reward_points: 15 }],
    });
    const left = (await available()).map((row) => row.task_id);
    expect(left).toContain(untouched.taskId);
    expect(left).not.toContain(quest.taskId);
    expect(left).not.toContain(id);
    const rejection = { p_submission_id: waiting.id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(owner.client.rpc('review_submission', rejection));
    expect((await available()).map((row) => row.task_id)).toContain(id);
    const admin = await newAdmin();
    expect(
      await unwrap(admin.client.rpc('validate_campaign_creation_eligibility', { p_user_id: admin.id })),
    ).toMatchObject({ user_role: 'admin' });
    const own = await unwrap(
      owner.client.rpc('get_available_quests_for_new_user', { p_user_id: owner.id, p_limit: 100 }),
    );
    expect(own.map((row) => row.campaign_id)).not.toContain(quest.campaign.id);
    expect(await changesNothing(() => refusal(owner.client.rpc('check_user_quest_completion', self)))).toEqual(
      FORBIDDEN,
    );
    const details = expect.objectContaining({ completed_at: expect.any(String) });
    expect(await unwrap(member.client.rpc('validate_campaign_creation_eligibility', self))).toMatchObject({
      is_eligible: true,
      requirement_message: 'Requirement met: you have completed a quest and can create your own.',
      quest_completion: { can_create_campaigns: true, total_quests_attempted: 1, quest_details: [details] },
    });
    // Completed with its latest approval, whatever was rejected after the first.
    const completion = async () => {
      const found = await unwrap(member.client.rpc('check_user_quest_completion', self));
      return (found as { quest_details: { reward_points: number; completed_at: string }[] }).quest_details;
    };
    const approvals = async () =>
      (
        await unwrap(
          member.client.from('submissions').select('reviewed_at').eq('status', 'approved').order('reviewed_at'),
        )
      ).map(({ reviewed_at }) => Date.parse(reviewed_at ?? ''));
    const completedAt = async () => Date.parse((await completion())[0]?.completed_at ?? '');
    expect(await completedAt()).toBe((await approvals())[0]);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: id, p_text: 'complete' }));
    expect((await completion()).map(({ reward_points }) => reward_points)).toEqual([30]);
    expect(await completedAt()).toBe((await approvals())[1]);
    const other = await newMember();
    expect(
      await unwrap(other.client.rpc('get_available_quests_for_new_user', { p_user_id: other.id, p_limit: 100 })),
    ).toContainEqual({
      task_id: quest.taskId,
      campaign_id: quest.campaign.id,
      title: 'Try the product',
      campaign_title: quest.campaign.title,
      startup_name: owner.startup.name,
      startup_logo: null,
      instructions: 'Sign up and tell us what you saw.',
      requires_proof: true,
      max_completions: 5,
      reward_points: 15,
    });
  });

  test("DB-26 SEC-09 a quest's figures are for its owner and admins only", async () => {
    const [owner, member, admin] = [await newOwner(), await newMember(), await newAdmin()];
    const { campaign, taskId } = await newQuest(owner);
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    await withSettings({ beta_mode: false }, async () => {
      const [waits, kept] = [await newMember(), await newMember()];
      await unwrap(waits.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'waits' }));
      const { id } = await unwrap(kept.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'kept' }));
      const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', rejection));
    });
    const args = { p_campaign_id: campaign.id };
    for (const who of [owner, admin]) {
      expect(await unwrap(who.client.rpc('get_campaign_performance_stats', args))).toMatchObject({
        total_submissions: 3,
        approved: 1,
        pending: 1,
        rejected: 1,
        participants: 3,
        points_distributed: 10,
        completion_rate: 33.3,
        tasks: [{ submissions: 3, approved: 1, pending: 1, rejected: 1, max_completions: 5, remaining_slots: 2 }],
      });
    }
    expect(await refusal(member.client.rpc('get_campaign_performance_stats', args))).toEqual(FORBIDDEN);
  });

  test("DB-26 a quest's days count each participant once, however many tasks they completed", async () => {
    await withinOneDay(20);
    const [owner, one, other] = [await newOwner(), await newMember(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    const task = { title: 'Try it', type: 'visit', instructions_md: 'Go there', reward_points: 10, max_completions: 5 };
    const p_campaign = { title: campaign.title, summary: campaign.summary, details_md: 'Details', budget_points: 500 };
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign,
        p_tasks: [
          { ...task, id: taskId, proof_type: 'link' },
          { ...task, title: 'Try it again', proof_type: 'link' },
        ],
      }),
    );
    const tasks = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', campaign.id));
    expect(tasks).toHaveLength(2);
    for (const { id } of tasks) await unwrap(one.client.rpc('submit_proof', { p_task_id: id, p_text: 'x' }));
    const { id } = await unwrap(other.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const admin = await newAdmin();
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    const stats = await unwrap(owner.client.rpc('get_campaign_performance_stats', { p_campaign_id: campaign.id }));
    const day = new Date().toISOString().slice(0, 10);
    expect(stats).toMatchObject({
      participants: 2,
      days: [{ day, submissions: 3, participants: 2, approved: 2 }],
      tasks: [{ title: 'Try it' }, { title: 'Try it again' }],
    });
  });

  test("DB-26 a quest's days are the latest 366 with submissions, oldest first", async () => {
    await withinOneDay(20);
    const owner = await newOwner();
    const { campaign } = await newQuest(owner);
    await fillQuest(campaign.id, { tasks: 1, rows: 367, submittedAt: "now() - n * interval '1 day'" });
    const stats = await unwrap(owner.client.rpc('get_campaign_performance_stats', { p_campaign_id: campaign.id }));
    const { days } = stats as { days: { day: string }[] };
    expect(days.map(({ day }) => day)).toEqual(daysOf(366, new Date()));
  });
});
