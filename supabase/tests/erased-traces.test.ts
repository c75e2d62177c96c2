import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asAnon, asService, asUser, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  submitProof,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const TABLES = [
  'public.outbox_events',
  'public.notifications',
  'private.unsubscribe_tokens',
  'public.mailing_list',
  'public.beta_feedback',
];

/** Which of the tables contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const { rowCount } = await sql().query(`select 1 from ${table} t where strpos(t::text, $1) > 0 limit 1`, [text]);
    if (rowCount) found.push(table);
  }
  return found;
}

const erase = ({ id }: Member) => unwrap(asService().rpc('anonymise_user', { p_user_id: id }));

async function eventOf(userId: string, type: string): Promise<number> {
  const { rows } = await sql().query('select id from public.outbox_events where user_id = $1 and type = $2', [
    userId,
    type,
  ]);
  return Number(rows[0]?.id);
}

/** What waits for an admin. */
async function todo() {
  return (await unwrap((await newAdmin()).client.rpc('get_admin_todo'))) as { failed_mails: number };
}

/** A proof with an address, rejected and appealed. */
async function appealedProof(owner: Owner, member: Member, words: string) {
  await outsideBeta(async () => {
    const { taskId } = await newQuest(owner, { campaign: { collect_emails: true, email_collection_purpose: 'News' } });
    const args = { p_task_id: taskId, p_text: 'Done', p_email: member.email };
    const { id } = await unwrap(member.client.rpc('submit_proof', args));
    const review = { p_submission_id: id, p_decision: 'reject', p_note: 'No' };
    await unwrap(owner.client.rpc('review_submission', review));
    await unwrap(member.client.rpc('submit_appeal', { p_kind: 'rejection', p_words: words, p_submission_id: id }));
  });
}

async function withdraw(member: Member) {
  const [consent] = await unwrap(member.client.from('email_consents').select('id'));
  await unwrap(member.client.rpc('withdraw_email_consent', { p_consent_id: consent?.id ?? '' }));
}

test("TRUST-28 the words of an erased member's appeal leave the notices of the project's owner", async () => {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  const words = `My name is ${randomUUID()}`;
  await appealedProof(owner, member, words);
  expect(await tablesWith(words)).toEqual(['public.outbox_events', 'public.notifications']);
  // Long after the event itself has been removed.
  await sql().query('delete from public.outbox_events where id = $1', [await eventOf(owner.id, 'RejectionAppealed')]);
  await erase(member);
  expect(await tablesWith(words)).toEqual([]);

  const other = await newMember();
  await appealedProof(await newVerifiedOwner(), other, words);
  await erase(other);
  expect(await tablesWith(words)).toEqual([]);
});

test("an erasure takes nothing from others: the owner keeps another member's appeal, and mails that failed remain to be sent", () =>
  withSettings({ trial_quest_limit: 2 }, async () => {
    const [owner, member, other] = [await newVerifiedOwner(), await newMember(), await newMember()];
    const words = `It is all there ${randomUUID()}`;
    await appealedProof(owner, member, 'Look again');
    await appealedProof(owner, other, words);
    await withdraw(other);
    // The same words to another owner, and in another notice.
    const elsewhere = await newVerifiedOwner();
    await appealedProof(elsewhere, await newMember(), 'Look again');
    await sql().query(
      `insert into public.notifications (id, user_id, type, data)
       select least(min(id), 0) - 1, $1, 'CampaignHeld', '{"reason": "Look again"}' from public.notifications`,
      [owner.id],
    );
    // Two that are due to an admin: the notice of the member's appeal and the other's withdrawal.
    await sql().query(
      `update public.outbox_events set failed_at = now()
       where user_id = $1 and (actor_id, type) in (($2, 'RejectionAppealed'), ($3, 'EmailWithdrawn'))`,
      [owner.id, member.id, other.id],
    );
    const { failed_mails: failed } = await todo();
    await erase(member);
    expect(await tablesWith(words)).toEqual(['public.outbox_events', 'public.notifications']);
    expect((await todo()).failed_mails).toBe(failed);
    const { rows } = await sql().query(
      "select payload ->> 'email' as email from public.outbox_events where actor_id = $1 and type = 'EmailWithdrawn'",
      [other.id],
    );
    expect(rows).toEqual([{ email: other.email }]);
    const notices = await sql().query(
      "select user_id, type from public.notifications where data ->> 'reason' = 'Look again' order by type",
    );
    expect(notices.rows).toEqual([
      { user_id: owner.id, type: 'CampaignHeld' },
      { user_id: elsewhere.id, type: 'RejectionAppealed' },
    ]);
    await erase(owner);
    const told = await sql().query(
      "select payload ->> 'reason' as reason from public.outbox_events where user_id = $1 and type = 'SubmissionRejected'",
      [other.id],
    );
    expect(told.rows).toEqual([{ reason: 'No' }]);
  }));

