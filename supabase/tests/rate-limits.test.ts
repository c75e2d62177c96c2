import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { newMember, newOwner, newQuest, newVerifiedOwner, submitProof, unwrap } from './support/factories.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

test('TRUST-24 a limit is kept until its latest use no longer counts', async () => {
  const take = () => sql().query("select public.take_rate_limit('user:lasting', 'try', 3, 60)");
  for (const _ of [1, 2]) await take();
  const { rows } = await sql().query(
    "select expires_at - hits[2] as left, cardinality(hits) as uses from private.rate_limits where subject = 'user:lasting'",
  );
  expect(rows).toMatchObject([{ left: { minutes: 1 }, uses: 2 }]);
  // Nor does it keep those that no longer count, or the row of a busy caller would only ever grow.
  await sql().query(
    "update private.rate_limits set hits = array_prepend(now() - interval '61 seconds', hits) where subject = 'user:lasting'",
  );
  await take();
  const { rows: kept } = await sql().query(
    "select cardinality(hits) as uses from private.rate_limits where subject = 'user:lasting'",
  );
  expect(kept).toEqual([{ uses: 3 }]);
});

test('TRUST-24 what costs more than a whole limit is refused, also as the first use, and uses nothing up', async () => {
  const take = async (cost: number) =>
    (await sql().query("select public.take_rate_limit('user:greedy', 'try', 3, 60, $1) as taken", [cost])).rows[0]
      .taken;
  expect([await take(4), await take(3), await take(1)]).toEqual([false, true, false]);
});

test('TRUST-24 C-82 each limit counts over the time that it is promised for', async () => {
  await sql().query('truncate private.rate_limits');
  const [owner, other, member] = [await newVerifiedOwner(), await newOwner(), await newMember()];
  const { taskId } = await newQuest(other);
  const { campaign: coded, taskId: codeTask } = await newQuest(owner, {
    task: { verification: 'code', shared_code: 'LANTERN2026' },
  });
  const named = { p_startup_id: owner.startup.id, p_name: owner.startup.name, p_description: 'Changed' };
  await unwrap(owner.client.rpc('update_startup_profile', named));

  await submitProof(member, taskId);
  await member.client.rpc('submit_completion_code', { p_task_id: codeTask, p_code: 'WRONG1' });
  await member.client.rpc('record_quest_view', { p_campaign_id: coded.id });
  await unwrap(owner.client.rpc('close_campaign', { p_campaign_id: coded.id }));
  await unwrap(member.client.rpc('set_public_profile', { p_handle: `m-${randomUUID().slice(0, 8)}` }));
  await unwrap(member.client.rpc('get_own_data'));
  await member.client.rpc('submit_project_feedback', {
    p_project_id: owner.startup.id,
    p_rating: 5,
    p_feedback_text: 'Good to work with',
  });
  await unwrap(member.client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke' }));

  await unwrap(asAnon().rpc('track_referral_click', { p_code: 'REFNOBODY1' }));
  await unwrap(asAnon().rpc('get_referral_greeting', { p_code: 'REFNOBODY1' }));
  await unwrap(asAnon().rpc('subscribe_to_mailing_list', { p_email: `${randomUUID()}@example.com` }));
  await asAnon().from('metrics_events').insert({ type: 'page_view' });
  const report = { p_address: '203.0.113.7', p_directive: 'img-src', p_blocked: 'inline', p_page: '/browse' };
  await unwrap(asService().rpc('record_csp_report', report));
  const { rows: events } = await sql().query(
    "insert into public.outbox_events (type, user_id, actor_id) values ('StartupVerified', $1, $1) returning id::int",
    [member.id],
  );
  await unwrap(asService().rpc('admit_mail', { p_email: member.email, p_event_id: events[0].id }));

  const { rows } = await sql().query<{ limit: string; seconds: number }>(
    `select distinct split_part(subject, ':', 1) || ' ' || regexp_replace(action, ':[0-9a-f-]{36}$', '') as limit,
       round(extract(epoch from expires_at - hits[cardinality(hits)]))::integer as seconds
     from private.rate_limits`,
  );
  expect(Object.fromEntries(rows.map(({ limit, seconds }) => [limit, seconds]))).toEqual({
    'user project_change': HOUR,
    'user quest_creation': HOUR,
    'user quest_change': HOUR,
    'user startup_verified': DAY,
    'user submit_proof': MINUTE,
    'user code': HOUR,
    'task wrong_code': HOUR,
    'user quest_view': MINUTE,
    'user public_profile': DAY,
    'user own_data': HOUR,
    'user project_feedback': MINUTE,
    'user project_feedback:day': DAY,
    'user beta_feedback': MINUTE,
    'user beta_feedback:day': DAY,
    'visitor referral_click': MINUTE,
    'code referral_click': MINUTE,
    'visitor referral_greeting': MINUTE,
    'visitor mailing_list': MINUTE,
    'visitor mailing_list:day': DAY,
    'mailbox confirmation': 5 * MINUTE,
    'mailbox confirmations': DAY,
    'visitor metrics_event': MINUTE,
    'visitor csp_report': MINUTE,
    'mailbox mail': DAY,
    'mailbox mail:StartupVerified': DAY,
    'user mail': DAY,
  });
});

test('TRUST-24 counts the events of one request, not those of a connection, which serves many', async () => {
  const member = await newMember();
  const client = await sql().connect();
  try {
    for (let sent = 0; sent < 51; sent += 1) {
      await client.query('begin');
      await actAs(client, member);
      await client.query("insert into public.metrics_events (type) values ('page_view')");
      await client.query('commit');
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
  const { rows } = await sql().query('select count(*)::integer as kept from public.metrics_events where user_id = $1', [
    member.id,
  ]);
  expect(rows).toEqual([{ kept: 51 }]);
});
