import { describe, expect, test } from 'vitest';
import { asService } from '../../local/testing/clients.ts';
import { type Member, newAdmin, newMember, newOwner, newQuest, unwrap, withSettings } from './support/factories.ts';
import { planted } from './support/planted.ts';
import { endPayment, newBuyer } from './support/purchases.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const reconciled = () => unwrap(asService().rpc('reconcile_ledger'));

/** The findings about verified actions, as `problem expected actual`. */
const found = async (damage: string, ...values: unknown[]) =>
  (await planted(damage, values))
    .map(({ problem, expected, actual }) => `${problem} ${expected} ${actual}`)
    .filter((line) => line.startsWith('verification'))
    .sort();

const enterCode = (member: Member, taskId: string, code: string) =>
  unwrap(member.client.rpc('submit_completion_code', { p_task_id: taskId, p_code: code }));

/** Two members of one quest have entered a code, and the task of another has been completed by a call. */
async function verifiedActions() {
  const [coder, second, caller] = [await newMember(), await newMember(), await newMember()];
  const coded = await newQuest(await newOwner(), {
    task: { verification: 'code', single_use_codes: ['LANTERN1', 'LANTERN2', 'LANTERN3'] },
  });
  await enterCode(coder, coded.taskId, 'LANTERN1');
  await enterCode(second, coded.taskId, 'LANTERN2');
  const newCallQuest = async () => {
    const owner = await newOwner();
    await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
    const quest = await newQuest(owner, { task: { verification: 'call', link_url: 'https://shop.example/' } });
    return { owner, ...quest };
  };
  const { owner, campaign, taskId } = await newCallQuest();
  // Others have only begun, and the caller has begun another task.
  for (const starter of [await newMember(), await newMember()])
    await unwrap(starter.client.rpc('start_task', { p_task_id: taskId }));
  const [started] = await unwrap(caller.client.rpc('start_task', { p_task_id: taskId }));
  const begun = await newCallQuest();
  await unwrap(caller.client.rpc('start_task', { p_task_id: begun.taskId }));
  const call = { p_startup_id: owner.startup.id, p_call_id: 'call', p_token: started?.token ?? '' };
  await unwrap(asService().rpc('complete_task_by_call', call));
  return { coder, second, caller, coded, called: { owner, campaign, token: call.p_token } };
}

const APPROVED = "public.submission_history where user_id = $1 and action = 'approved'";
const COLUMNS = 'submission_id, campaign_id, user_id, action, actor_id, submitted_at';
/** Adds an entry like the one of the approval, with other values in some columns. */
const copyOf = (select: string) =>
  `insert into public.submission_history (${COLUMNS}) select ${select} from ${APPROVED}`;