test('TRUST-28 what is decided about an erased member later notifies nobody', async () => {
  const [owner, member, admin] = [await newOwner(), await newMember(), await newAdmin()];
  const { taskId } = await newQuest(owner);
  const { id } = await unwrap(submitProof(member, taskId));
  await asService().rpc('anonymise_user', { p_user_id: member.id }).throwOnError();
  await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: id, p_note: 'Copied' }));
  const { rowCount } = await sql().query('select 1 from public.notifications where user_id = $1', [member.id]);
  expect(rowCount).toBe(0);
});

test('BEY-10 a withdrawn address is kept only until its project has been asked to delete it', async () => {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  await appealedProof(owner, member, 'Look again');
  await withdraw(member);
  const event = await eventOf(owner.id, 'EmailWithdrawn');
  await unwrap(asService().rpc('complete_outbox_event', { p_event_id: event }));
  expect(JSON.stringify(await unwrap(owner.client.rpc('get_own_data')))).not.toContain(member.email);
  await erase(member);
  expect(await tablesWith(member.email)).toEqual([]);
});

test('TRUST-28 a withdrawn address that could not be mailed is erased, one that is about to be mailed goes with its mail', async () => {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  await appealedProof(owner, member, 'Look again');
  await withdraw(member);
  const event = await eventOf(owner.id, 'EmailWithdrawn');
  await erase(member);
  // Only this mail asks the project to delete its copies.
  expect(await tablesWith(member.email)).toEqual(['public.outbox_events']);
  await unwrap(asService().rpc('complete_outbox_event', { p_event_id: event }));
  expect(await tablesWith(member.email)).toEqual([]);

  const other = await newMember();
  const elsewhere = await newVerifiedOwner();
  await appealedProof(elsewhere, other, 'Look again');
  await withdraw(other);
  await sql().query(
    "update public.outbox_events set failed_at = now() where type = 'EmailWithdrawn' and actor_id = $1",
    [other.id],
  );
  const { failed_mails: failed } = await todo();
  await erase(other);
  expect(await tablesWith(other.email)).toEqual([]);
  // Nobody can send it any more, so it waits for no admin either.
  expect((await todo()).failed_mails).toBe(failed - 1);
  const { rows } = await sql().query('select processed_at, failed_at from public.outbox_events where id = $1', [
    await eventOf(elsewhere.id, 'EmailWithdrawn'),
  ]);
  expect(rows).toEqual([{ processed_at: expect.any(Date), failed_at: null }]);
});

test('TRUST-28 links that an erased member has sent are no evidence any more, also of a deleted quest and where an admin dismissed the flag', async () => {
  const [owner, one, other, admin] = [await newVerifiedOwner(), await newMember(), await newMember(), await newAdmin()];
  const link = `https://posts.example/${randomUUID()}`;
  const quest = await newQuest(owner, { task: { max_completions: 2 } });
  for (const member of [one, other]) {
    await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_url: link }));
  }
  await sql().query('select private.scan_submissions(null)');
  const { rows } = await sql().query('select id from public.submission_flags where user_id = $1', [other.id]);
  await unwrap(admin.client.rpc('dismiss_submission_flag', { p_flag_id: rows[0]?.id, p_reason: 'A shared link' }));
  await unwrap(owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }));
  const linesIn = async (table: string) =>
    (await sql().query(`select 1 from ${table} t where strpos(t::text, $1) > 0`, [link.replace('https://', '')]))
      .rowCount;
  expect(await linesIn('public.submission_flags')).toBe(1);
  await erase(other);
  for (const table of ['public.submission_flags', 'public.audit_log']) expect(await linesIn(table), table).toBe(0);
});

