import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  submitProof,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { balanceOf } from './support/holds.ts';
import {
  auditOf,
  creditPurchase,
  endPayment,
  eventsOf,
  freePoints,
  newBuyer,
  newPayment,
  purchasesOf,
  winDispute,
} from './support/purchases.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('a refunded or disputed payment', () => {
  test('BEY-20 takes the unspent points back once, and never those of the trial', async () => {
    const { owner, payment } = await newBuyer();
    await unwrap(endPayment(payment));
    expect(await auditOf(payment)).toEqual(['payment.purchase 1000', 'payment.end 0']);
    await unwrap(endPayment(payment));
    expect(await freePoints(owner)).toBe(500);
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 0 }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 takes back a single point, too, and gives it back', async () => {
    const [owner, paid] = [await newOwner(), newPayment()];
    await unwrap(creditPurchase(owner, paid, { p_points: 1 }));
    await unwrap(endPayment(paid.payment, 'disputed', 'dp_1'));
    expect(await freePoints(owner)).toBe(500);
    await unwrap(winDispute(paid.payment, 'dp_1'));
    expect(await freePoints(owner)).toBe(501);
    // Also out of a reserve that has only this one besides those of the trial.
    const { campaign } = await newQuest(owner, { task: { reward_points: 1, max_completions: 501 } });
    await unwrap(endPayment(paid.payment));
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 0 }]);
  });

  test('BEY-20 TRUST-04 takes reserves too, except what proofs were promised that wait or may be appealed; what was paid out remains, flagged for the admin', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, paid, waiting, wrong] = [
        await newVerifiedOwner(),
        await newMember(),
        await newMember(),
        await newMember(),
      ];
      const payment = newPayment();
      await unwrap(creditPurchase(owner, payment));
      const quest = await newQuest(owner, { task: { reward_points: 100, max_completions: 15 } });
      expect(await freePoints(owner)).toBe(0);
      const first = await unwrap(paid.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: first.id, p_decision: 'approve' }));
      const second = await unwrap(waiting.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
      const third = await unwrap(submitProof(wrong, quest.taskId));
      const rejection = { p_submission_id: third.id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', rejection));
      const old = "update public.campaigns set updated_at = '2026-01-01' where id = $1";
      await sql().query(old, [quest.campaign.id]);
      // 500 trial points and 1,000 bought: 100 trial points are paid out, 200 promised, which the others of the trial can pay.
      await unwrap(endPayment(payment.payment, 'disputed', 'dp_1'));
      expect(await purchasesOf(owner)).toMatchObject([{ status: 'disputed', credited_points: 0 }]);
      expect(await eventsOf(owner, 'PurchaseTakenBack')).toMatchObject([{ payload: { taken_back: 1000, missing: 0 } }]);
      expect(await projectPoints(owner.startup.id, quest.campaign.id)).toEqual({ free: 200, reserved: 200 });
      const { data } = await owner.client
        .from('campaigns')
        .select('status, published_at, updated_at')
        .eq('id', quest.campaign.id)
        .single();
      expect(data).toMatchObject({ status: 'draft', published_at: null });
      expect(data?.updated_at).not.toMatch('2026-01-01');
      expect(await ledgerProblems()).toEqual([]);
      const card = async () => (await unwrap(owner.client.rpc('list_own_quests')))[0];
      expect(await card()).toMatchObject({ points_taken_back_at: expect.any(String) });
      // The pending proof is still paid, and the quest can only be published with other points.
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: second.id, p_decision: 'approve' }));
      expect(await refusal(owner.client.rpc('publish_campaign', { p_campaign_id: quest.campaign.id }))).toMatchObject({
        code: 'INSUFFICIENT_POINTS',
      });
      await unwrap(creditPurchase(owner, newPayment()));
      await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: quest.campaign.id }));
      await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: quest.campaign.id }));
      expect(await card()).toMatchObject({ status: 'draft', points_taken_back_at: null });
    }));

  test('BEY-20 TRUST-18 takes the reserve of a held quest too, which is a draft without points once the hold ends', async () => {
    const [admin, { owner, payment }] = [await newAdmin(), await newBuyer()];
    const { campaign } = await newQuest(owner, { task: { reward_points: 100, max_completions: 15 } });
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: owner.id, p_reason: 'A stolen card?' }));
    await unwrap(endPayment(payment, 'disputed', 'dp_held'));
    await unwrap(admin.client.rpc('lift_suspension', { p_user_id: owner.id }));
    const state = owner.client.from('campaigns').select('status, published_at, held_at').eq('id', campaign.id);
    expect(await unwrap(state)).toEqual([{ status: 'draft', published_at: null, held_at: null }]);
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 takes a reserve of bought points while the free ones are those of the trial', async () => {
    const [owner, paid] = [await newOwner(), newPayment()];
    await unwrap(creditPurchase(owner, paid, { p_points: 300 }));
    const { campaign, tasks } = await newQuest(owner, { task: { reward_points: 100, max_completions: 8 } });
    // Points of the trial go into a reserve first, and are the first to return.
    const smaller = {
      p_campaign_id: campaign.id,
      p_campaign: { title: campaign.title, summary: campaign.summary, budget_points: 800 },
      p_tasks: tasks.map((task) => ({ ...task, max_completions: 3 })),
    };
    await unwrap(owner.client.rpc('update_campaign', smaller));
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 300 });
    await unwrap(endPayment(paid.payment));
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 0 }]);
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 TRUST-05 points that members have already earned are missing, and admins can see it', async () => {
    const { owner, payment } = await newBuyer();
    const quest = await newQuest(owner, { task: { reward_points: 750, max_completions: 2 } });
    const members = await Promise.all([newMember(), newMember()]);
    for (const member of members) {
      await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
    }
    await unwrap(endPayment(payment));
    // The first was paid the trial budget and 250 bought points, the second bought ones only.
    expect(await Promise.all(members.map(({ id }) => balanceOf(id)))).toEqual([
      { available: 250, held: 500 },
      { available: 750, held: 0 },
    ]);
    const told = await Promise.all(members.map((member) => eventsOf(member, 'SubmissionApproved')));
    expect(told.map(([event]) => event?.payload.held)).toEqual([0, 0]);
    const admin = await newAdmin();
    const short = await unwrap(
      admin.client.from('point_purchases').select('status, credited_points').eq('owner_user_id', owner.id),
    );
    expect(short).toEqual([{ status: 'refunded', credited_points: 1000 }]);
    const taken = [{ payload: { taken_back: 0, missing: 1000 } }];
    expect(await eventsOf(owner, 'PurchaseTakenBack')).toMatchObject(taken);
    // A refund that is reported again takes nothing of what was bought since.
    await unwrap(creditPurchase(owner, newPayment()));
    await unwrap(endPayment(payment));
    expect(await freePoints(owner)).toBe(1000);
    expect(await eventsOf(owner, 'PurchaseTakenBack')).toMatchObject(taken);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 takes the latest quest of bought points only as far as it must, and leaves the other payment and other people alone', async () => {
    const { owner, payment } = await newBuyer();
    const kept = newPayment();
    await unwrap(creditPurchase(owner, kept));
    const publish = (by: Owner, max_completions: number) =>
      newQuest(by, { task: { reward_points: 100, max_completions } });
    const [trial, older, latest] = [await publish(owner, 5), await publish(owner, 10), await publish(owner, 10)];
    for (const change of ['unpublish_campaign', 'publish_campaign'] as const) {
      await unwrap(owner.client.rpc(change, { p_campaign_id: trial.campaign.id }));
    }
    const other = (await newBuyer()).owner;
    const foreign = await publish(other, 15);
    await unwrap(creditPurchase(owner, newPayment(), { p_points: 400 }));
    await unwrap(endPayment(payment));
    const left = async (by: Owner, { campaign }: Quest) => {
      const { status } = await unwrap(by.client.from('campaigns').select('status').eq('id', campaign.id).single());
      return [status, (await projectPoints(by.startup.id, campaign.id)).reserved];
    };
    expect(await left(owner, trial)).toEqual(['published', 500]);
    expect(await left(owner, older)).toEqual(['published', 1000]);
    expect(await left(owner, latest)).toEqual(['draft', 0]);
    const cards = await unwrap(owner.client.rpc('list_own_quests'));
    const taken = cards.filter((card) => card.points_taken_back_at !== null).map(({ id }) => id);
    expect(taken).toEqual([latest.campaign.id]);
    const stranger = await newOwner();
    const task = { reward_points: 100, max_completions: 1, instructions_md: 'I' };
    const draft = { p_startup_id: stranger.startup.id, p_campaign: { title: 'Draft' }, p_task: task, p_publish: false };
    await unwrap(stranger.client.rpc('create_quest', draft));
    expect(await unwrap(stranger.client.rpc('list_own_quests'))).toMatchObject([{ points_taken_back_at: null }]);
    expect(await left(other, foreign)).toEqual(['published', 1500]);
    expect((await purchasesOf(owner)).map((row) => [row.status, row.credited_points]).toSorted()).toEqual([
      ['paid', 1000],
      ['paid', 400],
      ['refunded', 0],
    ]);
    expect(await purchasesOf(other)).toMatchObject([{ status: 'paid', credited_points: 1000 }]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 TRUST-04 leaves a quest published whose points are all promised to pending proofs: there is nothing to take', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, member, paid] = [await newVerifiedOwner(), await newMember(), newPayment()];
      await unwrap(creditPurchase(owner, paid));
      const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 1000, max_completions: 1 } });
      await unwrap(submitProof(member, taskId));
      await unwrap(endPayment(paid.payment));
      const state = owner.client.from('campaigns').select('status').eq('id', campaign.id);
      expect(await unwrap(state)).toEqual([{ status: 'published' }]);
      // Half of what is promised is the trial's. The other half has been bought, and is missing.
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 0, reserved: 1000 });
      expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 500 }]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-20 C-50 leaves a closed quest closed, with what it owes a pending proof', () =>
    withSettings({ beta_mode: false }, async () => {
      const [owner, member, paid] = [await newVerifiedOwner(), await newMember(), newPayment()];
      await unwrap(creditPurchase(owner, paid));
      const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 100, max_completions: 15 } });
      await unwrap(submitProof(member, taskId));
      await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      await unwrap(endPayment(paid.payment));
      const state = owner.client.from('campaigns').select('status').eq('id', campaign.id);
      expect(await unwrap(state)).toEqual([{ status: 'closed' }]);
      expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: 500, reserved: 100 });
      expect(await purchasesOf(owner)).toMatchObject([{ status: 'refunded', credited_points: 100 }]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-20 reported before the payment, prevents its credit', async () => {
    const owner = await newOwner();
    const [refunded, disputed] = [newPayment(), newPayment()];
    await unwrap(endPayment(refunded.payment));
    await unwrap(endPayment(disputed.payment, 'disputed', 'dp_early'));
    for (const payment of [refunded, disputed]) {
      expect(await unwrap(creditPurchase(owner, payment))).toEqual({ credited: false, reason: 'payment_ended' });
    }
    expect(await freePoints(owner)).toBe(500);
    expect((await purchasesOf(owner)).map(({ status }) => status).sort()).toEqual(['disputed', 'refunded']);
    // The dispute is won after all.
    expect(await unwrap(winDispute(disputed.payment, 'dp_early'))).toEqual({ reinstated: true, reason: null });
    expect(await freePoints(owner)).toBe(1500);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 what an admin has written off is not taken when the dispute is lost', async () => {
    const { owner, payment } = await newBuyer();
    const { taskId } = await newQuest(owner, { task: { reward_points: 700, max_completions: 1 } });
    await unwrap((await newMember()).client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }));
    await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'disputed', credited_points: 200 }]);
    const { rows } = await sql().query('select id from public.point_purchases where payment_ref = $1', [payment]);
    const decision = { p_purchase_id: rows[0].id, p_decision: 'write_off', p_note: 'Too little to ask for' };
    await unwrap((await newAdmin()).client.rpc('settle_returned_payment', decision));
    await unwrap(creditPurchase(owner, newPayment()));
    await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    expect(await freePoints(owner)).toBe(1000);
    expect(await unwrap(winDispute(payment, 'dp_1'))).toEqual({ reinstated: true, reason: null });
    expect(await freePoints(owner)).toBe(1800);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 an admin has nothing to settle while a payment stands, or once all of its points are back', async () => {
    const [admin, { owner, payment }] = [await newAdmin(), await newBuyer()];
    const { rows } = await sql().query('select id from public.point_purchases where payment_ref = $1', [payment]);
    const settle = (p_decision: string) =>
      admin.client.rpc('settle_returned_payment', { p_purchase_id: rows[0].id, p_decision, p_note: 'x' });
    const refused = async () => {
      for (const decision of ['take_back', 'write_off']) {
        const answer = await changesNothing(() => refusal(settle(decision)));
        expect(answer).toMatchObject({ status: 409, code: 'NOTHING_MISSING' });
      }
    };
    await refused();
    expect(await freePoints(owner)).toBe(1500);
    await unwrap(endPayment(payment));
    await refused();
  });

  test('BEY-20 C-50 a lost dispute is reported again only if it takes more points, and then with those alone', async () => {
    const { owner, payment } = await newBuyer();
    const { taskId } = await newQuest(owner, { task: { reward_points: 1000, max_completions: 1 } });
    await unwrap(submitProof(await newMember(), taskId));
    const taken = async () => (await eventsOf(owner, 'PurchaseTakenBack')).map((event) => event.payload.taken_back);
    await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    expect(await taken()).toEqual([500]);
    await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    expect(await taken()).toEqual([500]);
    for (const points of [1, 1000]) {
      await unwrap(creditPurchase(owner, newPayment(), { p_points: points }));
      await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    }
    expect(await taken()).toEqual([500, 1, 499]);
    await unwrap(endPayment(payment));
    expect(await taken()).toEqual([500, 1, 499]);
    expect(await freePoints(owner)).toBe(501);
  });

  test('BEY-20 a won dispute returns exactly what it took, and a refund after it is final', async () => {
    const { owner, payment } = await newBuyer();
    for (const dispute of ['dp_1', 'dp_2']) {
      await unwrap(endPayment(payment, 'disputed', dispute));
      expect(await freePoints(owner)).toBe(500);
      expect(await unwrap(winDispute(payment, dispute))).toEqual({ reinstated: true, reason: null });
      expect(await unwrap(winDispute(payment, dispute))).toMatchObject({ reinstated: false, reason: 'not_disputed' });
      expect(await freePoints(owner)).toBe(1500);
    }
    // Of two at once, the first to be won gives nothing back.
    for (const dispute of ['dp_3', 'dp_4']) await unwrap(endPayment(payment, 'disputed', dispute));
    expect(await unwrap(winDispute(payment, 'dp_3'))).toEqual({ reinstated: false, reason: 'payment_ended' });
    expect(await freePoints(owner)).toBe(500);
    expect(await unwrap(winDispute(payment, 'dp_4'))).toEqual({ reinstated: true, reason: null });
    await unwrap(endPayment(payment));
    expect(await unwrap(winDispute(payment, 'dp_2'))).toMatchObject({ reinstated: false });
    expect(await freePoints(owner)).toBe(500);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 a won dispute that had nothing to take moves no points', async () => {
    const { owner, payment } = await newBuyer();
    const { taskId } = await newQuest(owner, { task: { reward_points: 750, max_completions: 2 } });
    for (const member of [await newMember(), await newMember()]) await unwrap(submitProof(member, taskId));
    await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'disputed', credited_points: 1000 }]);
    expect(await unwrap(winDispute(payment, 'dp_1'))).toEqual({ reinstated: true, reason: null });
    expect(await purchasesOf(owner)).toMatchObject([{ status: 'paid', credited_points: 1000 }]);
    expect(await freePoints(owner)).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('BEY-20 C-02 a dispute won after the project was made again gives the points to the new one, and to no erased account', async () => {
    const [again, erased] = [await newBuyer(), await newBuyer()];
    for (const { payment } of [again, erased]) await unwrap(endPayment(payment, 'disputed', 'dp_1'));
    const { client, startup, name } = again.owner;
    await client.rpc('delete_startup_profile', { p_startup_id: startup.id }).throwOnError();
    const remade = { p_name: `Again ${name}`, p_industry: 'SaaS' };
    const next = { ...again.owner, startup: await unwrap(client.rpc('create_startup_profile', remade)) };
    await asService().rpc('anonymise_user', { p_user_id: erased.owner.id }).throwOnError();
    expect(await unwrap(winDispute(again.payment, 'dp_1'))).toEqual({ reinstated: true, reason: null });
    expect(await freePoints(next)).toBe(1500);
    const late = { reinstated: false, reason: 'startup_not_found' };
    expect(await unwrap(winDispute(erased.payment, 'dp_1'))).toEqual(late);
    expect(await ledgerProblems()).toEqual([]);
  });
});
