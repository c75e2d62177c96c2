import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asService } from '../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  newQuest,
  refusal,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { answerAfter } from './support/locks.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

interface Case {
  what: string;
  /** Who has begun to do what with the row `id`, and what somebody else asks for meanwhile. */
  prepare: () => Promise<{ by: Member; first: string; id: string; second: () => Parameters<typeof refusal>[0] }>;
  expected: { status: number; code: string };
}

const cases: Case[] = [
  {
    what: 'TRUST-14 a proof for a quest that is being deleted',
    prepare: async () => {
      const [by, member] = [await newOwner(), await newMember()];
      const quest = await newQuest(by);
      return {
        by,
        first: 'delete_campaign($1)',
        id: quest.campaign.id,
        second: () => submitProof(member, quest.taskId),
      };
    },
    expected: { status: 404, code: 'TASK_NOT_FOUND' },
  },
  {
    what: 'TRUST-20 starting a task whose quest is being deleted',
    prepare: async () => {
      const [by, member] = [await newOwner(), await newMember()];
      await unwrap(by.client.rpc('create_signing_secret', { p_startup_id: by.startup.id }));
      const quest = await newQuest(by, { task: { verification: 'call', link_url: 'https://shop.example/welcome' } });
      const second = () => member.client.rpc('start_task', { p_task_id: quest.taskId });
      return { by, first: 'delete_campaign($1)', id: quest.campaign.id, second };
    },
    expected: { status: 404, code: 'TASK_NOT_FOUND' },
  },
  {
    what: 'BEY-18 saving a quest that is being deleted',
    prepare: async () => {
      const [by, member] = [await newOwner(), await newMember()];
      const { id } = (await newQuest(by)).campaign;
      const second = () => member.client.rpc('set_quest_saved', { p_campaign_id: id, p_is_saved: true });
      return { by, first: 'delete_campaign($1)', id, second };
    },
    expected: { status: 404, code: 'CAMPAIGN_NOT_FOUND' },
  },
  {
    what: 'QEDIT-15 publishing a quest that is being deleted',
    prepare: async () => {
      const by = await newOwner();
      const { id } = (await newQuest(by)).campaign;
      return {
        by,
        first: 'delete_campaign($1)',
        id,
        second: () => by.client.rpc('publish_campaign', { p_campaign_id: id }),
      };
    },
    expected: { status: 404, code: 'CAMPAIGN_NOT_FOUND' },
  },
  {
    what: 'BEY-18 following a project that is being deleted',
    prepare: async () => {
      const [by, member] = [await newOwner(), await newMember()];
      const { id } = by.startup;
      const second = () => member.client.rpc('set_project_followed', { p_startup_id: id, p_is_followed: true });
      return { by, first: 'delete_startup_profile($1)', id, second };
    },
    expected: { status: 404, code: 'STARTUP_NOT_FOUND' },
  },
  {
    what: 'SEC-10 TRUST-10 redeeming a reward that is being deleted',
    prepare: async () => {
      const [by, member, id] = [await newAdmin(), await newMemberWithPoints(100), await newReward()];
      return { by, first: 'delete_reward($1)', id, second: () => redeem(member, id) };
    },
    expected: { status: 404, code: 'REWARD_NOT_FOUND' },
  },
  {
    what: 'SEC-10 TRUST-10 deleting a reward that is being redeemed',
    prepare: async () => {
      const [admin, by, id] = [await newAdmin(), await newMemberWithPoints(100), await newReward()];
      const second = () => admin.client.rpc('delete_reward', { p_reward_id: id });
      return { by, first: "redeem_reward_safe($1, 'first')", id, second };
    },
    expected: { status: 409, code: 'REWARD_REDEEMED' },
  },
];

// Each would otherwise answer with the database's own words about a foreign key.
test.for(cases)('$what is refused in words', async ({ prepare, expected }) => {
  const { by, first, id, second } = await prepare();
  expect(await answerAfter(by, first, [id], async () => refusal(second()))).toMatchObject(expected);
});

test('TRUST-14 the view of a quest that is being deleted is not counted, and breaks no page', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  const { id } = (await newQuest(owner)).campaign;
  const view = async () => member.client.rpc('record_quest_view', { p_campaign_id: id });
  expect((await answerAfter(owner, 'delete_campaign($1)', [id], view)).error).toBeNull();
});

test('BEY-13 a call about a task whose quest is being deleted is answered that the task is gone', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const link = { verification: 'call', link_url: 'https://shop.example/welcome' };
  const { campaign, taskId } = await newQuest(owner, { task: link });
  const [started] = await unwrap(member.client.rpc('start_task', { p_task_id: taskId }));
  const call = { p_startup_id: owner.startup.id, p_call_id: randomUUID(), p_token: started?.token ?? '' };
  const complete = () => unwrap(asService().rpc('complete_task_by_call', call));
  expect(await answerAfter(owner, 'delete_campaign($1)', [campaign.id], complete)).toMatchObject([
    { status: 404, code: 'TASK_NOT_FOUND' },
  ]);
});

test('BEY-13 a check that finds nothing while its quest is being deleted breaks nothing', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  const check = { verification: 'check', check_source: 'github_pull_request', check_target: 'questboard/example' };
  const { campaign, taskId } = await newQuest(owner, { task: check });
  await unwrap(member.client.rpc('start_task', { p_task_id: taskId }));
  const found = { p_user_id: member.id, p_task_id: taskId, p_problem: 'Not done yet' };
  const finish = () => unwrap(asService().rpc('finish_check', found));
  expect(await answerAfter(owner, 'delete_campaign($1)', [campaign.id], finish)).toMatchObject([
    { status: 200, code: 'NOT_COMPLETED' },
  ]);
});
