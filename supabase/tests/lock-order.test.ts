import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, asUser, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { lockOf, waitsWith, walletOf } from './support/locks.ts';
import { tick } from './support/periodic-jobs.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

// Two calls that lock the same rows in different orders deadlock sooner or later. Each test holds a row that the global order (docs/data-model.md)
// puts first, as another call would, and then asks for one that comes later.

const submit = (who: Member, taskId: string) =>
  unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));

test("BEY-20 C-94 a payment for points releases what members hold before it locks the project's wallet, which an approval needs last", async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  await submit(member, (await newQuest(owner)).taskId);
  const pack = { p_startup_id: owner.startup.id, p_pack_id: 'points_small', p_points: 1000 };
  const payment = { p_event_id: randomUUID(), p_payment_ref: randomUUID(), p_amount_cents: 4900, p_price_cents: 4900 };
  await waitsWith(
    await walletOf('user_id', member.id),
    () => asService().rpc('credit_point_purchase', { ...pack, ...payment }),
    await walletOf('startup_id', owner.startup.id),
  );
});

test('C-20 C-110 a payment of the plan locks the project before it ends plans, as an erasure locks the plan after it', async () => {
  const { id, startup } = await newOwner();
  const { rows } = await sql().query(
    `insert into public.subscriptions (startup_id, owner_user_id, plan_id, payment_ref, amount_cents, current_period_end)
     values ($1, $2, 'og_lifetime', $3, 9900, now() - interval '1 day') returning id`,
    [startup.id, id, randomUUID()],
  );
  const payment = { p_event_id: randomUUID(), p_payment_ref: randomUUID(), p_amount_cents: 9900 };
  await waitsWith(
    lockOf('public.startup_profiles', startup.id),
    () => asService().rpc('activate_subscription', { p_startup_id: startup.id, p_plan_id: 'og_lifetime', ...payment }),
    lockOf('public.subscriptions', rows[0].id),
  );
});

test('closing the ended quests of several projects locks their wallets in order, as a bulk review does', async () => {
  const quests = await Promise.all([newOwner(), newOwner()].map(async (owner) => newQuest(await owner)));
  const { rows } = await sql().query<{ wallet: string; campaign: string }>(
    `select w.id as wallet, c.id as campaign from public.wallets w join public.campaigns c on c.startup_id = w.startup_id
     where c.id = any ($1) order by w.id`,
    [quests.map(({ campaign }) => campaign.id)],
  );
  const [first, last] = rows;
  // The last one's quest has ended first.
  await sql().query(
    `update public.campaigns set starts_at = now() - interval '3 hours',
       ends_at = now() - case id when $1 then interval '1 hour' else interval '2 hours' end where id = any ($2)`,
    [first?.campaign, rows.map(({ campaign }) => campaign)],
  );
  await waitsWith(
    lockOf('public.wallets', first?.wallet ?? ''),
    () => asService().rpc('run_periodic_job', { p_job: 'close_ended_quests' }),
    lockOf('public.wallets', last?.wallet ?? ''),
  );
});

test("funding a closed quest again locks the project's wallet before the reserve, as an approval does", async () => {
  const owner = await newOwner();
  const { campaign } = await newQuest(owner);
  await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
  await waitsWith(
    await walletOf('startup_id', owner.startup.id),
    () => owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }),
    await walletOf('campaign_id', campaign.id),
  );
});

test("C-91 verifying a project again locks its held quests before its wallet, as a decision about a quest's proof does", async () => {
  const [owner, admin] = [await newOwner(), await newAdmin()];
  const { campaign } = await newQuest(owner);
  const project = { p_startup_id: owner.startup.id };
  await unwrap(admin.client.rpc('revoke_verification', { ...project, p_reason: 'Fake' }));
  await waitsWith(
    lockOf('public.campaigns', campaign.id),
    () => admin.client.rpc('set_startup_status', { ...project, p_status: 'verified' }),
    await walletOf('startup_id', owner.startup.id),
  );
});

test('a proof that waits for a review waits for nobody who uses the points of its project', () =>
  withSettings({ beta_mode: false }, async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    await rolledBack(async (client) => {
      await client.query('select 1 from public.wallets where startup_id = $1 or campaign_id = $2 for update', [
        owner.startup.id,
        campaign.id,
      ]);
      await submit(member, taskId);
    });
  }));