describe('records of verified actions', () => {
  test('TRUST-01 each action has its own records: those of another person, task, proof or kind are not counted', async () => {
    const { coder, second, caller, called } = await verifiedActions();
    expect(await reconciled()).toEqual([]);
    const bothWays = ['verification_event 0 1', 'verification_event 1 0'];
    // Of two that were completed at the same moment, one has lost its record.
    expect(
      await found(
        `with at_once as (update public.submissions set submitted_at = now() where user_id = any ($1)),
           recorded as (update public.submission_history set submitted_at = now() where user_id = any ($1) and user_id <> $2)
         delete from public.submission_history where user_id = $2`,
        [coder.id, second.id],
        coder.id,
      ),
    ).toEqual(['verification_code 1 0', 'verification_event 1 0']);
    const earlier = "update public.submission_history set submitted_at = submitted_at - interval '1 second'";
    expect(await found(`${earlier} where user_id = $1`, coder.id)).toEqual(bothWays);
    const byCall = "update public.submissions set reviewed_by = 'call' where user_id = $1";
    expect(await found(byCall, coder.id)).toEqual(bothWays);
    expect(
      await found(`update public.submission_history set actor_id = 'project' where user_id = $1`, caller.id),
    ).toEqual(['verification_call 0 1', 'verification_event 1 0']);
    // What is not an approval, and an approval by a person, are no such record.
    const resubmitted = copyOf(COLUMNS.replace('action', "'resubmitted'"));
    for (const { id } of [coder, caller]) expect(await found(resubmitted, id)).toEqual([]);
    expect(await found(copyOf(COLUMNS.replace('actor_id', "'project'")), coder.id)).toEqual([]);
    expect(
      await found(`update public.submission_history set action = 'resubmitted' where user_id = $1`, caller.id),
    ).toEqual(['verification_call 0 1', 'verification_event 1 0']);
    // Both records of an exchange are left out from the same age on, and looked for until then.
    const almost = "set created_at = now() - interval '28 days 23 hours' where";
    expect(
      await found(
        `with called as (delete from private.verification_calls where token = $2)
         update public.submission_history ${almost} user_id = $1`,
        caller.id,
        called.token,
      ),
    ).toEqual(['verification_call 1 0']);
    expect(
      await found(
        `with approved as (delete from ${APPROVED})
         update private.verification_calls ${almost} token = $2`,
        caller.id,
        called.token,
      ),
    ).toEqual(['verification_call 0 1', 'verification_event 1 0']);
    expect(
      await found(
        `with called as (update private.verification_calls set created_at = now() - interval '29 days 1 hour' where token = $2)
         update public.submission_history set created_at = now() - interval '29 days 1 hour' where user_id = $1`,
        caller.id,
        called.token,
      ),
    ).toEqual([]);
  });

  test('TRUST-01 a completion that is not approved any more has no open record', async () => {
    const { coder, second, coded } = await verifiedActions();
    expect(await found("update public.submissions set status = 'rejected' where user_id = $1", coder.id)).toEqual([
      'verification_event 0 1',
    ]);
    const undone = `with undone as (update public.submissions set status = 'rejected' where user_id = $1)
      delete from public.submission_history where user_id = $1`;
    expect(await found(undone, coder.id)).toEqual([]);
    const { id } = await unwrap(coder.client.from('submissions').select('id').single());
    await unwrap((await newAdmin()).client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Shared code' }));
    // After the reversal a code waits for a person's decision, while the second member's code still counts.
    await enterCode(coder, coded.taskId, 'LANTERN3');
    expect(await reconciled()).toEqual([]);
    expect(await found(copyOf(COLUMNS), coder.id)).toEqual(['verification_event 0 1']);
    expect(await found(`delete from ${APPROVED}`, second.id)).toEqual([
      'verification_code 1 0',
      'verification_event 1 0',
    ]);
  });

  test('TRUST-01 the history of a deleted quest is nothing wrong', async () => {
    const { called, caller } = await verifiedActions();
    const { owner, campaign } = called;
    await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }));
    expect(await unwrap(caller.client.from('submissions').select('id'))).toEqual([]);
    expect(await reconciled()).toEqual([]);
  });
});

describe('payments', () => {
  test('TRUST-01 a proof is paid by a completion and nothing else, and a missing payment is given as zero', async () => {
    const member = await newMember();
    const { taskId } = await newQuest(await newOwner());
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const unpaid = {
      problem: 'submission_payment',
      subject_type: 'submission',
      subject_id: id,
      expected: '10',
      actual: '0',
    };
    for (const change of ["kind = 'adjustment'", 'submission_id = null']) {
      const rows = await planted(`update public.transfers set ${change} where submission_id = $1`, [id]);
      expect(
        rows.filter(({ problem }) => problem === 'submission_payment'),
        change,
      ).toEqual([unpaid]);
      // Nor has the quest distributed what was paid for something else.
      expect(rows.some(({ problem }) => problem === 'campaign_points_distributed')).toBe(change.startsWith('kind'));
    }
  });

  test('TRUST-01 BEY-20 bought points are in the ledger as often as they were paid and not taken back', async () => {
    const { payment } = await newBuyer({ p_points: 1 });
    const { payment: refunded } = await newBuyer({ p_points: 1 });
    await unwrap(endPayment(refunded));
    expect(await reconciled()).toEqual([]);
    const purchases = async (damage: string, ref: string) =>
      (await planted(damage, [ref]))
        .filter(({ problem }) => problem === 'purchase_credited')
        .map(({ subject_type, expected, actual }) => `${subject_type} ${expected} ${actual}`);
    const of =
      "where metadata ->> 'purchase_id' = (select id::text from public.point_purchases where payment_ref = $1)";
    expect(await purchases(`delete from public.transfers ${of}`, payment)).toEqual(['point_purchase 1 0']);
    expect(await purchases(`update public.transfers set points = 2 * points ${of}`, payment)).toEqual([
      'point_purchase 1 2',
    ]);
    expect(await purchases('delete from public.point_purchases where payment_ref = $1', payment)).toEqual([
      'point_purchase 0 1',
    ]);
    expect(await purchases(`update public.transfers set metadata = '{}' ${of}`, payment)).toEqual(
      expect.arrayContaining(['point_purchase 1 0', 'point_purchase 0 1']),
    );
    // Not taken back, and taken back without having been paid.
    const kind = (which: 'purchase' | 'purchase_reversal') => `and kind = '${which}'`;
    expect(await purchases(`delete from public.transfers ${of} ${kind('purchase_reversal')}`, refunded)).toEqual([
      'point_purchase 0 1',
    ]);
    expect(await purchases(`delete from public.transfers ${of} ${kind('purchase')}`, refunded)).toEqual([
      'point_purchase 0 -1',
    ]);
  });

  test('TRUST-01 each side of a referral has its own bonus, and one of no points needs no payment', () =>
    withSettings({ referrer_points: 1, referred_points: 0 }, async () => {
      const [referrer, invited] = [await newMember(), await newMember()];
      const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
      await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
      expect(await reconciled()).toEqual([]);
      const referrals = async (damage: string, ...values: unknown[]) =>
        (await planted(damage, values)).filter(({ problem }) => problem === 'referral_payment');
      const { id } = await unwrap(referrer.client.from('referrals').select('id').single());
      const line = { problem: 'referral_payment', subject_type: 'referral', subject_id: id };
      expect(await referrals('delete from public.referrals where id = $1', id)).toEqual([
        { ...line, expected: '0', actual: '1' },
      ]);
      expect(await referrals('update public.transfers set referral_id = null where referral_id = $1', id)).toEqual([
        { ...line, expected: '1', actual: '0' },
      ]);
    }));
});

