import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { planted } from './support/planted.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const submit = (who: Member, taskId: string) => who.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' });
const reject = (owner: Owner, id: string) =>
  owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'reject', p_reason: 'does_not_match' });

async function overturn(member: Member, id: string): Promise<void> {
  const appeal = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: id };
  const { id: appealId } = await unwrap(member.client.rpc('submit_appeal', appeal));
  const decision = { p_appeal_id: appealId, p_decision: 'overturn', p_note: 'It is' };
  await unwrap((await newAdmin()).client.rpc('decide_appeal', decision));
}

const spotsOf = async (taskId: string) =>
  (
    await sql().query(
      `select t.max_completions as slots, t.approved_count as approved, t.pending_count as pending, t.kept_count as kept,
        t.kept_points, c.open_slots as free, c.kept_count as kept_in_quest
      from public.tasks t join public.campaigns c on c.id = t.campaign_id where t.id = $1`,
      [taskId],
    )
  ).rows[0];

/** A full quest with this many slots for 10 points each, all or the first of whose proofs were rejected one after the other. */
async function fullOfRejections(slots: number, trial = 500, rejected = slots) {
  const owner = await newVerifiedOwner();
  const quest = await newQuest(owner, { task: { max_completions: slots } });
  const { free } = await projectPoints(owner.startup.id, quest.campaign.id);
  if (trial < 500)
    await sql().query(
      `select private.transfer(w.id, null, $2, 'adjustment', 'Test') from public.wallets w where w.startup_id = $1`,
      [owner.startup.id, free - trial],
    );
  const members = await Promise.all(Array.from({ length: slots }, () => newMember()));
  const proofs: { member: Member; id: string }[] = [];
  for (const member of members) proofs.push({ member, id: (await unwrap(submit(member, quest.taskId))).id });
  for (const { id } of proofs.slice(0, rejected)) await unwrap(reject(owner, id));
  const [first, second] = proofs;
  if (!first || !second) throw new Error('At least two spots');
  return { owner, ...quest, first, second, proofs };
}

test('BEY-23 an appeal changes the notice of its own rejection, and no other one', () =>
  outsideBeta(async () => {
    const [owner, one, other] = [await newVerifiedOwner(), await newMember(), await newMember()];
    const { campaign, tasks } = await newQuest(owner, { task: { max_completions: 3 } });
    const second = { title: 'Tell others', instructions_md: 'Tell.', reward_points: 10, max_completions: 3 };
    const saved = { title: campaign.title, summary: campaign.summary, budget_points: 60 };
    const quest = { p_campaign_id: campaign.id, p_campaign: saved, p_tasks: [...tasks, second] };
    await unwrap(owner.client.rpc('update_campaign', quest));
    const { rows } = await sql().query('select id from public.tasks where campaign_id = $1 order by order_index', [
      campaign.id,
    ]);
    const [first, last] = rows.map(({ id }): string => id);
    const proof = await unwrap(submit(one, first ?? ''));
    await unwrap(reject(owner, proof.id));
    await unwrap(submit(one, first ?? ''));
    const others = [await unwrap(submit(one, last ?? '')), await unwrap(submit(other, first ?? ''))];
    const rejection = { p_decision: 'reject', p_reason: 'incomplete', p_note: 'No picture' };
    const ids = [proof, ...others].map(({ id }) => id);
    await unwrap(owner.client.rpc('review_submissions', { p_submission_ids: ids, ...rejection }));
    const appeal = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: proof.id };
    await unwrap(one.client.rpc('submit_appeal', appeal));
    const notices = async ({ id }: Member) =>
      (
        await sql().query(
          `select data ->> 'task' as task, data ->> 'status' as status from public.notifications
           where user_id = $1 and type = 'SubmissionRejected' order by created_at, data ->> 'task'`,
          [id],
        )
      ).rows.map(({ task, status }) => [task, status]);
    const [title] = tasks.map((task) => task.title);
    expect(await notices(one)).toEqual([
      [title, null],
      [second.title, null],
      [title, 'appealed'],
    ]);
    expect(await notices(other)).toEqual([[title, null]]);
    expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
  }));

