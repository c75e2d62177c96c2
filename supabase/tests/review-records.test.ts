import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { rollUp } from './support/earnings.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  unwrap,
} from './support/factories.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const submit = async (who: Member, taskId: string) =>
  (await unwrap(who.client.rpc('submit_proof', { p_task_id: taskId, p_text: `By ${who.name}` }))).id;
const decide = (who: Member, id: string, decision: 'approve' | 'reject') =>
  unwrap(who.client.rpc('review_submission', { p_submission_id: id, p_decision: decision, p_reason: 'incomplete' }));

/** Runs the scheduled count over everything so far; it excludes the last minute, which a test does not wait for. */
const count = () => sql().query('select private.refresh_review_records(now())');
const promisesOf = async ({ startup }: Owner) =>
  (await unwrap(asAnon().rpc('get_project_promises', { p_startup_id: startup.id })))[0];
const cardOf = async (campaignId: string) =>
  (await unwrap(asAnon().rpc('list_published_quests', { p_limit: 50 }))).find(({ id }) => id === campaignId);
const recordProblems = async () => {
  const rows = await unwrap((await newAdmin()).client.rpc('reconcile_ledger'));
  return rows.filter(({ problem }) => problem.startsWith('record_')).map(({ problem }) => problem);
};

const NOTHING = { decided: null, accepted: null, overturned: null, median_seconds: null };

