import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { type Member, newMember, newQuest, newVerifiedOwner, type Owner, type Quest } from './support/factories.ts';
import { allowManyQuests, flagsSeenBy, kindsSeenBy, submit } from './support/flags.ts';
import { fillQuest } from './support/many-submissions.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();
beforeAll(allowManyQuests);

describe('BEY-02 what is flagged as too fast', () => {
  test("a proof faster than the quest's fastest twentieth, once there are twenty", async () => {
    const owner = await newVerifiedOwner();
    const [few, enough] = [await questOfYesterday(owner), await questOfYesterday(owner)];
    await submissionsAfter(few, 19, '2 minutes');
    await submissionsAfter(enough, 20, '2 minutes');
    const early = await submit(await newMember(), few, { p_text: 'Done' });
    const fast = await submit(await newMember(), enough, { p_text: 'Done' });
    const slow = await submit(await joinedAgo('5 minutes'), enough, { p_text: 'Done' });

    expect(await kindsSeenBy(owner, early.id)).toEqual([]);
    const [flag] = await flagsSeenBy(owner, fast.id);
    expect(flag).toMatchObject({ kind: 'too_fast' });
    expect(Number(flag?.evidence.seconds)).toBeLessThan(10);
    expect(Number(flag?.evidence.usual_seconds)).toBeGreaterThan(60);
    expect(await kindsSeenBy(owner, slow.id)).toEqual([]);
  });

  test('also once the quest is published again, which tells nothing about the time before', async () => {
    const owner = await newVerifiedOwner();
    const [known, fresh] = [await joinedAgo('1 hour'), await newMember()];
    const quest = await questOfYesterday(owner);
    await submissionsAfter(quest, 20, '2 minutes');
    for (const change of ['unpublish_campaign', 'publish_campaign'] as const) {
      await owner.client.rpc(change, { p_campaign_id: quest.campaign.id }).throwOnError();
    }
    expect(await kindsSeenBy(owner, (await submit(fresh, quest, { p_text: 'Done' })).id)).toEqual(['too_fast']);
    expect(await kindsSeenBy(owner, (await submit(known, quest, { p_text: 'Done' })).id)).toEqual([]);
  });

  test('not who is slower than members that had waited for the quest: their time begins with its publication', async () => {
    const owner = await newVerifiedOwner();
    const quest = await questOfYesterday(owner);
    await submissionsAfter(quest, 20, '2 minutes');
    await sql().query(
      'update public.campaigns set published_at = (select min(submitted_at) from public.submissions where campaign_id = $1) where id = $1',
      [quest.campaign.id],
    );
    const { id } = await submit(await joinedAgo('5 seconds'), quest, { p_text: 'Done' });
    expect(await kindsSeenBy(owner, id)).toEqual([]);
  });

  test('by the pace of others that is not in doubt itself', async () => {
    const owner = await newVerifiedOwner();
    const quest = await questOfYesterday(owner);
    await submissionsAfter(quest, 25, '2 minutes');
    const { rows } = await sql().query(
      `with hasty as (select id, user_id from public.submissions where campaign_id = $1 order by id limit 5),
         joined as (update public.user_profiles p set created_at = now() - interval '1 hour 1 second' from hasty h where p.user_id = h.user_id)
       insert into public.submission_flags (submission_id, campaign_id, user_id, kind)
       select h.id, $1, h.user_id, 'too_fast' from hasty h returning submission_id as id`,
      [quest.campaign.id],
    );
    const kinds = async (change = 'dismissed_at = null, dismissed_by = null, dismissal_reason = null') => {
      await sql().query(`update public.submission_flags set ${change} where submission_id = any ($1)`, [
        rows.map(({ id }) => id),
      ]);
      return kindsSeenBy(owner, (await submit(await joinedAgo('2 seconds'), quest, { p_text: 'Done' })).id);
    };
    expect(await kinds()).toEqual(['too_fast']);
    expect(await kinds("dismissed_at = now(), dismissed_by = 'a', dismissal_reason = 'b'")).toEqual([]);
    expect(
      await kinds("dismissed_at = null, dismissed_by = null, dismissal_reason = null, kind = 'same_link'"),
    ).toEqual([]);
  });

  test('not quests that everybody completes in seconds, nor times of ten seconds and more', async () => {
    const owner = await newVerifiedOwner();
    const [quick, long] = [await questOfYesterday(owner), await questOfYesterday(owner)];
    await submissionsAfter(quick, 25, '1 second');
    await submissionsAfter(long, 25, '1 hour');
    const usual = await submit(await joinedAgo('3 seconds'), quick, { p_text: 'Done' });
    const brisk = await submit(await joinedAgo('11 seconds'), long, { p_text: 'Done' });
    expect(await kindsSeenBy(owner, usual.id)).toEqual([]);
    expect(await kindsSeenBy(owner, brisk.id)).toEqual([]);
  });

  test.each([
    ['8.46 seconds', '72.46 seconds', { seconds: 8.5, usual_seconds: 72.5 }],
    ['9.99 seconds', '72 seconds', { seconds: 10, usual_seconds: 72 }],
    ['10 seconds', '72 seconds', null],
    ['5 seconds', '5 seconds', null],
  ])('a proof after %s where others take %s: %j', async (time, usual, evidence) => {
    const owner = await newVerifiedOwner();
    const quest = await questOfYesterday(owner);
    await submissionsAfter(quest, 20, usual);
    const member = await newMember();
    const { id } = await submit(member, quest, { p_text: 'Done' });
    await sql().query(
      `update public.user_profiles p set created_at = s.submitted_at - $2::interval from public.submissions s
       where s.id = $1 and p.user_id = s.user_id`,
      [id, time],
    );
    expect(await flagsSeenBy(owner, id)).toMatchObject(evidence ? [{ kind: 'too_fast', evidence }] : []);
  });

  test('by the latest hundred proofs of others', async () => {
    const { campaign } = await questOfYesterday(await newVerifiedOwner());
    // The n-th was sent n seconds after the first, and took 101 - n seconds.
    const [userId, submittedAt] = [`'${campaign.id}-' || n`, "now() - interval '1 hour' + n * interval '1 second'"];
    await fillQuest(campaign.id, { tasks: 1, rows: 101, userId, submittedAt });
    await sql().query(
      `insert into public.user_profiles (user_id, username, created_at)
       select s.user_id, 'steady', s.submitted_at - (101 - split_part(s.user_id, $2, 2)::integer) * interval '1 second'
       from public.submissions s where s.campaign_id = $1`,
      [campaign.id, `${campaign.id}-`],
    );
    const { rows } = await sql().query("select private.usual_seconds($1, 'nobody')::float as seconds", [campaign.id]);
    // A twentieth of the way from 1 to 100, not to 99 or 101.
    expect(rows).toEqual([{ seconds: 5.95 }]);
  });

  test('a series of proofs within seconds, but not quests submitted together after an hour of work', async () => {
    const owner = await newVerifiedOwner();
    const quests: Quest[] = [];
    for (let index = 0; index < 6; index += 1) {
      const quest = await questOfYesterday(owner);
      await submissionsAfter(quest, 20, '2 minutes');
      quests.push(quest);
    }
    const prepared = await joinedAgo('1 hour');
    const kinds: string[][] = [];
    for (const quest of quests) {
      const { id } = await submit(prepared, quest, { p_text: 'Done' });
      kinds.push(await kindsSeenBy(owner, id));
    }
    expect(kinds).toEqual([[], [], [], [], [], ['too_fast']]);
  });

  test('by the average of the latest five proofs before it, or since the sign-up', async () => {
    const { campaign } = await questOfYesterday(await newVerifiedOwner());
    const { id } = await joinedAgo('1 hour');
    // The n-th proof was sent n * n minutes after the sign-up.
    const submittedAt = "now() - interval '1 hour' + (n + 1) * (n + 1) * interval '1 minute'";
    await fillQuest(campaign.id, { tasks: 7, rows: 7, userId: `'${id}'`, submittedAt });
    const { rows } = await sql().query<{ minutes: number }>(
      `select round(private.seconds_per_proof(array[s.id]) / 60)::integer as minutes from public.submissions s
       where s.user_id = $1 order by s.submitted_at`,
      [id],
    );
    expect(rows.map(({ minutes }) => minutes)).toEqual([1, 2, 3, 4, 5, (36 - 1) / 5, (49 - 4) / 5]);
  });
});

async function questOfYesterday(owner: Owner): Promise<Quest> {
  const quest = await newQuest(owner);
  await sql().query("update public.campaigns set published_at = now() - interval '1 day' where id = $1", [
    quest.campaign.id,
  ]);
  return quest;
}

/** Submissions of members, each this long after signing up. */
async function submissionsAfter({ campaign }: Quest, count: number, duration: string): Promise<void> {
  const [userId, submittedAt] = [`'${campaign.id}-' || n`, "now() - interval '1 hour'"];
  await fillQuest(campaign.id, { tasks: 1, rows: count, userId, submittedAt });
  await sql().query(
    `insert into public.user_profiles (user_id, username, created_at)
     select s.user_id, 'quick', s.submitted_at - $2::interval from public.submissions s where s.campaign_id = $1`,
    [campaign.id, duration],
  );
}

async function joinedAgo(duration: string): Promise<Member> {
  const member = await newMember();
  await sql().query('update public.user_profiles set created_at = now() - $2::interval where user_id = $1', [
    member.id,
    duration,
  ]);
  return member;
}
