import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  outsideBeta,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/**
 * A quest whose `slots` slots are all taken by pending proofs for 10 points, after its reward was raised, of a project without any other points.
 */
async function raisedQuest(slots = 1, reward = 25) {
  const owner = await newVerifiedOwner();
  const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 10, max_completions: slots } });
  const members = await Promise.all(Array.from({ length: slots }, () => newMember()));
  const proofs: { id: string; member: Member }[] = [];
  const submit = async (member: Member) =>
    (await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }))).id;
  for (const member of members) proofs.push({ id: await submit(member), member });
  /** Less than 0: as if it had spent them elsewhere. */
  const give = (points: number) =>
    sql().query(
      `select private.transfer(case when $2 < 0 then w.id end, case when $2 > 0 then w.id end, abs($2), 'adjustment', 'Test')
      from public.wallets w where w.startup_id = $1`,
      [owner.startup.id, points],
    );
  const points = () => projectPoints(owner.startup.id, campaign.id);
  const raise = (to: number) =>
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 500 },
      p_tasks: [
        { id: taskId, title: 'Try it', instructions_md: 'Sign up.', reward_points: to, max_completions: slots },
      ],
    });
  await unwrap(raise(reward));
  await give(-(await points()).free);
  const [first, second] = proofs;
  if (!first) throw new Error('At least one slot');
  return {
    owner,
    campaign,
    proofs,
    first,
    second,
    submit,
    give,
    raise,
    points,
    decide: (id: string, decision: object) =>
      unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve', ...decision })),
  };
}

const REJECT = { p_decision: 'reject', p_reason: 'does_not_match' };

