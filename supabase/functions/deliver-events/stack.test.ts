import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Functions, startFunctions } from '../../../local/functions/start-functions.ts';
import { functionsEnv } from '../../../local/stack-env.ts';
import { asAnon, closeSql, newPersona, sql, testEnv } from '../../../local/testing/clients.ts';
import { type FlakyMail, startFlakyMail } from '../_testing/flaky-mail.ts';
import { startProvider } from '../_testing/provider.ts';
import { type SignedIn, signIn } from '../_testing/stack.ts';

const EVENTS_EACH = 4;

let mail: FlakyMail;
let functions: Functions;

beforeAll(async () => {
  mail = await startFlakyMail(testEnv().MAIL_URL);
  functions = await startFunctions({ env: { ...functionsEnv(testEnv()), RESEND_API_URL: mail.url } });
});
// Ends the events of earlier tests and files: a retry that has become due would come before the test's own.
beforeEach(() => sql().query('update public.outbox_events set processed_at = now() where processed_at is null'));
afterAll(async () => {
  await Promise.all([functions.close(), mail.close(), closeSql()]);
});

const work = (secret = testEnv().CRON_SECRET) =>
  fetch(`${functions.url}/deliver-events`, { method: 'POST', headers: { authorization: `Bearer ${secret}` } });

/** Emits events for mails with different subjects; resolves to the subjects. */
async function emitFor({ id }: SignedIn): Promise<string[]> {
  const titles = Array.from({ length: EVENTS_EACH }, (_, index) => `Reward ${index} of ${id}`);
  await sql().query(
    `select private.enqueue_event('RedemptionFulfilled', $1, jsonb_build_object('redemption_id', t, 'title', t, 'note', null))
     from unnest($2::text[]) t`,
    [id, titles],
  );
  return titles.map((title) => `Your reward is ready: ${title}`);
}

