import { describe, expect, test } from 'vitest';
import { asAnon, sql, testEnv, tokenFor } from '../../local/testing/clients.ts';
import {
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

type MyQuestArguments = { p_states?: string[]; p_limit?: number; p_cursor?: string };
type Member = Awaited<ReturnType<typeof newMember>>;

const mine = (who: Member, args: MyQuestArguments = {}) => unwrap(who.client.rpc('list_my_quests', args));
const submit = (who: Member, taskId: string, text = 'x') =>
  unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: text }));

async function newQuestOfTwoTasks(owner: Owner) {
  const { campaign, tasks } = await newQuest(owner);
  const [task] = tasks;
  await unwrap(
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 500 },
      p_tasks: [{ ...task }, { ...task, id: undefined, order_index: 1 }],
    }),
  );
  const stored = asAnon().from('tasks').select('id').eq('campaign_id', campaign.id).order('order_index');
  const [first = '', second = ''] = (await unwrap(stored)).map(({ id }) => id);
  return { campaign, taskIds: [first, second] as const };
}

describe("BEY-21 a member's started quests", () => {
  test('contain the proof, the decision with its reason, and whether it can be resubmitted', async () => {
    const [member, admin, owner] = [await newMember(), await newAdmin(), await newOwner()];
    const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 10, max_completions: 5 } });
    // Somebody else's proof of the same task is no part of it.
    await submit(await newMember(), taskId, 'Their report');
    expect(await mine(member)).toEqual([]);
    const earlier = await newQuest(await newOwner());
    await submit(member, earlier.taskId, 'Another report');
    await withSettings({ beta_mode: false }, async () => {
      const { id } = await submit(member, taskId, 'My report');
      expect(await mine(member)).toMatchObject([
        { campaign_id: campaign.id, title: campaign.title, startup_name: owner.startup.name, state: 'waiting' },
        { campaign_id: earlier.campaign.id, state: 'complete', submissions: [{ proof_text: 'Another report' }] },
      ]);
      expect((await mine(member))[0]).toMatchObject({
        can_continue: false,
        approved_count: 0,
        points_earned: 0,
        submissions: [{ task_id: taskId, task_title: 'Try the product', status: 'pending', proof_text: 'My report' }],
      });
      await unwrap(
        admin.client.rpc('review_submission', {
          p_submission_id: id,
          p_decision: 'reject',
          p_reason: 'incomplete',
          p_note: 'Page two is missing',
        }),
      );
      expect((await mine(member))[0]).toMatchObject({
        state: 'rejected',
        can_continue: true,
        submissions: [
          {
            status: 'rejected',
            rejection_reason: 'incomplete',
            review_note: 'Page two is missing',
            proof_text: 'My report',
          },
        ],
      });
      const { rows } = await rolledBack(async (client) => {
        const changed = `review_due_at = '2026-01-01', proof_url = 'https://example.com/report', appealed_at = '2026-01-02'`;
        await client.query(`update public.submissions set ${changed} where id = $1`, [id]);
        return client.query('select private.own_submissions($1, $2) -> 0 as own', [member.id, campaign.id]);
      });
      expect(rows[0].own).toMatchObject({
        ...{ reward_points: 10, proof_url: 'https://example.com/report', reviewed_at: expect.any(String) },
        ...{ review_due_at: expect.stringMatching(/^2026-01-01/), appealed_at: expect.stringMatching(/^2026-01-02/) },
        kept_until: expect.any(String),
      });
      await submit(member, taskId, 'Both pages');
      await unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
      expect((await mine(member))[0]).toMatchObject({
        state: 'complete',
        can_continue: false,
        approved_count: 1,
        points_earned: 10,
        submissions: [{ id, status: 'approved', reviewed_by: 'questboard', rejection_reason: null }],
      });
    });
  });

  test('are private, for signed-in members only, and never cached by shared caches', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const { taskId } = await newQuest(await newOwner());
    await submit(member, taskId);
    expect(await mine(other)).toEqual([]);
    expect((await refusal(asAnon().rpc('list_my_quests'))).status).toBe(401);
    const { SUPABASE_URL, SUPABASE_ANON_KEY } = testEnv();
    const headers = { apikey: SUPABASE_ANON_KEY, authorization: `Bearer ${await tokenFor(member)}` };
    const answer = await fetch(`${SUPABASE_URL}/rest/v1/rpc/list_my_quests`, { headers });
    expect(await answer.json()).toHaveLength(1);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('stand where their latest proof puts them', async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    const { campaign, taskIds } = await newQuestOfTwoTasks(owner);
    const other = await newQuest(await newOwner());
    await submit(member, taskIds[0]);
    await submit(member, other.taskId);
    expect((await mine(member)).map(({ campaign_id }) => campaign_id)).toEqual([other.campaign.id, campaign.id]);
    await submit(member, taskIds[1]);
    expect((await mine(member)).map(({ campaign_id }) => campaign_id)).toEqual([campaign.id, other.campaign.id]);
    expect((await mine(member))[0]?.submissions).toMatchObject(taskIds.map((task_id) => ({ task_id })));
  });

  test('can be continued only while they are published, have begun and have not ended', async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    const { campaign, taskIds } = await newQuestOfTwoTasks(owner);
    await submit(member, taskIds[0]);
    const canContinue = async () => (await mine(member))[0]?.can_continue;
    const plan = (change: string) => sql().query(`update public.campaigns set ${change} where id = $1`, [campaign.id]);
    expect(await canContinue()).toBe(true);
    await plan("starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'");
    expect(await canContinue()).toBe(true);
    await plan("ends_at = now() - interval '1 second'");
    expect(await canContinue()).toBe(false);
    await plan("starts_at = now() + interval '1 hour', ends_at = null");
    expect(await canContinue()).toBe(false);
    await plan('starts_at = null');
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    expect(await canContinue()).toBe(false);
  });

  test('are closed as soon as nothing in them can change any more, and not before', async () => {
    const [worker, appellant, waiting, late] = await Promise.all([newMember(), newMember(), newMember(), newMember()]);
    const [admin, owner] = [await newAdmin(), await newOwner()];
    const { campaign, taskIds } = await newQuestOfTwoTasks(owner);
    const { taskId: onlyTask } = await newQuest(await newOwner(), { task: { max_completions: 1 } });
    const state = async (who: Member) => {
      const [quest] = await mine(who);
      const open = await mine(who, { p_states: ['started', 'rejected', 'waiting'] });
      const closed = await mine(who, { p_states: ['closed'] });
      expect([open.length, closed.length]).toEqual(quest?.state === 'closed' ? [0, 1] : [1, 0]);
      return [quest?.state, quest?.can_continue];
    };
    const decide = (p_submission_id: string, p_decision: string) =>
      unwrap(admin.client.rpc('review_submission', { p_submission_id, p_decision, p_note: 'note' }));
    await withSettings({ beta_mode: false }, async () => {
      await decide((await submit(worker, taskIds[0])).id, 'approve');
      await decide((await submit(appellant, taskIds[0])).id, 'reject');
      await submit(waiting, taskIds[0]);
      await decide((await submit(late, onlyTask)).id, 'reject');
      expect(await state(worker)).toEqual(['started', true]);
      expect(await state(appellant)).toEqual(['rejected', true]);
      expect(await state(late)).toEqual(['rejected', true]);

      await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
      expect(await state(worker)).toEqual(['closed', false]);
      expect(await state(appellant)).toEqual(['rejected', false]);
      expect(await state(waiting)).toEqual(['waiting', false]);

      await letHoursPass(8 * 24);
      await settleReviews();
      expect(await state(appellant)).toEqual(['closed', false]);
      expect(await state(late)).toEqual(['rejected', true]);
      const { id } = await submit(await newMember(), onlyTask);
      expect(await state(late)).toEqual(['closed', false]);
      await decide(id, 'approve');
      expect(await state(late)).toEqual(['closed', false]);
    });
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    expect(await state(worker)).toEqual(['started', true]);
    expect(await state(appellant)).toEqual(['rejected', true]);
  });

  test('move up when a proof is decided', async () => {
    const [member, admin] = [await newMember(), await newAdmin()];
    const [first, second] = [await newQuest(await newOwner()), await newQuest(await newOwner())];
    const order = async () => {
      const states = await unwrap(member.client.rpc('get_own_quest_states'));
      const [whole, short] = [await mine(member), states].map((list) => list.map(({ campaign_id }) => campaign_id));
      expect(short).toEqual(whole);
      return whole;
    };
    await withSettings({ beta_mode: false }, async () => {
      const { id } = await submit(member, first.taskId);
      await submit(member, second.taskId);
      expect(await order()).toEqual([second.campaign.id, first.campaign.id]);
      await unwrap(admin.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
      expect(await order()).toEqual([first.campaign.id, second.campaign.id]);
    });
  });

  test('can be filtered by state and paged, latest activity first', async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    const quests = [];
    for (const number of [1, 2, 3]) {
      const quest = await newQuest(await newOwner(), { campaign: { title: `Number ${number}` } });
      await submit(member, quest.taskId);
      quests.push(quest.campaign.id);
    }
    const { taskId } = await newQuest(owner);
    await withSettings({ beta_mode: false }, () => submit(member, taskId));
    const ids = async (args?: MyQuestArguments) => (await mine(member, args)).map(({ campaign_id }) => campaign_id);
    expect((await ids()).slice(1)).toEqual([...quests].reverse());
    expect(await ids({ p_states: ['complete'] })).toEqual([...quests].reverse());
    expect(await ids({ p_states: ['started', 'rejected'] })).toEqual([]);
    const [first] = await mine(member, { p_states: ['complete'], p_limit: 1 });
    expect(await ids({ p_states: ['complete'], p_limit: 5, p_cursor: first?.cursor })).toEqual([quests[1], quests[0]]);
    const code = async (args: MyQuestArguments) => (await refusal(member.client.rpc('list_my_quests', args))).code;
    expect(await code({ p_states: ['done'] })).toBe('INVALID_STATE');
    expect(await code({ p_cursor: 'nonsense' })).toBe('INVALID_CURSOR');
  });

  test("show an unpublished quest as it was, not its owner's draft edits until they are published", async () => {
    const [member, owner] = [await newMember(), await newOwner()];
    const { campaign, taskId, tasks } = await newQuest(owner);
    await submit(member, taskId);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Secret draft', summary: 'Secret', budget_points: 500 },
        p_tasks: tasks.map((task) => ({ ...task, title: 'Secret task' })),
      }),
    );
    expect(await mine(member)).toMatchObject([
      { title: campaign.title, can_continue: false, submissions: [{ task_title: 'Try the product' }] },
    ]);
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    expect(await mine(member)).toMatchObject([{ title: 'Secret draft', submissions: [{ task_title: 'Secret task' }] }]);
  });
});