describe('what belongs to one person', () => {
  test('TRUST-01 is not found right by what another has paid or holds', async () => {
    const [member, other, admin] = [await newMember(), await newMember(), await newAdmin()];
    const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Pin', points_cost: 1 } }));
    const { taskId } = await newQuest(await newOwner(), { task: { reward_points: 1 } });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
    const grant = { p_user_id: member.id, p_points: 1, p_description: 'Grant' };
    await unwrap(asService().rpc('credit_points_safe', grant));
    await unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: 'key' }));
    expect(await reconciled()).toEqual([]);
    const lines = async (problem: string, damage: string, ...values: unknown[]) =>
      (await planted(damage, values))
        .filter((row) => row.problem === problem)
        .map(({ expected, actual }) => `${expected} ${actual}`)
        .sort();
    const redeemed = 'update public.redemptions set user_id = $2 where user_id = $1';
    expect(await lines('redemption_payment', redeemed, member.id, other.id)).toEqual(['0 1', '1 0']);
    const held = 'update public.point_holds set user_id = $2 where user_id = $1';
    expect(await lines('hold_points', held, member.id, other.id)).toEqual(['0 1']);
    const elsewhere = `update public.point_holds set wallet_id = (select id from public.wallets where user_id = $2) where user_id = $1`;
    expect(await lines('hold_points', elsewhere, member.id, other.id)).toEqual(['0 1']);
  });
});

test('TRUST-01 TRUST-04 a quest that was never published needs no reserve', async () => {
  const owner = await newOwner();
  const task = { reward_points: 10, max_completions: 5, instructions_md: 'I' };
  const draft = { p_startup_id: owner.startup.id, p_campaign: { title: 'Draft' }, p_task: task, p_publish: false };
  const { id } = await unwrap(owner.client.rpc('create_quest', draft));
  expect(await reconciled()).toEqual([]);
  const reserved = `select private.transfer(w.id, private.reserve_wallet($1, w.owner_user_id), 5, 'adjustment', 'Planted')
    from public.wallets w where w.startup_id = $2`;
  const surplus = { problem: 'reserve_surplus', subject_type: 'campaign', subject_id: id, expected: '0', actual: '5' };
  expect(await planted(reserved, [id, owner.startup.id])).toMatchObject([surplus]);
  // Nor does one without tasks.
  const words = { title: 'Draft', summary: 'S', budget_points: 50 };
  await unwrap(owner.client.rpc('update_campaign', { p_campaign_id: id, p_campaign: words, p_tasks: [] }));
  expect(await reconciled()).toEqual([]);
  expect(await planted(reserved, [id, owner.startup.id])).toMatchObject([surplus]);
});

test('TRUST-01 of each kind of problem the first fifty are listed', async () => {
  const damage =
    "insert into private.counter_deltas (name, change) select 'industry:Moon' || n, 1 from generate_series(10, 69) n";
  const names = (await planted(damage, [])).map(({ subject_id }) => subject_id);
  expect(names).toEqual(Array.from({ length: 50 }, (_, index) => `industry:Moon${index + 10}`));
});
