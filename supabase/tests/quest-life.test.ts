import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { runPeriodicJob, runPeriodicJobs } from './support/periodic-jobs.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();

const create = (owner: Owner, campaign: Record<string, string | null> = {}, more: Record<string, unknown> = {}) =>
  owner.client.rpc('create_quest', {
    p_startup_id: owner.startup.id,
    p_campaign: { title: `Quest of ${owner.name} ${randomUUID().slice(0, 8)}`, summary: 'Try it', ...campaign },
    p_task: { title: 'T', type: 'custom', instructions_md: 'I', reward_points: 10, max_completions: 5 },
    ...more,
  });
const taskOf = async (campaignId: string) =>
  (await sql().query<{ id: string }>('select id from public.tasks where campaign_id = $1', [campaignId])).rows[0]?.id ??
  '';
const submit = async (campaignId: string) => {
  const member = await newMember();
  return member.client.rpc('submit_proof', { p_task_id: await taskOf(campaignId), p_text: 'Done' });
};
const isListed = async (title: string) =>
  (await unwrap(asAnon().rpc('list_published_quests', { p_search: title }))).length > 0;
const setTimes = (id: string, starts: string, ends: string) =>
  sql().query(`update public.campaigns set starts_at = now() ${starts}, ends_at = now() ${ends} where id = $1`, [id]);

describe('a draft', () => {
  test('C-85 BEY-07 reserves nothing, is visible to its owner only, and is published with its reserve', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const draft = await unwrap(create(owner, {}, { p_publish: false }));
    expect(draft).toMatchObject({ status: 'draft', published_at: null, task_count: 1, budget_points: 50 });
    expect(await projectPoints(owner.startup.id, draft.id)).toEqual({ free: 500, reserved: 0 });
    expect(await unwrap(member.client.from('campaigns').select('id').eq('id', draft.id))).toEqual([]);
    expect(await unwrap(owner.client.from('campaigns').select('id').eq('id', draft.id))).toEqual([{ id: draft.id }]);
    expect(await isListed(draft.title)).toBe(false);
    expect(await refusal(submit(draft.id))).toMatchObject({ code: 'QUEST_NOT_OPEN' });
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: draft.id }));
    expect(await projectPoints(owner.startup.id, draft.id)).toEqual({ free: 450, reserved: 50 });
    expect(await isListed(draft.title)).toBe(true);
    // While paused, its points stay reserved (C-01).
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: draft.id }));
    expect(await projectPoints(owner.startup.id, draft.id)).toEqual({ free: 450, reserved: 50 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-85 can be saved with an empty wallet, but not published', async () => {
    const owner = await newOwner();
    await sql().query(
      "select private.transfer(w.id, null, 500, 'adjustment', 'Spent') from public.wallets w where w.startup_id = $1",
      [owner.startup.id],
    );
    const draft = await unwrap(create(owner, {}, { p_publish: false }));
    expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: draft.id }))).toMatchObject({
      code: 'INSUFFICIENT_POINTS',
    });
  });

  test('TRUST-21 C-23 the same key returns the same draft, and a draft counts as a quest', async () => {
    const owner = await newOwner();
    const p_idempotency_key = randomUUID();
    const [first, second] = await Promise.all([
      unwrap(create(owner, {}, { p_publish: false, p_idempotency_key })),
      unwrap(create(owner, {}, { p_publish: false, p_idempotency_key })),
    ]);
    expect(second.id).toBe(first.id);
    expect(await refusal(create(owner, {}, { p_publish: false }))).toMatchObject({ code: 'QUEST_LIMIT' });
  });

  test('TRUST-21 a key returns what was made with it, not what another key or another kind of call has made', () =>
    withSettings({ trial_quest_limit: 3 }, async () => {
      const owner = await newOwner();
      const [key, other] = [randomUUID(), randomUUID()];
      const draft = (p_idempotency_key: string) => unwrap(create(owner, {}, { p_publish: false, p_idempotency_key }));
      const [first, second] = [await draft(key), await draft(other)];
      const copy = async () =>
        (await unwrap(owner.client.rpc('duplicate_campaign', { p_campaign_id: first.id, p_idempotency_key: other })))
          .id;
      const copied = await copy();
      expect([(await draft(key)).id, (await draft(other)).id, await copy()]).toEqual([first.id, second.id, copied]);
    }));
});