test('BEY-10 TRUST-28 the project of an erased member is asked to delete the address, which is then erased', async () => {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  await appealedProof(owner, member, 'Look again');
  await erase(member);
  const event = await eventOf(owner.id, 'EmailWithdrawn');
  const { rows } = await sql().query("select payload ->> 'email' as email from public.outbox_events where id = $1", [
    event,
  ]);
  expect(rows).toEqual([{ email: member.email }]);
  await unwrap(asService().rpc('complete_outbox_event', { p_event_id: event }));
  expect(await tablesWith(member.email)).toEqual([]);
});

test('TRUST-28 an address that could not be mailed to its project is kept for a month', async () => {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  await appealedProof(owner, member, 'Look again');
  await erase(member);
  const event = await eventOf(owner.id, 'EmailWithdrawn');
  const removeExpired = async (days: number) => {
    await sql().query("update public.outbox_events set failed_at = now() - $2 * interval '1 day' where id = $1", [
      event,
      days,
    ]);
    await sql().query("delete from private.write_windows where action = 'remove_expired'");
    await sql().query('select private.remove_expired()');
    return tablesWith(member.email);
  };
  expect(await removeExpired(29)).toEqual(['public.outbox_events']);
  expect(await removeExpired(31)).toEqual([]);
});

test('TRUST-28 an address that the member gave up before is erased too, and can opt out until then', async () => {
  const member = await newMember();
  const former = member.email;
  const tokenOf = (p_email: string) => unwrap(asService().rpc('get_unsubscribe_token', { p_email }));
  const link = await tokenOf(former);
  const change = { p_user_id: member.id, p_email: `new-${former}`, p_changed_at: '2100-01-01T00:00:00Z' };
  expect(await unwrap(asService().rpc('record_changed_email', change))).toBe(true);
  await tokenOf(`new-${former}`);

  expect((await asAnon().rpc('unsubscribe_from_mailing_list', { p_token: link })).error).toBeNull();
  // Without signing in: only the address tells whose words these are.
  await unwrap(asAnon().rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke', p_email: former }));
  expect(await tablesWith(former)).toEqual([
    'private.unsubscribe_tokens',
    'public.mailing_list',
    'public.beta_feedback',
  ]);
  expect(await unwrap(member.client.rpc('get_own_data'))).toMatchObject({ former_addresses: [former] });
  await erase(member);
  expect(await tablesWith(former)).toEqual([]);
  expect(await unwrap(asService().rpc('is_opted_out', { p_email: former }))).toBe(true);
});

test('TRUST-28 an address that the member subscribed with before it reached the profile is erased too', async () => {
  const member = await newMember();
  const email = `next-${member.email}`;
  const client = await asUser({ ...member, email });
  expect(await unwrap(client.rpc('subscribe_to_mailing_list', { p_email: email }))).toBe('active');
  await unwrap(asService().rpc('get_unsubscribe_token', { p_email: email }));
  expect(await tablesWith(email)).toEqual(['private.unsubscribe_tokens', 'public.mailing_list']);
  await erase(member);
  expect(await tablesWith(email)).toEqual([]);
});

test('TRUST-28 the former address of somebody else stays theirs, even if nobody has it now', async () => {
  const [member, other] = await Promise.all([newMember(), newMember()]);
  const change = { p_user_id: other.id, p_email: `new-${other.email}`, p_changed_at: '2100-01-01T00:00:00Z' };
  await unwrap(asService().rpc('record_changed_email', change));
  const token = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: other.email }));
  await erase(member);
  expect(await unwrap(asService().rpc('get_unsubscribe_token', { p_email: other.email }))).toBe(token);
  expect(await unwrap(other.client.rpc('get_own_data'))).toMatchObject({ former_addresses: [other.email] });
});

test('TRUST-28 an address that somebody else has by now stays theirs when its former holder is erased', async () => {
  const [member, heir] = await Promise.all([newMember(), newMember()]);
  const address = member.email;
  const change = (p_user_id: string, p_email: string) =>
    unwrap(asService().rpc('record_changed_email', { p_user_id, p_email, p_changed_at: '2100-01-01T00:00:00Z' }));
  await change(member.id, `new-${address}`);
  await change(heir.id, address);
  const token = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: address }));
  await erase(member);
  expect(await unwrap(asService().rpc('get_unsubscribe_token', { p_email: address }))).toBe(token);
});
