import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
import { ledgerProblems, newCheckedOwner, newMember, newQuest, submitProof, unwrap } from './support/factories.ts';
import { balanceOf, letDaysPass } from './support/holds.ts';
import { runPeriodicJob, tick } from './support/periodic-jobs.ts';
import { eventsOf } from './support/purchases.ts';
import { referral } from './support/referrals.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

// How the worker releases what is due, also when there is too much of it, or when some of it fails.

test('C-80 signing in and the worker look at five hundred bonuses of a member at a time, those that are due first', async () => {
  const member = await newMember('collector');
  const waiting = async () =>
    (
      await sql().query(
        'select count(*)::integer as due from public.point_holds where user_id = $1 and check_at <= now()',
        [member.id],
      )
    ).rows;
  await sql().query(
    `select private.hold_points(private.transfer(null, w.id, 5, 'referral_bonus', 'Bonus'), w.id, 5, 'referral', 'nobody')
     from public.wallets w, generate_series(1, 1200) where w.user_id = $1`,
    [member.id],
  );
  await sql().query(
    `update public.point_holds h set check_at = now() - interval '1 minute' from (
       select id from public.point_holds where user_id = $1 order by id desc limit 1010
     ) late where h.id = late.id`,
    [member.id],
  );
  await unwrap(member.client.rpc('sync_current_user', {}));
  expect(await waiting()).toEqual([{ due: 510 }]);
  await runPeriodicJob('release_due_holds');
  expect(await waiting()).toEqual([{ due: 10 }]);
  await runPeriodicJob('release_due_holds');
  expect(await waiting()).toEqual([{ due: 0 }]);
  expect(await ledgerProblems()).toEqual([]);
  await sql().query(
    'select private.close_holds(wallet_id, array_agg(id), null) from public.point_holds where user_id = $1 group by wallet_id',
    [member.id],
  );
});

test('C-80 C-50 the worker stops in time to keep what it has done, and goes on with the other wallets on its next run', async () => {
  const referrals = [await referral(), await referral()];
  const wallets = referrals.map(({ referrer }) => referrer.id);
  const overdue = "update public.point_holds set check_at = now() - interval '1 year' where user_id = any ($1)";
  await sql().query(overdue, [wallets]);
  const waiting = async () =>
    (await sql().query('select 1 from public.point_holds where user_id = any ($1) and check_at <= now()', [wallets]))
      .rowCount;
  await sql().query("select private.release_due_holds('0 seconds')");
  expect(await waiting()).toBe(1);
  await sql().query("select private.release_due_holds('0 seconds')");
  expect(await waiting()).toBe(0);
});

test('C-80 C-50 a wallet whose holds cannot be released keeps no other waiting, and is reported until it can', async () => {
  const [broken, clean] = [await referral(), await referral()];
  const { taskId } = await newQuest(await newCheckedOwner());
  for (const { invited } of [broken, clean]) await unwrap(submitProof(invited, taskId));
  await runPeriodicJob('scan_submissions');
  await letDaysPass(8);
  const failed = async () =>
    (await sql().query("select last_error from private.failed_jobs where job = 'release_due_holds'")).rows;
  const { rows } = await sql().query('select id from public.wallets where user_id = $1', [broken.referrer.id]);
  await whileDamaged('update on public.wallets', `new.id = '${rows[0].id}'`, async () => {
    await runPeriodicJob('release_due_holds');
    await runPeriodicJob('release_due_holds');
    expect([(await balanceOf(broken.referrer.id)).held, (await balanceOf(clean.referrer.id)).held]).toEqual([500, 0]);
    expect(await failed()).toEqual([{ last_error: `P0001 wallet ${rows[0].id}` }]);
  });
  await tick();
  expect([(await balanceOf(broken.referrer.id)).held, await failed()]).toEqual([0, []]);
  expect(await ledgerProblems()).toEqual([]);
});

test('C-80 a hundred wallets whose holds cannot be released fill one run only, and are released once they can be', async () => {
  const { referrer, invited } = await referral();
  await unwrap(submitProof(invited, (await newQuest(await newCheckedOwner())).taskId));
  await runPeriodicJob('scan_submissions');
  await letDaysPass(8);
  await sql().query(`
    select private.hold_points(private.transfer(null, w.id, 5, 'task_completion', 'Test'), w.id, 5, 'trial', 'nobody', now() - interval '30 days')
    from (select private.ensure_user_wallet('broken-' || n) as id from generate_series(1, 100) n) w`);
  const held = async () =>
    (await sql().query("select sum(held_points)::integer as held from public.wallets where user_id like 'broken-%'"))
      .rows;
  await whileDamaged('update on public.wallets', "new.user_id like 'broken-%'", async () => {
    await runPeriodicJob('release_due_holds');
    expect((await balanceOf(referrer.id)).held).toBe(500);
    await runPeriodicJob('release_due_holds');
    expect([(await balanceOf(referrer.id)).held, await held()]).toEqual([0, [{ held: 500 }]]);
  });
  await tick();
  expect(await held()).toEqual([{ held: 0 }]);
  expect(await ledgerProblems()).toEqual([]);
});

test('C-80 a release of one point is told, one of none is not', async () => {
  const member = await newMember();
  await sql().query(
    'select private.notify_release(w.id, n) from public.wallets w, generate_series(0, 1) n where w.user_id = $1',
    [member.id],
  );
  expect(await eventsOf(member, 'PointsReleased')).toMatchObject([{ payload: { points: 1 } }]);
});
