import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asUser, sql } from '../../local/testing/clients.ts';
import {
  grantPoints,
  ledgerProblems,
  type Member,
  newAdmin,
  newCheckedOwner,
  newMember,
  newQuest,
  type Owner,
  outsideBeta,
  refusal,
  submitProof,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { approvedBy, balanceOf, flag, holdsOf, letDaysPass } from './support/holds.ts';
import { runPeriodicJob, tick } from './support/periodic-jobs.ts';
import { creditPurchase, eventsOf, newPayment } from './support/purchases.ts';
import { changesNothing } from './support/raw.ts';
import { claim, codeOf, referral } from './support/referrals.ts';
import { newReward, redeem } from './support/rewards.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** This member as the owner of a checked project with 500 points. */
async function withProject(member: Member): Promise<Owner> {
  const startup = await unwrap(
    member.client.rpc('create_startup_profile', { p_name: `P ${randomUUID()}`, p_industry: 'SaaS' }),
  );
  await sql().query('update public.startup_profiles set checked_at = now() where id = $1', [startup.id]);
  await sql().query("select private.transfer(null, private.startup_wallet($1, $2), 500, 'adjustment', 'Points')", [
    startup.id,
    member.id,
  ]);
  return { ...member, startup };
}

describe('referral bonuses', () => {
  test('C-80 TRUST-16 are credited and counted at once, held, and not redeemable: the refusal says how much is held', async () => {
    const { referrer, invited } = await referral();
    expect([await balanceOf(referrer.id), await balanceOf(invited.id)]).toEqual([
      { available: 0, held: 500 },
      { available: 0, held: 250 },
    ]);
    expect(await walletOf(referrer.id)).toEqual({ points: 500, lifetime: 500 });
    const reward = await newReward({ points_cost: 100 });
    await grantPoints(referrer, 60);
    expect(await changesNothing(() => refusal(redeem(referrer, reward)))).toEqual({
      status: 409,
      code: 'POINTS_HELD',
      message: 'You have 560 points, but 500 of them are held and cannot be redeemed yet.',
    });
    await grantPoints(referrer, 40);
    await unwrap(redeem(referrer, reward));
    expect(await balanceOf(referrer.id)).toEqual({ available: 0, held: 500 });
    expect(await ledgerProblems()).toEqual([]);
    // Other held points are no bonus.
    const { rows } = await rolledBack(async (client) => {
      await client.query(
        `insert into public.point_holds (id, wallet_id, user_id, reason, points, depends_on, check_at)
         select t.id, w.id, w.user_id, 'trial', 40, 'owner', now()
         from public.transfers t join public.entries e on e.transfer_id = t.id join public.wallets w on w.id = e.wallet_id
         where w.user_id = $1 and t.points = 40`,
        [referrer.id],
      );
      await actAs(client, referrer);
      return client.query('select held_points::integer as held from public.get_user_referral_stats($1)', [referrer.id]);
    });
    expect(rows).toEqual([{ held: 500 }]);
    // Nor is what was reversed held.
    const reversed = await rolledBack(async (client) => {
      await client.query('update public.point_holds set reversed_at = now() where user_id = $1', [referrer.id]);
      await actAs(client, referrer);
      const stats = 'select held_points::integer as held from public.get_user_referral_stats($1)';
      const each = 'select held_points::integer as held from public.list_own_referrals()';
      return [...(await client.query(stats, [referrer.id])).rows, ...(await client.query(each)).rows];
    });
    expect(reversed).toEqual([{ held: 0 }, { held: 0 }]);
  });

  test('C-80 BEY-16 a human approval at an unrelated project releases both sides at once', async () => {
    const { referrer, invited } = await referral();
    const owner = await newCheckedOwner();
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    expect(await unwrap(referrer.client.rpc('list_own_referrals'))).toMatchObject([{ points: 500, held_points: 0 }]);
    const stats = await unwrap(referrer.client.rpc('get_user_referral_stats', { p_user_id: referrer.id }));
    expect(stats).toMatchObject([{ total_points_earned: 500, held_points: 0 }]);
    expect(await holdsOf(referrer.id)).toEqual([{ reason: 'referral', points: 500, state: 'task_approved' }]);
    expect(await holdsOf(invited.id)).toContainEqual({ reason: 'referral', points: 250, state: 'task_approved' });
    expect((await balanceOf(referrer.id)).held).toBe(0);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-80 an approval that releases a bonus waits for the wallets concerned and no others', async () => {
    const [{ referrer, invited }, stranger, owner] = [await referral(), await newMember(), await newCheckedOwner()];
    await grantPoints(stranger, 10);
    const { taskId } = await newQuest(owner);
    const holder = await sql().connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from public.wallets where user_id = $1 for update', [stranger.id]);
      await approvedBy(owner, invited, taskId);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await balanceOf(referrer.id)).held).toBe(0);
  });

  test('C-80 an approval, which holds up the quest, looks at the bonuses of its member only, however many wait at the referrer', async () => {
    const { referrer, invited } = await referral();
    const other = await newMember('other');
    await unwrap(claim(other, await codeOf(referrer)));
    const due = "update public.point_holds set check_at = now() - interval '1 hour' where user_id = $1";
    await sql().query(due, [referrer.id]);
    const owner = await newCheckedOwner();
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    const { rows } = await sql().query(
      'select depends_on, release_reason, check_at < now() as is_due from public.point_holds where user_id = $1 order by id',
      [referrer.id],
    );
    expect(rows).toEqual([
      { depends_on: invited.id, release_reason: 'task_approved', is_due: true },
      { depends_on: other.id, release_reason: null, is_due: true },
    ]);
  });

  test('C-80 an automatic beta approval releases them after seven days without a flag; a flag keeps them held', async () => {
    const [idle, doubtful, clean] = [await referral(), await referral(), await referral()];
    const owner = await newCheckedOwner();
    const { taskId } = await newQuest(owner);
    await unwrap(submitProof(clean.invited, taskId));
    await flag((await unwrap(submitProof(doubtful.invited, taskId))).id);
    await runPeriodicJob('scan_submissions');
    // The date is known before the next look of the worker, which may be a day away.
    await unwrap(clean.referrer.client.rpc('sync_current_user', {}));
    expect(await unwrap(clean.referrer.client.from('point_holds').select('due_at').single())).not.toEqual({
      due_at: null,
    });
    await letDaysPass(6);
    await tick();
    expect((await balanceOf(clean.referrer.id)).held).toBe(500);
    // Nobody else is told a date.
    const { rows } = await sql().query('select due_at from public.point_holds where user_id = $1', [idle.referrer.id]);
    expect(rows).toEqual([{ due_at: null }]);
    await letDaysPass(2);
    await tick();
    expect([(await balanceOf(clean.referrer.id)).held, (await balanceOf(clean.invited.id)).held]).toEqual([0, 0]);
    expect([(await balanceOf(doubtful.referrer.id)).held, (await balanceOf(doubtful.invited.id)).held]).toEqual([
      500, 250,
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-80 projects of the two members, or of related accounts, do not count', async () => {
    const { referrer, invited } = await referral();
    const secondAccount = await newMember('second', { email: referrer.email.replace('@', '+x@') });
    const friend = await newMember('friend');
    await unwrap(claim(friend, await codeOf(referrer)));
    // All of them before the first approval, which leaves beta, where projects are verified at once.
    for (const owner of await Promise.all([referrer, secondAccount, friend].map(withProject))) {
      await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    }
    expect([(await balanceOf(referrer.id)).held, (await balanceOf(invited.id)).held]).toEqual([1000, 250]);
    const stranger = await newCheckedOwner();
    await approvedBy(stranger, invited, (await newQuest(stranger)).taskId);
    expect([(await balanceOf(referrer.id)).held, (await balanceOf(invited.id)).held]).toEqual([500, 0]);
  });

  test('C-80 nor do those of who brought the referrer, of whom the invited member has brought, or of another account of theirs', async () => {
    const grand = await newMember('grand');
    const { referrer, invited } = await referral();
    const [brought, second] = [
      await newMember('brought'),
      await newMember('second', { email: invited.email.replace('@', '+x@') }),
    ];
    await unwrap(claim(referrer, await codeOf(grand)));
    await unwrap(claim(brought, await codeOf(invited)));
    for (const owner of await Promise.all([grand, brought, second].map(withProject))) {
      await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    }
    const { rows } = await sql().query(
      'select points::integer, release_reason from public.point_holds where depends_on = $1 order by points',
      [invited.id],
    );
    expect(rows).toEqual([
      { points: 250, release_reason: null },
      { points: 500, release_reason: null },
    ]);
  });

  test('C-80 BEY-20 nor do points that the invited member buys for a project', async () => {
    const { referrer, invited } = await referral();
    await unwrap(creditPurchase(await withProject(invited), newPayment()));
    expect([(await balanceOf(referrer.id)).held, (await balanceOf(invited.id)).held]).toEqual([500, 250]);
  });

  test('C-80 BEY-02 a person’s approval releases them at once, of a flagged proof too, and after one by the server', async () => {
    const { referrer, invited } = await referral();
    const [first, owner] = [await newCheckedOwner(), await newCheckedOwner()];
    await unwrap(submitProof(invited, (await newQuest(first)).taskId));
    await runPeriodicJob('scan_submissions');
    expect((await balanceOf(referrer.id)).held).toBe(500);
    const { taskId } = await newQuest(owner);
    await outsideBeta(async () => {
      const { id } = await unwrap(submitProof(invited, taskId));
      await flag(id);
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    });
    expect((await balanceOf(referrer.id)).held).toBe(0);
  });

  test('C-80 TRUST-08 reversing the approval holds the unspent part again', async () => {
    const { referrer, invited } = await referral();
    const [owner, admin] = [await newCheckedOwner(), await newAdmin()];
    const { id } = await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    await unwrap(redeem(referrer, await newReward({ points_cost: 120 })));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    expect([await balanceOf(referrer.id), await balanceOf(invited.id)]).toEqual([
      { available: 0, held: 380 },
      { available: 0, held: 250 },
    ]);
    expect(await eventsOf(referrer, 'PointsHeld')).toEqual([{ payload: { points: 380, kind: 'again' } }]);
    const { rows } = await sql().query(
      'select due_at, round(extract(epoch from check_at - now()) / 3600)::integer as hours from public.point_holds where user_id = $1',
      [referrer.id],
    );
    expect(rows).toEqual([{ due_at: null, hours: 24 }]);
    // What was taken back proves nothing, however long ago it was earned.
    await letDaysPass(8);
    await tick();
    expect((await balanceOf(referrer.id)).held).toBe(380);
    const again = await newCheckedOwner();
    await approvedBy(again, invited, (await newQuest(again)).taskId);
    expect(await balanceOf(referrer.id)).toEqual({ available: 380, held: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-80 TRUST-08 a second approval keeps the bonus free until it is reversed, too', async () => {
    const { referrer, invited } = await referral();
    const admin = await newAdmin();
    const [one, two] = [await newCheckedOwner(), await newCheckedOwner()];
    const first = await approvedBy(one, invited, (await newQuest(one)).taskId);
    const second = await approvedBy(two, invited, (await newQuest(two)).taskId);
    const held = [];
    for (const { id } of [first, second]) {
      await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
      held.push((await balanceOf(referrer.id)).held);
    }
    expect(held).toEqual([0, 500]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-80 TRUST-08 a bonus held again says when the other task releases it; one that is spent is not held', async () => {
    const { referrer, invited } = await referral();
    const [owner, other, admin] = [await newCheckedOwner(), await newCheckedOwner(), await newAdmin()];
    const { id } = await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    await unwrap(redeem(referrer, await newReward({ points_cost: 500 })));
    await unwrap(submitProof(invited, (await newQuest(other)).taskId));
    await runPeriodicJob('scan_submissions');
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    expect(await balanceOf(referrer.id)).toEqual({ available: 0, held: 0 });
    const { rows } = await sql().query(
      `select points::integer, round(extract(epoch from due_at - now()) / 86400)::integer as days
       from public.point_holds where user_id = $1 and released_at is null`,
      [invited.id],
    );
    expect(rows).toEqual([{ points: 250, days: 7 }]);
    await letDaysPass(7);
    await tick();
    expect(await balanceOf(invited.id)).toEqual({ available: 260, held: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test("C-80 TRUST-08 reversing somebody else's approval holds no bonus again, whatever its own one would prove today", async () => {
    const [{ referrer, invited }, stranger] = [await referral(), await newMember()];
    const [owner, other, admin] = [await newCheckedOwner(), await newCheckedOwner(), await newAdmin()];
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    const { id } = await approvedBy(other, stranger, (await newQuest(other)).taskId);
    // Of an owner whom the invited member has brought, an approval proves nothing.
    await unwrap(claim(owner, await codeOf(invited)));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    expect(await balanceOf(referrer.id)).toEqual({ available: 500, held: 0 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-80 TRUST-08 reversing the approval after the bonus itself was reversed holds nothing else', async () => {
    const { referrer, invited } = await referral();
    const [owner, admin] = [await newCheckedOwner(), await newAdmin()];
    const { id } = await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    const { rows } = await sql().query(
      "select e.transfer_id from public.transactions e where e.user_id = $1 and e.kind = 'referral_bonus'",
      [referrer.id],
    );
    await grantPoints(referrer, 600);
    await unwrap(admin.client.rpc('reverse_transfer', { p_transfer_id: rows[0].transfer_id, p_note: 'Not a person' }));
    await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Not a person' }));
    expect([await balanceOf(referrer.id), await balanceOf(invited.id)]).toEqual([
      { available: 600, held: 0 },
      { available: 0, held: 250 },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-80 TRUST-15 nothing is released to a referrer whose mailbox turns out to be that of the invited member', async () => {
    const name = randomUUID().slice(0, 8);
    const referrer = await newMember('referrer', { email: undefined, email_verified: false });
    const invited = await newMember('invited', { email: `a.${name}@gmail.com` });
    await unwrap(claim(invited, await codeOf(referrer)));
    const verified = await asUser(referrer, { email: `a${name}@gmail.com` });
    await unwrap(verified.rpc('sync_current_user', {}));
    const owner = await newCheckedOwner();
    await approvedBy(owner, invited, (await newQuest(owner)).taskId);
    await tick();
    expect([await balanceOf(referrer.id), await balanceOf(invited.id)]).toEqual([
      { available: 0, held: 500 },
      { available: 10, held: 250 },
    ]);
  });

  test('C-80 only a configured number a day is paid, also under concurrent claims', () =>
    withSettings({ paid_referrals_per_day: 3 }, async () => {
      const referrer = await newMember('referrer');
      const code = await codeOf(referrer);
      const crowd: Member[] = [];
      for (let n = 0; n < 8; n += 1) crowd.push(await newMember('crowd'));
      const results = await Promise.all(crowd.map((member) => claim(member, code)));
      expect(results.filter(({ error }) => !error)).toHaveLength(3);
      expect(results.find(({ error }) => error)).toMatchObject({
        status: 429,
        error: {
          hint: 'REFERRAL_LIMIT',
          message: 'This invitation has been used too often today. Please try again tomorrow.',
        },
      });
      expect(await balanceOf(referrer.id)).toEqual({ available: 0, held: 1500 });
      await sql().query(
        "update public.referrals set created_at = created_at - interval '1 day' where referrer_user_id = $1",
        [referrer.id],
      );
      const late = crowd[results.findIndex(({ error }) => error)];
      if (late) await unwrap(claim(late, code));
      expect((await balanceOf(referrer.id)).held).toBe(2000);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('C-80 an invitation that pays nothing is none of the number a day', () =>
    withSettings({ paid_referrals_per_day: 1 }, async () => {
      const [referrer, first, second] = [await newMember('referrer'), await newMember(), await newMember()];
      const code = await codeOf(referrer);
      await withSettings({ referrer_points: 0, referred_points: 0 }, () => unwrap(claim(first, code)));
      await unwrap(claim(second, code));
      expect((await balanceOf(referrer.id)).held).toBe(500);
    }));

  test('TRUST-15 TRUST-16 C-80 two hundred sign-ups with one mailbox earn nothing redeemable', async () => {
    const referrer = await newMember('farmer');
    const [code, reward] = [await codeOf(referrer), await newReward({ points_cost: 1 })];
    const name = `farm${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const outcomes: Record<string, number> = {};
    for (let n = 0; n < 200; n += 1) {
      const dot = 1 + (n % (name.length - 1));
      const local = n % 2 ? `${name.slice(0, dot)}.${name.slice(dot)}` : name;
      const fake = await newMember('fake', { email: `${local}+${n}@${n % 3 ? 'gmail.com' : 'googlemail.com'}` });
      const { error } = await claim(fake, code);
      outcomes[error?.hint ?? 'paid'] = (outcomes[error?.hint ?? 'paid'] ?? 0) + 1;
    }
    expect(outcomes).toEqual({ paid: 1, NOT_A_NEW_ACCOUNT: 199 });
    expect(await balanceOf(referrer.id)).toEqual({ available: 0, held: 500 });
    expect(await refusal(redeem(referrer, reward))).toMatchObject({ code: 'POINTS_HELD' });
  }, 120_000);
});