test('BEY-21 BEY-23 a member whose proof was rejected can send it again though only their kept slot is left, until they appeal', () =>
  outsideBeta(async () => {
    const { taskId, first, second } = await fullOfRejections(2);
    // In the slot of the first, which was offered to others.
    await unwrap(submit(await newMember(), taskId));
    const canContinue = async ({ member }: typeof first) =>
      (await unwrap(member.client.rpc('list_my_quests')))[0]?.can_continue;
    expect([await canContinue(first), await canContinue(second)]).toEqual([false, true]);
    const appeal = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: second.id };
    const { id } = await unwrap(second.member.client.rpc('submit_appeal', appeal));
    expect(await canContinue(second)).toBe(false);
    // The decision frees the second slot, which the first may take unless they appeal, too.
    await unwrap(
      (await newAdmin()).client.rpc('decide_appeal', { p_appeal_id: id, p_decision: 'uphold', p_note: 'No' }),
    );
    expect(await canContinue(first)).toBe(true);
    await unwrap(first.member.client.rpc('submit_appeal', { ...appeal, p_submission_id: first.id }));
    expect(await canContinue(first)).toBe(false);
  }));

describe('a task full of rejected proofs', () => {
  test('BEY-23 TRUST-04 offers the oldest kept slot to others if the project can pay for both, and keeps its points', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, first } = await fullOfRejections(3);
      expect(await spotsOf(taskId)).toEqual({
        slots: 3,
        approved: 0,
        pending: 0,
        kept: 2,
        kept_points: 30,
        free: 1,
        kept_in_quest: 2,
      });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 460, reserved: 40 });
      const { rows } = await sql().query('select id from public.submissions where task_id = $1 and is_slot_reopened', [
        taskId,
      ]);
      expect(rows).toEqual([{ id: first.id }]);
      expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
      await unwrap(submit(await newMember(), taskId));
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 TRUST-04 an overturned appeal pays even if somebody else has taken the slot', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, first } = await fullOfRejections(3);
      await unwrap(submit(await newMember(), taskId));
      await overturn(first.member, first.id);
      expect((await walletOf(first.member.id)).points).toBe(10);
      expect(await spotsOf(taskId)).toMatchObject({ slots: 4, approved: 1, pending: 1, kept: 2, free: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 460, reserved: 30 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 RULE-05 the budget allows for the slot that an overturned appeal adds, also after the reward was raised', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, first } = await fullOfRejections(3);
      await unwrap(submit(await newMember(), taskId));
      const task = { id: taskId, title: 'Try it', instructions_md: 'Sign up.', reward_points: 20 };
      const save = (budget_points: number, max_completions: number) =>
        unwrap(
          owner.client.rpc('update_campaign', {
            p_campaign_id: campaign.id,
            p_campaign: { title: campaign.title, summary: campaign.summary, budget_points },
            p_tasks: [{ ...task, max_completions }],
          }),
        );
      await save(60, 3);
      const reconciled = () => unwrap(asService().rpc('reconcile_ledger'));
      expect(await reconciled()).toEqual([]);
      const surplus = `select private.transfer(w.id, r.id, 5, 'adjustment', 'Planted') from public.wallets w
        join public.wallets r on r.campaign_id = $1 where w.startup_id = $2`;
      expect(await planted(surplus, [campaign.id, owner.startup.id])).toMatchObject([{ problem: 'reserve_surplus' }]);
      await overturn(first.member, first.id);
      expect(await reconciled()).toEqual([]);
      const { rows } = await sql().query('select budget_points from public.campaigns where id = $1', [campaign.id]);
      expect(rows).toEqual([{ budget_points: 80 }]);
      await save(80, 4);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 an appeal against a quest with the largest budget can be overturned, too', () =>
    outsideBeta(async () => {
      const { campaign, taskId, first } = await fullOfRejections(3);
      await unwrap(submit(await newMember(), taskId));
      await sql().query('update public.campaigns set budget_points = 1000000 where id = $1', [campaign.id]);
      await overturn(first.member, first.id);
      const { rows } = await sql().query('select budget_points from public.campaigns where id = $1', [campaign.id]);
      expect(rows).toEqual([{ budget_points: 1_000_000 }]);
      expect((await walletOf(first.member.id)).points).toBe(10);
    }));

  test('BEY-23 TRUST-04 the raised reward is reserved when a rejected member sends another proof', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, second } = await fullOfRejections(2);
      const task = { id: taskId, title: 'Try it', instructions_md: 'Sign up.', reward_points: 20, max_completions: 2 };
      const saved = { title: campaign.title, summary: campaign.summary, budget_points: 40 };
      await unwrap(
        owner.client.rpc('update_campaign', { p_campaign_id: campaign.id, p_campaign: saved, p_tasks: [task] }),
      );
      await unwrap(submit(second.member, taskId));
      expect(await ledgerProblems()).toEqual([]);
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: second.id, p_decision: 'approve' }));
      expect((await walletOf(second.member.id)).points).toBe(20);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 an overturned appeal takes the free slot, and the surplus reserve is released', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, first } = await fullOfRejections(3);
      await overturn(first.member, first.id);
      expect(await spotsOf(taskId)).toMatchObject({ slots: 3, approved: 1, kept: 2, free: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 470, reserved: 20 });
      const { rows } = await sql().query(
        `select c.points_distributed::integer, s.reviewed_at = a.decided_at as is_of_the_decision from public.submissions s
         join public.campaigns c on c.id = s.campaign_id join public.appeals a on a.submission_id = s.id where s.id = $1`,
        [first.id],
      );
      expect(rows).toEqual([{ points_distributed: 10, is_of_the_decision: true }]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 C-08 a new proof of the member whose slot was given away takes a free one, or waits for one', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, first, second } = await fullOfRejections(3);
      await unwrap(submit(first.member, taskId));
      expect(await spotsOf(taskId)).toMatchObject({ pending: 1, kept: 2, kept_points: 20, free: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 470, reserved: 30 });
      await unwrap(reject(owner, first.id));
      await unwrap(submit(await newMember(), taskId));
      expect(await refusal(submit(second.member, taskId))).toMatchObject({ code: 'QUEST_FULL' });
      const [row] = await unwrap(second.member.client.rpc('list_my_quests'));
      expect(row?.can_continue).toBe(false);
      await overturn(second.member, second.id);
      expect((await walletOf(second.member.id)).points).toBe(10);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 TRUST-04 stays full if the project cannot pay for a second promise', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId } = await fullOfRejections(3, 9);
      expect(await spotsOf(taskId)).toMatchObject({ kept: 3, free: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 9, reserved: 30 });
      expect(await refusal(submit(await newMember(), taskId))).toMatchObject({ code: 'QUEST_FULL' });
    }));

  test('BEY-23 TRUST-04 offers a slot if reserve and free points are exactly enough for both', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId } = await fullOfRejections(3, 10);
      expect(await spotsOf(taskId)).toMatchObject({ kept: 2, free: 1 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 40 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 TRUST-04 gives away the next oldest slot once the first is taken and its proof rejected, too', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, first, second } = await fullOfRejections(3);
      await unwrap(reject(owner, (await unwrap(submit(await newMember(), taskId))).id));
      expect(await spotsOf(taskId)).toMatchObject({ kept: 2, kept_points: 40, free: 1 });
      const { rows } = await sql().query(
        'select id from public.submissions where task_id = $1 and is_slot_reopened order by submitted_at',
        [taskId],
      );
      expect(rows).toEqual([{ id: first.id }, { id: second.id }]);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 450, reserved: 50 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 TRUST-04 offers no slot of a closed quest, and reserves nothing for it', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId, proofs } = await fullOfRejections(3, 500, 1);
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      for (const { id } of proofs.slice(1)) await unwrap(reject(owner, id));
      expect(await spotsOf(taskId)).toMatchObject({ kept: 3, kept_points: 30, kept_in_quest: 3 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 470, reserved: 30 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 passes over a slot for which an appeal is open', () =>
    outsideBeta(async () => {
      const { owner, taskId, first, second, proofs } = await fullOfRejections(3, 500, 1);
      const appeal = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: first.id };
      await unwrap(first.member.client.rpc('submit_appeal', appeal));
      for (const { id } of proofs.slice(1)) await unwrap(reject(owner, id));
      const { rows } = await sql().query('select id from public.submissions where task_id = $1 and is_slot_reopened', [
        taskId,
      ]);
      expect(rows).toEqual([{ id: second.id }]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 a tenth of the slots is always kept, and none is given away while one is free', () =>
    outsideBeta(async () => {
      const { taskId } = await fullOfRejections(2);
      expect(await spotsOf(taskId)).toMatchObject({ kept: 1, free: 1 });
      const wide = await fullOfRejections(20, 500, 2);
      expect(await spotsOf(wide.taskId)).toMatchObject({ kept: 2, free: 0 });
      for (const { id } of wide.proofs.slice(2, 4)) await unwrap(reject(wide.owner, id));
      // The third of twenty rejections gave one slot away; after that one was always free.
      expect(await spotsOf(wide.taskId)).toMatchObject({ kept: 3, free: 1 });
      // A tenth of eighteen is one.
      const narrower = await fullOfRejections(18, 500, 2);
      expect(await spotsOf(narrower.taskId)).toMatchObject({ kept: 1, free: 1 });
    }));

  test('BEY-23 the only slot is kept, even if the project could pay for another', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const { taskId } = await newQuest(owner, { task: { max_completions: 1 } });
      await unwrap(reject(owner, (await unwrap(submit(await newMember(), taskId))).id));
      expect(await spotsOf(taskId)).toMatchObject({ kept: 1, free: 0 });
      expect(await refusal(submit(await newMember(), taskId))).toMatchObject({ code: 'QUEST_FULL' });
    }));

  test('BEY-23 a slot that cannot be freed keeps no other, and is freed once it can be', () =>
    outsideBeta(async () => {
      // Nothing of the other tests is due any more.
      await letHoursPass(30 * 24);
      await settleReviews();
      const [broken, sound] = [await fullOfRejections(2), await fullOfRejections(2)];
      await letHoursPass(9 * 24);
      const settleOne = () => unwrap(asService().rpc('settle_due_reviews', { p_limit: 1 }));
      await whileDamaged('update on public.tasks', `new.id = '${broken.taskId}'`, async () => {
        for (let run = 0; run < 4; run++) await settleOne();
        expect([(await spotsOf(broken.taskId)).kept, (await spotsOf(sound.taskId)).kept]).toEqual([1, 0]);
      });
      for (let run = 0; run < 4; run++) await settleOne();
      expect((await spotsOf(broken.taskId)).kept).toBe(0);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-23 after seven days everything is released: the slots, and what the project had reserved twice', () =>
    outsideBeta(async () => {
      const { owner, campaign, taskId } = await fullOfRejections(3);
      await letHoursPass(8 * 24);
      await settleReviews();
      expect(await spotsOf(taskId)).toMatchObject({ kept: 0, kept_points: 0, free: 3, kept_in_quest: 0 });
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 470, reserved: 30 });
      expect(await ledgerProblems()).toEqual([]);
    }));
});

test("BEY-23 the owner's list says until when a slot is kept, and since when its member appeals", () =>
  outsideBeta(async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { taskId } = await newQuest(owner);
    const { id } = await unwrap(submit(member, taskId));
    await unwrap(reject(owner, id));
    const list = () => unwrap(owner.client.rpc('list_review_submissions', {}));
    expect(await list()).toMatchObject([{ kept_until: expect.any(String), appealed_at: null }]);
    const appeal = { p_kind: 'rejection', p_words: 'It is all there', p_submission_id: id };
    const { created_at } = await unwrap(member.client.rpc('submit_appeal', appeal));
    expect(await list()).toMatchObject([{ kept_until: expect.any(String), appealed_at: created_at }]);
  }));
