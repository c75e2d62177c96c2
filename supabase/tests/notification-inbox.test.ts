import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Quest,
  refusal,
  submitProof,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { runPeriodicJob, tick } from './support/periodic-jobs.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const outsideBeta = (run: () => Promise<void>) =>
  withSettings({ beta_mode: false, trial_quest_limit: 5, submissions_per_minute: 100 }, run);
const list = (who: Member, args: { p_only_unread?: boolean; p_limit?: number; p_cursor?: string } = {}) =>
  unwrap(who.client.rpc('list_notifications', args));
const unread = (who: Member) => who.client.rpc('get_unread_notification_count').then(({ data }) => data);
const read = (who: Member, id: number) => who.client.rpc('mark_notification_read', { p_notification_id: id });
const submit = (who: Member, { taskId }: Quest) => unwrap(submitProof(who, taskId));

describe('the inbox', () => {
  const emit = (who: Member, count: number) =>
    sql().query(
      `select private.enqueue_event('PointsCorrected', $1, jsonb_build_object('points', n)) from generate_series(1, $2::integer) n`,
      [who.id, count],
    );
  const points = (rows: { data: unknown }[]) => rows.map(({ data }) => (data as { points: number }).points);

  test('BEY-03 pages by cursor, newest first, stay consistent while new notifications arrive; unread is a filter', async () => {
    const member = await newMember();
    await emit(member, 7);
    const first = await list(member, { p_limit: 3 });
    await emit(member, 1);
    const second = await list(member, { p_limit: 3, p_cursor: first.at(-1)?.cursor });
    const third = await list(member, { p_limit: 3, p_cursor: second.at(-1)?.cursor });
    expect([first, second, third].map(points)).toEqual([[7, 6, 5], [4, 3, 2], [1]]);

    await unwrap(read(member, first[1]?.id ?? 0).then(({ error }) => ({ data: true, error })));
    expect(points(await list(member, { p_only_unread: true }))).toEqual([1, 7, 5, 4, 3, 2, 1]);
    expect(await refusal(member.client.rpc('list_notifications', { p_cursor: 'x' }))).toMatchObject({
      status: 400,
      code: 'INVALID_CURSOR',
    });
  });

  test('BEY-03 "all read" marks what the screen showed, not what has arrived since', async () => {
    const member = await newMember();
    await emit(member, 3);
    const [newest, , oldest] = await list(member);
    const earlier = '2026-01-01T00:00:00+00:00';
    await sql().query('update public.notifications set read_at = $2 where id = $1', [oldest?.id, earlier]);
    await emit(member, 2);
    const all = await member.client.rpc('mark_all_notifications_read', { p_up_to: newest?.id ?? 0 });
    expect(all.error).toBeNull();
    expect((await list(member)).at(-1)).toMatchObject({ id: oldest?.id, read_at: earlier });
    expect(points(await list(member, { p_only_unread: true }))).toEqual([2, 1]);
    expect(await unread(member)).toBe(2);
  });

  test('BEY-03 "all read" does not wait for a notification that somebody else is marking', async () => {
    const member = await newMember();
    await emit(member, 2);
    const [newest, oldest] = await list(member);
    await rolledBack(async (client) => {
      await client.query('select 1 from public.notifications where id = $1 for update', [newest?.id]);
      const all = await member.client.rpc('mark_all_notifications_read', { p_up_to: newest?.id ?? 0 });
      expect(all.error).toBeNull();
    });
    expect(await list(member)).toMatchObject([
      { id: newest?.id, read_at: null },
      { id: oldest?.id, read_at: expect.any(String) },
    ]);
  });

  test('BEY-03 the unread count stops at 100', async () => {
    const member = await newMember();
    await emit(member, 120);
    expect(await unread(member)).toBe(100);
  });

  test('BEY-03 nobody else reads or marks them, not even an admin, and nobody writes them', async () => {
    const [member, other, admin] = [await newMember(), await newMember(), await newAdmin()];
    await emit(member, 1);
    const [row] = await list(member);
    const id = row?.id ?? 0;
    for (const stranger of [other, admin]) {
      expect(await list(stranger)).toEqual([]);
      expect(await unwrap(stranger.client.from('notifications').select())).toEqual([]);
      expect(await refusal(read(stranger, id))).toEqual({
        status: 404,
        code: 'NOTIFICATION_NOT_FOUND',
        message: 'Notification not found',
      });
      expect((await stranger.client.rpc('mark_all_notifications_read', { p_up_to: id })).error).toBeNull();
    }
    expect((await asAnon().rpc('list_notifications')).status).toBe(401);
    expect((await asAnon().from('notifications').select()).status).toBe(401);
    const forged = { id: id + 1_000_000, user_id: member.id, type: 'PointsCorrected', data: {} };
    for (const who of [member, other, admin]) {
      expect((await who.client.from('notifications').insert(forged)).status).toBe(403);
      expect((await who.client.from('notifications').update({ data: {} }).eq('id', id)).status).toBe(403);
      expect((await who.client.from('notifications').delete().eq('id', id)).status).toBe(403);
    }
    expect(await unread(member)).toBe(1);
  });

  test("BEY-24 the data export contains the member's own and no others", async () => {
    const [member, other] = [await newMember(), await newMember()];
    await emit(member, 1);
    await unwrap(
      member.client
        .rpc('set_notification_preference', { p_kind: 'proof_approved', p_is_mailed: true })
        .then(({ error }) => ({ data: true, error })),
    );
    expect(await unwrap(member.client.rpc('get_own_data'))).toMatchObject({
      notifications: [{ type: 'PointsCorrected', data: { points: 1 } }],
      notification_preferences: [{ kind: 'proof_approved', is_mailed: true }],
    });
    expect(await unwrap(other.client.rpc('get_own_data'))).toMatchObject({
      notifications: [],
      notification_preferences: [],
    });
  });

  test('are deleted after 180 days, and with the account', async () => {
    const [member, leaving] = [await newMember(), await newMember()];
    await emit(member, 2);
    await emit(leaving, 2);
    await sql().query(
      `insert into public.notifications (id, user_id, type, data, created_at)
       select -n, $1, 'PointsCorrected', jsonb_build_object('points', -n), now() - make_interval(days => 179 + n)
       from generate_series(0, 3) n`,
      [member.id],
    );
    await sql().query("delete from private.write_windows where action = 'remove_expired'");
    await tick();
    expect(points(await list(member))).toEqual([2, 1, 0]);
    await unwrap(
      asService()
        .rpc('anonymise_user', { p_user_id: leaving.id })
        .then(({ error }) => ({ data: true, error })),
    );
    const { rowCount } = await sql().query('select 1 from public.notifications where user_id = $1', [leaving.id]);
    expect(rowCount).toBe(0);
  });
});

