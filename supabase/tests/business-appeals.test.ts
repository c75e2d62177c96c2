import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { HIDDEN, lift, revoke, SHOWN, shown, suspendUser, verify } from './support/closed-business.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  outsideBeta,
  type Quest,
  refusal,
  SUSPENDED,
  unwrap,
} from './support/factories.ts';
import { answerDuring, untilWaiting } from './support/locks.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('BEY-04 an appeal', () => {
  const appeal = (who: Member, kind: string, words = 'It was a mistake') =>
    who.client.rpc('submit_appeal', { p_kind: kind, p_words: words });
  const decisionOf = async (id: string) =>
    (await sql().query('select status, decision_note from public.appeals where id = $1', [id])).rows[0];
  const erase = async ({ id }: Member) => {
    expect((await asService().rpc('anonymise_user', { p_user_id: id })).error).toBeNull();
  };
  const decide = (who: Member, id: string, decision: string, note = 'We looked again') =>
    who.client.rpc('decide_appeal', { p_appeal_id: id, p_decision: decision, p_note: note });

  test('against a suspension can be made once while suspended; overturning it reopens the business and notifies the person', async () => {
    const [owner, admin, other] = [await newOwner(), await newAdmin(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    expect(await refusal(appeal(owner, 'suspension'))).toEqual({
      status: 409,
      code: 'NOTHING_TO_APPEAL',
      message: 'There is no decision to appeal',
    });
    await suspendUser(admin, owner);
    expect(await refusal(appeal(owner, 'suspension', ' '))).toMatchObject({ code: 'APPEAL_WORDS_REQUIRED' });
    expect(await refusal(appeal(owner, 'taste'))).toMatchObject({ code: 'INVALID_APPEAL' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => appeal(owner, 'suspension')));
    expect(answers.filter(({ error }) => !error)).toHaveLength(1);
    expect(answers.find(({ error }) => error)?.error).toMatchObject({ hint: 'APPEAL_EXISTS' });
    const [open] = await unwrap(admin.client.rpc('admin_list_appeals', { p_status: 'open', p_limit: 100 }));
    expect(open).toMatchObject({ user_id: owner.id, against_reason: 'Scam', words: 'It was a mistake' });
    const id = open?.id ?? '';
    expect(await refusal(decide(owner, id, 'overturn'))).toEqual(SUSPENDED);
    expect(await refusal(decide(other, id, 'overturn', ''))).toMatchObject({ code: 'REASON_REQUIRED' });
    const decisions = await Promise.all([decide(other, id, 'overturn'), decide(other, id, 'uphold')]);
    expect(decisions.filter(({ error }) => !error)).toHaveLength(1);
    expect(decisions.find(({ error }) => error)?.error).toMatchObject({ hint: 'APPEAL_DECIDED' });
    const isOverturned = decisions[0]?.error === null;
    expect(await shown(owner, campaign.id)).toEqual(isOverturned ? SHOWN : HIDDEN);
    expect(await unwrap(owner.client.from('appeals').select('status, decision_note'))).toEqual([
      { status: isOverturned ? 'overturned' : 'upheld', decision_note: 'We looked again' },
    ]);
    const { rows } = await sql().query(
      "select payload ->> 'outcome' as outcome from public.outbox_events where user_id = $1 and type = 'AppealDecided'",
      [owner.id],
    );
    expect(rows).toEqual([{ outcome: isOverturned ? 'overturned' : 'upheld' }]);
  });

  test('against a suspension that has ended since has no effect on another one', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await suspendUser(admin, owner);
    const first = await unwrap(appeal(owner, 'suspension'));
    await lift(admin, owner);
    await suspendUser(admin, owner);
    await unwrap(decide(await newAdmin(), first.id, 'overturn'));
    expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
  });

  test('against a suspension whose reason was put in other words since still ends it', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await suspendUser(admin, owner);
    const { id } = await unwrap(appeal(owner, 'suspension'));
    const repeated = await suspendUser(admin, owner, 'Scam, see the report');
    expect(repeated).toMatchObject({ suspension_reason: 'Scam, see the report' });
    const { rows } = await sql().query('select action from public.audit_log where subject_id = $1 order by id', [
      owner.startup.id,
    ]);
    expect(rows).toEqual([{ action: 'startup.create' }, { action: 'startup.suspend' }]);
    await unwrap(decide(await newAdmin(), id, 'overturn'));
    expect(await shown(owner, campaign.id)).toEqual(SHOWN);
  });

  test('is in the figures if an admin has decided it in the last 90 days, and not if it ended with an account', async () => {
    const [admin, other, member, leaving] = [await newAdmin(), await newAdmin(), await newMember(), await newMember()];
    // All but one, which was decided at the very moment until which that was promised.
    await sql().query("update public.appeals set decided_at = now() - interval '91 days' where status <> 'open'");
    await sql().query(
      `update public.appeals set decided_at = d.at, due_at = d.at, created_at = d.at - interval '10 days', status = 'upheld'
       from (select now() - 90 * interval '24 hours' + interval '1 hour' as at) d
       where id = (select id from public.appeals where status <> 'open' limit 1)`,
    );
    const { rows: open } = await sql().query(
      "select count(*)::integer as open, count(*) filter (where due_at <= now())::integer as overdue from public.appeals where status = 'open'",
    );
    const appeals = [];
    for (const who of [member, leaving]) {
      await suspendUser(admin, who);
      appeals.push((await unwrap(appeal(who, 'suspension'))).id);
    }
    const began =
      "update public.appeals set created_at = now() - $1::interval, due_at = now() - interval '1 day' where id = $2";
    await sql().query(began, ['10 days', appeals[0]]);
    await sql().query(began, ['30 days', appeals[1]]);
    await unwrap(decide(other, appeals[0] ?? '', 'uphold'));
    await erase(leaving);
    expect(await unwrap(admin.client.rpc('get_appeal_figures'))).toMatchObject([
      { decided: 2, decided_in_time: 1, median_seconds: 10 * 86_400, overturned: 0, ...open[0] },
    ]);
  });

  test('C-97 of somebody who deletes the account ends with it, for its words are gone; whoever comes back may appeal again', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    await suspendUser(admin, owner);
    const { id } = await unwrap(appeal(owner, 'suspension'));
    await erase(owner);
    expect(await decisionOf(id)).toEqual({ status: 'upheld', decision_note: 'The member deleted the account' });
    const back = await newMember('back', { email: owner.email });
    expect(await unwrap(appeal(back, 'suspension', 'As I said'))).toMatchObject({ status: 'open', words: 'As I said' });
  });

  test('that is overturned while another admin suspends the person again does not end the new suspension', async () => {
    const [member, admin, other] = [await newMember(), await newAdmin(), await newAdmin()];
    await suspendUser(admin, member);
    const { id } = await unwrap(appeal(member, 'suspension'));
    await answerDuring(
      async (client) => {
        await actAs(client, admin);
        await client.query('select public.lift_suspension($1)', [member.id]);
        await client.query("select public.suspend_user($1, 'Sells accounts')", [member.id]);
      },
      () => unwrap(decide(other, id, 'overturn')),
    );
    expect(await decisionOf(id)).toMatchObject({ status: 'overturned' });
    const { rows } = await sql().query('select suspension_reason from public.user_profiles where user_id = $1', [
      member.id,
    ]);
    expect(rows).toEqual([{ suspension_reason: 'Sells accounts' }]);
  });

  test('that is overturned while another admin revokes the project again does not verify it', async () => {
    const [owner, admin, other] = [await newOwner(), await newAdmin(), await newAdmin()];
    await unwrap(revoke(admin, owner));
    const { id } = await unwrap(appeal(owner, 'revocation'));
    await answerDuring(
      async (client) => {
        await actAs(client, admin);
        await client.query("select public.set_startup_status($1, 'verified')", [owner.startup.id]);
        await client.query("select public.revoke_verification($1, 'Sells accounts')", [owner.startup.id]);
      },
      () => unwrap(decide(other, id, 'overturn')),
    );
    expect(await decisionOf(id)).toMatchObject({ status: 'overturned' });
    const { rows } = await sql().query('select status, review_note from public.startup_profiles where id = $1', [
      owner.startup.id,
    ]);
    expect(rows).toEqual([{ status: 'rejected', review_note: 'Sells accounts' }]);
  });

  test('TRUST-02 that is being decided while the account is deleted is decided', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    await suspendUser(admin, owner);
    const { id } = await unwrap(appeal(owner, 'suspension'));
    const decision = await sql().connect();
    try {
      // What a decision locks first, and what it locks then.
      await decision.query('begin');
      await decision.query('select 1 from public.appeals where id = $1 for no key update', [id]);
      const erasure = erase(owner);
      await untilWaiting();
      await decision.query('select 1 from public.startup_profiles where owner_user_id = $1 for no key update', [
        owner.id,
      ]);
      await decision.query('select 1 from public.user_profiles where user_id = $1 for no key update', [owner.id]);
      await decision.query(
        `update public.appeals set status = 'overturned', decision_note = 'We looked again', decided_by = $2, decided_at = now()
         where id = $1`,
        [id, admin.id],
      );
      await decision.query('commit');
      await erasure;
    } finally {
      await decision.query('rollback');
      decision.release();
    }
    expect(await decisionOf(id)).toEqual({ status: 'overturned', decision_note: 'We looked again' });
  });

  test('TRUST-18 C-91 a quest that is held for two reasons stays held for the other when one has ended', async () => {
    const [admin, suspended, revoked] = [await newAdmin(), await newOwner(), await newOwner()];
    const [first, second] = [await newQuest(suspended), await newQuest(revoked)];
    const holdOf = async ({ campaign }: Quest) =>
      (await sql().query('select status, hold_cause from public.campaigns where id = $1', [campaign.id])).rows[0];
    for (const owner of [suspended, revoked]) {
      await unwrap(revoke(admin, owner));
      await suspendUser(admin, owner);
    }
    await verify(admin, suspended.startup.id);
    await lift(admin, revoked);
    expect(await holdOf(first)).toMatchObject({ hold_cause: 'suspension' });
    expect(await holdOf(second)).toMatchObject({ hold_cause: 'revocation' });
    await lift(admin, suspended);
    await verify(admin, revoked.startup.id);
    for (const quest of [first, second]) expect(await holdOf(quest)).toEqual({ status: 'published', hold_cause: null });
  });

  test('against a revocation, when upheld, leaves the project as it is', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await sql().query("update public.startup_profiles set changed_at = now(), changed_from = '{}' where id = $1", [
      owner.startup.id,
    ]);
    // What had changed is no longer to be looked at.
    expect(await unwrap(revoke(admin, owner))).toMatchObject({
      reviewed_by: 'questboard',
      changed_at: null,
      changed_from: null,
    });
    const { id } = await unwrap(appeal(owner, 'revocation'));
    await unwrap(decide(await newAdmin(), id, 'uphold'));
    expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
  });

  test('a revocation takes the role of a verified owner from nobody else, and verifying another project gives it to nobody else', async () => {
    const [owner, other, member] = [await newOwner(), await newOwner(), await newOwner()];
    const roleOf = async ({ client }: typeof owner) =>
      (await unwrap(client.from('user_profiles').select('role').single())).role;
    for (const { client } of [owner, other]) await unwrap(client.rpc('switch_role', { p_role: 'startup' }));
    await unwrap(revoke(await newAdmin(), owner));
    expect([await roleOf(owner), await roleOf(other)]).toEqual(['startup_unverified', 'startup_verified']);
    // Nor from an owner who looks at the site as a member.
    await unwrap(member.client.rpc('switch_role', { p_role: 'community' }));
    await unwrap(revoke(await newAdmin(), member));
    expect(await roleOf(member)).toBe('community');
    const pending = await outsideBeta(() => newOwner());
    await verify(await newAdmin(), pending.startup.id);
    expect(await roleOf(owner)).toBe('startup_unverified');
  });

  test('against a revocation, when overturned, verifies the project again; one against a decision that has changed since has no effect', async () => {
    const [owner, admin, other] = [await newOwner(), await newAdmin(), await newAdmin()];
    const { campaign } = await newQuest(owner);
    await unwrap(revoke(admin, owner));
    const first = await unwrap(appeal(owner, 'revocation'));
    expect(await refusal(appeal(owner, 'revocation'))).toMatchObject({ code: 'APPEAL_EXISTS' });
    await unwrap(decide(other, first.id, 'overturn'));
    expect(await shown(owner, campaign.id)).toEqual(SHOWN);

    await unwrap(revoke(admin, owner, 'Once more'));
    const second = await unwrap(appeal(owner, 'revocation'));
    await verify(admin, owner.startup.id);
    await unwrap(revoke(admin, owner, 'For another reason'));
    await unwrap(decide(other, second.id, 'overturn'));
    expect(await shown(owner, campaign.id)).toEqual(HIDDEN);
  });
});

