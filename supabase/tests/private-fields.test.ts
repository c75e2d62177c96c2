import { describe, expect, test } from 'vitest';
import { asAnon, asUser, newPersona, type TestClient } from '../../local/testing/clients.ts';
import {
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { flag } from './support/holds.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** Everything that this client can read from these tables, as one text. */
async function everythingReadable(client: TestClient, columns: Record<string, string>): Promise<string> {
  const answers = [];
  for (const [table, list] of Object.entries(columns))
    answers.push(await unwrap(client.from(table as 'campaigns').select(list)));
  return JSON.stringify(answers);
}

const READABLE = {
  campaigns: '*',
  tasks: '*',
  submissions: '*',
  submission_history: '*',
  submission_flags: '*',
  redemptions: '*',
  startup_profiles: 'id, name, logo_url, website, description, industry, status, reviewed_at, created_at, updated_at',
  project_feedback: 'id, project_id, rating, feedback_text, created_at, updated_at',
};

describe('the decider', () => {
  test('C-102 owners and members read "project" or "questboard", never the person; admins read the id', async () => {
    await withSettings({ beta_mode: false }, async () => {
      const [owner, admin, member, other] = await Promise.all([
        newVerifiedOwner(),
        newAdmin(),
        newMember(),
        newMember(),
      ]);
      const { taskId, campaign } = await newQuest(owner);
      const submit = (who: typeof member) =>
        unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
      const decide = (who: typeof admin, id: string, p_decision: string) =>
        unwrap(who.client.rpc('review_submission', { p_submission_id: id, p_decision, p_note: 'Because' }));
      const [first, second] = [await submit(member), await submit(other)];
      expect((await decide(owner, first.id, 'reject')).reviewed_by).toBe('project');
      expect((await decide(admin, second.id, 'approve')).reviewed_by).toBe('questboard');
      await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: second.id, p_note: 'Not so' }));
      await flag(second.id);
      const flags = await unwrap(admin.client.from('submission_flags').select('id').eq('submission_id', second.id));
      for (const { id } of flags)
        await unwrap(admin.client.rpc('dismiss_submission_flag', { p_flag_id: id, p_reason: 'Told us why' }));
      await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id, p_reason: 'Checked' }));

      const readers = [owner, member, other];
      for (const { client } of readers) {
        expect(await everythingReadable(client, READABLE)).not.toContain(admin.id);
      }
      // The owner's id is private.
      for (const { client } of [member, other]) {
        expect(await everythingReadable(client, READABLE)).not.toContain(owner.id);
      }
      const rows = await unwrap(admin.client.rpc('admin_list_submissions', { p_limit: 100 }));
      const byId = Object.fromEntries(rows.map((row) => [row.id, row.reviewed_by]));
      expect(byId).toMatchObject({ [first.id]: owner.id, [second.id]: admin.id });
    });
  });

  test('C-102 to its owner, a project\'s reviewer is just "questboard"; the admin\'s list names the admin', async () => {
    await withSettings({ beta_mode: false }, async () => {
      const [owner, admin] = await Promise.all([newOwner(), newAdmin()]);
      const decision = { p_startup_id: owner.startup.id, p_status: 'rejected', p_note: 'No site' };
      await unwrap(admin.client.rpc('set_startup_status', decision));
      expect(await unwrap(owner.client.rpc('get_own_startup').single())).toMatchObject({
        owner_user_id: owner.id,
        reviewed_by: 'questboard',
        review_note: 'No site',
      });
      const [row] = await unwrap(admin.client.rpc('admin_list_startups', { p_search: owner.startup.name }));
      expect(row).toMatchObject({ reviewed_by: admin.id, review_note: 'No site', owner_user_id: owner.id });
    });
  });
});