describe('mails', () => {
  const prefer = (who: Member, p_kind: string, p_is_mailed: boolean) =>
    who.client.rpc('set_notification_preference', { p_kind, p_is_mailed });
  const preferences = async (who: Member) => await unwrap(who.client.rpc('get_notification_preferences'));
  /** Types of the member's events that the worker gets with an address. */
  async function mailed(who: Member): Promise<string[]> {
    const events = await unwrap(asService().rpc('claim_outbox_events', { p_limit: 100 }));
    return events.filter(({ email }) => email === who.email).map(({ type }) => type);
  }
  const emit = async (who: Member, types: string[]) => {
    await sql().query('update public.outbox_events set processed_at = now() where processed_at is null');
    await sql().query("select private.enqueue_event(t, $1, '{}') from unnest($2::text[]) t", [who.id, types]);
  };

  test('BEY-03 each kind has a switch; by default only kinds that ask for a response are mailed', async () => {
    const member = await newMember();
    const kinds = (rows: { kind: string; is_mailed: boolean }[]) =>
      rows.flatMap((row) => (row.is_mailed ? row.kind : []));
    const byDefault = [
      'proof_rejected',
      'redemption_decided',
      'quest_held',
      'project_reviewed',
      'account_suspended',
      'appeal_decided',
      'plan_changed',
      'daily_digest',
      'review_due',
    ];
    expect(kinds(await preferences(member))).toEqual(byDefault);
    expect((await prefer(member, 'proof_approved', true)).error).toBeNull();
    expect((await prefer(member, 'proof_rejected', false)).error).toBeNull();
    expect(kinds(await preferences(member))).toEqual(['proof_approved', ...byDefault.slice(1)]);
    await sql().query("update public.notification_preferences set updated_at = '2026-01-01' where user_id = $1", [
      member.id,
    ]);
    await prefer(member, 'proof_approved', false);
    await prefer(member, 'proof_rejected', false);
    const switches = await sql().query(
      "select kind::text, updated_at > now() - interval '1 minute' as is_new from public.notification_preferences where user_id = $1 order by 1",
      [member.id],
    );
    expect(switches.rows).toEqual([
      { kind: 'proof_approved', is_new: true },
      { kind: 'proof_rejected', is_new: false },
    ]);
    await prefer(member, 'proof_rejected', true);
    expect(kinds(await preferences(member))).toEqual(byDefault);
    expect(kinds(await preferences(await newMember()))).toEqual(byDefault);
  });

  test('BEY-03 the worker gets an address for enabled kinds and mandatory ones', async () => {
    const member = await newMember();
    const types = [
      'SubmissionApproved',
      'SubmissionRejected',
      'PaymentNotApplied',
      'EmailHandedOver',
      'SubscriptionEnded',
    ];
    await emit(member, types);
    expect(await mailed(member)).toEqual(types.slice(1));
    await prefer(member, 'proof_approved', true);
    await prefer(member, 'proof_rejected', false);
    await prefer(member, 'plan_changed', false);
    await emit(member, types);
    expect(await mailed(member)).toEqual(['SubmissionApproved', 'PaymentNotApplied', 'EmailHandedOver']);
    expect(await list(member, { p_limit: 100 })).toHaveLength(8);
  });

  test('unknown kinds and visitors are refused; suspended members keep their switches', async () => {
    const member = await newMember();
    const invalid = { status: 400, code: 'INVALID_NOTIFICATION_KIND', message: 'Unknown kind of notification' };
    for (const kind of ['everything', '', 'SubmissionApproved']) {
      expect(await refusal(prefer(member, kind, true))).toEqual(invalid);
    }
    for (const missing of [{ p_kind: null }, { p_is_mailed: null }] as object[]) {
      const choice = { p_kind: 'plan_changed', p_is_mailed: true, ...missing };
      expect(await refusal(member.client.rpc('set_notification_preference', choice))).toEqual(invalid);
    }
    const visitor = await asAnon().rpc('set_notification_preference', { p_kind: 'plan_changed', p_is_mailed: true });
    expect(visitor.status).toBe(401);
    expect((await prefer(await suspend(member), 'plan_changed', false)).error).toBeNull();
  });
});