test('TRUST-18 a suspension, and its end, concern nobody else and no other business', async () => {
  const [admin, one, two, three] = [await newAdmin(), await newOwner(), await newOwner(), await newOwner()];
  const states = async () => {
    const found = [];
    for (const [owner, { campaign }] of quests) found.push(await shown(owner, campaign.id));
    return found;
  };
  const quests = [
    [one, await newQuest(one)],
    [two, await newQuest(two)],
    [three, await newQuest(three)],
  ] as const;
  for (const owner of [one, two]) await suspendUser(admin, owner);
  expect(await states()).toEqual([HIDDEN, HIDDEN, SHOWN]);
  await lift(admin, one);
  expect(await states()).toEqual([SHOWN, HIDDEN, SHOWN]);
  const { suspended_at } = await unwrap(two.client.from('user_profiles').select('suspended_at').single());
  expect(suspended_at).not.toBeNull();
});

test('C-97 C-81 an objection stands until an admin undoes it: approval ends all, the end of a hold only this hold', () =>
  rolledBack(async (client) => {
    const BETA = 'verified by the beta';
    // Decisions in their order, whether the last word is a refusal, and the objection that stands.
    const histories: [string[], boolean, string | null][] = [
      [[], false, null],
      [[BETA], false, null],
      [['rejected'], true, 'rejected'],
      [['rejected', BETA], true, 'rejected'],
      [['rejected', 'verified'], false, null],
      [['verified', 'revoked'], true, 'revoked'],
      [['rejected', 'revoked'], true, 'revoked'],
      [['revoked', 'hold_lifted 1'], true, 'revoked'],
      [['held 1'], false, 'held'],
      [['held 1', 'hold_lifted 2'], false, 'held'],
      [['held 1', 'hold_lifted 1'], false, null],
      [['hold_lifted 1', 'held 1'], false, 'held'],
      [['held 1', 'verified'], false, null],
      [['held 1', BETA], false, 'held'],
      [['revoked', 'held 1', 'hold_lifted 1'], true, 'revoked'],
    ];
    await client.query(
      "insert into private.known_mailboxes (user_id, mailbox) values ('user_now', '\\x01'), ('user_before', '\\x01')",
    );
    await client.query('alter table private.project_decisions disable trigger user');
    for (const [decisions, isRefused, objection] of histories) {
      await client.query("delete from private.project_decisions where owner_user_id = 'user_before'");
      for (const decision of decisions) {
        const [kind, quest] = decision.split(' ');
        await client.query(
          `insert into private.project_decisions (startup_id, owner_user_id, project_name, decision, campaign_id, decided_by)
           values (gen_random_uuid(), 'user_before', 'Lantern', $1, $2, $3)`,
          [
            kind,
            quest && decision !== BETA ? `00000000-0000-4000-8000-00000000000${quest}` : null,
            decision === BETA ? 'beta' : 'questboard',
          ],
        );
      }
      const { rows } = await client.query(
        "select private.is_refused('user_now') as is_refused, (private.open_objection('user_now')).decision as objection",
      );
      expect(rows, decisions.join(', ')).toEqual([{ is_refused: isRefused, objection }]);
    }
  }));

test('TRUST-15 C-81 the first account of a person is the one that first had any of their addresses; of two at once, neither is', () =>
  rolledBack(async (client) => {
    await client.query(
      `insert into private.known_mailboxes (user_id, mailbox, first_seen_at) values
         ('user_first', '\\x01', '2026-01-01'), ('user_first', '\\x02', '2026-01-03'), ('user_second', '\\x02', '2026-01-02'),
         ('user_one', '\\x03', '2026-01-01'), ('user_other', '\\x03', '2026-01-01'), ('user_alone', '\\x04', '2026-01-04'),
         ('user_late', '\\x05', '2026-01-05'), ('user_later', '\\x05', '2026-01-06')`,
    );
    const { rows } = await client.query<{ id: string }>(
      "select k.user_id as id from private.known_mailboxes k where k.user_id ~ '^user_(first|second|one|other|alone|later?)$' " +
        'group by 1 having private.is_first_account(k.user_id) order by 1',
    );
    expect(rows.map(({ id }) => id)).toEqual(['user_alone', 'user_first', 'user_late']);
  }));
