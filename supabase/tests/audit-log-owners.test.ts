import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  type Quest,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { runPeriodicJob } from './support/periodic-jobs.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** The log entries about a subject, oldest first. */
async function linesOf(subject: string) {
  const { rows } = await sql().query<{
    actor_id: string;
    action: string;
    before: unknown;
    after: unknown;
    note: unknown;
  }>('select actor_id, action, before, after, note from public.audit_log where subject_id = $1 order by id', [subject]);
  return rows;
}

/** Performs one action, twice where repeating is harmless, and returns the single entry that it leaves. */
async function lineLeftBy(subject: string, act: () => PromiseLike<unknown>) {
  const before = await linesOf(subject);
  await act();
  const added = (await linesOf(subject)).slice(before.length);
  expect(added).toHaveLength(1);
  return added[0];
}

async function pendingProof(quest: Quest) {
  const member = await newMember();
  return unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_url: 'https://blog.example/one' }));
}

describe('BEY-04 each owner action leaves one entry, with before and after', () => {
  const steps: [string, (owner: Owner, quest: Quest) => PromiseLike<unknown>, object][] = [
    [
      'campaign.update',
      (owner, { campaign, tasks }) =>
        unwrap(
          owner.client.rpc('update_campaign', {
            p_campaign_id: campaign.id,
            p_campaign: { title: 'Renamed', summary: 'S', budget_points: 400 },
            p_tasks: [{ ...tasks[0], max_completions: 7 }],
          }),
        ),
      {
        before: { title: expect.stringMatching(/^Quest of/), budget_points: 50, tasks: [{ max_completions: 5 }] },
        after: { title: 'Renamed', budget_points: 400, tasks: [{ max_completions: 7 }] },
      },
    ],
    [
      'campaign.unpublish',
      (owner, { campaign }) => unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id })),
      { before: { status: 'published' }, after: { status: 'draft' } },
    ],
    [
      'campaign.publish',
      async (owner, { campaign }) => {
        for (let i = 0; i < 2; i++) await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
      },
      { before: { status: 'draft' }, after: { status: 'published' } },
    ],
    [
      'campaign.close',
      async (owner, { campaign }) => {
        for (let i = 0; i < 2; i++) await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: campaign.id }));
      },
      { before: { status: 'published' }, after: { status: 'closed' } },
    ],
    [
      'campaign.delete',
      (owner, { campaign }) => owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError(),
      { before: { status: 'closed', title: 'Renamed' }, after: null },
    ],
  ];

  test('creating, editing, unpublishing, publishing, closing and deleting a quest', async () => {
    const owner = await newVerifiedOwner();
    const quest = await newQuest(owner);
    const [created] = await linesOf(quest.campaign.id);
    expect(created).toMatchObject({
      actor_id: owner.id,
      action: 'campaign.create',
      before: null,
      after: { status: 'published', budget_points: 50 },
    });
    for (const [action, act, expected] of steps) {
      const line = await lineLeftBy(quest.campaign.id, () => act(owner, quest));
      expect(line).toMatchObject({ actor_id: owner.id, action, ...expected });
    }
  });

  test('BEY-23 what a task asked stays on record while its proofs wait or their rejection may be appealed', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const quest = await newQuest(owner, { task: { title: 'Write', instructions_md: 'Write a line.' } });
      const reword = (instructions_md: string) =>
        lineLeftBy(quest.campaign.id, () =>
          unwrap(
            owner.client.rpc('update_campaign', {
              p_campaign_id: quest.campaign.id,
              p_campaign: { title: 'Writing', summary: 'S', budget_points: 50 },
              p_tasks: [{ ...quest.tasks[0], instructions_md }],
            }),
          ),
        );
      const said = (instructions_md: string) => ({
        instructions: [{ id: quest.taskId, title: 'Write', instructions_md }],
      });
      expect(await reword('Write two lines.')).not.toHaveProperty('before.instructions');
      const proof = await pendingProof(quest);
      expect(await reword('Write a page.')).toMatchObject({
        before: said('Write two lines.'),
        after: said('Write a page.'),
      });
      const rejection = { p_submission_id: proof.id, p_decision: 'reject', p_reason: 'incomplete' };
      await unwrap(owner.client.rpc('review_submission', rejection));
      expect(await reword('Write a book.')).toMatchObject({
        before: said('Write a page.'),
        after: said('Write a book.'),
      });
      expect(await reword('Write a book.')).not.toHaveProperty('before.instructions');
    }));

  test('reviews, one by one and when a quest is deleted with pending proofs', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const quest = await newQuest(owner);
      const [rejected, approved] = [await pendingProof(quest), await pendingProof(quest)];
      const review = (id: string, decision: object) =>
        unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve', ...decision }));
      const rejection = { p_decision: 'reject', p_reason: 'incomplete', p_note: 'Half of it' };
      expect(await lineLeftBy(rejected.id, () => review(rejected.id, rejection))).toEqual({
        actor_id: owner.id,
        action: 'submission.reject',
        before: { status: 'pending' },
        after: { status: 'rejected', reason: 'incomplete' },
        note: 'Half of it',
      });
      const approval = { actor_id: owner.id, action: 'submission.approve', before: { status: 'pending' } };
      expect(await lineLeftBy(approved.id, () => review(approved.id, {}))).toMatchObject(approval);
      // Another quest: one with a rejection that may still be appealed cannot be deleted (BEY-23).
      const leaving = await newVerifiedOwner();
      const gone = await newQuest(leaving);
      const paid = await pendingProof(gone);
      const remove = () =>
        leaving.client
          .rpc('delete_campaign', { p_campaign_id: gone.campaign.id, p_approve_waiting: true })
          .throwOnError();
      expect(await lineLeftBy(paid.id, remove)).toMatchObject({
        ...approval,
        actor_id: leaving.id,
        after: { status: 'approved' },
      });
    }));

  test('creating, editing and deleting a project', async () => {
    const owner = await newOwner();
    const { id, name } = owner.startup;
    expect(await linesOf(id)).toMatchObject([{ actor_id: owner.id, action: 'startup.create', after: { name } }]);
    const rename = () =>
      unwrap(owner.client.rpc('update_startup_profile', { p_startup_id: id, p_name: `${name} two` }).select('id'));
    expect(await lineLeftBy(id, rename)).toMatchObject({
      actor_id: owner.id,
      action: 'startup.update',
      before: { name },
      after: { name: `${name} two` },
    });
    const remove = () => owner.client.rpc('delete_startup_profile', { p_startup_id: id }).throwOnError();
    expect(await lineLeftBy(id, remove)).toMatchObject({ action: 'startup.delete', before: { name: `${name} two` } });
  });

  test('refused actions leave none', async () => {
    const owner = await newVerifiedOwner();
    const { campaign } = await newQuest(owner);
    const before = await linesOf(campaign.id);
    const other = await newVerifiedOwner();
    await other.client.rpc('close_campaign', { p_campaign_id: campaign.id });
    await owner.client.rpc('update_campaign', { p_campaign_id: campaign.id, p_campaign: { title: '' }, p_tasks: [] });
    expect(await linesOf(campaign.id)).toEqual(before);
  });
});