describe('the daily digest', () => {
  /** Today's run is due and has not happened. */
  async function newDay() {
    await sql().query("delete from private.write_windows where action = 'digests'");
    await sql().query('update private.deployment set digest_hour = 0');
    await sql().query("update public.submissions set submitted_at = submitted_at - interval '1 day'");
  }
  const digests = async (who: Member) =>
    (
      await sql().query(
        "select payload from public.outbox_events where user_id = $1 and type = 'DigestDue' order by id",
        [who.id],
      )
    ).rows.map(({ payload }) => payload);

  test('BEY-03 tells a founder once a day what is pending, and again only after something new', () =>
    outsideBeta(async () => {
      const [owner, idle, declining] = [await newVerifiedOwner(), await newVerifiedOwner(), await newVerifiedOwner()];
      await declining.client.rpc('set_notification_preference', { p_kind: 'daily_digest', p_is_mailed: false });
      const [busy, quiet] = [await newQuest(owner), await newQuest(owner)];
      // Nothing waits in this one, so it is not in the list.
      await newQuest(owner);
      await newQuest(idle);
      for (let count = 0; count < 3; count += 1) await submit(await newMember(), busy);
      await submit(await newMember(), quiet);
      await submit(await newMember(), await newQuest(declining));
      await newDay();
      await Promise.all([tick(), tick(), tick()]);
      await tick();
      expect(await digests(owner)).toEqual([
        {
          waiting: 4,
          quests: [
            { title: busy.campaign.title, waiting: 3 },
            { title: quiet.campaign.title, waiting: 1 },
          ],
        },
      ]);
      expect([await digests(idle), await digests(declining)]).toEqual([[], []]);
      // It is a mail, not an inbox notification.
      expect((await list(owner)).map(({ type }) => type)).not.toContain('DigestDue');

      await newDay();
      await tick();
      expect(await digests(owner)).toHaveLength(1);
      await submit(await newMember(), quiet);
      await newDay();
      await tick();
      expect((await digests(owner)).slice(1)).toMatchObject([{ waiting: 5 }]);
    }));

  test('BEY-03 TRUST-18 tells nobody of what only an admin can decide: proofs of a held quest, or of a suspended owner', () =>
    outsideBeta(async () => {
      const [holding, suspended, admin] = [await newVerifiedOwner(), await newVerifiedOwner(), await newAdmin()];
      const [held, open] = [await newQuest(holding), await newQuest(holding)];
      const closed = await newQuest(suspended);
      for (const quest of [held, open, closed]) await submit(await newMember(), quest);
      await unwrap(suspended.client.rpc('close_campaign', { p_campaign_id: closed.campaign.id }));
      await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: held.campaign.id, p_reason: 'Spam' }));
      await unwrap(admin.client.rpc('suspend_user', { p_user_id: suspended.id, p_reason: 'Spam' }));
      await newDay();
      await tick();
      expect(await digests(holding)).toEqual([{ waiting: 1, quests: [{ title: open.campaign.title, waiting: 1 }] }]);
      expect(await digests(suspended)).toEqual([]);
    }));

  test('BEY-03 C-50 a founder whose digest fails keeps nobody else from theirs, is reported, and gets it once, later that day', () =>
    outsideBeta(async () => {
      const [broken, sound] = [await newVerifiedOwner(), await newVerifiedOwner()];
      for (const owner of [broken, sound]) await submit(await newMember(), await newQuest(owner));
      const failed = async () =>
        (await sql().query("select last_error from private.failed_jobs where job = 'queue_digests'")).rows;
      await newDay();
      // Another project's failure stays recorded until its own digest goes out.
      const recorded = "insert into private.failed_rows select 'queue_digests', gen_random_uuid() returning row_id";
      const { rows } = await sql().query(recorded);
      await whileDamaged('insert on public.outbox_events', `new.user_id = '${broken.id}'`, async () => {
        for (const _ of [1, 2]) await runPeriodicJob('queue_digests');
        expect([await digests(broken), await digests(sound)]).toMatchObject([[], [{ waiting: 1 }]]);
        expect(await failed()).toEqual([{ last_error: `P0001 project ${broken.startup.id}` }]);
      });
      for (const _ of [1, 2]) await runPeriodicJob('queue_digests');
      expect([await digests(broken), await digests(sound)]).toMatchObject([[{ waiting: 1 }], [{ waiting: 1 }]]);
      expect(await failed()).toEqual([]);
      const left = "delete from private.failed_rows where job = 'queue_digests' returning row_id";
      expect((await sql().query(left)).rows).toEqual(rows);
    }));

  test('BEY-03 is about proofs from one digest hour to the next, the first moment included', () =>
    outsideBeta(async () => {
      const [today, before] = [await newVerifiedOwner(), await newVerifiedOwner()];
      for (const owner of [today, before]) await submit(await newMember(), await newQuest(owner));
      await newDay();
      const moved = `update public.submissions set submitted_at = date_trunc('day', now(), 'UTC') - make_interval(hours => $2)
        where campaign_id in (select c.id from public.campaigns c where c.startup_id = $1)`;
      await sql().query(moved, [today.startup.id, 0]);
      await sql().query(moved, [before.startup.id, 24]);
      await tick();
      expect([await digests(today), await digests(before)]).toMatchObject([[], [{ waiting: 1 }]]);
    }));

  test('BEY-03 is not sent before its hour, but after midnight, once, when the worker was down that long', () =>
    outsideBeta(async () => {
      const [late, recent] = [await newVerifiedOwner(), await newVerifiedOwner()];
      await submit(await newMember(), await newQuest(late));
      await newDay();
      await submit(await newMember(), await newQuest(recent));
      // An hour that has not come today; at the end of a day it is midnight, which the settings do not allow.
      await sql().query('alter table private.deployment drop constraint deployment_digest_hour_check');
      await sql().query("update private.deployment set digest_hour = extract(hour from now() at time zone 'UTC') + 1");
      for (const _ of [1, 2]) await tick();
      expect([await digests(late), await digests(recent)]).toMatchObject([[{ waiting: 1 }], []]);
      await newDay();
      await tick();
      expect([await digests(late), await digests(recent)]).toMatchObject([[{ waiting: 1 }], [{ waiting: 1 }]]);
    }));
});
