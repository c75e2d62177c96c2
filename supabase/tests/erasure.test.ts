import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { suspendUser } from './support/closed-business.ts';
import { COLUMNS, ERASED } from './support/erased-columns.ts';
import { newAdmin, newMemberWithPoints, newOwner, newQuest, unwrap, withSettings } from './support/factories.ts';
import { decide, newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { uploadVerified } from './support/uploads.ts';

setUpDatabase();

async function textColumns(): Promise<Record<string, string[]>> {
  const { rows } = await sql().query<{ name: string; columns: string[] }>(`
    select n.nspname || '.' || c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'private') and a.attnum > 0 and not a.attisdropped
      and a.atttypid::regtype::text = any (array['text', 'text[]', 'jsonb', 'json', 'character varying', 'bytea'])
    group by 1`);
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns.sort()]));
}

const erasedColumns = Object.entries(COLUMNS).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([column, fate]) => (fate === ERASED ? [[table, column] as const] : [])),
);

/** Erased columns, as table.column, that contain one of the texts. */
async function columnsWith(texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [table, column] of erasedColumns) {
    const { rowCount } = await sql().query(
      `select 1 from ${table} t where exists (select 1 from unnest($1::text[]) x where strpos(t.${column}::text, x) > 0) limit 1`,
      [texts],
    );
    if (rowCount) found.push(`${table}.${column}`);
  }
  return found;
}