describe('BEY-04 each payment event leaves one entry, with the plan before and after', () => {
  const activate = ({ startup }: Owner, event: string, payment: string, cents = 9900) =>
    unwrap(
      asService().rpc('activate_subscription', {
        p_startup_id: startup.id,
        p_plan_id: 'og_lifetime',
        p_event_id: event,
        p_payment_ref: payment,
        p_amount_cents: cents,
        p_price_cents: 9900,
      }),
    );
  const end = (event: string, payment: string, status: string, dispute?: string) =>
    unwrap(
      asService().rpc('end_payment', {
        p_payment_ref: payment,
        p_event_id: event,
        p_status: status,
        ...(dispute && { p_dispute_ref: dispute }),
      }),
    );

  test('paid, disputed, won, refunded; a redelivered event adds none', async () => {
    const owner = await newVerifiedOwner();
    const payment = `pi-${owner.startup.id}`;
    const twice = async (deliver: () => Promise<unknown>) => {
      await deliver();
      await deliver();
    };
    await twice(() => activate(owner, `paid-${payment}`, payment));
    await twice(() => end(`dispute-${payment}`, payment, 'disputed', `dp-${payment}`));
    await twice(() =>
      unwrap(
        asService().rpc('reinstate_payment', {
          p_payment_ref: payment,
          p_event_id: `won-${payment}`,
          p_dispute_ref: `dp-${payment}`,
        }),
      ),
    );
    await twice(() => end(`refund-${payment}`, payment, 'refunded'));
    const line = (action: string, before: string | null, after: object) => ({
      actor_id: 'system',
      action,
      before: { status: before },
      after: { amount_cents: 9900, ...after },
      note: null,
    });
    expect(await linesOf(payment)).toEqual([
      line('payment.activate', null, { status: 'active', activated: true, reason: null }),
      line('payment.end', 'active', { status: 'disputed', ended: true }),
      line('payment.reinstate', 'disputed', { status: 'active', reinstated: true, reason: null }),
      line('payment.end', 'active', { status: 'refunded', ended: true }),
    ]);
  });

  test('a payment that activates nothing is recorded with the reason', async () => {
    const owner = await newVerifiedOwner();
    const payment = `cheap-${owner.startup.id}`;
    await activate(owner, `event-${payment}`, payment, 1);
    expect(await linesOf(payment)).toMatchObject([
      {
        action: 'payment.activate',
        before: { status: null },
        after: { status: null, activated: false, reason: 'wrong_amount', amount_cents: 1 },
      },
    ]);
  });

  test('C-110 an expired plan', async () => {
    const owner = await newVerifiedOwner();
    const payment = `old-${owner.startup.id}`;
    await activate(owner, `event-${payment}`, payment);
    await sql().query(
      "update public.subscriptions set current_period_end = now() - interval '1 day' where payment_ref = $1",
      [payment],
    );
    await sql().query('select private.expire_subscriptions()');
    await sql().query('select private.expire_subscriptions()');
    expect((await linesOf(payment)).slice(1)).toMatchObject([
      { action: 'payment.expire', before: { status: 'active' }, after: { status: 'expired' } },
    ]);
  });
});

