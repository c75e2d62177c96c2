import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newMemberWithPoints,
  newOwner,
  newQuest,
  newVerifiedOwner,
  OWN_MATTER,
  refusal,
  submitProof,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { referral } from './support/referrals.ts';
import { decide, newReward, redeem } from './support/rewards.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** A word that occurs nowhere else. */
const newWord = () => `w${randomUUID().slice(0, 8)}`;

/** A member's redemption of a reward with this title. */
async function newRedemption(title: string) {
  const member = await newMember();
  const { rows } = await sql().query<{ id: string }>(
    `with reward as (
      insert into public.rewards (title, description, points_cost) values ($2, 'x', 10) returning id, title
    )
    insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key)
    select $1, r.id, r.title, 10, gen_random_uuid()::text from reward r returning id`,
    [member.id, title],
  );
  return { member, id: rows[0]?.id ?? '' };
}

describe('admin_search', () => {
  test('ADMIN-01 finds people, projects, quests and redemptions by name, e-mail and title, and nothing else', async () => {
    const admin = await newAdmin();
    const word = newWord();
    const found = async (p_search: string) =>
      (await unwrap(admin.client.rpc('admin_search', { p_search }))).map(({ kind, id }) => `${kind} ${id}`).sort();
    const person = await newMember();
    await sql().query('update public.user_profiles set username = $2 where user_id = $1', [person.id, `x ${word} y`]);
    const owner = await newOwner();
    await sql().query('update public.startup_profiles set name = $2 where id = $1', [owner.startup.id, `${word} Ltd`]);
    const { campaign } = await newQuest(owner, { campaign: { title: `The ${word.toUpperCase()}` } });
    const redemption = await newRedemption(`Mug of ${word}`);
    expect(await found(`  ${word}`)).toEqual(
      [
        `person ${person.id}`,
        `project ${owner.startup.id}`,
        `quest ${campaign.id}`,
        `redemption ${redemption.id}`,
      ].sort(),
    );
    expect(await found(person.email)).toEqual([`person ${person.id}`]);
    expect(await found(redemption.member.email)).toEqual([
      `person ${redemption.member.id}`,
      `redemption ${redemption.id}`,
    ]);
    expect(await found(newWord())).toEqual([]);
    expect([await found('  '), await found('%')]).toEqual([[], []]);
  });

  test('ADMIN-01 finds whoever has exactly this username, however many newer names contain it', async () => {
    const admin = await newAdmin();
    const word = newWord();
    const redemption = await newRedemption(newWord());
    await sql().query(
      `with called as (update public.user_profiles set username = upper($2), created_at = '2020-01-01' where user_id = $1)
      insert into public.user_profiles (user_id, username) select $2 || i, $2 || i from generate_series(1, 200) i`,
      [redemption.member.id, word],
    );
    const people = await unwrap(admin.client.rpc('admin_search', { p_search: word }));
    expect(people[0]).toMatchObject({ kind: 'person', id: redemption.member.id });
    const redemptions = await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: word }));
    expect(redemptions.map(({ id }) => id)).toEqual([redemption.id]);
  });

  test('ADMIN-01 finds each of them by id, and a quest by the id of a proof', async () => {
    const admin = await newAdmin();
    const first = async (p_search: string) =>
      (await unwrap(admin.client.rpc('admin_search', { p_search }))).map(({ kind, id }) => [kind, id]);
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner);
    const proof = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
    const redemption = await newRedemption(newWord());
    expect(await first(member.id)).toEqual([['person', member.id]]);
    const profile = await unwrap(member.client.from('user_profiles').select('id').single());
    expect(await first(profile.id)).toEqual([['person', member.id]]);
    expect(await first(owner.startup.id)).toEqual([['project', owner.startup.id]]);
    expect(await first(campaign.id.toUpperCase())).toEqual([['quest', campaign.id]]);
    expect(await first(` ${proof.id} `)).toEqual([['quest', campaign.id]]);
    expect(await first(redemption.id)).toEqual([['redemption', redemption.id]]);
    expect(await first(randomUUID())).toEqual([]);
    const statusOf = async (p_search: string) =>
      (await unwrap(admin.client.rpc('admin_search', { p_search }))).map(({ status }) => status);
    expect([await statusOf(profile.id), await statusOf(campaign.id)]).toEqual([[null], ['published']]);
    await suspend(member);
    await unwrap(
      admin.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id, p_reason: 'Asks for passwords' }),
    );
    expect([await statusOf(profile.id), await statusOf(campaign.id)]).toEqual([['suspended'], ['held']]);
    const listed = await unwrap(admin.client.rpc('admin_list_campaigns', { p_search: campaign.id }));
    expect(listed.map(({ id }) => id)).toEqual([campaign.id]);
    // Of a member who has others, and also once it is fulfilled.
    const insert = `insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key, status, fulfilled_at)
      select user_id, reward_id, reward_title, 10, gen_random_uuid()::text, s, case s when 'fulfilled' then now() end
      from public.redemptions, unnest(enum_range('pending'::public.redemption_status, 'fulfilled')) s where id = $1 returning id`;
    const { rows } = await sql().query<{ id: string }>(insert, [redemption.id]);
    for (const { id } of [redemption, ...rows]) {
      const redemptions = await unwrap(admin.client.rpc('admin_list_redemptions', { p_search: id }));
      expect(redemptions.map((row) => row.id)).toEqual([id]);
    }
  });

  test('ADMIN-01 shows the newest five of each kind, and the person with exactly this id first', async () => {
    const [admin, word] = [await newAdmin(), newWord()];
    const [found, byId] = await rolledBack(async (client) => {
      await client.query('set local session_replication_role = replica');
      // In another order than that of their dates.
      await client.query(
        `create temporary table numbers on commit drop as
         select n, now() + make_interval(secs => n) as at from (select 5 * i % 7 from generate_series(1, 6) i) s (n)`,
      );
      const named = "$1 || ' ' || n";
      for (const statement of [
        `insert into public.user_profiles (user_id, username, created_at) select ${named}, $1 || ' no. ' || n, at from numbers`,
        `insert into public.startup_profiles (owner_user_id, name, industry, created_at)
         select ${named}, ${named}, (private.industries())[1], at from numbers`,
        `insert into public.campaigns (startup_id, title, created_at)
         select s.id, s.name, s.created_at from public.startup_profiles s where s.name like $1 || '%'`,
        `insert into public.redemptions (user_id, reward_id, reward_title, points_cost, idempotency_key, created_at)
         select ${named}, gen_random_uuid(), ${named}, 1, n, at from numbers`,
      ])
        await client.query(statement, [word]);
      // As many newer ones have the id in their names.
      await client.query(
        `insert into public.user_profiles (user_id, username, created_at)
         select n, $1 || n, now() + interval '1 hour' from generate_series(1, 5) n`,
        [`${word} 1`],
      );
      await actAs(client, admin);
      const search = (text: string) => client.query('select kind, title from public.admin_search($1)', [text]);
      return [(await search(word)).rows, (await search(`${word} 1`)).rows];
    });
    const ofKind = (kind: string) => found.filter((row) => row.kind === kind).map(({ title }) => title);
    for (const kind of ['project', 'quest', 'redemption'])
      expect(ofKind(kind), kind).toEqual([6, 5, 4, 3, 2].map((n) => `${word} ${n}`));
    expect(ofKind('person')).toHaveLength(5);
    expect(byId[0]).toEqual({ kind: 'person', title: `${word} no. 1` });
  });

  test('SEC-15 is for admins only', async () => {
    for (const who of [await newMember(), await newOwner()])
      expect(await refusal(who.client.rpc('admin_search', { p_search: 'a' }))).toEqual(FORBIDDEN);
  });
});

