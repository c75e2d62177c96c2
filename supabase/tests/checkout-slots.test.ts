import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { suspendUser } from './support/closed-business.ts';
import { type Member, newAdmin, newOwner, type Owner, refusal, unwrap, withSettings } from './support/factories.ts';
import { answerDuring } from './support/locks.ts';
import { runPeriodicJob } from './support/periodic-jobs.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { activate, remainingSlots, statuses, takenSlots } from './support/subscriptions.ts';

setUpDatabase();

describe('an unpaid checkout page', () => {
  const reserve = async ({ id, startup }: Owner) => {
    const terms = await unwrap(
      asService().rpc('reserve_checkout_slot', {
        p_user_id: id,
        p_startup_id: startup.id,
        p_plan_id: 'og_lifetime',
      }),
    );
    return (terms as { hold_id: string | null }).hold_id;
  };
  const release = (hold: string | null) => unwrap(asService().rpc('release_checkout_slot', { p_hold_id: hold ?? '' }));

  /** Runs with one slot left and no page open. */
  async function withOneSlot(run: () => Promise<void>): Promise<void> {
    const taken = await takenSlots();
    await withSettings({ og_slots: taken + 1 }, run);
  }

  beforeEach(async () => {
    await sql().query('delete from private.checkout_holds');
  });

  test('SUBS-07 is opened for no plan but og_lifetime', async () => {
    const { id, startup } = await newOwner();
    for (const plan of ['og_monthly', '']) {
      const terms = { p_user_id: id, p_startup_id: startup.id, p_plan_id: plan };
      expect(await refusal(asService().rpc('reserve_checkout_slot', terms)), plan).toEqual({
        status: 400,
        code: 'INVALID_PLAN',
        message: 'Unknown plan',
      });
    }
  });

  test('C-21 releases its slot at once when it expires, and expiring it again is no error', async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    await withOneSlot(async () => {
      const hold = await reserve(first);
      expect(await reserve(second)).toBeNull();
      expect(await release(hold)).toBe(true);
      expect(await release(hold)).toBe(false);
      expect(await reserve(second)).not.toBeNull();
      expect(await release(hold)).toBe(false);
      expect(await reserve(first)).toBeNull();
    });
  });

  test('C-21 releases its slot after its lifetime, half an hour and a little, without an event', async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    await withOneSlot(async () => {
      const hold = await reserve(first);
      const { rows } = await sql().query<{ minutes: number }>(
        'select (extract(epoch from expires_at - now()) / 60)::float as minutes from private.checkout_holds where hold_id = $1',
        [hold],
      );
      // Such a page lives for 31 minutes at the provider.
      expect(rows[0]?.minutes).toBeGreaterThan(31);
      expect(rows[0]?.minutes).toBeLessThan(40);
      const age = (interval: string) =>
        sql().query(`update private.checkout_holds set expires_at = now() ${interval} where hold_id = $1`, [hold]);
      await age("+ interval '10 seconds'");
      expect(await reserve(second)).toBeNull();
      await age("- interval '1 second'");
      expect(await reserve(second)).not.toBeNull();
      expect(await release(hold)).toBe(false);
    });
  });

  test.each<[string, (by: Member, person: Owner) => (client: PoolClient) => Promise<unknown>]>([
    [
      'suspended',
      (admin, { id }) =>
        async (client) => {
          await actAs(client, admin);
          await client.query('select public.suspend_user($1, $2)', [id, 'A stolen card']);
        },
    ],
    [
      'erased',
      (_, { id }) =>
        (client) =>
          client.query('select public.anonymise_user($1)', [id]),
    ],
  ])('TRUST-18 C-21 is not opened, and keeps no slot, for somebody who is being %s', async (_, leave) => {
    const [admin, owner] = [await newAdmin(), await newOwner()];
    const terms = { p_user_id: owner.id, p_startup_id: owner.startup.id, p_plan_id: 'og_lifetime' };
    const answer = await answerDuring(leave(admin, owner), () => asService().rpc('reserve_checkout_slot', terms));
    expect(answer.error?.hint).toBe('SUSPENDED');
    const holds = await sql().query('select 1 from private.checkout_holds where owner_user_id = $1', [owner.id]);
    expect(holds.rowCount).toBe(0);
  });

  test('TRUST-18 C-21 frees its slot when its owner is suspended, and only theirs', async () => {
    const [suspended, other] = [await newOwner(), await newOwner()];
    await withSettings({ og_slots: (await takenSlots()) + 2 }, async () => {
      const holds = [await reserve(suspended), await reserve(other)];
      await suspendUser(await newAdmin(), suspended);
      expect(await Promise.all(holds.map(release))).toEqual([false, true]);
    });
  });

  test('C-21 does not release the slot of a page that the same owner opened later', async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    await withOneSlot(async () => {
      const old = await reserve(first);
      await reserve(first);
      expect(await release(old)).toBe(false);
      expect(await reserve(second)).toBeNull();
    });
  });

  test('C-20 C-21 takes nothing from a payment, whether its expiry is reported before or after', async () => {
    for (const isExpiryFirst of [true, false]) {
      const owner = await newOwner();
      const payment = `pi_${randomUUID()}`;
      await withOneSlot(async () => {
        const hold = await reserve(owner);
        if (isExpiryFirst) expect(await release(hold)).toBe(true);
        expect(await unwrap(activate(owner, `paid-${payment}`, payment))).toEqual({ activated: true, reason: null });
        if (!isExpiryFirst) expect(await release(hold)).toBe(false);
        expect(await statuses(owner)).toEqual(['active']);
        expect(await remainingSlots()).toBe(0);
      });
    }
  });

  test('C-21 C-103 keeps its slot when somebody else has paid', async () => {
    const [payer, other] = [await newOwner(), await newOwner()];
    await withSettings({ og_slots: (await takenSlots()) + 2 }, async () => {
      const holds = [await reserve(payer), await reserve(other)];
      await unwrap(activate(payer, `evt_${randomUUID()}`, `pi_${randomUUID()}`));
      expect(await Promise.all(holds.map(release))).toEqual([false, true]);
    });
  });
});

test('C-20 C-81 the plan of a deleted account goes to no stranger who makes a project', async () => {
  const owner = await newOwner();
  await unwrap(activate(owner, `evt_${randomUUID()}`, `pi_${randomUUID()}`));
  await unwrap(asService().rpc('anonymise_user', { p_user_id: owner.id }));
  expect(await statuses(await newOwner())).toEqual([]);
});

test.each([
  { what: 'refunded', change: "status = 'refunded'", left: 'refunded' },
  { what: 'prolonged', change: "current_period_end = now() + interval '1 day'", left: 'active' },
])('C-110 a plan that is $what at the moment at which it would expire does not', async ({ change, left }) => {
  const owner = await newOwner();
  await unwrap(activate(owner, `evt_${randomUUID()}`, `pi_${randomUUID()}`));
  await sql().query('update public.subscriptions set current_period_end = now() where owner_user_id = $1', [owner.id]);
  await answerDuring(
    (client) => client.query(`update public.subscriptions set ${change} where owner_user_id = $1`, [owner.id]),
    () => runPeriodicJob('expire_subscriptions'),
  );
  expect(await statuses(owner)).toEqual([left]);
  const told = "select 1 from public.outbox_events where user_id = $1 and type = 'SubscriptionEnded'";
  expect((await sql().query(told, [owner.id])).rowCount).toBe(0);
});
