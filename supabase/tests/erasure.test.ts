import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { newOwner, newQuest, unwrap, withSettings } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { uploadVerified } from './support/uploads.ts';

setUpDatabase();

const ERASED = 'erased';
const ERASED_ROW = 'gone with its row';
const BARE_ID = 'the bare id, which means nothing once profile and address are gone';
const LEDGER = 'the books stay, under the bare id';
const RECORD = 'the record of what admins did, under the bare id';
const PUBLISHED = 'what a project has published; members and the ledger refer to it';
const KEYED_HASH = 'a keyed hash that tells whether this mailbox was here, and nothing else (C-81, TRUST-25)';
const PRODUCT = 'words of the product or its admins';
const FIXED = 'one of a fixed set of words';
const SAID = 'what was said in public or to us stays, its sender goes';

/**
 * Every text column, with what happens to it on erasure or why it stays. A new column, and so a new table, fails the test until it is
 * listed here; columns listed as erased are filled and checked below.
 */
const COLUMNS: Record<string, Record<string, string>> = {
  'private.address_keys': { secret: 'random, replaced every day' },
  'private.admins': { user_id: ERASED, reason: PRODUCT, revoked_by: RECORD },
  'private.checkout_holds': { owner_user_id: ERASED },
  'private.completion_codes': { code_hash: KEYED_HASH },
  'private.counted_actions': { action_hash: KEYED_HASH, token: 'random' },
  'private.counter_deltas': { name: FIXED },
  'private.csp_reports': {
    blocked: 'an origin without its path, reported by nobody that we know, for 30 days',
    directive: FIXED,
    page: 'a route without ids and handles',
  },
  'private.deleted_users': { user_id: `${BARE_ID}; keeps the account from coming back` },
  'private.deployment': { address_header: PRODUCT, token_issuer: PRODUCT },
  'private.file_search': { bucket: FIXED, path: BARE_ID },
  'private.idempotency_keys': { user_id: ERASED, action: FIXED, key: ERASED_ROW },
  'private.incentive_rules': {
    id: FIXED,
    place: PRODUCT,
    place_pattern: PRODUCT,
    action_pattern: PRODUCT,
    rule: PRODUCT,
    alternative: PRODUCT,
    alternative_title: PRODUCT,
    source_url: PRODUCT,
  },
  'private.former_addresses': { user_id: ERASED, email: ERASED },
  'private.former_ratings': { owner_user_id: BARE_ID, user_id: BARE_ID, feedback_text: SAID },
  'private.known_mailboxes': { mailbox: KEYED_HASH, user_id: BARE_ID },
  'private.logo_imports': { url: ERASED_ROW },
  'private.ledger_daily': { account: FIXED },
  'private.left_words': { words: PUBLISHED },
  'private.mailbox_domains': { domain: PRODUCT, kind: FIXED },
  'private.mailing_list_confirmations': { email: ERASED_ROW, token: 'random' },
  'private.member_weeks': { user_id: LEDGER },
  'private.opt_outs': { mailbox: KEYED_HASH },
  'private.payment_events': {
    event_id: 'the payment provider’s',
    action: FIXED,
    payment_ref: 'the payment provider’s',
    dispute_ref: 'the payment provider’s',
    outcome: FIXED,
    payer_user_id: LEDGER,
    product_id: FIXED,
  },
  'private.product_owner': { email: 'the operator’s own' },
  'private.project_decisions': {
    owner_user_id: BARE_ID,
    project_name: PUBLISHED,
    decision: FIXED,
    reason: PRODUCT,
    decided_by: FIXED,
  },
  'private.published_quests': { quest: PUBLISHED, tasks: PUBLISHED },
  'private.quest_announcements': { told_until: BARE_ID },
  'private.quest_views': { user_id: ERASED },
  'private.rate_limits': { subject: ERASED, action: FIXED },
  'private.redemption_addresses': {
    name: ERASED,
    street: ERASED_ROW,
    extra: ERASED_ROW,
    postal_code: ERASED_ROW,
    city: ERASED_ROW,
    region: ERASED_ROW,
    country: ERASED_ROW,
  },
  'private.reward_codes': { code: 'the reward’s, encrypted', fingerprint: KEYED_HASH },
  'private.search_words': { word: PUBLISHED, deletions: PUBLISHED },
  'private.secrets': { name: FIXED, value: 'random' },
  'private.signing_secrets': { secret: 'random, encrypted', last_characters: 'random' },
  'private.task_checks': { source: FIXED, target: PUBLISHED },
  'private.task_tokens': { token: 'random', user_id: ERASED, participant_email: ERASED_ROW, consent: PUBLISHED },
  'private.tested_endpoints': { url: 'the project’s, for a day' },
  'private.unsubscribe_tokens': { email: ERASED, token: 'random' },
  'private.verification_calls': {
    kind: FIXED,
    call_id: 'the project’s',
    token: 'random, and means nothing once its row is gone',
    code: FIXED,
    message: PRODUCT,
  },
  'private.verified_uploads': {
    bucket: FIXED,
    path: ERASED,
    version: 'random',
    owner: ERASED,
    sha256: ERASED_ROW,
    mime: FIXED,
  },
  'private.write_windows': { action: FIXED },
  'public.app_settings': { owner_email: 'the operator’s own' },
  'public.appeals': {
    user_id: BARE_ID,
    against_reason: PRODUCT,
    words: ERASED,
    decision_note: PRODUCT,
    decided_by: RECORD,
  },
  'public.audit_log': {
    actor_id: RECORD,
    action: FIXED,
    subject_type: FIXED,
    subject_id: RECORD,
    before: RECORD,
    after: RECORD,
    note: RECORD,
  },
  'private.worker_runs': { worker: FIXED, last_problem: 'codes and reasons' },
  'private.failed_jobs': { job: FIXED, last_error: 'codes and reasons' },
  'private.failed_rows': { job: FIXED },
  'public.badges': { user_id: LEDGER, badge: FIXED },
  'public.beta_feedback': {
    user_id: ERASED,
    email: ERASED,
    type: FIXED,
    title: SAID,
    description: SAID,
    status: FIXED,
    priority: FIXED,
    admin_notes: PRODUCT,
  },
  'public.campaign_email_collections': { user_id: ERASED, email: ERASED },
  'public.campaigns': {
    title: PUBLISHED,
    summary: PUBLISHED,
    details_md: PUBLISHED,
    custom_reward_title: PUBLISHED,
    custom_reward_description: PUBLISHED,
    email_collection_purpose: PUBLISHED,
    hold_reason: PRODUCT,
    held_by: FIXED,
  },
  'public.email_consents': {
    user_id: ERASED,
    project_name: ERASED_ROW,
    quest_title: ERASED_ROW,
    email: ERASED,
    statement: ERASED_ROW,
  },
  'public.entries': { system_account: FIXED, user_id: LEDGER },
  'public.mailing_list': { email: ERASED, source: FIXED, user_id: ERASED, metadata: ERASED, status: FIXED },
  'public.followed_projects': { user_id: ERASED },
  'public.member_profiles': { user_id: ERASED, handle: ERASED },
  'public.metrics_events': { type: FIXED, user_id: ERASED, data: ERASED },
  'public.notification_preferences': { user_id: ERASED },
  'public.notifications': { user_id: ERASED, type: FIXED, data: ERASED },
  'public.outbox_events': { type: FIXED, user_id: BARE_ID, actor_id: ERASED, payload: ERASED, last_error: ERASED },
  'public.point_holds': { user_id: LEDGER, depends_on: LEDGER, reason: FIXED, release_reason: FIXED },
  'public.project_feedback': { user_id: BARE_ID, feedback_text: SAID },
  'public.redemptions': {
    user_id: LEDGER,
    reward_title: PRODUCT,
    note: ERASED,
    handled_by: FIXED,
    idempotency_key: 'random, made by the app',
  },
  'public.referral_codes': { user_id: BARE_ID, code: ERASED },
  'public.referrals': {
    referrer_user_id: LEDGER,
    referred_user_id: LEDGER,
    referral_code: 'the erased code means nothing any more',
  },
  'public.rewards': { title: PRODUCT, description: PRODUCT, image_url: PRODUCT },
  'public.saved_quests': { user_id: ERASED },
  'public.startup_profiles': {
    owner_user_id: BARE_ID,
    name: PUBLISHED,
    logo_url: ERASED,
    website: ERASED,
    description: ERASED,
    industry: FIXED,
    owner_email: ERASED,
    reviewed_by: FIXED,
    review_note: ERASED,
    former_name: ERASED,
    changed_from: ERASED,
  },
  'public.submission_flags': {
    user_id: BARE_ID,
    kind: FIXED,
    evidence: 'figures and ids; links and domains go',
    dismissed_by: RECORD,
    dismissal_reason: RECORD,
  },
  'public.submission_history': {
    user_id: BARE_ID,
    action: FIXED,
    actor_id: FIXED,
    note: 'the project’s decision',
    proof_url: ERASED,
    proof_text: ERASED,
  },
  'public.submissions': {
    user_id: BARE_ID,
    proof_url: ERASED,
    proof_text: ERASED,
    participant_email: ERASED,
    reviewed_by: FIXED,
    review_note: 'the project’s decision',
  },
  'public.point_purchases': {
    owner_user_id: LEDGER,
    pack_id: FIXED,
    currency: FIXED,
    payment_ref: 'the payment provider’s',
    receipt_url: ERASED,
  },
  'public.subscriptions': {
    owner_user_id: LEDGER,
    plan_id: FIXED,
    payment_ref: 'the payment provider’s',
    receipt_url: ERASED,
  },
  'public.tasks': {
    title: PUBLISHED,
    instructions_md: PUBLISHED,
    link_url: PUBLISHED,
    incentive_rules: 'ids of rules',
  },
  'public.transfers': { description: LEDGER, metadata: LEDGER, idempotency_key: LEDGER },
  'public.user_profiles': {
    user_id: BARE_ID,
    username: ERASED,
    display_name: ERASED,
    avatar_url: ERASED,
    email: ERASED,
    verified_socials: ERASED,
    interests: 'of 20 industries, so no text of the person; emptied all the same',
    suspension_reason: `${PRODUCT}; meets the person again in the next account (C-97)`,
    masked_username: ERASED,
    masked_name: ERASED,
  },
  'public.wallets': { owner_user_id: LEDGER, user_id: LEDGER },
};

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
});