test('C-80 an approval at once locks the wallet whose bonus it releases before the reserve', async () => {
  const [owner, referrer, invited] = [await newOwner(), await newMember(), await newMember()];
  const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
  await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
  const { campaign, taskId } = await newQuest(owner);
  await waitsWith(
    await walletOf('user_id', referrer.id),
    () => invited.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Done' }),
    await walletOf('campaign_id', campaign.id),
  );
});

test('C-98 deleting a quest with its approvals locks the wallets whose bonuses they release before the reserve', () =>
  withSettings({ beta_mode: false }, async () => {
    const [owner, first, referrer, invited] = [
      await newVerifiedOwner(),
      await newMember(),
      await newMember(),
      await newMember(),
    ];
    const { code } = await unwrap(referrer.client.rpc('create_user_referral_code'));
    await unwrap(invited.client.rpc('process_referral_signup', { p_user_id: invited.id, p_code: code }));
    const { campaign, taskId } = await newQuest(owner);
    await submit(first, taskId);
    await submit(invited, taskId);
    await tick();
    await waitsWith(
      await walletOf('user_id', referrer.id),
      () => owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id, p_approve_waiting: true }),
      await walletOf('campaign_id', campaign.id),
    );
  }));

test('BEY-02 C-98 removing a task waits for a scan under way before it locks the quest, which the scanning worker may need', () =>
  withSettings({ beta_mode: false }, async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    const task = { title: 'Try it', instructions_md: 'Sign up.', reward_points: 10, max_completions: 5 };
    const save = (tasks: (typeof task)[]) =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Two tasks', summary: 'Try it', budget_points: 100 },
        p_tasks: [{ ...task, id: taskId }, ...tasks],
        p_approve_waiting: true,
      });
    await unwrap(save([task]));
    const { rows } = await sql().query('select id from public.tasks where campaign_id = $1 and id <> $2', [
      campaign.id,
      taskId,
    ]);
    await submit(member, rows[0].id);
    await waitsWith(
      ["select pg_advisory_xact_lock(hashtextextended('scan_submissions', 0))", []],
      () => save([]),
      lockOf('public.tasks', taskId),
    );
  }));

describe('BEY-13 the project locks the codes of a quest before its tasks, as a member does who enters one', () => {
  async function codeQuest() {
    const owner = await newOwner();
    const quest = await newQuest(owner, { task: { verification: 'code', shared_code: 'LANTERN2026' } });
    const { rows } = await sql().query('select id from private.completion_codes where task_id = $1', [quest.taskId]);
    return { owner, ...quest, code: lockOf('private.completion_codes', rows[0].id) };
  }

  test('when it replaces the code', async () => {
    const { owner, campaign, tasks, taskId, code } = await codeQuest();
    const save = () =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Codes', summary: 'Enter it', budget_points: 50 },
        p_tasks: tasks.map((task) => ({ ...task, shared_code: 'ANOTHER2026' })),
      });
    await waitsWith(code, save, lockOf('public.tasks', taskId));
  });

  test('when it deletes the quest', async () => {
    const { owner, campaign, taskId, code } = await codeQuest();
    const remove = () => owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id });
    await waitsWith(code, remove, lockOf('public.tasks', taskId));
  });
});

test('BEY-10 starting a task locks the quest, to which the consent refers, before the task, as deleting the quest does', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
  const { campaign, taskId } = await newQuest(owner, {
    campaign: { collect_emails: true },
    task: { verification: 'call', link_url: 'https://shop.example/welcome' },
  });
  await waitsWith(
    ['select 1 from public.campaigns where id = $1 for update nowait', [campaign.id]],
    () => member.client.rpc('start_task', { p_task_id: taskId, p_email: member.email }),
    ['select 1 from public.tasks where id = $1 for update nowait', [taskId]],
  );
});

test('BEY-02 saving a quest without removing a task waits for no scan', async () => {
  const owner = await newOwner();
  const { campaign, tasks } = await newQuest(owner);
  await waitsWith(
    lockOf('public.campaigns', campaign.id),
    () =>
      owner.client.rpc('update_campaign', {
        p_campaign_id: campaign.id,
        p_campaign: { title: 'Edited', summary: 'Try it', budget_points: 50 },
        p_tasks: tasks,
      }),
    // What waits at all has found the lock taken.
    ["set local lock_timeout = 1; select pg_advisory_xact_lock(hashtextextended('scan_submissions', 0))", []],
  );
});