describe('BEY-04 entries name their subjects for admins', () => {
  const latest = async (actor: { email: string }, subjectType: string) => {
    const admin = await newAdmin();
    const [line] = await unwrap(
      admin.client.rpc('admin_list_audit', { p_search: actor.email, p_subject_type: subjectType, p_limit: 1 }),
    );
    return line;
  };

  test('quests, projects and submissions by name, with the member', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const quest = await newQuest(owner);
      const proof = await pendingProof(quest);
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: proof.id, p_decision: 'approve' }));
      const { rows } = await sql().query('select username from public.user_profiles where user_id = $1', [
        proof.user_id,
      ]);
      expect(await latest(owner, 'submission')).toMatchObject({
        subject_name: 'Try the product',
        subject_user_id: proof.user_id,
        subject_username: rows[0]?.username,
      });
      expect(await latest(owner, 'campaign')).toMatchObject({ subject_name: quest.campaign.title });
      expect(await latest(owner, 'startup')).toMatchObject({
        subject_name: owner.startup.name,
        subject_user_id: owner.id,
      });
    }));

  test('a transfer by what it was for, with the member who got the points', async () => {
    const [owner, admin, member] = [await newVerifiedOwner(), await newAdmin(), await newMember()];
    const quest = await newQuest(owner);
    const { id } = await unwrap(submitProof(member, quest.taskId));
    await owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }).throwOnError();
    const { rows } = await sql().query<{ id: string }>('select id from public.transfers where submission_id = $1', [
      id,
    ]);
    const transfer = { p_transfer_id: Number(rows[0]?.id), p_note: 'Copied' };
    await unwrap(admin.client.rpc('reverse_transfer', transfer));
    const profile = await unwrap(member.client.from('user_profiles').select('username').single());
    expect(await latest(admin, 'transfer')).toMatchObject({
      action: 'transfer.reverse',
      subject_name: 'Task completion: Try the product',
      subject_user_id: member.id,
      subject_username: profile.username,
    });
  });

  test('deleted subjects by the name stored in the entry', async () => {
    const owner = await newVerifiedOwner();
    const { campaign } = await newQuest(owner);
    await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
    expect(await latest(owner, 'campaign')).toMatchObject({
      action: 'campaign.delete',
      subject_name: campaign.title,
      subject_user_id: null,
    });
  });

  test('C-102 the reviewer of a submission is the one who decided, not the one who dismissed its flag', () =>
    outsideBeta(async () => {
      const [decider, other] = [await newAdmin(), await newAdmin()];
      const proof = await pendingProof(await newQuest(await newVerifiedOwner()));
      const { rows } = await sql().query<{ id: string }>(
        "insert into public.submission_flags (submission_id, campaign_id, user_id, kind) values ($1, $2, 'x', 'too_fast') returning id",
        [proof.id, proof.campaign_id],
      );
      await unwrap(decider.client.rpc('review_submission', { p_submission_id: proof.id, p_decision: 'approve' }));
      const flag = rows[0]?.id ?? '';
      await unwrap(other.client.rpc('dismiss_submission_flag', { p_flag_id: flag, p_reason: 'Prepared before' }));
      const list = await unwrap(other.client.rpc('admin_list_submissions', { p_limit: 50 }));
      expect(list.find(({ id }) => id === proof.id)?.reviewed_by).toBe(decider.id);
    }));
});

test('BEY-04 BEY-07 a quest that its end has closed leaves one entry, too, and shows when it changed', async () => {
  const { campaign } = await newQuest(await newOwner());
  const past = "update public.campaigns set starts_at = null, ends_at = now() - interval '1 second' where id = $1";
  await sql().query(past, [campaign.id]);
  const line = await lineLeftBy(campaign.id, async () => {
    for (const _ of [1, 2]) await runPeriodicJob('close_ended_quests');
  });
  expect(line).toEqual({
    actor_id: 'system',
    action: 'campaign.close',
    before: { status: 'published' },
    after: { status: 'closed' },
    note: 'Its end has come',
  });
  const { rows } = await sql().query(
    'select updated_at = closed_at as is_current from public.campaigns where id = $1',
    [campaign.id],
  );
  expect(rows).toEqual([{ is_current: true }]);
});