describe('admin_get_person', () => {
  test('BEY-04 C-80 returns what an admin decides by: proofs, flags, related accounts, holds, redemptions, project, history', () =>
    withSettings({ beta_mode: true }, async () => {
      const admin = await newAdmin();
      const [owner, member, twin] = [await newOwner(), await newMember(), await newMember()];
      const { taskId, campaign } = await newQuest(owner);
      const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done' }));
      await sql().query(
        `insert into public.submission_flags (submission_id, campaign_id, user_id, kind) values ($1, $2, $3, 'too_fast')`,
        [id, campaign.id, member.id],
      );
      await sql().query(
        `insert into private.known_mailboxes (user_id, mailbox) select $2, k.mailbox from private.known_mailboxes k
        where k.user_id = $1`,
        [member.id, twin.id],
      );
      const suspension = { p_user_id: member.id, p_reason: 'Three accounts' };
      await unwrap(admin.client.rpc('suspend_user', suspension).select('user_id'));
      const facts = await unwrap(admin.client.rpc('admin_get_person', { p_user_id: member.id }));
      expect(facts).toMatchObject({
        submissions: { total: 1, approved: 1, pending: 0, rejected: 0 },
        flag_count: 1,
        flags: [{ submission_id: id, kind: 'too_fast', quest: campaign.title }],
        related: [{ user_id: twin.id, relation: 'same_mailbox', is_suspended: true }],
        holds: [{ reason: 'trial', points: 10, depends_on: owner.id }],
        redemptions: { total: 0, pending: 0, cancelled: 0, points: 0 },
        deletion: null,
        project: null,
        history: [{ action: 'user.suspend', note: 'Three accounts' }],
      });
      expect(await unwrap(admin.client.rpc('admin_get_person', { p_user_id: owner.id }))).toMatchObject({
        project: { id: owner.startup.id, name: owner.startup.name, status: 'verified' },
        related: [],
        flags: [],
      });
    }));

  test('BEY-04 TRUST-15 names who invited whom, and leaves out flags that an admin has dismissed', async () => {
    const [admin, { referrer, invited }] = [await newAdmin(), await referral()];
    const { taskId, campaign } = await newQuest(await newOwner());
    const { id } = await unwrap(submitProof(invited, taskId));
    const { rows } = await sql().query<{ id: string }>(
      `insert into public.submission_flags (submission_id, campaign_id, user_id, kind)
       select $1, $2, $3, k from unnest(array['too_fast', 'disposable_mailbox']) k returning id`,
      [id, campaign.id, invited.id],
    );
    const dismissal = { p_flag_id: rows[0]?.id ?? '', p_reason: 'Prepared before' };
    await unwrap(admin.client.rpc('dismiss_submission_flag', dismissal));
    const facts = (who: Member) => unwrap(admin.client.rpc('admin_get_person', { p_user_id: who.id }));
    expect(await facts(invited)).toMatchObject({
      related: [{ user_id: referrer.id, relation: 'referrer' }],
      flag_count: 1,
      flags: [{ submission_id: id, kind: 'disposable_mailbox' }],
    });
    expect(await facts(referrer)).toMatchObject({
      related: [{ user_id: invited.id, relation: 'referred' }],
      flag_count: 0,
    });
  });

  test('BEY-04 returns ten flags, actions and referred accounts, the latest, and ten holds, the largest', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const facts = await rolledBack(async (client) => {
      await client.query("set local session_replication_role = 'replica'");
      await client.query(
        `insert into public.submission_flags (submission_id, campaign_id, user_id, kind, evidence, created_at)
         select gen_random_uuid(), gen_random_uuid(), $1, 'too_fast', jsonb_build_object('seconds', n), now() + make_interval(secs => n)
         from generate_series(1, 11) n`,
        [member.id],
      );
      await client.query(
        `insert into public.point_holds (id, wallet_id, user_id, reason, points, depends_on, check_at)
         select -n, gen_random_uuid(), $1, 'trial', n, 'owner ' || n, now() from generate_series(1, 11) n`,
        [member.id],
      );
      // One that was released and one that was taken back.
      await client.query(
        `insert into public.point_holds
           (id, wallet_id, user_id, reason, points, depends_on, check_at, released_at, release_reason, reversed_at)
         select -h.points, gen_random_uuid(), $1, 'trial', h.points, 'owner ' || h.points, now(), h.released_at, h.reason, h.reversed_at
         from (values (20, now(), 'time_passed', null::timestamptz), (30, null, null, now())) h (points, released_at, reason, reversed_at)`,
        [member.id],
      );
      // A second one that the same owner's project releases, later.
      await client.query(
        `insert into public.point_holds (id, wallet_id, user_id, reason, points, depends_on, check_at, due_at)
         select -100 - days, gen_random_uuid(), $1, 'trial', 1, 'owner 11', now(), now() + make_interval(days => days)
         from unnest(array[7, 3]) days`,
        [member.id],
      );
      await client.query(
        `insert into public.audit_log (actor_id, action, subject_type, subject_id, note)
         select $2, 'user.suspend', case n when 12 then 'export' else 'user' end, $1, n::text from generate_series(1, 12) n`,
        [member.id, admin.id],
      );
      // In another order than that of their dates.
      await client.query(
        `insert into public.referrals (referrer_user_id, referred_user_id, referral_code, created_at)
         select $1, 'referred ' || n, 'TEN', now() + make_interval(secs => n) from (select 5 * i % 12 from generate_series(1, 11) i) s (n)
         union all select 'the referrer', $1, 'TEN', now()`,
        [member.id],
      );
      await client.query(
        "insert into private.known_mailboxes (user_id, mailbox) select m, 'x' from unnest(array[$1, 'the twin']) m",
        [member.id],
      );
      await actAs(client, admin);
      const { rows } = await client.query(
        'select public.admin_get_person($1) as facts, now() + interval $$3 days$$ as due',
        [member.id],
      );
      expect(Date.parse(rows[0].facts.holds[0].due_at)).toBe(rows[0].due.getTime());
      return rows[0].facts;
    });
    const latest = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
    expect(facts.flags.map(({ evidence }: { evidence: { seconds: number } }) => evidence.seconds)).toEqual(latest);
    expect(facts.holds.map(({ points }: { points: number }) => points)).toEqual([13, ...latest.slice(1)]);
    expect(facts.related.map((row: { user_id: string; relation: string }) => [row.relation, row.user_id])).toEqual([
      ['same_mailbox', 'the twin'],
      ['referrer', 'the referrer'],
      ...latest.map((n) => ['referred', `referred ${n}`]).toSorted(),
    ]);
    expect(facts.history.map(({ note }: { note: string }) => Number(note))).toEqual(latest);
    expect(facts.flag_count).toBe(11);
  });

  test('counts proofs by what was decided about them', () =>
    withSettings({ beta_mode: false }, async () => {
      const [admin, member] = [await newAdmin(), await newMember()];
      for (const decision of ['approve', 'reject', 'reject', null, null, null]) {
        const owner = await newVerifiedOwner();
        const { id } = await unwrap(submitProof(member, (await newQuest(owner)).taskId));
        const review = { p_submission_id: id, p_decision: decision ?? '', p_reason: 'does_not_match' };
        if (decision) await unwrap(owner.client.rpc('review_submission', review));
      }
      const facts = await unwrap(admin.client.rpc('admin_get_person', { p_user_id: member.id }));
      expect(facts).toMatchObject({ submissions: { total: 6, approved: 1, rejected: 2, pending: 3 } });
    }));

  test('counts the points of all redemptions but cancelled ones', async () => {
    const [admin, member] = [await newAdmin(), await newMemberWithPoints(120)];
    const reward = await newReward({ points_cost: 40 });
    const [first, second] = [await unwrap(redeem(member, reward)), await unwrap(redeem(member, reward))];
    await unwrap(redeem(member, reward));
    await decide(admin, first.id, 'fulfilled').throwOnError();
    await decide(admin, second.id, 'cancelled').throwOnError();
    const facts = await unwrap(admin.client.rpc('admin_get_person', { p_user_id: member.id }));
    expect(facts).toMatchObject({ redemptions: { total: 3, pending: 1, cancelled: 1, points: 80 } });
  });

  test('SEC-15 is for admins only', async () => {
    const member = await newMember();
    expect(await refusal(member.client.rpc('admin_get_person', { p_user_id: member.id }))).toEqual(FORBIDDEN);
  });
});