describe('the schedule', () => {
  test('BEY-07 a quest is unlisted and takes no proofs before its start; then both change', async () => {
    const owner = await newOwner();
    const quest = await unwrap(create(owner, { starts_at: hours(1), ends_at: hours(2) }));
    expect(await isListed(quest.title)).toBe(false);
    expect(await refusal(submit(quest.id))).toEqual({
      status: 409,
      code: 'QUEST_NOT_STARTED',
      message: 'This quest has not started yet',
    });
    const member = await newMember();
    const suggested = async () =>
      (await unwrap(member.client.rpc('list_suggested_quests', { p_limit: 12 }))).map(({ id }) => id);
    expect(await suggested()).not.toContain(quest.id);
    await setTimes(quest.id, "- interval '1 second'", "+ interval '1 hour'");
    const [card] = await unwrap(asAnon().rpc('list_published_quests', { p_search: quest.title }));
    expect(Date.parse(card?.ends_at ?? '')).toBeGreaterThan(Date.now());
    expect(await suggested()).toContain(quest.id);
    expect(await unwrap(submit(quest.id))).toMatchObject({ status: 'approved' });
  });

  test('BEY-07 BEY-21 a started quest can be continued until its end, and is among those one has saved, not after it', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { campaign, tasks } = await newQuest(owner);
    const second = { title: 'Second', instructions_md: 'I', reward_points: 10, max_completions: 5 };
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'T', summary: 'S', budget_points: 200 },
        p_tasks: [...tasks.map((task) => ({ ...task })), second],
      }),
    );
    await unwrap(member.client.rpc('submit_proof', { p_task_id: tasks[0]?.id ?? '', p_text: 'Done' }));
    await unwrap(member.client.rpc('set_quest_saved', { p_campaign_id: campaign.id, p_is_saved: true }));
    const isSaved = async () => (await unwrap(member.client.rpc('list_saved_quests', {}))).length > 0;
    const canContinue = async () => (await unwrap(member.client.rpc('list_my_quests')))[0]?.can_continue;
    await setTimes(campaign.id, "- interval '2 hours'", "+ interval '1 hour'");
    expect([await canContinue(), await isSaved()]).toEqual([true, true]);
    await setTimes(campaign.id, "- interval '2 hours'", "- interval '1 second'");
    expect([await canContinue(), await isSaved()]).toEqual([false, false]);
  });

  test('BEY-07 C-50 a quest that cannot be closed keeps no other open, and is reported until it can', async () => {
    const ending = async () => unwrap(create(await newVerifiedOwner(), { ends_at: hours(1) }));
    const [broken, sound] = [await ending(), await ending()];
    for (const { id } of [broken, sound]) await setTimes(id, "- interval '1 hour'", "- interval '1 second'");
    const statusOf = async (id: string) =>
      (await sql().query('select status from public.campaigns where id = $1', [id])).rows[0].status;
    const failed = async () =>
      (await sql().query("select last_error from private.failed_jobs where job = 'close_ended_quests'")).rows;
    await whileDamaged('update on public.campaigns', `new.id = '${broken.id}'`, async () => {
      await runPeriodicJob('close_ended_quests');
      expect([await statusOf(broken.id), await statusOf(sound.id)]).toEqual(['published', 'closed']);
      expect(await failed()).toEqual([{ last_error: `P0001 quest ${broken.id}` }]);
    });
    await runPeriodicJobs();
    expect([await statusOf(broken.id), await failed()]).toEqual(['closed', []]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-07 a hundred quests that cannot be closed fill one run only, and are closed once they can be', async () => {
    const owner = await newVerifiedOwner();
    const sound = await unwrap(create(owner, { ends_at: hours(1) }));
    await setTimes(sound.id, "- interval '1 hour'", "- interval '1 second'");
    await sql().query(
      `insert into public.campaigns (startup_id, title, status, published_at, ends_at)
       select $1, 'Broken ' || n, 'published', now() - interval '2 days', now() - interval '1 day' from generate_series(1, 100) n`,
      [owner.startup.id],
    );
    const open = async () =>
      (
        await sql().query<{ title: string }>(
          "select title from public.campaigns where startup_id = $1 and status = 'published' order by title",
          [owner.startup.id],
        )
      ).rows.map(({ title }) => title);
    await whileDamaged('update on public.campaigns', "new.title like 'Broken %'", async () => {
      await runPeriodicJob('close_ended_quests');
      expect(await open()).toContain(sound.title);
      await runPeriodicJob('close_ended_quests');
      expect(await open()).toHaveLength(100);
    });
    await runPeriodicJobs();
    expect(await open()).toEqual([]);
  });

  test('BEY-07 TRUST-22 after its end it takes no more proofs; the worker closes it, and pending proofs are still paid', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const quest = await unwrap(create(owner, { ends_at: hours(1) }));
      const waiting = await unwrap(submit(quest.id));
      await setTimes(quest.id, "- interval '1 hour'", "- interval '1 second'");
      expect(await isListed(quest.title)).toBe(false);
      expect(await refusal(submit(quest.id))).toEqual({
        status: 409,
        code: 'QUEST_ENDED',
        message: 'This quest has ended',
      });
      await Promise.all([runPeriodicJobs(), runPeriodicJobs()]);
      const after = await unwrap(owner.client.from('campaigns').select('status').eq('id', quest.id));
      expect(after).toEqual([{ status: 'closed' }]);
      expect(await projectPoints(owner.startup.id, quest.id)).toEqual({ free: 490, reserved: 10 });
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: waiting.id, p_decision: 'approve' }));
      expect(await projectPoints(owner.startup.id, quest.id)).toEqual({ free: 490, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
      expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: quest.id }))).toMatchObject({
        code: 'END_PASSED',
      });
    }));

  test('BEY-07 C-07 a quest that promises more than its project has ends like any other, and keeps what there is', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, rich, member] = [await newVerifiedOwner(), await newMember(), await newMember()];
      const { campaign, tasks } = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
      const [first] = tasks;
      const save = (...p_tasks: Record<string, string | number>[]) =>
        unwrap(
          owner.client.rpc('update_campaign', {
            p_campaign_id: campaign.id,
            p_campaign: { title: 'T', summary: 'S', budget_points: 500 },
            p_tasks: p_tasks.map((task) => ({ title: 'T', instructions_md: 'I', max_completions: 1, ...task })),
          }),
        );
      const prove = (who: typeof member, taskId: string) =>
        unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
      const decide = (id: string, p_decision: string) =>
        unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision, p_note: 'Because' }));
      const id = first?.id ?? '';
      // The other points are paid out by a task that is gone then.
      await save({ id, reward_points: 100 }, { reward_points: 400 });
      const tasksNow = await unwrap(
        owner.client.from('tasks').select('id, reward_points').eq('campaign_id', campaign.id),
      );
      const other = tasksNow.find(({ reward_points }) => reward_points === 400)?.id ?? '';
      await decide((await prove(rich, other)).id, 'approve');
      await save({ id, reward_points: 100 });
      const { id: approved } = await prove(member, id);
      await decide(approved, 'approve');
      await save({ id, reward_points: 200 });
      const reversal = { p_submission_id: approved, p_note: 'Copied' };
      await unwrap((await newAdmin()).client.rpc('reverse_submission', reversal));
      expect((await prove(member, id)).reward_points).toBe(200);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 100 });

      await setTimes(campaign.id, "- interval '1 hour'", "- interval '1 second'");
      await runPeriodicJobs();
      const state = owner.client.from('campaigns').select('status').eq('id', campaign.id);
      expect(await unwrap(state)).toEqual([{ status: 'closed' }]);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 100 });
      // The promise is kept as soon as there are points.
      const { rows } = await sql().query('select id from public.wallets where startup_id = $1', [owner.startup.id]);
      const gift = { p_wallet_id: rows[0]?.id, p_points: 100, p_reason: 'A gift', p_idempotency_key: campaign.id };
      await unwrap((await newAdmin()).client.rpc('adjust_points', gift));
      const { id: waiting } = await unwrap(member.client.from('submissions').select('id').single());
      await decide(waiting, 'approve');
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-07 the worker waits for no review: a quest in use is closed by the next tick', async () => {
    const owner = await newOwner();
    const [busy, free] = [await newQuest(owner), await newQuest(await newOwner())];
    const ids = [busy.campaign.id, free.campaign.id];
    for (const id of ids) await setTimes(id, "- interval '1 hour'", "- interval '1 second'");
    const statuses = async () =>
      (
        await sql().query('select status from public.campaigns where id = any ($1) order by array_position($1, id)', [
          ids,
        ])
      ).rows;
    const review = await sql().connect();
    try {
      await review.query('begin');
      await review.query('select 1 from public.tasks where id = $1 for no key update', [busy.taskId]);
      await runPeriodicJobs();
      expect(await statuses()).toEqual([{ status: 'published' }, { status: 'closed' }]);
    } finally {
      await review.query('rollback');
      review.release();
    }
    await runPeriodicJobs();
    expect(await statuses()).toEqual([{ status: 'closed' }, { status: 'closed' }]);
  });

  test('BEY-07 invalid schedules are refused, and saving a quest can change or clear its schedule', async () => {
    const owner = await newOwner();
    expect(await refusal(create(owner, { starts_at: 'soon' }))).toMatchObject({ code: 'INVALID_TIME' });
    // Times that the database knows, and no browser.
    for (const time of ['infinity', '-infinity', '294276-12-31', '0044-03-15 BC']) {
      expect(await refusal(create(owner, { starts_at: time })), time).toMatchObject({ code: 'INVALID_TIME' });
      expect(await refusal(create(owner, { ends_at: time })), time).toMatchObject({ code: 'INVALID_TIME' });
    }
    const starts = hours(2);
    for (const ends_at of [hours(1), starts])
      expect(await refusal(create(owner, { starts_at: starts, ends_at }))).toMatchObject({ code: 'END_BEFORE_START' });
    expect(await refusal(create(owner, { ends_at: hours(-1) }))).toMatchObject({ code: 'END_PASSED' });
    // A draft may wait for a later one.
    const other = await newOwner();
    const { id } = await unwrap(create(other, { ends_at: hours(-1) }, { p_publish: false }));
    const words = { title: 'T', summary: 'S', budget_points: 50 };
    await unwrap(other.client.rpc('update_campaign', { p_campaign_id: id, p_campaign: words, p_tasks: [] }));
    const { campaign, tasks } = await newQuest(owner, { task: { reward_points: 20, max_completions: 10 } });
    const save = (changes: Record<string, string | null>) =>
      unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: 'T', summary: 'S', budget_points: 200, ...changes },
          p_tasks: tasks.map((task) => ({ ...task })),
        }),
      );
    const ends = hours(5);
    await expect(save({ starts_at: ends, ends_at: hours(4) })).rejects.toThrow('END_BEFORE_START');
    expect(Date.parse((await save({ ends_at: ends })).ends_at ?? '')).toBe(Date.parse(ends));
    // A client that does not know schedules leaves them unchanged.
    expect((await save({})).ends_at).not.toBeNull();
    expect((await save({ ends_at: null })).ends_at).toBeNull();
  });
});

