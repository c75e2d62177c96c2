import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newQuest, newVerifiedOwner } from './support/factories.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

test('BEY-03 C-50 a quest is announced within two days of its start and sixty of its publication, and again only after a failure', async () => {
  const [{ campaign }, other] = [await newQuest(await newVerifiedOwner()), await newQuest(await newVerifiedOwner())];
  await rolledBack(async (client) => {
    await client.query('set local session_replication_role = replica');
    await client.query(
      `insert into private.quest_announcements (campaign_id, startup_id)
       select id, startup_id from public.campaigns where id <> $1 on conflict do nothing`,
      [campaign.id],
    );
    const isNext = async () =>
      (await client.query('select private.next_announcement() = $1 as is_next', [campaign.id])).rows[0].is_next;
    const at = async (published: string, started: string) => {
      await client.query(
        'update public.campaigns set published_at = now() - $2::interval, starts_at = now() - $3::interval where id = $1',
        [campaign.id, published, started],
      );
      return isNext();
    };
    expect([await at('3 days', '2 days'), await at('3 days', '2 days 1 second')]).toEqual([true, null]);
    expect([await at('3 days', '0'), await at('3 days', '-1 second')]).toEqual([true, null]);
    expect([await at('60 days', '1 day'), await at('59 days', '1 day')]).toEqual([null, true]);
    // What has failed in this transaction is left to the next one, also when its followers have been told in part.
    const fail = (id: string, job = 'announce_quests') =>
      client.query('insert into private.failed_rows (job, row_id) values ($2, $1)', [id, job]);
    await fail(campaign.id, 'close_ended_quests');
    for (const isBegun of [false, true]) {
      if (isBegun) {
        await client.query(
          `insert into private.quest_announcements (campaign_id, startup_id, told_until)
           select id, startup_id, '' from public.campaigns where id = $1`,
          [campaign.id],
        );
      }
      await client.query("delete from private.failed_rows where job = 'announce_quests'");
      await fail(randomUUID());
      expect(await isNext()).toBe(true);
      await fail(campaign.id);
      expect(await isNext()).toBe(null);
    }
    // One that has failed before comes after what is new, and none begins or goes on while nobody can find it.
    await client.query("update private.failed_rows set failed_at = now() - interval '1 hour'");
    const isNextAfter = async (change: string, id: string) => {
      await client.query('savepoint before');
      await client.query(change, [id]);
      const is = await isNext();
      await client.query('rollback to before');
      return is;
    };
    expect(await isNextAfter('delete from private.quest_announcements where campaign_id = $1', other.campaign.id)).toBe(
      false,
    );
    for (const state of ['select $1::uuid', 'delete from private.quest_announcements where campaign_id = $1']) {
      await client.query(state, [campaign.id]);
      expect(await isNext()).toBe(true);
      for (const set of ["status = 'draft'", 'ends_at = now()'])
        expect(await isNextAfter(`update public.campaigns set ${set} where id = $1`, campaign.id), set).toBe(null);
      const suspended = 'update public.startup_profiles set suspended_at = now() where id = $1';
      expect(await isNextAfter(suspended, campaign.startup_id)).toBe(null);
    }
  });
});