describe('the public review record', () => {
  test('BEY-05 shows, from ten decisions on, the shares accepted, in time and overturned, and the median time', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const { campaign, taskId } = await newQuest(owner, {
        campaign: { review_hours: 24 },
        task: { max_completions: 20 },
      });
      const members = await Promise.all(Array.from({ length: 10 }, () => newMember()));
      const ids: string[] = [];
      for (const member of members) ids.push(await submit(member, taskId));
      // Two, four … twenty hours after submission, so all but the last two are in time; those would be approved
      // automatically.
      for (const [index, id] of ids.entries()) {
        await letHoursPass(2);
        if (index === 8)
          await sql().query('update public.submissions set review_due_at = now() where id = any ($1)', [ids]);
        if (index < 9) await decide(owner, id, index < 6 ? 'approve' : 'reject');
      }
      await count();
      expect(await promisesOf(owner)).toMatchObject({
        ...NOTHING,
        reserved_points: 140,
        least_review_hours: 24,
        most_review_hours: 24,
      });
      expect(await cardOf(campaign.id)).toMatchObject({ ...NOTHING, reserved_points: 140, review_hours: 24 });

      await decide(owner, ids[9] ?? '', 'reject');
      const appealed = await unwrap(
        members[6]?.client.rpc('submit_appeal', {
          p_kind: 'rejection',
          p_words: 'Look',
          p_submission_id: ids[6] ?? '',
        }) ?? Promise.reject(),
      );
      await unwrap(
        (await newAdmin()).client
          .rpc('decide_appeal', { p_appeal_id: appealed.id, p_decision: 'overturn', p_note: 'It is there' })
          .select('id'),
      );
      await count();
      const record = { decided: 10, accepted: 6, overturned: 1 };
      const shown = await promisesOf(owner);
      expect(shown).toMatchObject({ ...record, in_time: 8 });
      // The times come from the history: each decision was moved back two hours with every later one.
      const { rows } = await sql().query(
        `select extract(epoch from created_at - submitted_at)::integer as seconds from public.submission_history
        where campaign_id = $1 and action in ('approved', 'rejected') order by 1`,
        [campaign.id],
      );
      const seconds = rows.map((row: { seconds: number }) => row.seconds);
      expect(seconds).toHaveLength(10);
      expect(shown?.median_seconds).toBeCloseTo(((seconds[4] ?? 0) + (seconds[5] ?? 0)) / 2, -1);
      expect(await cardOf(campaign.id)).toMatchObject(record);
      expect(await recordProblems()).toEqual([]);
    }));

  test("BEY-05 counts only people's decisions of the last 90 days, not automatic ones of the beta or past the due time", async () => {
    const owner = await newVerifiedOwner();
    const { taskId } = await newQuest(owner, { campaign: { review_hours: 24 }, task: { max_completions: 20 } });
    for (let n = 0; n < 5; n += 1) await submit(await newMember(), taskId);
    await outsideBeta(async () => {
      for (let n = 0; n < 2; n += 1) await submit(await newMember(), taskId);
      await letHoursPass(25);
      await settleReviews();
      for (let n = 0; n < 3; n += 1) await decide(owner, await submit(await newMember(), taskId), 'approve');
      // An admin decides in the project's place, and takes an approval back, which is no decision about the proof.
      const admin = await newAdmin();
      await decide(admin, await submit(await newMember(), taskId), 'reject');
      const id = await submit(await newMember(), taskId);
      await decide(owner, id, 'approve');
      await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
    });
    const figures = async () => {
      await count();
      const { rows } = await sql().query(
        `select r.decided, r.accepted, r.in_time from private.review_records r join public.wallets w on w.id = r.wallet_id
         where w.startup_id = $1`,
        [owner.startup.id],
      );
      return rows[0];
    };
    expect(await figures()).toEqual({ decided: 5, accepted: 4, in_time: 5 });
    await letHoursPass(91 * 24);
    await sql().query("update private.review_records set counted_at = counted_at - interval '2 days'");
    expect(await figures()).toEqual({ decided: 0, accepted: 0, in_time: 0 });
    expect(await recordProblems()).toEqual([]);
    // Without new decisions not again before a day has passed: a hundred projects a minute would be counted for nothing.
    const countedAt = async () => (await sql().query('select counted_at from private.review_records order by 1')).rows;
    const counted = await countedAt();
    await count();
    expect(await countedAt()).toEqual(counted);
  });

  test('BEY-05 counts an overturned rejection as long as the rejection counts', async () => {
    const owner = await newVerifiedOwner();
    const record = (...decisions: [action: string, daysAgo: number][]) =>
      sql().query(
        `insert into public.submission_history (submission_id, campaign_id, user_id, action, actor_id, created_at, project_wallet_id)
         select gen_random_uuid(), gen_random_uuid(), 'user', d ->> 0, 'project', now() - make_interval(days => (d ->> 1)::integer), w.id
         from public.wallets w, jsonb_array_elements($2) d where w.startup_id = $1`,
        [owner.startup.id, JSON.stringify(decisions)],
      );
    const overturned = async () => {
      const { rows } = await sql().query(
        `select (private.count_review_record(w.id, now())).overturned from public.wallets w where w.startup_id = $1`,
        [owner.startup.id],
      );
      return rows[0]?.overturned;
    };
    await record(['rejected', 91], ['overturned', 89], ['approved', 5]);
    expect(await overturned()).toBe(0);
    await record(['rejected', 88], ['rejected', 7]);
    expect(await overturned()).toBe(1);
  });

  test('BEY-05 counts a decision in the last moment as timely, and stops at none whose project has no wallet', async () => {
    const owner = await newVerifiedOwner();
    await sql().query(
      `insert into public.submission_history
         (submission_id, campaign_id, user_id, action, actor_id, created_at, review_due_at, project_wallet_id)
       select gen_random_uuid(), gen_random_uuid(), 'user', 'approved', 'project', now(), now() - d.late, w.id
       from (values (interval '0'), (interval '1 microsecond')) d (late)
       cross join (select w.id from public.wallets w where w.startup_id = $1 union all select null) w`,
      [owner.startup.id],
    );
    await count();
    const { rows } = await sql().query(
      `select r.decided, r.in_time from private.review_records r join public.wallets w on w.id = r.wallet_id
       where w.startup_id = $1`,
      [owner.startup.id],
    );
    expect(rows).toEqual([{ decided: 2, in_time: 1 }]);
  });

  test('BEY-05 TRUST-01 is recounted as of the time of its count, without what was decided since', async () => {
    const owner = await newVerifiedOwner();
    const { taskId } = await newQuest(owner);
    await outsideBeta(async () => {
      await decide(owner, await submit(await newMember(), taskId), 'approve');
      await count();
      await decide(owner, await submit(await newMember(), taskId), 'approve');
    });
    expect(await recordProblems()).toEqual([]);
  });

  test('BEY-05 is counted by the job that counts the other figures, up to a minute ago', () =>
    outsideBeta(async () => {
      const [early, late] = [await newVerifiedOwner(), await newVerifiedOwner()];
      for (const owner of [early, late]) {
        const { taskId } = await newQuest(owner, { task: { max_completions: 20 } });
        for (let n = 0; n < 10; n += 1) await decide(owner, await submit(await newMember(), taskId), 'approve');
        if (owner === early) await letHoursPass(1);
      }
      // Other tests have counted up to now.
      await sql().query('delete from private.review_records');
      await rollUp();
      expect(await promisesOf(early)).toMatchObject({ decided: 10, accepted: 10 });
      expect(await promisesOf(late)).toMatchObject({ decided: null });
    }));

  test('BEY-05 survives the deletion of a quest, and is hidden while the project is not public', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const { campaign, taskId } = await newQuest(owner, { task: { max_completions: 20 } });
      for (let n = 0; n < 10; n += 1) await decide(owner, await submit(await newMember(), taskId), 'approve');
      await owner.client.rpc('delete_campaign', { p_campaign_id: campaign.id }).throwOnError();
      const closed = await newQuest(owner, { campaign: { review_hours: 24 } });
      await owner.client.rpc('close_campaign', { p_campaign_id: closed.campaign.id }).throwOnError();
      await count();
      expect(await promisesOf(owner)).toMatchObject({
        ...{ decided: 10, accepted: 10, overturned: 0 },
        ...{ reserved_points: 0, least_review_hours: null, most_review_hours: null },
      });
      await sql().query('update public.startup_profiles set suspended_at = now() where id = $1', [owner.startup.id]);
      expect(await promisesOf(owner)).toBeUndefined();
    }));

  test('BEY-05 TRUST-01 the reconciliation recounts it and finds a planted figure', () =>
    outsideBeta(async () => {
      const owner = await newVerifiedOwner();
      const { taskId } = await newQuest(owner);
      await decide(owner, await submit(await newMember(), taskId), 'approve');
      await count();
      expect(await recordProblems()).toEqual([]);
      for (const [figure, change] of [
        ['decided', 'decided + 1'],
        ['accepted', 'accepted - 1'],
        ['in_time', 'in_time - 1'],
        ['overturned', 'overturned + 1'],
        ['median_seconds', 'median_seconds + 1'],
      ]) {
        const of = 'wallet_id = (select id from public.wallets where startup_id = $1)';
        const { rows } = await sql().query(`select ${figure} as was from private.review_records where ${of}`, [
          owner.startup.id,
        ]);
        await sql().query(`update private.review_records set ${figure} = ${change} where ${of}`, [owner.startup.id]);
        expect(await recordProblems(), figure).toEqual([`record_${figure}`]);
        await sql().query(`update private.review_records set ${figure} = $2 where ${of}`, [
          owner.startup.id,
          rows[0]?.was,
        ]);
      }
      expect(await recordProblems()).toEqual([]);
    }));
});