/** Tables that contain a text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of [...Object.keys(COLUMNS), 'storage.objects']) {
    const { rowCount } = await sql().query(`select 1 from ${table} t where strpos(t::text, $1) > 0 limit 1`, [text]);
    if (rowCount) found.push(table);
  }
  return found;
}

describe('erasure', () => {
  test('TRUST-28 every text column is erased or has a reason to stay', async () => {
    const declared = Object.entries(COLUMNS).map(([table, columns]) => [table, Object.keys(columns).sort()]);
    expect(Object.fromEntries(declared)).toEqual(await textColumns());
  });

  /** A member with a project and every kind of record, and the texts that tell whose they are. */
  async function memberWithEverything() {
    const marker = `marker${randomUUID().slice(0, 8)}`;
    const [owner, other] = await Promise.all([newOwner(), newOwner()]);
    const logo = await uploadVerified(owner, 'project-logos');
    await unwrap(owner.client.rpc('update_profile', { p_username: marker, p_display_name: `${marker} ${marker}` }));
    await unwrap(
      owner.client.rpc('update_startup_profile', {
        p_startup_id: owner.startup.id,
        p_name: `Project ${randomUUID().slice(0, 8)}`,
        p_website: `https://${marker}.example`,
        p_description: marker,
        p_logo_url: owner.client.storage.from('project-logos').getPublicUrl(logo).data.publicUrl,
      }),
    );
    await withSettings({ beta_mode: false }, async () => {
      await sql().query("select private.mark_verified($1, 'beta', 'by the test')", [other.startup.id]);
      const { taskId } = await newQuest(other, {
        campaign: { collect_emails: true, email_collection_purpose: 'News' },
      });
      for (const p_decision of ['reject', null]) {
        const p_url = `proofs/${await uploadVerified(owner, 'proofs')}`;
        const args = { p_task_id: taskId, p_url, p_text: marker, p_email: owner.email };
        const submission = await unwrap(owner.client.rpc('submit_proof', args));
        if (p_decision) {
          const review = { p_submission_id: submission.id, p_decision, p_note: 'No' };
          await unwrap(other.client.rpc('review_submission', review));
        }
      }
    });
    await owner.client.rpc('subscribe_to_mailing_list', { p_email: owner.email, p_metadata: { marker } });
    await asService().rpc('get_unsubscribe_token', { p_email: owner.email });
    const feedback = { p_type: 'bug', p_description: 'It broke', p_email: owner.email };
    await unwrap(owner.client.rpc('submit_beta_feedback', feedback));
    await owner.client.from('metrics_events').insert({ type: 'page_view', data: { marker } });
    const code = await sql().query('select code from public.referral_codes where user_id = $1', [owner.id]);
    for (const statement of [
      `insert into private.admins (user_id, reason) values ('${owner.id}', 'test')`,
      `insert into private.former_addresses (user_id, email) values ('${owner.id}', 'former-${owner.email}')`,
      `insert into private.checkout_holds (owner_user_id, expires_at) values ('${owner.id}', now())`,
      `update public.user_profiles set avatar_url = 'https://x.example/${marker}', verified_socials = '{"x": "${marker}"}',
         suspension_reason = '${marker}' where user_id = '${owner.id}'`,
      `select private.scan_submissions(null); insert into public.submission_flags (submission_id, campaign_id, user_id, kind, evidence)
         select id, campaign_id, user_id, 'same_link', '{"link": "${marker}.example/a"}' from public.submissions where user_id = '${owner.id}'`,
      `update public.startup_profiles set review_note = '${marker}', former_name = '${marker}', renamed_at = now(),
         changed_from = '{"name": "${marker}"}', changed_at = now() where owner_user_id = '${owner.id}'`,
      `insert into public.appeals (user_id, kind, against_at, words) values ('${owner.id}', 'suspension', now(), '${marker}')`,
      `insert into public.subscriptions (owner_user_id, plan_id, payment_ref, amount_cents, status, receipt_url)
         values ('${owner.id}', 'og_lifetime', gen_random_uuid(), 1, 'refunded', 'https://pay.example/${marker}')`,
      `insert into public.point_purchases (owner_user_id, pack_id, points, amount_cents, payment_ref, status, receipt_url)
         values ('${owner.id}', 'points_small', 1, 1, gen_random_uuid(), 'refunded', 'https://pay.example/${marker}')`,
      `insert into private.idempotency_keys (user_id, action, key, subject_id)
         values ('${owner.id}', 'create_quest', 'k', gen_random_uuid())`,
      `insert into public.notifications (id, user_id, type, data)
         select least(min(id), 0) - 1, '${owner.id}', 'Test', '{"a": "${marker}"}' from public.notifications`,
      `insert into public.notification_preferences (user_id, kind, is_mailed) values ('${owner.id}', 'proof_approved', true)`,
      `insert into public.saved_quests (user_id, campaign_id) select '${owner.id}', id from public.campaigns limit 1`,
      `insert into private.quest_views (user_id, campaign_id) select '${owner.id}', id from public.campaigns limit 1`,
      `insert into public.followed_projects (user_id, startup_id) select '${owner.id}', id from public.startup_profiles limit 1`,
      `insert into public.outbox_events (type, user_id, payload, last_error) values ('Test', '${owner.id}', '{"a": "${marker}"}', '${marker}')`,
      `insert into public.redemptions (user_id, reward_id, reward_title, points_cost, note, idempotency_key, status, fulfilled_at)
         select '${owner.id}', id, 'x', 1, '${marker}', 'k', 'fulfilled', now() from public.rewards limit 1`,
      `insert into public.member_profiles (user_id, handle) values ('${owner.id}', '${marker}')`,
      `insert into private.task_tokens (task_id, user_id, participant_email)
         select id, '${owner.id}', '${owner.email}' from public.tasks limit 1`,
      `insert into private.redemption_addresses (redemption_id, name, street, city, country)
         select id, '${marker}', 'x', 'x', 'IE' from public.redemptions where user_id = '${owner.id}'`,
    ]) {
      await sql().query(statement);
    }
    const texts: string[] = [owner.id, owner.email, marker, code.rows[0].code];
    return { id: owner.id, email: owner.email, marker, texts };
  }

  describe('by anonymise_user', () => {
    let person: Awaited<ReturnType<typeof memberWithEverything>>;
    let other: typeof person;

    beforeAll(async () => {
      person = await memberWithEverything();
      other = await memberWithEverything();
    });

    test('TRUST-28 leaves nothing that identifies the person, in any table, and everything of others', async () => {
      const filled = erasedColumns.map(([table, column]) => `${table}.${column}`);
      // Masked names contain no more of it than this.
      const masked = person.marker.slice(0, 5);
      const theirs = await tablesWith(other.marker);
      expect(await columnsWith([...person.texts, masked])).toEqual(filled);
      await unwrap(asService().rpc('anonymise_user', { p_user_id: person.id }));
      // Until the project that the address was shared with has been asked to delete it.
      expect(await columnsWith(person.texts)).toEqual(['public.outbox_events.payload']);
      await sql().query(
        "select public.complete_outbox_event(id) from public.outbox_events where type = 'EmailWithdrawn'",
      );
      expect(await columnsWith(person.texts)).toEqual([]);
      for (const text of [person.email, person.marker]) expect(await tablesWith(text)).toEqual([]);
      expect(await columnsWith([...other.texts, masked])).toEqual(filled);
      expect(await tablesWith(other.marker)).toEqual(theirs);
    });
  });

  test('TRUST-28 TRUST-18 admins see an erased account as suspended only if one of them had suspended it', async () => {
    const admin = await newAdmin();
    const [gone, banned] = [await newMemberWithPoints(40), await newMemberWithPoints(40)];
    const reward = await newReward();
    for (const who of [gone, banned]) {
      const redemption = await unwrap(redeem(who, reward));
      await decide(admin, redemption.id, 'fulfilled').throwOnError();
    }
    await suspendUser(admin, banned);
    for (const { id } of [gone, banned]) await unwrap(asService().rpc('anonymise_user', { p_user_id: id }));

    const ofBoth = (rows: { user_id: string; is_suspended: boolean }[]) =>
      [gone, banned].map(({ id }) => rows.find(({ user_id }) => user_id === id)?.is_suspended);
    const people = await unwrap(admin.client.rpc('admin_list_users', { p_search: 'Deleted member' }));
    expect(ofBoth(people.map((row) => ({ ...row, is_suspended: row.suspended_at !== null })))).toEqual([false, true]);
    const redemptions = await unwrap(admin.client.rpc('admin_list_redemptions', { p_status: 'fulfilled' }));
    expect(ofBoth(redemptions)).toEqual([false, true]);
    for (const [who, status] of [
      [gone, null],
      [banned, 'suspended'],
    ] as const)
      expect(await unwrap(admin.client.rpc('admin_search', { p_search: who.id }))).toMatchObject([{ status }]);
  });
});