describe('a copy', () => {
  test('BEY-07 is a draft with the same tasks and no reserve; the same key creates one', () =>
    withSettings({ trial_quest_limit: 3 }, async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const quest = await newQuest(owner, {
        campaign: {
          collect_emails: true,
          email_collection_purpose: 'News',
          custom_reward_title: 'A mug',
          custom_reward_description: 'By post',
          review_hours: 96,
        },
        task: {
          reward_points: 20,
          max_completions: 10,
          proof_type: 'text',
          auto_verify: true,
          link_url: 'https://shop.example/welcome',
        },
      });
      const { summary, details_md } = quest.campaign;
      const key = randomUUID();
      const copy = () =>
        owner.client.rpc('duplicate_campaign', { p_campaign_id: quest.campaign.id, p_idempotency_key: key });
      const [first, second] = await Promise.all([unwrap(copy()), unwrap(copy())]);
      expect(second.id).toBe(first.id);
      expect(first).toMatchObject({
        title: `Copy of ${quest.campaign.title}`,
        status: 'draft',
        published_at: null,
        collect_emails: true,
        email_collection_purpose: 'News',
        custom_reward_title: 'A mug',
        custom_reward_description: 'By post',
        review_hours: 96,
        summary,
        details_md,
        budget_points: 200,
        submission_count: 0,
      });
      const columns =
        'title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type, auto_verify, link_url';
      const tasksOf = (id: string) => unwrap(owner.client.from('tasks').select(columns).eq('campaign_id', id));
      expect(await tasksOf(first.id)).toEqual(await tasksOf(quest.campaign.id));
      expect(await projectPoints(owner.startup.id, first.id)).toEqual({ free: 300, reserved: 0 });
      expect(await refusal(other.client.rpc('duplicate_campaign', { p_campaign_id: quest.campaign.id }))).toEqual(
        FORBIDDEN,
      );
      // The sum of budgets limits a copy like a new quest: 200 and 200 are available.
      expect(await refusal(owner.client.rpc('duplicate_campaign', { p_campaign_id: quest.campaign.id }))).toMatchObject(
        {
          code: 'BUDGET_LIMIT',
        },
      );
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('SEC-12 of a quest whose project is not verified is not made', () =>
    withSettings({ trial_quest_limit: 2 }, async () => {
      const owner = await newOwner();
      const { campaign } = await newQuest(owner);
      await sql().query("update public.startup_profiles set status = 'pending' where id = $1", [owner.startup.id]);
      expect(await refusal(owner.client.rpc('duplicate_campaign', { p_campaign_id: campaign.id }))).toMatchObject({
        code: 'STARTUP_NOT_VERIFIED',
      });
    }));

  test('C-25 C-97 of a quest on hold is not made: it could be published at once', () =>
    withSettings({ trial_quest_limit: 2 }, async () => {
      const [owner, admin] = [await newOwner(), await newAdmin()];
      const { campaign } = await newQuest(owner);
      const hold = { p_campaign_id: campaign.id, p_reason: 'Asks for passwords' };
      await unwrap(admin.client.rpc('unpublish_campaign', hold));
      expect(await refusal(owner.client.rpc('duplicate_campaign', { p_campaign_id: campaign.id }))).toEqual({
        status: 409,
        code: 'ON_HOLD',
        message: 'This quest is on hold: Asks for passwords',
      });
    }));
});