describe('C-01 C-75 TRUST-04 a raised reward is reserved for slots that may come back, too', () => {
  test('it is refused while the project cannot pay it for them, and saving the same reward costs nothing', () =>
    outsideBeta(async () => {
      const { raise, points } = await raisedQuest(2);
      expect(await points()).toEqual({ free: 0, reserved: 50 });
      expect(await changesNothing(() => refusal(raise(26)))).toMatchObject({ code: 'INSUFFICIENT_POINTS' });
      await unwrap(raise(25));
      expect(await points()).toEqual({ free: 0, reserved: 50 });
      expect(await ledgerProblems()).toEqual([]);
      expect(await unwrap(asService().rpc('reconcile_ledger'))).toEqual([]);
    }));

  test('raised again, it reserves the difference once more, also beyond what one proof was promised', () =>
    outsideBeta(async () => {
      const { give, raise, points, first, decide } = await raisedQuest();
      await give(100);
      await unwrap(raise(40));
      expect(await points()).toEqual({ free: 85, reserved: 40 });
      await decide(first.id, {});
      expect(await points()).toEqual({ free: 115, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('a slot that a rejection gives back pays the next member what the task says', () =>
    outsideBeta(async () => {
      const { first, decide, submit, points } = await raisedQuest();
      await decide(first.id, REJECT);
      expect(await points()).toEqual({ free: 0, reserved: 25 });
      await letHoursPass(8 * 24);
      await settleReviews();
      expect(await points()).toEqual({ free: 0, reserved: 25 });
      const next = await newMember();
      await decide(await submit(next), {});
      expect((await walletOf(next.id)).points).toBe(25);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('a rejected member who sends another proof is promised the new reward, and paid', () =>
    outsideBeta(async () => {
      const { first, decide, submit, points } = await raisedQuest();
      await decide(first.id, REJECT);
      await submit(first.member);
      expect(await points()).toEqual({ free: 0, reserved: 25 });
      expect(await ledgerProblems()).toEqual([]);
      await decide(first.id, {});
      expect((await walletOf(first.member.id)).points).toBe(25);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('a slot that is given to others during the time for an appeal costs only the promise to the rejected member', () =>
    outsideBeta(async () => {
      const { campaign, give, proofs, decide, submit, points } = await raisedQuest(2);
      const [first, second] = proofs;
      await give(9);
      await decide(first?.id ?? '', REJECT);
      await decide(second?.id ?? '', REJECT);
      const spots = async () =>
        (await sql().query('select open_slots from public.campaigns where id = $1', [campaign.id])).rows[0].open_slots;
      // Its 10 points, beside 25 for whoever comes next.
      expect(await spots()).toBe(0);
      expect(await points()).toEqual({ free: 9, reserved: 50 });
      await submit(second?.member as Member);
      await give(1);
      await decide(second?.id ?? '', REJECT);
      expect(await spots()).toBe(1);
      expect(await points()).toEqual({ free: 0, reserved: 60 });
      // Whose slot was given away takes a free one, and cannot appeal any more.
      await submit(first?.member as Member);
      expect(await points()).toEqual({ free: 10, reserved: 50 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('a slot of a member who deletes the account is offered at the new reward', () =>
    outsideBeta(async () => {
      const { first, second, decide, submit, points } = await raisedQuest(2);
      await decide(second?.id ?? '', REJECT);
      for (const member of [first.member, second?.member])
        await unwrap(asService().rpc('anonymise_user', { p_user_id: member?.id ?? '' }));
      expect(await points()).toEqual({ free: 0, reserved: 50 });
      for (const next of [await newMember(), await newMember()]) await decide(await submit(next), {});
      expect(await points()).toEqual({ free: 0, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));
});

describe('C-01 TRUST-20 who was promised less is paid that, and the rest returns to the project', () => {
  test.each([
    [
      'one by one',
      async ({ proofs, decide }) => {
        for (const { id } of proofs) await decide(id, {});
      },
    ],
    [
      'together',
      async ({ owner, proofs }) => {
        const ids = proofs.map(({ id }) => id);
        await unwrap(owner.client.rpc('review_submissions', { p_submission_ids: ids, p_decision: 'approve' }));
      },
    ],
    [
      'because nobody decided in time',
      async () => {
        await letHoursPass(4 * 24);
        await settleReviews();
      },
    ],
  ] as [string, (quest: Awaited<ReturnType<typeof raisedQuest>>) => Promise<void>][])('approved %s', (_how, approve) =>
    outsideBeta(async () => {
      for (const [slots, reward, rest] of [
        [2, 25, 30],
        [1, 11, 1],
      ] as const) {
        const quest = await raisedQuest(slots, reward);
        await approve(quest);
        for (const { member } of quest.proofs) expect((await walletOf(member.id)).points).toBe(10);
        expect(await quest.points()).toEqual({ free: rest, reserved: 0 });
      }
      expect(await ledgerProblems()).toEqual([]);
    }),
  );

  test('on appeal', () =>
    outsideBeta(async () => {
      const { first, decide, points } = await raisedQuest();
      await decide(first.id, REJECT);
      const { id } = await unwrap(
        first.member.client.rpc('submit_appeal', {
          p_kind: 'rejection',
          p_words: 'Look again',
          p_submission_id: first.id,
        }),
      );
      const decision = { p_appeal_id: id, p_decision: 'overturn', p_note: 'It is all there' };
      await unwrap((await newAdmin()).client.rpc('decide_appeal', decision));
      expect((await walletOf(first.member.id)).points).toBe(10);
      expect(await points()).toEqual({ free: 15, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('and once the quest is closed, no slot comes back', () =>
    outsideBeta(async () => {
      const { owner, campaign, first, decide, points } = await raisedQuest();
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      expect(await points()).toEqual({ free: 15, reserved: 10 });
      await decide(first.id, {});
      expect(await points()).toEqual({ free: 15, reserved: 0 });
      expect(await ledgerProblems()).toEqual([]);
    }));
});

test('C-98 a proof that is rejected because its project has left costs nothing any more', () =>
  outsideBeta(async () => {
    const { owner, campaign } = await raisedQuest();
    await sql().query(
      "select private.transfer(w.id, null, 20, 'adjustment', 'Spent') from public.wallets w where w.campaign_id = $1",
      [campaign.id],
    );
    await unwrap(asService().rpc('anonymise_user', { p_user_id: owner.id }));
    const { rows } = await sql().query(
      'select pending_points, kept_points, raised_points from public.tasks where campaign_id = $1',
      [campaign.id],
    );
    expect(rows).toEqual([{ pending_points: 0, kept_points: 0, raised_points: 0 }]);
    expect(await ledgerProblems()).toEqual([]);
  }));