test('BEY-01 a bulk review locks its submissions in order, and none that its caller may not decide', () =>
  withSettings({ beta_mode: false }, async () => {
    const [owner, other] = [await newVerifiedOwner(), await newVerifiedOwner()];
    const [one, second, foreigner] = [await newMember(), await newMember(), await newMember()];
    const { taskId } = await newQuest(owner);
    const foreign = await submit(foreigner, (await newQuest(other)).taskId);
    const [first, last] = [await submit(one, taskId), await submit(second, taskId)];
    for (const later of [foreign, last]) {
      await waitsWith(
        lockOf('public.submissions', first.id),
        () =>
          owner.client.rpc('review_submissions', {
            p_submission_ids: [foreign.id, last.id, first.id],
            p_decision: 'approve',
          }),
        lockOf('public.submissions', later.id),
      );
    }
  }));

test('C-94 releasing held points locks the wallet before the holds, as taking them back does', async () => {
  const [owner, member, admin] = [await newOwner(), await newMember(), await newAdmin()];
  await submit(member, (await newQuest(owner)).taskId);
  const { rows } = await sql().query('select id from public.point_holds where user_id = $1', [member.id]);
  await waitsWith(
    await walletOf('user_id', member.id),
    () => admin.client.rpc('mark_startup_checked', { p_startup_id: owner.startup.id }),
    lockOf('public.point_holds', rows[0].id),
  );
});

test('TRUST-08 reversing an approval locks the member’s wallet before the project’s', async () => {
  const [owner, member, admin] = [await newOwner(), await newMember(), await newAdmin()];
  const { id } = await submit(member, (await newQuest(owner)).taskId);
  await waitsWith(
    await walletOf('user_id', member.id),
    () => admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }),
    await walletOf('startup_id', owner.startup.id),
  );
});

test('C-81 TRUST-18 signing in with the mailbox of a suspended account locks the project before the profile, as an admin does', async () => {
  const [suspended, owner, admin] = [await newMember(), await newOwner(), await newAdmin()];
  await unwrap(admin.client.rpc('suspend_user', { p_user_id: suspended.id, p_reason: 'Fraud' }));
  const client = await asUser(owner.id, { email: suspended.email, email_verified: true });
  const { rows } = await sql().query('select id from public.user_profiles where user_id = $1', [owner.id]);
  await waitsWith(
    lockOf('public.startup_profiles', owner.startup.id),
    () => client.rpc('sync_current_user', {}),
    lockOf('public.user_profiles', rows[0].id),
  );
  expect(await unwrap(client.rpc('sync_current_user', {}))).toMatchObject({ suspension_reason: 'Fraud' });
});

test('C-65 C-81 signing in with a new address locks the profile before the mailbox, as the report of the identity provider does', async () => {
  const { id } = await newMember();
  const email = `new-${randomUUID()}@example.com`;
  const client = await asUser(id, { email, email_verified: true });
  const { rows } = await sql().query('select id from public.user_profiles where user_id = $1', [id]);
  await waitsWith(lockOf('public.user_profiles', rows[0].id), () => client.rpc('sync_current_user', {}), [
    `set local lock_timeout = '100ms'; select private.remember_mailbox('${id}', '${email}')`,
    [],
  ]);
});

test('BEY-20 a refund locks the project before the purchase, as deleting the project or its owner does', async () => {
  const owner = await newOwner();
  const pack = { p_startup_id: owner.startup.id, p_pack_id: 'points_small', p_points: 1000 };
  const payment = { p_event_id: randomUUID(), p_payment_ref: randomUUID() };
  await unwrap(
    asService().rpc('credit_point_purchase', { ...pack, ...payment, p_amount_cents: 4900, p_price_cents: 4900 }),
  );
  const { rows } = await sql().query('select id from public.point_purchases where owner_user_id = $1', [owner.id]);
  await waitsWith(
    lockOf('public.startup_profiles', owner.startup.id),
    () => asService().rpc('end_payment', { ...payment, p_event_id: randomUUID(), p_status: 'refunded' }),
    lockOf('public.point_purchases', rows[0].id),
  );
});