describe('C-72 the suggested next quest', () => {
  test("is open, not the member's own, not started and not full", async () => {
    const owner = await newOwner();
    const open = await newQuest(await newOwner());
    const begun = await newQuest(await newOwner());
    const own = await newQuest(owner);
    const full = await newQuest(await newOwner(), { task: { max_completions: 1 } });
    await submit(await newMember(), full.taskId);
    await submit(owner, begun.taskId);
    const ids = (await unwrap(owner.client.rpc('list_suggested_quests', { p_limit: 12 }))).map(({ id }) => id);
    expect(ids).toContain(open.campaign.id);
    for (const { campaign } of [begun, own, full]) expect(ids).not.toContain(campaign.id);
    expect(await unwrap(owner.client.rpc('list_suggested_quests', { p_limit: 1 }))).toHaveLength(1);
    expect((await refusal(asAnon().rpc('list_suggested_quests'))).status).toBe(401);
  });
});

describe("C-76 Questboard's newsletter, offered with a proof", () => {
  const entryOf = async (email: string) => {
    const { rows } = await sql().query(
      `select source, campaign_id, user_id, is_active, least(subscribed_at, confirmed_at) > now() - interval '1 day' as is_recent
       from public.mailing_list where email = $1`,
      [email],
    );
    return rows[0];
  };
  const submitWith = (who: Member, taskId: string, args: { p_email?: string; p_subscribe?: boolean }) =>
    unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x', ...args }));

  test('subscribes with source campaign and the quest, and only when the box was ticked', async () => {
    const { campaign, taskId } = await newQuest(await newOwner(), { campaign: { collect_emails: true } });
    const [ticked, unticked] = [await newMember(), await newMember()];
    await submitWith(unticked, taskId, { p_email: unticked.email });
    expect(await entryOf(unticked.email)).toBeUndefined();
    await submitWith(ticked, taskId, { p_email: ticked.email, p_subscribe: true });
    expect(await entryOf(ticked.email)).toEqual({
      source: 'campaign',
      campaign_id: campaign.id,
      user_id: ticked.id,
      is_active: true,
      is_recent: true,
    });
  });

  test('TRUST-25 resubscribes whoever unsubscribed, and leaves an active subscription unchanged', async () => {
    const { campaign, taskId } = await newQuest(await newOwner(), { campaign: { collect_emails: true } });
    const [former, reader] = [await newMember(), await newMember()];
    for (const { client, email } of [former, reader]) {
      await unwrap(client.rpc('subscribe_to_mailing_list', { p_email: email }));
    }
    await sql().query(
      `update public.mailing_list set is_active = false, unsubscribed_at = now(), user_id = null,
       subscribed_at = now() - interval '2 days', confirmed_at = now() - interval '2 days' where email = $1`,
      [former.email],
    );
    for (const who of [former, reader]) await submitWith(who, taskId, { p_email: who.email, p_subscribe: true });
    expect(await entryOf(former.email)).toMatchObject({
      source: 'campaign',
      campaign_id: campaign.id,
      user_id: former.id,
      is_active: true,
      is_recent: true,
    });
    expect(await entryOf(reader.email)).toMatchObject({ source: 'website', campaign_id: null, is_active: true });
  });

  test('subscribes nobody whose proof is refused, nor through a quest that collects no addresses', async () => {
    const collecting = await newQuest(await newOwner(), { campaign: { collect_emails: true } });
    const plain = await newQuest(await newOwner());
    const member = await newMember();
    const stranger = await newMember();
    const foreign = await refusal(
      member.client.rpc('submit_proof', {
        p_task_id: collecting.taskId,
        p_text: 'x',
        p_email: stranger.email,
        p_subscribe: true,
      }),
    );
    expect(foreign.code).toBe('EMAIL_NOT_VERIFIED');
    await submitWith(member, plain.taskId, { p_email: member.email, p_subscribe: true });
    expect([await entryOf(stranger.email), await entryOf(member.email)]).toEqual([undefined, undefined]);
  });
});