async function stateOf(userIds: string[]): Promise<Record<string, number>> {
  const { rows } = await sql().query<{ state: string; count: number }>(
    `select case when failed_at is not null then 'failed' when processed_at is not null then 'done' else 'waiting' end as state,
       count(*)::integer as count from public.outbox_events where user_id = any ($1) group by 1`,
    [userIds],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Skips the retry delays and the leases of dead workers. */
const passTime = (userIds: string[]) =>
  sql().query(
    'update public.outbox_events set next_attempt_at = now() where user_id = any ($1) and processed_at is null and failed_at is null',
    [userIds],
  );

async function mails(): Promise<{ to: string[]; subject: string; text: string }[]> {
  const response = await fetch(`${testEnv().MAIL_URL}/emails`);
  return ((await response.json()) as { data: { to: string[]; subject: string; text: string }[] }).data;
}

const inboxOf = async (address: string): Promise<string[]> =>
  (await mails()).filter(({ to }) => to.includes(address)).map(({ subject }) => subject);

describe('deliver-events', () => {
  it('C-50 mails every event exactly once although half of the calls to the mail provider fail', async () => {
    const people = await Promise.all([signIn(), signIn(), signIn()]);
    const ids = people.map(({ id }) => id);
    const expected = await Promise.all(people.map(emitFor));
    const total = expected.flat().length;

    // Two workers at a time, as when one tick outlasts the next.
    // Each run ends at the first failure.
    for (let round = 0; round < 20 && (await stateOf(ids)).done !== total; round += 1) {
      const answers = await Promise.all([work(), work()]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await passTime(ids);
    }

    expect(await stateOf(ids)).toEqual({ done: total });
    expect((await Promise.all(people.map(({ email }) => inboxOf(email)))).map((subjects) => subjects.sort())).toEqual(
      expected,
    );
    // The provider did fail half of the time, and some of the lost responses were for mails that it had sent.
    expect(mail.counts.lost).toBeGreaterThan(0);
    expect(mail.counts.refused).toBeGreaterThan(0);
    const failures = mail.counts.lost + mail.counts.refused;
    expect(failures / (failures + mail.counts.answered)).toBeGreaterThan(0.3);
  });

  it('mails also while a periodic job hangs, and records a failed run', async () => {
    const person = await signIn();
    const subjects = await emitFor(person);
    // With the usual 8 s: a shorter deadline would also end what a busy machine answers late.
    const others = await startFunctions({ env: functionsEnv(testEnv()) });
    const blocker = await sql().connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table private.csp_reports in access exclusive mode');
      await sql().query("delete from private.write_windows where action = 'remove_expired'");
      const answer = await fetch(`${others.url}/deliver-events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testEnv().CRON_SECRET}` },
      });
      expect(await answer.json()).toMatchObject({ ok: true, mailed: EVENTS_EACH });
    } finally {
      await blocker.query('rollback');
      blocker.release();
      await others.close();
    }
    expect((await inboxOf(person.email)).sort()).toEqual(subjects);
    const problem = async () =>
      (await sql().query("select last_problem from private.worker_runs where worker = 'deliver-events'")).rows;
    expect(await problem()).toEqual([{ last_problem: 'No answer: remove_expired' }]);
    await work();
    expect(await problem()).toEqual([{ last_problem: null }]);
  });

  it('completes events without a mail, and sends none to unsubscribed addresses', async () => {
    const person = await signIn();
    await sql().query(
      `insert into public.mailing_list (email, source, is_active, unsubscribed_at) values ($1, 'email', false, now())`,
      [person.email],
    );
    await sql().query("select private.enqueue_event('SomethingNew', $1, '{}')", [person.id]);
    await emitFor(person);
    expect((await work()).status).toBe(200);
    expect(await stateOf([person.id])).toEqual({ done: 1 + EVENTS_EACH });
    expect(await inboxOf(person.email)).toEqual([]);
  });

  it('BEY-03 mails a kind that is off by default to those who have enabled it, and not a disabled one', async () => {
    const [asking, quiet] = await Promise.all([signIn(), signIn()]);
    await sql().query(
      `insert into public.notification_preferences (user_id, kind, is_mailed) values
        ($1, 'proof_approved', true), ($1, 'redemption_decided', true), ($2, 'redemption_decided', false)`,
      [asking.id, quiet.id],
    );
    for (const { id } of [asking, quiet]) {
      await sql().query(
        `select private.enqueue_event('SubmissionApproved', $1, '{"campaign_id": "c1", "task": "Try it", "points": 5, "held": 0}'),
          private.enqueue_event('RedemptionFulfilled', $1, '{"title": "Mug", "note": null}')`,
        [id],
      );
    }
    for (let round = 0; round < 7; round += 1) {
      await work();
      await passTime([asking.id, quiet.id]);
    }
    expect(await stateOf([asking.id, quiet.id])).toEqual({ done: 4 });
    expect((await inboxOf(asking.email)).sort()).toEqual(['Your proof was accepted', 'Your reward is ready: Mug']);
    expect(await inboxOf(quiet.email)).toEqual([]);
  });

  it('BEY-03 mails a founder the digest of pending proofs, once, through the scheduled call', async () => {
    const founder = await signIn();
    const quest = `Quest of ${founder.id}`;
    const { rows } = await sql().query(
      `with project as (
        insert into public.startup_profiles (owner_user_id, name, industry, status) values ($1, $1, 'Other', 'verified') returning id
      ), campaign as (
        insert into public.campaigns
          (startup_id, title, status, published_at, total_slots, task_count, pending_count, submission_count, participant_count)
        select id, $2, 'published', now(), 5, 1, 2, 2, 2 from project returning id
      ), task as (
        insert into public.tasks (campaign_id, title, type, reward_points, max_completions, pending_count)
        select id, 'Task', 'visit', 0, 5, 2 from campaign returning id, campaign_id
      )
      insert into public.submissions (task_id, campaign_id, user_id, proof_text, reward_points, submitted_at)
      select id, campaign_id, 'user_of_digest_' || n, 'x', 0, now() - interval '1 day' from task, generate_series(1, 2) n
      returning campaign_id`,
      [founder.id, quest],
    );
    await sql().query('update public.tasks set pending_count = 2 where campaign_id = $1', [rows[0].campaign_id]);
    await sql().query('update private.deployment set digest_hour = 0');
    await sql().query("delete from private.write_windows where action = 'digests'");
    for (let round = 0; round < 7; round += 1) {
      await work();
      await passTime([founder.id]);
    }
    const digests = (await mails()).filter(({ to }) => to.includes(founder.email));
    expect(digests.map(({ subject }) => subject)).toEqual(['2 proofs are waiting for your decision']);
    expect(digests[0]?.text).toContain(`“${quest}”: 2 proofs are waiting`);
  });

  it('MAIL-03 mails one welcome, wherever the calling function dies', async () => {
    const person = await signIn();
    const ask = (name: string, args: object) =>
      fetch(`${testEnv().SUPABASE_URL}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { apikey: testEnv().SUPABASE_SECRET_KEY, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      }).then((response) => response.json());
    const welcome = { p_user_id: person.id, p_first_name: 'Robin', p_is_startup: false };

    // It dies after the request, then after the claim, then before it can report the sent mail.
    const id = await ask('request_welcome_email', welcome);
    expect(await ask('claim_outbox_events', { p_event_id: id })).toHaveLength(1);
    await passTime([person.id]);
    for (let round = 0; round < 7; round += 1) {
      await work();
      const { rowCount } = await sql().query(
        `update public.outbox_events set processed_at = null, next_attempt_at = now()
         where user_id = $1 and type = 'WelcomeRequested' and $2 < 4`,
        [person.id, round],
      );
      expect(rowCount).toBe(round < 4 ? 1 : 0);
      await passTime([person.id]);
    }
    expect(await ask('request_welcome_email', welcome)).toBeNull();
    expect(await stateOf([person.id])).toEqual({ done: 1 });
    expect(await inboxOf(person.email)).toEqual(['Welcome to Questboard']);
  });

  it('MAIL-02 sends no welcome to an opted-out address', async () => {
    const person = await signIn();
    await sql().query('insert into private.opt_outs (mailbox) values (private.mailbox_key($1))', [person.email]);
    const answer = await person.post('/api/send-email', { type: 'welcome', recipient: { email: person.email } });
    expect(await answer.json()).toEqual({ ok: true, sent: false });
    expect(await stateOf([person.id])).toEqual({ done: 1 });
    expect(await inboxOf(person.email)).toEqual([]);
  });

  it('C-82 mails the confirmation link of an address, but not once it is on the list', async () => {
    const [reader, other] = [newPersona('reader'), newPersona('other')];
    const subscribe = (email: string) => asAnon().rpc('subscribe_to_mailing_list', { p_email: email }).throwOnError();
    await subscribe(reader.email);
    await subscribe(other.email);
    await sql().query('update public.mailing_list set is_active = true where email = $1', [other.email]);
    for (let round = 0; round < 7; round += 1) {
      await work();
      await sql().query(
        "update public.outbox_events set next_attempt_at = now() where type = 'SubscriptionRequested' and processed_at is null",
      );
    }
    expect(await inboxOf(reader.email)).toEqual(['Please confirm your email address']);
    expect(await inboxOf(other.email)).toEqual([]);
    const [mail] = (await mails()).filter(({ to }) => to.includes(reader.email));
    const token = /\/confirm-subscription\?token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1] ?? '';
    await asAnon().rpc('confirm_mailing_list_subscription', { p_token: token }).throwOnError();
    const { rows } = await sql().query('select status from public.mailing_list where email = $1', [reader.email]);
    expect(rows).toEqual([{ status: 'active' }]);
  });

  it('TRUST-27 postpones a mail when the product has reached its daily limit', async () => {
    const person = await signIn();
    await emitFor(person);
    await sql().query('update private.deployment set mails_per_day = 0');
    try {
      await work();
    } finally {
      await sql().query('update private.deployment set mails_per_day = 10000');
    }
    expect(await stateOf([person.id])).toEqual({ waiting: EVENTS_EACH });
    const { rows } = await sql().query('select distinct last_error from public.outbox_events where user_id = $1', [
      person.id,
    ]);
    expect(rows.map(({ last_error }) => last_error)).toContain(
      'MAIL_NOT_SENT: Error: the limit of mails for today is reached',
    );
  });

  it('C-50 loses no mail during a provider outage of a day, calls it once per run, and mails each once afterwards', async () => {
    const person = await signIn();
    const subjects = await emitFor(person);
    const away = await startProvider(() => Response.json({ name: 'internal_server_error' }, { status: 503 }));
    const during = await startFunctions({ env: { ...functionsEnv(testEnv()), RESEND_API_URL: away.url } });
    try {
      for (let hour = 1; hour <= 24; hour += 1) {
        const answer = await fetch(`${during.url}/deliver-events`, {
          method: 'POST',
          headers: { authorization: `Bearer ${testEnv().CRON_SECRET}` },
        });
        expect(await answer.json()).toMatchObject({ ok: true, mailed: 0, failed: 0 });
        expect(away.requests()).toBe(hour);
        await sql().query(
          `update public.outbox_events set next_attempt_at = now(), deferred_since = deferred_since - interval '1 hour'
           where user_id = $1`,
          [person.id],
        );
      }
    } finally {
      await Promise.all([during.close(), away.close()]);
    }
    expect(await stateOf([person.id])).toEqual({ waiting: EVENTS_EACH });
    for (let round = 0; round < 20 && (await stateOf([person.id])).done !== EVENTS_EACH; round += 1) {
      await work();
      await passTime([person.id]);
    }
    expect((await inboxOf(person.email)).sort()).toEqual(subjects);
  });

  it("continues after a short pause when the provider's rate limit is reached", async () => {
    const person = await signIn();
    await emitFor(person);
    const times: number[] = [];
    const strict = await startProvider(async (_attempt, request) => {
      // Mails that other tests have left may be due, too.
      if ((await request.text()).includes(person.email)) times.push(performance.now());
      return Response.json({ id: 'x' }, { headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '1' } });
    });
    const during = await startFunctions({ env: { ...functionsEnv(testEnv()), RESEND_API_URL: strict.url } });
    try {
      await fetch(`${during.url}/deliver-events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testEnv().CRON_SECRET}` },
      });
    } finally {
      await Promise.all([during.close(), strict.close()]);
    }
    expect(await stateOf([person.id])).toEqual({ done: EVENTS_EACH });
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses).toHaveLength(EVENTS_EACH - 1);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000);
  });

  it('keeps unparsable events for the admin, and continues with the rest', async () => {
    const person = await signIn();
    await sql().query("select private.enqueue_event('StartupVerified', $1, '{}')", [person.id]);
    await sql().query('update public.outbox_events set attempts = 7 where user_id = $1', [person.id]);
    // Without a mail, because half of those fail here.
    await sql().query("select private.enqueue_event('SomethingNew', $1, '{}')", [person.id]);
    await work();
    expect(await stateOf([person.id])).toEqual({ failed: 1, done: 1 });
    const { rows } = await sql().query(
      'select last_error from public.outbox_events where user_id = $1 and failed_at is not null',
      [person.id],
    );
    expect(rows[0].last_error).toContain('UNEXPECTED');
  });

  it.each([
    ['nothing', ''],
    ['a guess', 'x'.repeat(32)],
    ['the publishable key', testEnv().SUPABASE_ANON_KEY],
    ['the secret key, which is not for schedules', testEnv().SUPABASE_SECRET_KEY],
  ])('refuses a caller with %s', async (_what, secret) => {
    const answer = await work(secret);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ ok: false, code: 'FORBIDDEN' });
  });
});
