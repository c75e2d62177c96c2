import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  type Owner,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { runPeriodicJobs } from './support/periodic-jobs.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const LIMITED = { status: 429, code: 'RATE_LIMITED', message: 'Rate limit exceeded' };
const ledgerRows = async () => Number((await sql().query('select count(*) from public.entries')).rows[0]?.count);

describe('TRUST-27 hourly limits per person', () => {
  test('creating quests: beyond the limit 429 and no ledger row, also under concurrent calls', () =>
    withSettings({ quest_creations_per_hour: 3, trial_quest_limit: 50 }, async () => {
      const owner = await newOwner();
      const one = { task: { reward_points: 1, max_completions: 1 } };
      const made = await Promise.allSettled(Array.from({ length: 8 }, () => newQuest(owner, one)));
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      const rows = await ledgerRows();
      await expect(newQuest(owner, one)).rejects.toThrow('RATE_LIMITED');
      expect(await ledgerRows()).toBe(rows);
      // Others are not affected.
      await newQuest(await newOwner(), one);
    }));

  test('editing, publishing, unpublishing, closing and deleting quests share one limit', () =>
    withSettings({ quest_changes_per_hour: 4 }, async () => {
      const owner = await newOwner();
      const { id } = (await newQuest(owner)).campaign;
      const change = (name: 'publish_campaign' | 'unpublish_campaign' | 'close_campaign') =>
        owner.client.rpc(name, { p_campaign_id: id });
      await unwrap(change('unpublish_campaign'));
      await unwrap(change('publish_campaign'));
      await unwrap(change('close_campaign'));
      // No-op changes do not count.
      for (let i = 0; i < 5; i += 1) await unwrap(change('close_campaign'));
      await unwrap(change('unpublish_campaign'));
      await changesNothing(async () => {
        expect(await refusal(change('publish_campaign'))).toEqual(LIMITED);
        expect(await refusal(change('close_campaign'))).toEqual(LIMITED);
        expect(await refusal(owner.client.rpc('delete_campaign', { p_campaign_id: id }))).toEqual(LIMITED);
        const edit = { p_campaign_id: id, p_campaign: { title: 'T', summary: 'S', budget_points: 500 }, p_tasks: [] };
        expect(await refusal(owner.client.rpc('update_campaign', edit))).toEqual(LIMITED);
      });
    }));

  test('creating, editing and deleting projects and making their secrets share one limit; StartupVerified is mailed once, however often a project is re-created', () =>
    withSettings({ project_changes_per_hour: 7 }, async () => {
      const owner = await newMember('owner');
      const create = () =>
        owner.client.rpc('create_startup_profile', { p_name: `Again ${owner.name}`, p_industry: 'SaaS' });
      const remove = (id: string) => owner.client.rpc('delete_startup_profile', { p_startup_id: id });
      for (let i = 0; i < 3; i += 1) await remove((await unwrap(create())).id).throwOnError();
      const { id } = await unwrap(create());
      const edit = { p_startup_id: id, p_name: `Again ${owner.name}` };
      await changesNothing(async () => {
        expect(await refusal(owner.client.rpc('update_startup_profile', edit))).toEqual(LIMITED);
        expect(await refusal(remove(id))).toEqual(LIMITED);
        expect(await refusal(owner.client.rpc('create_signing_secret', { p_startup_id: id }))).toEqual(LIMITED);
      });
      const { rows } = await sql().query(
        "select 1 from public.outbox_events where user_id = $1 and type = 'StartupVerified'",
        [owner.id],
      );
      expect(rows).toHaveLength(1);
    }));

  test('RULE-11 proofs are counted per minute when they are submitted: also after a rejection, and when the quest is gone', () =>
    withSettings({ beta_mode: false }, async () => {
      const owner = await newOwner();
      await sql().query("select private.mark_verified($1, 'test', 'x')", [owner.startup.id]);
      const member = await newMember();
      const { taskId, campaign } = await newQuest(owner);
      const submit = () => member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' });
      for (let i = 0; i < 6; i += 1) {
        const { id } = await unwrap(submit());
        const decision = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
        await unwrap(owner.client.rpc('review_submission', decision));
      }
      expect(await changesNothing(() => refusal(submit()))).toEqual(LIMITED);
      // The appeal period is over, so the quest can be deleted.
      await sql().query('update public.submissions set kept_until = now() where campaign_id = $1', [campaign.id]);
      await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
      const other = await newQuest(owner);
      const elsewhere = member.client.rpc('submit_proof', { p_task_id: other.taskId, p_text: 'Done' });
      expect(await refusal(elsewhere)).toEqual(LIMITED);
    }));
});