describe('returned payments', () => {
  /** A pack of 1,000 points, of which members had earned 750 before the refund, so that part of it is `missing`. */
  async function newReturned() {
    const owner = await newVerifiedOwner();
    const payment = `pi_${randomUUID()}`;
    const event = () => `evt_${randomUUID()}`;
    const pack = { p_pack_id: 'points_small', p_points: 1000, p_amount_cents: 4900, p_price_cents: 4900 };
    const paid = { ...pack, p_startup_id: owner.startup.id, p_event_id: event(), p_payment_ref: payment };
    await unwrap(asService().rpc('credit_point_purchase', paid));
    const quest = await newQuest(owner, { task: { reward_points: 750, max_completions: 2 } });
    for (const member of await Promise.all([newMember(), newMember()]))
      await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
    const back = { p_payment_ref: payment, p_event_id: event(), p_status: 'refunded' };
    await unwrap(asService().rpc('end_payment', back));
    return { owner, payment };
  }

  test('BEY-20 TRUST-23 points spent before a refund are listed for a decision: recovered later, or written off', async () => {
    const admin = await newAdmin();
    const { owner, payment } = await newReturned();
    const rowOf = async (p_state?: string) =>
      (await unwrap(admin.client.rpc('admin_list_returned_payments', { p_state, p_limit: 100 }))).find(
        ({ payment_ref }) => payment_ref === payment,
      );
    const row = await rowOf('open');
    expect(row).toMatchObject({ owner_user_id: owner.id, points: 1000, missing_points: 1000, available_points: 0 });
    const settle = (p_decision: string, p_note = 'Agreed by mail') =>
      admin.client.rpc('settle_returned_payment', { p_purchase_id: row?.id ?? '', p_decision, p_note });
    for (const decision of ['forget', null as never])
      expect(await refusal(settle(decision))).toMatchObject({ code: 'INVALID_DECISION' });
    expect(await refusal(settle('write_off', ' '))).toMatchObject({ code: 'REASON_REQUIRED' });
    await sql().query(
      `select private.transfer(null, w.id, 300, 'adjustment', 'Test', p_trial_points => 0) from public.wallets w
      where w.startup_id = $1`,
      [owner.startup.id],
    );
    expect((await rowOf())?.available_points).toBe(300);
    expect(await unwrap(settle('take_back'))).toBe(700);
    expect(await rowOf('open')).toMatchObject({ missing_points: 700, available_points: 0 });
    expect(await unwrap(settle('write_off'))).toBe(700);
    expect([await rowOf('open'), (await rowOf('written_off'))?.missing_points]).toEqual([undefined, 700]);
    for (const decision of ['write_off', 'take_back'])
      expect(await refusal(settle(decision))).toMatchObject({ status: 409, code: 'NOTHING_MISSING' });
    const { rows } = await sql().query(
      `select action, actor_id, note, before, after from public.audit_log where subject_id = $1 and action in
        ('payment.take_back', 'payment.write_off') order by id`,
      [payment],
    );
    const note = { actor_id: admin.id, note: 'Agreed by mail' };
    expect(rows).toEqual([
      { action: 'payment.take_back', ...note, before: { missing_points: 1000 }, after: { missing_points: 700 } },
      { action: 'payment.write_off', ...note, before: { missing_points: 700 }, after: { missing_points: 700 } },
    ]);
  });

  test('SEC-15 is for admins only, and refuses admins their own payments', async () => {
    const { owner, payment } = await newReturned();
    const { rows } = await sql().query<{ id: string }>('select id from public.point_purchases where payment_ref = $1', [
      payment,
    ]);
    const settle = () =>
      owner.client.rpc('settle_returned_payment', {
        p_purchase_id: rows[0]?.id ?? '',
        p_decision: 'write_off',
        p_note: 'x',
      });
    expect(await refusal(settle())).toEqual(FORBIDDEN);
    expect(await refusal(owner.client.rpc('admin_list_returned_payments'))).toEqual(FORBIDDEN);
    await sql().query("insert into private.admins (user_id, reason) values ($1, 'test')", [owner.id]);
    expect(await refusal(settle())).toEqual(OWN_MATTER);
    const unknown = { p_purchase_id: randomUUID(), p_decision: 'write_off', p_note: 'x' };
    expect(await refusal(owner.client.rpc('settle_returned_payment', unknown))).toMatchObject({
      code: 'PAYMENT_NOT_FOUND',
    });
  });
});
