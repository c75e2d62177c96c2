import type pg from 'pg';
import { expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { withinOneDay } from '../../local/testing/one-day.ts';
import { type Member, newAdmin, newMember, newOwner, newQuest, submitProof, unwrap } from './support/factories.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** Calls as this person in a zone whose clocks went forward by an hour at midnight so many days ago (negative: will go). */
async function whereClocksChange(daysAgo: number, who: Member, call: (client: pg.PoolClient) => Promise<void>) {
  await withinOneDay(20);
  const dayOfYear = (time: number) => {
    const date = new Date(time);
    return Math.min(365, 1 + Math.floor((time - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000));
  };
  const change = Date.now() - daysAgo * 86_400_000;
  await rolledBack(async (client) => {
    await client.query("select set_config('timezone', $1, true)", [
      `AAA0BBB-1,J${dayOfYear(change)}/0,J${dayOfYear(change + 150 * 86_400_000)}/0`,
    ]);
    await actAs(client, who);
    await call(client);
  });
}

// Anybody may ask the API for a time zone; in it a day has 23 hours when the clocks go forward.
test('TRUST-23 points are held for seven days of 24 hours, in whichever time zone their cause was called', async () => {
  const member = await newMember();
  const { taskId } = await newQuest(await newOwner());
  await whereClocksChange(-2, member, async (client) => {
    await client.query("select public.submit_proof(p_task_id => $1, p_text => 'Done')", [taskId]);
    await client.query('reset role');
    const { rows } = await client.query(
      'select extract(epoch from due_at - now())::integer / 3600 as hours from public.point_holds where user_id = $1',
      [member.id],
    );
    expect(rows).toEqual([{ hours: 168 }]);
  });
});

test("an owner's list counts proofs by their day in UTC, in whichever time zone it is asked for", async () => {
  const owner = await newOwner();
  const { taskId } = await newQuest(owner);
  const { id } = await unwrap(submitProof(await newMember(), taskId));
  const moved =
    "update public.submissions set submitted_at = date_trunc('day', now(), 'UTC') - $2::interval where id = $1";
  await sql().query(moved, [id, '312 hours']);
  await whereClocksChange(7, owner, async (client) => {
    const { rows } = await client.query('select daily_submissions from public.list_own_quests()');
    expect(rows).toEqual([{ daily_submissions: [1, ...Array(13).fill(0)] }]);
  });
});

test('ADMIN-02 the figures of a period include today, in whichever time zone they are asked for', async () => {
  await whereClocksChange(7, await newAdmin(), async (client) => {
    const { rows } = await client.query("select public.get_platform_stats(30) -> 'days' as days");
    expect(rows[0].days).toHaveLength(30);
    expect(rows[0].days.at(-1).day).toBe(new Date().toISOString().slice(0, 10));
  });
});
