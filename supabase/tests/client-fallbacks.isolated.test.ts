import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { feedbackQueries } from '@/features/feedback/queries';
import { questFormQueries } from '@/features/quests/form-queries';
import { questQueries } from '@/features/quests/queries';
import { referralQueries } from '@/features/referrals/queries';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { actAs, configureApp } from './support/app.ts';
import { type Member, newMember, newOwner, newQuest, type Owner, type Quest, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** Procedures for which the app has a fallback. */
const PROCEDURES = [
  'list_published_quests',
  'get_task_completion_counts',
  'validate_campaign_creation_eligibility',
  'get_available_quests_for_new_user',
  'get_project_feedback_stats',
  'get_user_referral_stats',
];

let owner: Owner;
let member: Member;
let quest: Quest;
let full: Quest;
let undone: Quest;

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });

/** What the screens read, as a visitor and as a member, except reserves, which no table shows to visitors. */
async function answers(who: Member | 'visitor') {
  actAs(who);
  const quests = [quest, full, undone].map(({ campaign }) => campaign.id);
  const list = async (filters: Parameters<typeof questQueries.list>[0]) =>
    (await client.fetchQuery(questQueries.list(filters))).map(({ cursor: _, reserved_points: __, ...row }) => row);
  client.clear();
  return {
    newest: await list({ limit: 20 }),
    byReward: await list({ sort: 'reward', limit: 5 }),
    trending: await list({ sort: 'trending', limit: 5 }),
    found: await list({ search: quest.campaign.title }),
    open: (await list({ view: 'open', limit: 100 })).map(({ id }) => id).filter((id) => quests.includes(id)),
    full: (await list({ view: 'full', limit: 100 })).map(({ id }) => id).filter((id) => quests.includes(id)),
    ofProject: (await client.fetchQuery(questQueries.ofProject(owner.startup.id))).map(({ id }) => id),
    counts: await client.fetchQuery(questQueries.taskCounts([quest.taskId, full.taskId])),
    feedback: await client.fetchQuery(feedbackQueries.projectStats(owner.startup.id)),
    ...(who !== 'visitor' && {
      referrals: await client.fetchQuery(referralQueries.stats(who.id)),
      isEligible: (await client.fetchQuery(questFormQueries.eligibility(who.id))).is_eligible,
      completed: (await client.fetchQuery(questFormQueries.eligibility(who.id))).quest_completion.quest_details.map(
        ({ completed_at, ...row }) => ({ ...row, completed_at: Date.parse(completed_at ?? '') }),
      ),
      available: (await client.fetchQuery(questFormQueries.available(who.id))).map(({ task_id }) => task_id),
    }),
  };
}

beforeAll(async () => {
  configureApp();
  owner = await newOwner();
  member = await newMember();
  quest = await newQuest(owner);
  full = await newQuest(await newOwner(), { task: { max_completions: 1 } });
  undone = await newQuest(await newOwner());
  // Neither is listed: one has not started, the other has ended (BEY-07).
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  await newQuest(await newOwner(), { campaign: { starts_at: hours(24) } });
  const { campaign: ended } = await newQuest(await newOwner(), { campaign: { ends_at: hours(24) } });
  await sql().query('update public.campaigns set ends_at = now() where id = $1', [ended.id]);
  for (const { taskId } of [quest, full]) {
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
  }
  await unwrap(
    member.client.rpc('submit_project_feedback', {
      p_project_id: owner.startup.id,
      p_rating: 4,
      p_feedback_text: 'Good',
    }),
  );
});
afterEach(() => actAs('visitor'));

describe('a database that has the tables but lacks the procedures', () => {
  test('DB-28 C-90 BEY-07 the fallback of every screen returns what the procedure would, under the same access rules', async () => {
    const before = { visitor: await answers('visitor'), member: await answers(member) };
    expect(before.member.completed).toHaveLength(2);
    expect(before.visitor.full).toEqual([full.campaign.id]);
    expect(before.visitor.ofProject).toEqual([quest.campaign.id]);
    expect(before.visitor.found).toHaveLength(1);
    expect(before.member.available).toContain(undone.taskId);
    expect(before.member.available).not.toContain(quest.taskId);

    for (const name of PROCEDURES) {
      const { rows } = await sql().query<{ signature: string }>(
        "select oid::regprocedure::text as signature from pg_proc where pronamespace = 'public'::regnamespace and proname = $1",
        [name],
      );
      await sql().query(`drop function ${rows[0]?.signature} cascade`);
    }
    await sql().query("notify pgrst, 'reload schema'");
    await expect
      .poll(async () => (await asAnon().rpc('get_task_completion_counts', { p_task_ids: [] })).status)
      .toBe(404);

    expect(await answers('visitor')).toEqual(before.visitor);
    // Only the procedure knows how much of the bonuses is held, and who may still enter a friend's code.
    const referrals = { ...before.member.referrals, pointsHeld: null, canBeReferred: false };
    expect(await answers(member)).toEqual({ ...before.member, referrals });
  });
});