const reserve = ({ id, startup }: Owner) =>
  asService().rpc('reserve_checkout_slot', { p_user_id: id, p_startup_id: startup.id, p_plan_id: 'og_lifetime' });
const pay = ({ startup }: Owner, payment: string = randomUUID()) =>
  unwrap(
    asService().rpc('activate_subscription', {
      p_startup_id: startup.id,
      p_plan_id: 'og_lifetime',
      p_event_id: randomUUID(),
      p_payment_ref: payment,
      p_amount_cents: 9900,
    }),
  );
const isHeld = async (owner: Owner) => ((await unwrap(reserve(owner))) as { hold_id: string | null }).hold_id !== null;
const takenSlots = async () =>
  Number(
    (await sql().query('select (select og_slots from public.app_settings) - private.remaining_og_slots() as n')).rows[0]
      ?.n,
  );

describe('C-103 slots held for open checkout pages', () => {
  test('are a quarter of the free ones, but at least five; later owners get a page without a slot and can still pay', async () => {
    await sql().query('delete from private.checkout_holds');
    await withSettings({ og_slots: (await takenSlots()) + 24 }, async () => {
      const owners = await Promise.all(Array.from({ length: 9 }, () => newOwner()));
      const held = await Promise.all(owners.map(isHeld));
      expect(held.filter(Boolean)).toHaveLength(6);
      const late = owners[held.indexOf(false)];
      expect(late && (await pay(late))).toEqual({ activated: true, reason: null });
    });
    await sql().query('delete from private.checkout_holds');
    await withSettings({ og_slots: (await takenSlots()) + 8 }, async () => {
      const owners = await Promise.all(Array.from({ length: 8 }, () => newOwner()));
      const held = await Promise.all(owners.map(isHeld));
      expect(held.filter(Boolean)).toHaveLength(5);
      // Those without one take the three slots that are not held; a payment that finds none is to be refunded.
      const paid = await Promise.all(owners.filter((_, index) => !held[index]).map((owner) => pay(owner)));
      expect(paid).toEqual(Array(3).fill({ activated: true, reason: null }));
      expect(await pay(await newOwner())).toEqual({ activated: false, reason: 'sold_out' });
      const holders = await Promise.all(owners.filter((_, index) => held[index]).map((owner) => pay(owner)));
      expect(holders).toEqual(Array(5).fill({ activated: true, reason: null }));
      expect(await refusal(reserve(await newOwner()))).toMatchObject({ code: 'SOLD_OUT' });
    });
  });

  test('keep nobody from paying once they have expired', async () => {
    await sql().query('delete from private.checkout_holds');
    const [gone, owner] = [await newOwner(), await newOwner()];
    await withSettings({ og_slots: (await takenSlots()) + 1 }, async () => {
      expect(await isHeld(gone)).toBe(true);
      expect(await pay(owner)).toEqual({ activated: false, reason: 'sold_out' });
      await sql().query("update private.checkout_holds set expires_at = now() - interval '1 second'");
      expect(await pay(owner)).toEqual({ activated: true, reason: null });
    });
  });

  test('are freed when their owner is suspended, and no others', async () => {
    await sql().query('delete from private.checkout_holds');
    const [admin, suspended, ...owners] = await Promise.all([
      newAdmin(),
      newOwner(),
      newOwner(),
      newOwner(),
      newOwner(),
    ]);
    const [first, ...later] = owners as [Owner, ...Owner[]];
    await withSettings({ og_slots: (await takenSlots()) + 2 }, async () => {
      expect([await isHeld(suspended), await isHeld(first)]).toEqual([true, true]);
      await unwrap(admin.client.rpc('suspend_user', { p_user_id: suspended.id, p_reason: 'A stolen card?' }));
      const held = [];
      for (const owner of later) held.push(await isHeld(owner));
      expect(held).toEqual([true, false]);
    });
  });

  test('are for projects in good standing: an unapproved project gets a page without a slot', async () => {
    await sql().query('delete from private.checkout_holds');
    const pending = await withSettings({ beta_mode: false }, () => newOwner());
    expect(await isHeld(pending)).toBe(false);
    expect(await isHeld(await newOwner())).toBe(true);
  });
});

