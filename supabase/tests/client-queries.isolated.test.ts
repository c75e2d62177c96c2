import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { questFormQueries, questsToExplore, recentCompletions } from '@/features/quests/form-queries';
import { questQueries } from '@/features/quests/queries';
import { remainingSlots } from '@/features/quests/quest';
import { createPayload, emptyQuest } from '@/features/quests/quest-form';
import { createQuestErrors } from '@/features/quests/quest-problems';
import type { Verification } from '@/features/quests/quest-templates';
import { describeError, toAppError } from '@/lib/errors';
import { sql } from '../../local/testing/clients.ts';
import { actAs, configureApp } from './support/app.ts';
import { newMember, newOwner, newQuest, newVerifiedOwner, unwrap, withSettings } from './support/factories.ts';
import { withBroken } from './support/raw.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

beforeEach(() => {
  configureApp();
  client.clear();
});
afterEach(() => actAs('visitor'));

describe('quests', () => {
  test("QUEST-07 free slots are the task's slots minus approved and pending submissions, never below zero", () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const { taskId } = await newQuest(owner, { task: { max_completions: 3 } });
      const left = async () => {
        client.clear();
        const counts = await client.fetchQuery(questQueries.taskCounts([taskId]));
        return remainingSlots({
          max_completions: 3,
          ...(counts[taskId] ?? { approved_count: 0, pending_count: 0, kept_count: 0 }),
        });
      };
      expect(await left()).toBe(3);
      const ids = [];
      for (const member of [await newMember(), await newMember()]) {
        ids.push((await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }))).id);
      }
      expect(await left()).toBe(1);
      const review = (id = '', decision = 'approve') =>
        unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_note: 'Seen' }));
      await review(ids[0]);
      expect(await left()).toBe(1);
      await review(ids[1], 'reject');
      // Kept for as long as the rejection may be appealed (BEY-23).
      expect(await left()).toBe(1);
      await letHoursPass(8 * 24);
      await settleReviews();
      expect(await left()).toBe(2);
      expect(remainingSlots({ max_completions: 1, approved_count: 2, pending_count: 1, kept_count: 0 })).toBe(0);
    }));

  test("QUEST-12 the owner's figures match a recount of the submissions", () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newVerifiedOwner();
      const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 7 } });
      const [task] = await unwrap(owner.client.from('tasks').select().eq('id', taskId));
      await unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 500 },
          p_tasks: [{ ...task }, { ...task, id: undefined, order_index: 1 }],
        }),
      );
      const second = await unwrap(
        owner.client.from('tasks').select('id').eq('campaign_id', campaign.id).neq('id', taskId).single(),
      );
      const decisions = ['approve', 'approve', 'reject', undefined] as const;
      for (const decision of decisions) {
        const member = await newMember();
        const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
        if (!decision) {
          // The same participant once more.
          await unwrap(member.client.rpc('submit_proof', { p_task_id: second.id, p_text: 'done' }));
          continue;
        }
        await unwrap(
          owner.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_note: 'Seen' }),
        );
      }
      const rows = await unwrap(
        owner.client
          .from('submissions')
          .select('status, user_id, reward_points')
          .eq('campaign_id', campaign.id)
          .limit(1000),
      );
      const approved = rows.filter(({ status }) => status === 'approved');
      const figures = await unwrap(
        owner.client
          .from('campaigns')
          .select('submission_count, approved_count, pending_count, participant_count, points_distributed')
          .eq('id', campaign.id)
          .single(),
      );
      expect(figures).toEqual({
        submission_count: rows.length,
        approved_count: approved.length,
        pending_count: rows.filter(({ status }) => status === 'pending').length,
        participant_count: new Set(rows.map(({ user_id }) => user_id)).size,
        points_distributed: approved.reduce((sum, { reward_points }) => sum + reward_points, 0),
      });
      expect(figures).toEqual({
        submission_count: 5,
        approved_count: 2,
        pending_count: 2,
        participant_count: 4,
        points_distributed: 14,
      });
    }));

  test('HUB-09 C-107 a failed list is an error: no quest is shown, and none as full', async () => {
    const { campaign } = await newQuest(await newOwner());
    const ask = () => {
      client.clear();
      return client.fetchQuery(questQueries.list({ search: campaign.title }));
    };
    expect(await ask()).toMatchObject([{ total_slots: 5, open_slots: 5, is_full: false }]);
    const signature =
      'public.list_published_quests(text,text,integer,text,boolean,text,uuid,integer,integer,text,text,boolean,integer,integer)';
    await withBroken(signature, () => expect(ask()).rejects.toMatchObject({ status: expect.any(Number) }));
  });

  test('HUB-10 HUB-11 C-70 a card and the quest page show what one member can still earn', async () => {
    const owner = await newOwner();
    const { campaign, tasks } = await newQuest(owner, { task: { reward_points: 20, max_completions: 1 } });
    const word = `card ${campaign.id}`;
    const saved = await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: word, summary: 'S', budget_points: 500 },
        p_tasks: [20, 300].map((reward_points, index) => ({
          ...(index === 0 && { id: tasks[0]?.id }),
          title: 'T',
          instructions_md: 'I',
          reward_points,
          max_completions: 1,
        })),
      }),
    );
    const shown = async () => {
      client.clear();
      const [card] = await client.fetchQuery(questQueries.list({ search: word }));
      const page = await client.fetchQuery(questQueries.detail(campaign.id));
      return {
        card: card?.reward_points,
        page: page?.open_reward_points,
        tasks: card?.task_count,
        left: card?.open_slots,
      };
    };
    expect(saved.open_reward_points).toBe(320);
    expect(await shown()).toEqual({ card: 320, page: 320, tasks: 2, left: 2 });
    await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: tasks[0]?.id ?? '', p_text: 'x' }));
    expect(await shown()).toEqual({ card: 300, page: 300, tasks: 2, left: 1 });
  });

  test('QNEW-06 the panel shows up to eight open quests and the three latest completions from the server', async () => {
    const member = await newMember();
    const quests = [];
    for (let i = 0; i < 9; i += 1) quests.push(await newQuest(await newOwner()));
    for (const { taskId } of quests.slice(0, 4)) {
      await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    }
    actAs(member);
    const available = await client.fetchQuery(questFormQueries.available(member.id));
    expect(available.length).toBeLessThanOrEqual(20);
    const shown = questsToExplore(available);
    expect(shown).toHaveLength(8);
    const done = quests.slice(0, 4).map(({ campaign }) => campaign.id);
    expect(shown.filter(({ campaign_id }) => done.includes(campaign_id))).toEqual([]);
    const recent = recentCompletions(await client.fetchQuery(questFormQueries.eligibility(member.id)));
    expect(recent.map(({ campaign_title }) => campaign_title)).toEqual(
      quests
        .slice(1, 4)
        .reverse()
        .map(({ campaign }) => campaign.title),
    );
  });

  test('QNEW-18 a quest with simple verification is stored without proof and as text, every other one with its proof', async () => {
    const stored = async (verification: Verification) => {
      const owner = await newOwner();
      const tasks = emptyQuest.tasks.map((task) => ({ ...task, instructions: 'D', verification }));
      const { quest, task } = createPayload({ ...emptyQuest, title: 'T', tasks });
      const created = await unwrap(
        owner.client.rpc('create_quest', { p_startup_id: owner.startup.id, p_campaign: quest, p_task: task }),
      );
      return unwrap(
        owner.client.from('tasks').select('requires_proof, proof_type').eq('campaign_id', created.id).single(),
      );
    };
    expect(await stored('simple')).toEqual({ requires_proof: false, proof_type: 'text' });
    for (const proof of ['link', 'screenshot', 'text'] as const) {
      expect(await stored(proof)).toEqual({ requires_proof: true, proof_type: proof });
    }
  });

  test('QNEW-20 a failed quest creation says why: no project, no points, or a server error', async () => {
    const owner = await newOwner();
    const create = async (startupId: string) => {
      const { error, status } = await owner.client.rpc('create_quest', {
        p_startup_id: startupId,
        p_campaign: { title: 'Q' },
        p_task: { title: 'T', instructions_md: 'I', reward_points: 500, max_completions: 1 },
      });
      return describeError(toAppError(error, status), createQuestErrors);
    };
    expect(await create('00000000-0000-4000-8000-000000000000')).toBe(
      'Your project profile was not found. Please create your project profile first and try again.',
    );
    await sql().query(
      `select private.transfer((select id from public.wallets where startup_id = $1), (select id from public.wallets where user_id = $2), 1, 'adjustment', 'test')`,
      [owner.startup.id, owner.id],
    );
    expect(await create(owner.startup.id)).toBe(
      "You don't have enough points to create this quest. Please check your wallet balance.",
    );
    expect(await withBroken('public.create_quest(uuid,jsonb,jsonb,text,boolean)', () => create(owner.startup.id))).toBe(
      'Failed to create the quest. Please try again or contact support if the issue persists.',
    );
  });
});
