import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  grantPoints,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const erase = async (userId: string) => {
  const { error } = await asService().rpc('anonymise_user', { p_user_id: userId });
  expect(error).toBeNull();
};

const one = async (query: string, id: string) => (await sql().query(query, [id])).rows[0];

/** Names of the tables that contain the text anywhere in a row. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await sql().query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private') order by 1`);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql().query(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** A proof of a quest that collects e-mail addresses. */
async function submit(member: Member, taskId: string, text: string) {
  return unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: text, p_email: member.email }));
}

const collecting = {
  campaign: { collect_emails: true, email_collection_purpose: 'News' },
  task: { proof_type: 'text' },
};

describe('anonymise_user for a member', () => {
  test('removes names, addresses and proofs everywhere, and keeps the wallet, the ledger and decisions', async () => {
    const [owner, member] = await Promise.all([newOwner(), newMember()]);
    const marker = `marker-${randomUUID()}`;
    const { taskId, campaign } = await newQuest(owner, collecting);
    const submission = await submit(member, taskId, `Proof ${marker}`);
    await unwrap(member.client.rpc('update_profile', { p_username: marker, p_display_name: `Name ${marker}` }));
    await member.client.rpc('subscribe_to_mailing_list', { p_email: member.email });
    await asService().rpc('get_unsubscribe_token', { p_email: member.email });
    await unwrap(
      member.client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke', p_email: member.email }),
    );
    await unwrap(member.client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke again' }));
    const before = await walletOf(member.id);
    expect(before.points).toBeGreaterThan(0);
    const other = await newMember();
    for (const { id } of [member, other])
      await sql().query("insert into public.member_profiles (user_id, handle) values ($1, 'h' || right(md5($1), 12))", [
        id,
      ]);
    // One mail went out long ago, and one was given up.
    await sql().query(
      `insert into public.outbox_events (type, user_id, payload, processed_at, failed_at)
       values ('Test', $1, '{}', '2020-01-01', null), ('Test', $1, '{}', null, now())`,
      [member.id],
    );

    await erase(member.id);
    const code = "select is_active, code from public.referral_codes where user_id = $1 and code like 'GONE%'";
    const gone = await one(code, member.id);
    expect(gone.is_active).toBe(false);
    await erase(member.id);
    expect(await one(code, member.id)).toEqual(gone);
    const feedback = 'select count(*)::integer from public.beta_feedback where user_id = $1';
    expect(await one(feedback, member.id)).toEqual({ count: 0 });
    const mails = `select array_agg(processed_at = '2020-01-01' order by id) as is_kept, count(failed_at)::integer as failed
      from public.outbox_events where user_id = $1 and type = 'Test'`;
    expect(await one(mails, member.id)).toEqual({ is_kept: [true, false], failed: 0 });
    const { rows: profiles } = await sql().query(
      'select user_id from public.member_profiles where user_id = any ($1)',
      [[member.id, other.id]],
    );
    expect(profiles).toEqual([{ user_id: other.id }]);
    const deletions =
      "select count(*)::integer from public.audit_log where action = 'user.delete' and actor_id = 'system' and subject_id = $1";
    expect(await one(deletions, member.id)).toEqual({ count: 1 });

    // Until the project that the address was shared with has been asked to delete it.
    expect(await tablesWith(member.email)).toEqual(['public.outbox_events']);
    await sql().query(
      "select public.complete_outbox_event(id) from public.outbox_events where type = 'EmailWithdrawn' and user_id = $1",
      [owner.id],
    );
    expect(await tablesWith(member.email)).toEqual([]);
    expect(await tablesWith(marker)).toEqual([]);
    expect(await walletOf(member.id)).toEqual(before);
    expect(await ledgerProblems()).toEqual([]);
    expect(await one('select status, reward_points from public.submissions where id = $1', submission.id)).toEqual({
      status: 'approved',
      reward_points: submission.reward_points,
    });
    expect(await one('select approved_count from public.campaigns where id = $1', campaign.id)).toEqual({
      approved_count: 1,
    });
    const profile = 'select username, email, suspension_reason from public.user_profiles where user_id = $1';
    expect(await one(profile, member.id)).toEqual({
      username: 'Deleted member',
      email: null,
      suspension_reason: 'Account deleted',
    });
    // Not 'delet***ber', which reads like somebody's masked name.
    const [proof] = await unwrap(owner.client.rpc('list_review_submissions', { p_campaign_id: campaign.id }));
    expect(proof?.member_name).toBe('Deleted member');
  });

  test('releases the slots and points of pending proofs, not those of others, and blanks earlier proofs in the history', async () => {
    await withSettings({ beta_mode: false }, async () => {
      const [owner, member, other] = await Promise.all([newOwner(), newMember(), newMember()]);
      await sql().query("select private.mark_verified($1, 'test', 'by the test')", [owner.startup.id]);
      const { taskId, campaign } = await newQuest(owner, collecting);
      const { id } = await submit(member, taskId, 'First try');
      const reject = () =>
        unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'reject', p_note: 'No' }));
      await reject();
      const link = { p_task_id: taskId, p_url: 'https://second-try.example', p_email: member.email };
      await unwrap(member.client.rpc('submit_proof', link));
      await reject();
      await submit(member, taskId, 'Third try');
      const { id: waiting } = await submit(other, taskId, 'Still waiting');

      await erase(member.id);

      expect(
        await one('select pending_count, pending_points, approved_count from public.tasks where id = $1', taskId),
      ).toEqual({ pending_count: 1, pending_points: 10, approved_count: 0 });
      expect(await one('select pending_count from public.campaigns where id = $1', campaign.id)).toEqual({
        pending_count: 1,
      });
      const state = `select status, proof_text, reviewed_by, review_note, reviewed_at > submitted_at as is_reviewed
        from public.submissions where id = $1`;
      expect(await one(state, id)).toEqual({
        ...{ status: 'rejected', proof_text: 'Removed with the account', is_reviewed: true },
        ...{ reviewed_by: 'auto', review_note: 'The member deleted the account' },
      });
      expect(await one(state, waiting)).toEqual({
        ...{ status: 'pending', proof_text: 'Still waiting', is_reviewed: null },
        ...{ reviewed_by: null, review_note: null },
      });
      for (const text of ['First try', 'second-try', 'Third try']) expect(await tablesWith(text)).toEqual([]);
      const { rows } = await sql().query(
        'select action from public.submission_history where user_id = $1 order by id',
        [member.id],
      );
      expect(rows.map(({ action }) => action)).toEqual(['rejected', 'resubmitted', 'rejected', 'resubmitted']);
    });
  });

  test('C-93 TRUST-10 TRUST-28 cancels unsent redemptions, returning points and stock and removing the address, and keeps sent ones', async () => {
    const [admin, member] = await Promise.all([newAdmin(), newMember()]);
    await grantPoints(member, 100);
    const { id: mug } = await unwrap(
      admin.client.rpc('save_reward', {
        p_reward: { title: 'Mug', points_cost: 30, stock_quantity: 5, delivery: 'post' },
      }),
    );
    const p_address = {
      name: 'Robin Reed',
      street: '1 High Street',
      postal_code: 'D01',
      city: 'Dublin',
      country: 'IE',
    };
    const redeem = () =>
      unwrap(member.client.rpc('redeem_reward_safe', { p_reward_id: mug, p_idempotency_key: randomUUID(), p_address }));
    const [sent, waiting] = [await redeem(), await redeem()];
    const other = await newMember();
    await grantPoints(other, 30);
    const foreign = await unwrap(
      other.client.rpc('redeem_reward_safe', {
        p_reward_id: mug,
        p_idempotency_key: randomUUID(),
        p_address: { ...p_address, street: '2 Low Street' },
      }),
    );
    await unwrap(admin.client.rpc('set_redemption_status', { p_redemption_id: sent.id, p_status: 'fulfilled' }));
    expect(await walletOf(member.id)).toMatchObject({ points: 40 });

    await erase(member.id);
    await erase(member.id);
    const status = 'select status, note from public.redemptions where id = $1';
    expect(await one(status, waiting.id)).toEqual({ status: 'cancelled', note: null });
    expect(await one(status, sent.id)).toEqual({ status: 'fulfilled', note: null });
    expect(await one(status, foreign.id)).toMatchObject({ status: 'pending' });
    expect(await walletOf(member.id)).toMatchObject({ points: 70 });
    expect(await one('select stock_quantity from public.rewards where id = $1', mug)).toEqual({ stock_quantity: 3 });
    expect(await tablesWith('1 High Street')).toEqual([]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('a session token that has not expired cannot recreate anything', async () => {
    const member = await newMember();
    await erase(member.id);
    expect(await refusal(member.client.rpc('sync_current_user', {}))).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
    expect(
      await refusal(member.client.rpc('update_profile', { p_username: 'me', p_display_name: 'Me' })),
    ).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(await tablesWith(member.email)).toEqual([]);
  });

  test('an id without a profile is no error, and gets no profile', async () => {
    const id = `user_never_${randomUUID()}`;
    await erase(id);
    expect(await one('select count(*)::integer as profiles from public.user_profiles where user_id = $1', id)).toEqual({
      profiles: 0,
    });
  });
});

describe('anonymise_user for an owner', () => {
  test('closes the quests, releases their reserves, removes collected addresses and hides the project', async () => {
    const [owner, present, member, earlier] = [
      await newOwner(),
      await newOwner(),
      await newMember(),
      await newMember(),
    ];
    const { campaign, taskId } = await newQuest(owner, collecting);
    const elsewhere = await newQuest(present, collecting);
    for (const id of [taskId, elsewhere.taskId]) await submit(member, id, 'Done');
    await submit(earlier, taskId, 'Done');
    await sql().query("update public.email_consents set withdrawn_at = '2020-01-01' where user_id = $1", [earlier.id]);
    await sql().query("update public.campaigns set updated_at = '2020-01-01' where id = $1", [campaign.id]);
    const { free, reserved } = await projectPoints(owner.startup.id, campaign.id);
    expect(reserved).toBeGreaterThan(0);

    await erase(owner.id);

    const state =
      "select status, updated_at > now() - interval '1 hour' as is_updated from public.campaigns where id = $1";
    expect(await one(state, campaign.id)).toEqual({ status: 'closed', is_updated: true });
    expect(await one(state, elsewhere.campaign.id)).toMatchObject({ status: 'published' });
    expect(await projectPoints(owner.startup.id, campaign.id)).toEqual({ free: free + reserved, reserved: 0 });
    expect(await ledgerProblems()).toEqual([]);
    expect(await tablesWith(owner.email)).toEqual([]);
    // What the member shares with another project stays with it.
    const { rows: shared } = await sql().query(
      `select c.campaign_id, e.withdrawn_at from public.campaign_email_collections c
       join public.email_consents e using (campaign_id, user_id) where c.user_id = $1`,
      [member.id],
    );
    expect(shared).toEqual([{ campaign_id: elsewhere.campaign.id, withdrawn_at: null }]);
    const consents = `select array_agg(user_id order by withdrawn_at) as people, min(withdrawn_at) = '2020-01-01' as is_kept
      from public.email_consents where campaign_id = $1`;
    expect(await one(consents, campaign.id)).toEqual({ people: [earlier.id, member.id], is_kept: true });
    expect(
      await one('select status, review_note from public.startup_profiles where id = $1', owner.startup.id),
    ).toEqual({
      status: 'rejected',
      review_note: 'The owner deleted the account',
    });
    // The identity provider reports it again.
    await one("update public.startup_profiles set suspended_at = '2020-01-01' where id = $1", owner.startup.id);
    await erase(owner.id);
    const suspension = "select suspended_at = '2020-01-01' as is_kept from public.startup_profiles where id = $1";
    expect(await one(suspension, owner.startup.id)).toEqual({ is_kept: true });
  });
});

test('an owner can delete the account while a proof of another project is being reviewed', async () => {
  await withSettings({ beta_mode: false }, async () => {
    const [owner, other, member] = [await newOwner(), await newVerifiedOwner(), await newMember()];
    const { taskId } = await newQuest(other, collecting);
    const { id } = await submit(member, taskId, 'Still waiting');
    const reviewer = await sql().connect();
    try {
      await reviewer.query('begin');
      await reviewer.query('select 1 from public.submissions where id = $1 for update', [id]);
      await erase(owner.id);
    } finally {
      await reviewer.query('rollback');
      reviewer.release();
    }
  });
});

test('a member can delete the account while a quest that has decided their proof pays somebody else', async () => {
  const [owner, member] = [await newOwner(), await newMember()];
  const { taskId } = await newQuest(owner, collecting);
  await submit(member, taskId, 'Done');
  await rolledBack(async (client) => {
    await client.query('select 1 from public.wallets where startup_id = $1 for update', [owner.startup.id]);
    await erase(member.id);
  });
});

describe('submission history', () => {
  test('TRUST-08 is append-only, except that a proof may be blanked', async () => {
    const change = (set: string) => sql().query(`update public.submission_history set ${set}`);
    await withSettings({ beta_mode: false }, async () => {
      const [owner, member] = await Promise.all([newOwner(), newMember()]);
      await sql().query("select private.mark_verified($1, 'test', 'by the test')", [owner.startup.id]);
      const { taskId } = await newQuest(owner, { task: { proof_type: 'text' } });
      const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'Mine' }));
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'approve' }));
    });
    await expect(change("note = 'other'")).rejects.toThrow('append-only');
    await expect(change("proof_text = 'other'")).rejects.toThrow('append-only');
    await expect(change("proof_url = null, proof_text = null, action = 'reversed'")).rejects.toThrow('append-only');
    await expect(sql().query('delete from public.submission_history')).rejects.toThrow('append-only');
  });
});

test('SEC-04 only the service role may delete an account', async () => {
  const [member, other] = await Promise.all([newMember(), newMember()]);
  const { status } = await refusal(member.client.rpc('anonymise_user', { p_user_id: other.id }));
  expect(status).toBe(FORBIDDEN.status);
});
