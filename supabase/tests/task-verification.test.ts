import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  newOwner,
  newQuest,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const LINK = 'https://shop.example/welcome';
const CHECKED = 'https://shop.example/completed';

async function checkQuest(owner: Owner): Promise<Quest> {
  await unwrap(asService().rpc('record_endpoint_test', { p_user_id: owner.id, p_url: CHECKED }));
  return newQuest(owner, { task: { verification: 'check', link_url: LINK, check_target: CHECKED } });
}

describe('requirements for publishing', () => {
  test.each([
    [{ verification: 'code' }, 'CODES_REQUIRED'],
    [{ verification: 'call', link_url: LINK }, 'SIGNING_SECRET_REQUIRED'],
    [{ verification: 'call' }, 'LINK_REQUIRED'],
    [{ verification: 'check', link_url: LINK }, 'CHECK_REQUIRED'],
    [{ verification: 'code', shared_code: 'short' }, 'COMPLETION_CODE_FORMAT'],
    [{ verification: 'magic' }, 'INVALID_TASK'],
    [{ verification: 'call', link_url: 'javascript:alert(1)' }, 'INVALID_LINK'],
  ])('BEY-13 %o is refused: %s', async (task, code) => {
    const owner = await newOwner();
    await expect(newQuest(owner, { task })).rejects.toThrow(code);
    expect(await projectPoints(owner.startup.id)).toEqual({ free: 500, reserved: 0 });
  });

  test('BEY-13 a copy of a quest is validated like the quest', () =>
    withSettings({ trial_quest_limit: 3 }, async () => {
      const owner = await newOwner();
      const { campaign } = await checkQuest(owner);
      const copy = await unwrap(owner.client.rpc('duplicate_campaign', { p_campaign_id: campaign.id }));
      const { rows } = await sql().query(
        `select k.source, k.target from private.task_checks k join public.tasks t on t.id = k.task_id
         where t.campaign_id = $1`,
        [copy.id],
      );
      expect(rows).toEqual([{ source: 'endpoint', target: CHECKED }]);
    }));

  test('BEY-13 a task that is verified in another way forgets whom to ask', async () => {
    const owner = await newOwner();
    const { campaign, tasks } = await checkQuest(owner);
    const settings = async () =>
      (await unwrap(owner.client.rpc('get_task_verifications', { p_campaign_id: campaign.id })))[0];
    expect(await settings()).toMatchObject({
      check_source: 'endpoint',
      check_target: CHECKED,
    });
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
        p_tasks: tasks.map((task) => ({ ...task, verification: 'review' })),
      }),
    );
    expect(await settings()).toMatchObject({ check_source: null, check_target: null });
  });

  test('BEY-13 a draft may be unfinished, and is then refused on publishing', async () => {
    const owner = await newOwner();
    const draft = await unwrap(
      owner.client.rpc('create_quest', {
        p_startup_id: owner.startup.id,
        p_campaign: { title: 'Draft' },
        p_task: { verification: 'code', instructions_md: 'I', reward_points: 10, max_completions: 5 },
        p_publish: false,
      }),
    );
    expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: draft.id }))).toEqual({
      status: 409,
      code: 'CODES_REQUIRED',
      message: 'Please add a code to "Draft" before publishing',
    });
  });

  test('C-06 DB-06 the specified fields follow from one column, and the legacy field alone still means the same', async () => {
    const columns = 'verification, auto_verify, requires_proof';
    const stored = async (task: Record<string, string | boolean>) => {
      const owner = await newOwner();
      const { taskId } = await newQuest(owner, { task });
      return unwrap(owner.client.from('tasks').select(columns).eq('id', taskId).single());
    };
    expect(await stored({ auto_verify: true, requires_proof: false })).toEqual({
      verification: 'automatic',
      auto_verify: true,
      requires_proof: false,
    });
    expect(await stored({ auto_verify: false })).toMatchObject({ verification: 'review', auto_verify: false });
    expect(await stored({ verification: 'code', shared_code: 'LANTERN2026', auto_verify: false })).toEqual({
      verification: 'code',
      auto_verify: false,
      requires_proof: false,
    });
  });
});
