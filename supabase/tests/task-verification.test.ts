import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { revoke, verify } from './support/closed-business.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  submissionsOf,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const LINK = 'https://shop.example/welcome';
const CHECKED = 'https://shop.example/completed';
const PULL_REQUEST = {
  verification: 'check',
  link_url: LINK,
  check_source: 'github_pull_request',
  check_target: 'a/b',
};

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
    [{ ...PULL_REQUEST, check_target: ' ' }, 'INVALID_CHECK'],
    [{ ...PULL_REQUEST, check_source: 'gitlab' }, 'INVALID_CHECK'],
    [{ verification: 'code', shared_code: 'short' }, 'COMPLETION_CODE_FORMAT'],
    [{ verification: 'code', shared_code: `LANTERN${'-'.repeat(194)}` }, 'COMPLETION_CODE_FORMAT'],
    [{ verification: 'magic' }, 'INVALID_TASK'],
    [{ verification: 'call', link_url: 'javascript:alert(1)' }, 'INVALID_LINK'],
    [{ verification: 'call', link_url: 'nowhere' }, 'INVALID_LINK'],
  ])('BEY-13 %o is refused: %s', async (task, code) => {
    const owner = await newOwner();
    await expect(newQuest(owner, { task })).rejects.toThrow(code);
    expect(await projectPoints(owner.startup.id)).toEqual({ free: 500, reserved: 0 });
  });

  test('BEY-13 a copy of a quest asks the same endpoint as the quest, and nobody if that asks nobody', () =>
    withSettings({ trial_quest_limit: 3 }, async () => {
      const owner = await newOwner();
      const { campaign } = await checkQuest(owner);
      const other = await newOwner();
      const reviewed = await newQuest(other);
      const askedBy = async ({ client }: Owner, id: string) => {
        const copy = await unwrap(client.rpc('duplicate_campaign', { p_campaign_id: id }));
        const settings = await unwrap(client.rpc('get_task_verifications', { p_campaign_id: copy.id }));
        return settings.map(({ check_source, check_target }) => [check_source, check_target]);
      };
      expect(await askedBy(owner, campaign.id)).toEqual([['endpoint', CHECKED]]);
      expect(await askedBy(other, reviewed.campaign.id)).toEqual([[null, null]]);
    }));

  test('BEY-13 each task of a copy asks what its own task asks, also where two have one title', () =>
    withSettings({ trial_quest_limit: 2 }, async () => {
      const owner = await newOwner();
      const { campaign, tasks } = await checkQuest(owner);
      const [task] = tasks;
      if (!task) throw new Error('no task');
      const repository = { check_source: 'github_pull_request', check_target: 'questboard/app' };
      const { id: _, ...added } = { ...task, ...repository };
      await unwrap(
        owner.client.rpc('update_campaign', {
          p_campaign_id: campaign.id,
          p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 100 },
          p_tasks: [{ ...task, check_target: CHECKED }, added],
        }),
      );
      const copy = await unwrap(owner.client.rpc('duplicate_campaign', { p_campaign_id: campaign.id }));
      const { rows } = await sql().query(
        `select k.target from private.task_checks k join public.tasks t on t.id = k.task_id
         where t.campaign_id = $1 order by t.order_index`,
        [copy.id],
      );
      expect(rows).toEqual([{ target: CHECKED }, { target: 'questboard/app' }]);
    }));

  test('BEY-13 a task that is verified in another way forgets whom to ask', async () => {
    const owner = await newOwner();
    const { campaign, tasks } = await checkQuest(owner);
    const settingsOf = async (who: Owner, id: string) =>
      (await unwrap(who.client.rpc('get_task_verifications', { p_campaign_id: id })))[0];
    const settings = () => settingsOf(owner, campaign.id);
    const [neighbour, guarded] = [await newOwner(), await newOwner()];
    const checked = await checkQuest(neighbour);
    const coded = await newQuest(guarded, { task: { verification: 'code', shared_code: 'LANTERN2026' } });
    expect(await settings()).toMatchObject({ check_source: 'endpoint', check_target: CHECKED, has_shared_code: false });
    await unwrap(
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
        p_tasks: tasks.map((task) => ({ ...task, verification: 'review' })),
      }),
    );
    expect(await settings()).toMatchObject({ check_source: null, check_target: null });
    expect(await settingsOf(neighbour, checked.campaign.id)).toMatchObject({ check_target: CHECKED });
    expect(await settingsOf(guarded, coded.campaign.id)).toMatchObject({ has_shared_code: true, codes_left: 0 });
  });

  test('BEY-13 an address that stays need not be tested again, and another one has to be tested by this project, within a day', async () => {
    const owner = await newOwner();
    const { campaign, tasks } = await checkQuest(owner);
    const save = (check_target: string) =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
        p_tasks: tasks.map((task) => ({ ...task, check_target })),
      });
    const another = `${CHECKED}/again`;
    await unwrap(asService().rpc('record_endpoint_test', { p_user_id: owner.id, p_url: another }));
    await sql().query(
      "update private.tested_endpoints set tested_at = now() - interval '25 hours' where startup_id = $1",
      [owner.startup.id],
    );
    // Neither does one of another address, nor by another project.
    const elsewhere = { p_user_id: owner.id, p_url: `${CHECKED}/elsewhere` };
    await unwrap(asService().rpc('record_endpoint_test', elsewhere));
    await unwrap(asService().rpc('record_endpoint_test', { p_user_id: (await newOwner()).id, p_url: another }));
    // Nor that a task of another project asks it.
    const neighbour = await newOwner();
    await unwrap(asService().rpc('record_endpoint_test', { p_user_id: neighbour.id, p_url: another }));
    await newQuest(neighbour, { task: { verification: 'check', link_url: LINK, check_target: another } });
    await unwrap(save(CHECKED));
    expect(await refusal(save(another))).toMatchObject({ status: 409, code: 'ENDPOINT_NOT_TESTED' });
    await unwrap(asService().rpc('record_endpoint_test', { p_user_id: owner.id, p_url: another }));
    await unwrap(save(another));
    const source = { check_source: 'github_pull_request', check_target: 'a/b' };
    const saved = { p_campaign_id: campaign.id, p_campaign: { title: 'T', summary: 'S', budget_points: 50 } };
    const p_tasks = tasks.map((task) => ({ ...task, ...source }));
    await unwrap(owner.client.rpc('update_campaign', { ...saved, p_tasks }));
    const settings = owner.client.rpc('get_task_verifications', { p_campaign_id: campaign.id });
    expect(await unwrap(settings)).toMatchObject([source]);
  });

  test('BEY-13 an endpoint needs the link that leads to it, a repository does not', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await unwrap(asService().rpc('record_endpoint_test', { p_user_id: owner.id, p_url: CHECKED }));
    const endpoint = { verification: 'check', check_target: CHECKED };
    await expect(newQuest(owner, { task: endpoint })).rejects.toThrow('LINK_REQUIRED');
    await newQuest(other, { task: { ...PULL_REQUEST, link_url: null } });
  });

  test('BEY-13 another project’s signing secret does not sign the calls of this one', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    await unwrap(other.client.rpc('create_signing_secret', { p_startup_id: other.startup.id }));
    await expect(newQuest(owner, { task: { verification: 'call', link_url: LINK } })).rejects.toThrow(
      'SIGNING_SECRET_REQUIRED',
    );
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

  test('BEY-13 TRUST-18 a quest that the end of a hold publishes keeps what verifies its tasks; a draft may lose it', async () => {
    const [owner, other, admin] = [await newOwner(), await newOwner(), await newAdmin()];
    const [held, draft] = [await newQuest(owner), await newQuest(other)];
    await unwrap(other.client.rpc('unpublish_campaign', { p_campaign_id: draft.campaign.id }));
    await unwrap(revoke(admin, owner));
    await unwrap(revoke(admin, other));
    const demandCode = ({ client }: Owner, { campaign, taskId }: Quest, verification: string) =>
      client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
        p_tasks: [
          { id: taskId, title: 'Task', instructions_md: 'I', reward_points: 10, max_completions: 5, verification },
        ],
      });
    expect(await refusal(demandCode(owner, held, 'code'))).toMatchObject({ status: 409, code: 'CODES_REQUIRED' });
    await unwrap(demandCode(owner, held, 'review'));
    await unwrap(demandCode(other, draft, 'code'));
    await verify(admin, owner.startup.id);
    const status = owner.client.from('campaigns').select('status').eq('id', held.campaign.id);
    expect(await unwrap(status)).toEqual([{ status: 'published' }]);
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

test('C-06 DB-06 a save with the legacy field alone, or with neither, does not send to a reviewer what a code completes', async () => {
  const owner = await newOwner();
  const { campaign, tasks, taskId } = await newQuest(owner, {
    task: { verification: 'code', shared_code: 'LANTERN2026' },
  });
  const verificationAfter = async (auto_verify?: boolean) => {
    const save = {
      p_campaign_id: campaign.id,
      p_campaign: { title: 'T', summary: 'S', budget_points: 50 },
      p_tasks: tasks.map(({ verification: _, ...task }) => ({ ...task, auto_verify })),
    };
    await unwrap(owner.client.rpc('update_campaign', save));
    return unwrap(owner.client.from('tasks').select('verification').eq('id', taskId).single());
  };
  expect(await verificationAfter(false)).toEqual({ verification: 'code' });
  expect(await verificationAfter(true)).toEqual({ verification: 'automatic' });
  expect(await verificationAfter()).toEqual({ verification: 'automatic' });
  expect(await verificationAfter(false)).toEqual({ verification: 'review' });
});

describe('what a check has found, such as a merged pull request,', () => {
  const start = (member: Member, { taskId }: Quest) => unwrap(member.client.rpc('start_task', { p_task_id: taskId }));
  const finish = async (member: Member, quest: Quest, actions: string[]) => {
    await start(member, quest);
    const args = { p_user_id: member.id, p_task_id: quest.taskId, p_actions: actions };
    return (await unwrap(asService().rpc('finish_check', args)))[0];
  };
  const counted = {
    status: 409,
    code: 'ACTION_COUNTED',
    message: 'This has already been counted for another task. Each task needs one of its own.',
  };
  const scene = async () => {
    const [owner, other, member, second] = await Promise.all([newOwner(), newOwner(), newMember(), newMember()]);
    const [quest, elsewhere] = await Promise.all([checkQuest(owner), checkQuest(other)]);
    return { owner, quest, elsewhere, member, second, action: `github:${randomUUID()}` };
  };

  test('BEY-13 TRUST-02 counts for one task of one member, whoever else puts their token into it', async () => {
    const { quest, elsewhere, member, second, action } = await scene();
    expect(await finish(member, quest, [action])).toMatchObject({ code: 'COMPLETED' });
    expect(await finish(member, elsewhere, [action])).toEqual(counted);
    expect(await finish(second, quest, [action])).toEqual(counted);
    expect(await submissionsOf(elsewhere.taskId)).toEqual([]);

    // One more of them counts, once.
    const more = [action, `github:${randomUUID()}`];
    expect(await finish(second, quest, more)).toMatchObject({ code: 'COMPLETED' });
    expect(await finish(member, elsewhere, more)).toEqual(counted);
    expect(await submissionsOf(quest.taskId)).toHaveLength(2);
  });

  test('BEY-13 TRUST-02 counts once when several members verify it together', async () => {
    const { quest, action } = await scene();
    const members = await Promise.all(Array.from({ length: 5 }, () => newMember()));
    const answers = await Promise.all(members.map((member) => finish(member, quest, [action])));
    expect(answers.map((answer) => answer?.code).toSorted()).toEqual([...Array(4).fill('ACTION_COUNTED'), 'COMPLETED']);
  });

  test('BEY-13 can be sent again for its own task after a reversal, and counts for no other once its quest is deleted', async () => {
    const { owner, quest, elsewhere, member, action } = await scene();
    await finish(member, quest, [action]);
    const [paid] = await unwrap(member.client.from('submissions').select('id'));
    const reversal = { p_submission_id: paid?.id ?? '', p_note: 'Not merged by us' };
    await unwrap((await newAdmin()).client.rpc('reverse_submission', reversal));
    const check = asService().rpc('begin_check', { p_user_id: member.id, p_task_id: quest.taskId });
    expect(await unwrap(check)).toMatchObject([{ target: CHECKED }]);
    // Another one that counted for somebody else does not count for them.
    const [third, taken] = [await newMember(), `github:${randomUUID()}`];
    expect(await finish(third, quest, [taken])).toMatchObject({ code: 'COMPLETED' });
    expect(await finish(member, quest, [taken])).toEqual(counted);
    expect(await finish(member, quest, [action])).toMatchObject({ code: 'WAITING' });
    const all = { p_campaign_id: quest.campaign.id, p_approve_waiting: true };
    expect((await owner.client.rpc('delete_campaign', all)).error).toBeNull();
    expect(await finish(member, elsewhere, [action])).toEqual(counted);
  });

  test('BEY-13 a refused task does not use it up', async () => {
    const { owner, quest, elsewhere, member, action } = await scene();
    await start(member, quest);
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: quest.campaign.id }));
    const args = { p_user_id: member.id, p_task_id: quest.taskId, p_actions: [action] };
    expect(await unwrap(asService().rpc('finish_check', args))).toMatchObject([{ code: 'QUEST_NOT_OPEN' }]);
    expect(await finish(member, elsewhere, [action])).toMatchObject({ code: 'COMPLETED' });
  });
});
