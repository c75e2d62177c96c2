import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeSql } from '../../local/testing/clients.ts';
import type { Database } from '../../src/types/database.ts';
import { type Member, must, newAdmin, newMember, newOwner, newQuest, refusal } from './support/world.ts';

type Table = keyof (Database['public']['Tables'] & Database['public']['Views']);

/** The fields that the specification names for each table, as the database spells them. */
const FIELDS: Partial<Record<Table, string>> = {
  campaigns:
    'id, startup_id, title, summary, details_md, budget_points, budget_cash_cents, status, created_at, updated_at, published_at, closed_at, custom_reward_title, custom_reward_description, collect_emails, email_collection_purpose',
  tasks:
    'id, campaign_id, title, type, instructions_md, reward_points, max_completions, requires_proof, proof_type, order_index, created_at',
  submissions:
    'id, task_id, campaign_id, user_id, proof_url, proof_text, status, reviewed_by, review_note, created_at, reviewed_at, participant_email, reward_points',
  campaign_email_collections: 'id, campaign_id, user_id, email, submission_id, collected_at',
  startup_profiles:
    'id, owner_user_id, name, logo_url, website, description, industry, status, review_note, reviewed_at, created_at, updated_at',
  user_profiles:
    'id, user_id, role, username, avatar_url, og_badge, verified_socials, email, display_name, created_at, updated_at',
  wallets: 'user_id, points, lifetime_points, cash_cents, updated_at',
  transactions: 'id, user_id, type, points, description, metadata, created_at',
  rewards: 'id, title, description, points_cost, cash_value_cents, image_url, is_active, stock_quantity, created_at',
  redemptions: 'id, user_id, reward_id, points_cost, status, created_at, fulfilled_at',
  referral_codes: 'code, user_id, clicks, successful_referrals, total_rewards_earned, is_active',
  referrals:
    'id, referrer_user_id, referred_user_id, referral_code, status, referrer_reward_points, referred_reward_points, completed_at, rewarded_at',
  subscriptions: 'id, startup_id, status, plan_id, current_period_end, created_at',
  mailing_list: 'id, email, source, campaign_id, user_id, subscribed_at, is_active, metadata',
  beta_feedback:
    'id, user_id, email, type, title, description, rating, status, priority, admin_notes, created_at, updated_at',
  project_feedback: 'id, project_id, user_id, rating, feedback_text, created_at, updated_at',
  metrics_events: 'type, user_id, data',
};

let admin: Member;
beforeAll(async () => {
  admin = await newAdmin();
});
afterAll(closeSql);

describe('tables and fields by their names', () => {
  test.each(Object.entries(FIELDS))(
    'DB-01 DB-03 DB-06 DB-08 DB-11 an admin reads %s with its fields',
    async (table, fields) => {
      const { error } = await admin.client
        // Any of them: the client's types know no union of tables and views.
        .from(table as 'campaigns')
        .select(fields)
        .limit(1);
      expect(error).toBeNull();
    },
  );

  test('DB-11 a project keeps its owner’s address and its reviewer, which no client may select', async () => {
    const owner = await newOwner();
    expect(owner.startup).toMatchObject({ owner_email: owner.email, reviewed_by: 'beta' });
    for (const column of ['owner_email', 'reviewed_by']) {
      const { error } = await admin.client.from('startup_profiles').select(column).limit(1);
      expect(error?.code).toBe('42501');
    }
  });
});

describe('operations by their names', () => {
  test('DB-05 DB-07 RULE-01 creating, publishing, unpublishing and deleting a quest take no payment and work by id', async () => {
    const owner = await newOwner();
    const quest = await newQuest(owner, {
      campaign: {
        collect_emails: true,
        email_collection_purpose: 'News',
        custom_reward_title: 'Mug',
        custom_reward_description: 'By post',
      },
    });
    expect(quest.campaign).toMatchObject({
      startup_id: owner.startup.id,
      status: 'published',
      collect_emails: true,
      email_collection_purpose: 'News',
      custom_reward_title: 'Mug',
      custom_reward_description: 'By post',
    });
    expect(quest.tasks).toMatchObject([
      { type: 'signup', requires_proof: true, proof_type: 'link', order_index: 0, max_completions: 5 },
    ]);
    const id = { p_campaign_id: quest.campaign.id };
    expect((await must(owner.client.rpc('unpublish_campaign', id))).status).toBe('draft');
    expect((await must(owner.client.rpc('publish_campaign', id))).status).toBe('published');
    expect(await must(owner.client.from('subscriptions').select('id'))).toEqual([]);
    await owner.client.rpc('delete_campaign', id).throwOnError();
    expect(await must(owner.client.from('campaigns').select('id').eq('startup_id', owner.startup.id))).toEqual([]);
  });

  test('DB-09 DB-22 submissions are read by task, member and status; the quest’s slots follow', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId, campaign } = await newQuest(owner);
    await must(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    const read = owner.client.from('submissions').select('user_id').eq('task_id', taskId).eq('user_id', member.id);
    expect(await must(read.eq('status', 'approved').range(0, 999))).toEqual([{ user_id: member.id }]);
    const stats = await must(member.client.rpc('get_quest_completion_stats', { p_campaign_ids: [campaign.id] }));
    expect(stats).toEqual([
      { campaign_id: campaign.id, total_slots: 5, available_slots: 4, completed_slots: 1, is_quest_full: false },
    ]);
  });

  test('ERR-01 missing records are refused in the stated words', async () => {
    const owner = await newOwner();
    const nowhere = '00000000-0000-4000-8000-000000000000';
    expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: nowhere }))).toEqual({
      status: 404,
      code: 'CAMPAIGN_NOT_FOUND',
      message: 'Campaign not found',
    });
    expect(await refusal(owner.client.rpc('delete_startup_profile', { p_startup_id: nowhere }))).toEqual({
      status: 404,
      code: 'STARTUP_NOT_FOUND',
      message: 'Startup profile not found',
    });
  });

  test('SEC-08 a member submits, sees progress, wallet and profile, and redeems', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const { taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 1 } });
    await must(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    expect(await must(member.client.from('submissions').select('status').eq('task_id', taskId))).toEqual([
      { status: 'approved' },
    ]);
    expect(await must(member.client.from('wallets').select('points').eq('user_id', member.id))).toEqual([
      { points: 100 },
    ]);
    expect(await must(member.client.from('user_profiles').select('user_id'))).toEqual([{ user_id: member.id }]);
    const reward = await must(admin.client.rpc('save_reward', { p_reward: { title: 'Sticker', points_cost: 60 } }));
    const redemption = await must(
      member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: 'once' }),
    );
    expect(redemption.status).toBe('pending');
    expect(await must(member.client.from('wallets').select('points').eq('user_id', member.id))).toEqual([
      { points: 40 },
    ]);
  });
});