describe('C-110 SUBS-07 an expired plan', () => {
  const end = ({ id }: Owner, when: string) =>
    sql().query(`update public.subscriptions set current_period_end = ${when} where owner_user_id = $1`, [id]);
  const badge = async ({ client }: Owner) =>
    (await unwrap(client.from('user_profiles').select('og_badge').single())).og_badge;

  test('can be renewed by paying again; the badge ends with the period and comes back', async () => {
    const owner = await newOwner();
    await pay(owner);
    await end(owner, "now() + interval '1 hour'");
    await runPeriodicJobs();
    expect(await badge(owner)).toBe(true);
    expect(await pay(owner)).toEqual({ activated: false, reason: 'already_subscribed' });
    await end(owner, "now() - interval '1 second'");
    await runPeriodicJobs();
    expect(await badge(owner)).toBe(false);
    expect(await pay(owner)).toEqual({ activated: true, reason: null });
    expect(await badge(owner)).toBe(true);
    expect(
      (await unwrap(owner.client.from('subscriptions').select('status').order('created_at'))).map(
        ({ status }) => status,
      ),
    ).toEqual(['expired', 'active']);
  });

  test('does not begin again when its payment is reported once more, and can still be refunded', async () => {
    const [owner, payment] = [await newOwner(), randomUUID()];
    await pay(owner, payment);
    await end(owner, "now() - interval '1 second'");
    await pay(owner, payment);
    expect(await badge(owner)).toBe(false);
    const states = () => unwrap(owner.client.from('subscriptions').select('status'));
    expect(await states()).toEqual([{ status: 'expired' }]);
    const refund = { p_payment_ref: payment, p_event_id: randomUUID(), p_status: 'refunded' };
    expect(await unwrap(asService().rpc('end_payment', refund))).toEqual({ ended: true });
    expect(await states()).toEqual([{ status: 'refunded' }]);
  });

  test('is renewed even before its end has been processed', async () => {
    const owner = await newOwner();
    await pay(owner);
    await end(owner, "now() - interval '1 second'");
    expect(await pay(owner)).toEqual({ activated: true, reason: null });
  });
});

test('C-81 of what a person has paid for under deleted accounts, one running plan comes back with their project', async () => {
  const [first, second, back] = [await newOwner(), await newOwner(), await newOwner()];
  const refund = (p_payment_ref: string) =>
    unwrap(asService().rpc('end_payment', { p_payment_ref, p_event_id: randomUUID(), p_status: 'refunded' }));
  for (const owner of [first, back]) {
    const payment = randomUUID();
    await pay(owner, payment);
    await refund(payment);
  }
  for (const owner of [first, second]) {
    await pay(owner);
    await unwrap(asService().rpc('anonymise_user', { p_user_id: owner.id }));
    await sql().query('select private.remember_mailbox($1, $2)', [back.id, owner.email]);
  }
  const stranger = await newOwner();
  await back.client.rpc('delete_startup_profile', { p_startup_id: back.startup.id }).throwOnError();
  const again = { p_name: `Again ${back.name}`, p_industry: 'SaaS' };
  const { id } = await unwrap(back.client.rpc('create_startup_profile', again));
  const plansOf = ({ client }: Owner) =>
    unwrap(client.from('subscriptions').select('startup_id, status').order('status'));
  expect(await plansOf(stranger)).toEqual([]);
  expect(await plansOf(back)).toEqual([
    { startup_id: id, status: 'active' },
    { startup_id: id, status: 'refunded' },
  ]);
});