describe('private fields of a project', () => {
  test("C-102 the owner's id and the reviewer's note are for the owner and admins only, even when the project is public", async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    for (const client of [asAnon(), member.client, owner.client]) {
      for (const column of ['owner_user_id', 'review_note']) {
        expect((await client.from('startup_profiles').select(column)).error?.code).toBe('42501');
        // Nor through a filter.
        const match = client.from('startup_profiles').select('id').eq(column, owner.id);
        expect((await match).error?.code).toBe('42501');
      }
    }
    expect(await unwrap(member.client.rpc('get_own_startup'))).toEqual([]);
    expect(await unwrap(owner.client.rpc('get_own_startup').single())).toMatchObject({ id: owner.startup.id });
  });

  test("FEED-08 ratings do not name their authors; the server marks the caller's own", async () => {
    const [owner, rater, reader] = await Promise.all([newOwner(), newMember(), newMember()]);
    const rate = { p_project_id: owner.startup.id, p_rating: 4, p_feedback_text: 'Good' };
    const { id } = await unwrap(rater.client.rpc('submit_project_feedback', rate));
    for (const { client } of [reader, owner, rater]) {
      expect((await client.from('project_feedback').select('user_id')).error?.code).toBe('42501');
      expect((await client.from('project_feedback').select('id').eq('user_id', rater.id)).error?.code).toBe('42501');
      const ratings = client.from('project_feedback').select('id, rating').eq('project_id', owner.startup.id);
      expect(await unwrap(ratings)).toEqual([{ id, rating: 4 }]);
    }
    const own = { p_project_id: owner.startup.id };
    expect(await unwrap(rater.client.rpc('get_own_project_feedback', own))).toMatchObject([{ id, user_id: rater.id }]);
    expect(await unwrap(reader.client.rpc('get_own_project_feedback', own))).toEqual([]);
    expect((await asAnon().rpc('get_own_project_feedback', own)).status).toBe(401);
  });
});

describe('a quest that is no longer published', () => {
  async function takenPart() {
    const [owner, member, stranger] = await Promise.all([newOwner(), newMember(), newMember()]);
    const quest = await newQuest(owner, { campaign: { title: 'As published' }, task: { title: 'Task as published' } });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
    const read = async (client: TestClient) => ({
      rows: await unwrap(client.from('campaigns').select().eq('id', quest.campaign.id)),
      tasks: await unwrap(client.from('tasks').select().eq('campaign_id', quest.campaign.id)),
      kept: {
        quest: await unwrap(client.rpc('get_participated_quest', { p_campaign_id: quest.campaign.id })),
        tasks: await unwrap(client.rpc('get_participated_tasks', { p_campaign_id: quest.campaign.id })),
      },
    });
    return { owner, member, stranger, read, id: quest.campaign.id, taskId: quest.taskId };
  }

  test('RULE-14 participants read it as it was published, without draft edits or the reason of a hold', async () => {
    const { owner, member, stranger, read, id, taskId } = await takenPart();
    const admin = await newAdmin();
    await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: id, p_reason: 'A secret reason' }));
    const task = {
      id: taskId,
      title: 'Edited task',
      type: 'signup',
      instructions_md: 'Do it',
      reward_points: 10,
      max_completions: 5,
      proof_type: 'link',
    };
    const edit = {
      p_campaign_id: id,
      p_campaign: { title: 'Edited draft', summary: 'x', budget_points: 100 },
      p_tasks: [task],
    };
    await unwrap(owner.client.rpc('update_campaign', edit));

    const seen = await read(member.client);
    expect([seen.rows, seen.tasks]).toEqual([[], []]);
    expect(seen.kept).toMatchObject({
      quest: [{ title: 'As published', status: 'draft', hold_reason: null }],
      tasks: [{ title: 'Task as published' }],
    });
    expect(JSON.stringify(seen.kept)).not.toMatch(/secret reason|Edited|questboard/);
    expect(await read(stranger.client)).toEqual({ rows: [], tasks: [], kept: { quest: [], tasks: [] } });
    const persona = await asUser(newPersona());
    expect((await persona.rpc('get_participated_quest', { p_campaign_id: id })).data).toEqual([]);
    expect((await read(owner.client)).rows).toMatchObject([{ title: 'Edited draft', hold_reason: 'A secret reason' }]);
    expect((await read(admin.client)).rows).toHaveLength(1);

    await unwrap(admin.client.rpc('lift_campaign_hold', { p_campaign_id: id }));
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: id }));
    const again = await read(member.client);
    expect([again.rows[0]?.title, again.kept]).toEqual(['Edited draft', { quest: [], tasks: [] }]);
  });

  test('RULE-14 participants keep reading a closed quest, and a held one only as it was', async () => {
    const { owner, member, read, id } = await takenPart();
    await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: id }));
    expect((await read(member.client)).rows).toMatchObject([{ title: 'As published', status: 'closed' }]);
    const admin = await newAdmin();
    await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: id, p_reason: 'A secret reason' }));
    const seen = await read(member.client);
    expect(seen.rows).toEqual([]);
    expect(seen.kept).toMatchObject({ quest: [{ title: 'As published', status: 'closed', held_at: null }] });
    expect(JSON.stringify(seen.kept)).not.toContain('secret reason');
  });
});
