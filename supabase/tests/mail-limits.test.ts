import { describe, expect, test } from 'vitest';
import { asAnon, asService, newPersona, sql } from '../../local/testing/clients.ts';
import { newMember, refusal, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

const service = asService();

setUpDatabase();

describe('admit_mail', () => {
  const admit = (email: string, id?: number) =>
    unwrap(service.rpc('admit_mail', { p_email: email, ...(id === undefined ? {} : { p_event_id: id }) }));
  /** An event caused by a person. */
  async function emitBy(actor: string | null, type = 'Tested'): Promise<number> {
    const { rows } = await sql().query(
      'insert into public.outbox_events (type, user_id, actor_id) values ($1, $2, $2) returning id::int',
      [type, actor],
    );
    return rows[0].id;
  }
  const address = (label: string) => newPersona(label).email;
  const repeat = async (times: number, run: () => Promise<unknown>): Promise<unknown[]> => {
    const answers = [];
    for (let call = 0; call < times; call += 1) answers.push(await run());
    return answers;
  };

  /** Expects what is limited now to be sent again after a day, and not before. */
  async function expectLimitOfADay(ask: () => Promise<unknown>): Promise<void> {
    for (const [time, answer] of [
      ['23 hours', 'limited'],
      ['1 hour', 'send'],
    ]) {
      await sql().query('update private.rate_limits set hits = array(select h - $1::interval from unnest(hits) h)', [
        time,
      ]);
      expect(await ask()).toBe(answer);
    }
  }

  test('TRUST-27 allows thirty mails a day to a mailbox, without affecting others', async () => {
    const email = address('much');
    expect(await repeat(32, () => admit(email))).toEqual([...Array(30).fill('send'), 'limited', 'limited']);
    // However its address is written.
    expect(await admit(email.toUpperCase().replace('@', '+news@'))).toBe('limited');
    expect(await admit(address('other'))).toBe('send');
    await expectLimitOfADay(() => admit(email));
  });

  test('TRUST-27 counts an event once, however often it is retried', async () => {
    const [email, id] = [address('retry'), await emitBy(null)];
    expect(await repeat(40, () => admit(email, id))).toEqual(Array(40).fill('send'));
    expect(await repeat(30, () => admit(email))).toEqual([...Array(29).fill('send'), 'limited']);
  });

  test('TRUST-27 allows one account to cause five hundred mails a day', async () => {
    const [actor, other] = [await newMember(), await newMember()];
    const ids = (
      await sql().query<{ id: number }>(
        "insert into public.outbox_events (type, actor_id) select 'Tested', $1 from generate_series(1, 502) returning id::int",
        [actor.id],
      )
    ).rows.map(({ id }) => id);
    const answers: Record<string, number> = {};
    for (const id of ids) {
      const answer = await admit(address('victim'), id);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    expect(answers).toEqual({ send: 500, limited: 2 });
    expect(await admit(address('victim'), await emitBy(other.id))).toBe('send');
    await expectLimitOfADay(async () => admit(address('victim'), await emitBy(actor.id)));
  });

  test('TRUST-27 the event of an action records the actor, until that account is deleted', async () => {
    const member = await newMember();
    await unwrap(
      member.client.rpc('create_startup_profile', { p_name: `Project of ${member.name}`, p_industry: 'SaaS' }),
    );
    const actors = async () =>
      (await sql().query('select distinct actor_id from public.outbox_events where user_id = $1', [member.id])).rows;
    expect(await actors()).toEqual([{ actor_id: member.id }]);
    await service.rpc('anonymise_user', { p_user_id: member.id }).throwOnError();
    expect(await actors()).toEqual([{ actor_id: null }]);
  });

  test("TRUST-27 announces a project's verification once a day", async () => {
    const email = address('founder');
    const verified = async () => admit(email, await emitBy(null, 'StartupVerified'));
    expect(await repeat(3, verified)).toEqual(['send', 'limited', 'limited']);
    expect(await admit(email)).toBe('send');
    await expectLimitOfADay(verified);
  });

  test("TRUST-27 stays within the product's daily limit; the rest is sent later", async () => {
    const { rows } = await sql().query(
      "select coalesce(sum(amount), 0)::int as sent from private.write_windows where action = 'mails'",
    );
    await sql().query('update private.deployment set mails_per_day = $1', [rows[0].sent + 2]);
    try {
      expect(await repeat(3, () => admit(address('late')))).toEqual(['send', 'send', 'exhausted']);
    } finally {
      await sql().query('update private.deployment set mails_per_day = 10000');
    }
  });

  test("TRUST-27 a mail that waits for tomorrow's total is not dropped then for having been tried before", async () => {
    const [email, actor] = [address('patient'), await newMember()];
    const id = await emitBy(actor.id, 'StartupVerified');
    await sql().query('update private.deployment set mails_per_day = 0');
    try {
      expect(await repeat(31, () => admit(email, id))).toEqual(Array(31).fill('exhausted'));
    } finally {
      await sql().query('update private.deployment set mails_per_day = 10000');
    }
    expect(await admit(email, id)).toBe('send');
  });

  test('MAIL-02 TRUST-25 sends no mail to opted-out addresses, except the one that asks whether to come back', async () => {
    const member = await newMember();
    const token = await unwrap(service.rpc('get_unsubscribe_token', { p_email: member.email }));
    await service.rpc('unsubscribe_from_mailing_list', { p_token: token }).throwOnError();
    expect(await admit(member.email)).toBe('opted_out');
    expect(await admit(member.email, await emitBy(null))).toBe('opted_out');
    expect(await admit(member.email, await emitBy(null, 'SubscriptionRequested'))).toBe('send');
  });

  test('BEY-10 an owner is asked to delete a withdrawn address also after an opt-out and above the limit of the mailbox', async () => {
    const [busy, member] = [address('busy'), await newMember()];
    await repeat(30, () => admit(busy));
    expect(await admit(busy)).toBe('limited');
    expect(await admit(busy, await emitBy(null, 'EmailWithdrawn'))).toBe('send');
    const token = await unwrap(service.rpc('get_unsubscribe_token', { p_email: member.email }));
    await service.rpc('unsubscribe_from_mailing_list', { p_token: token }).throwOnError();
    expect(await admit(member.email, await emitBy(null, 'EmailWithdrawn'))).toBe('send');
  });

  test('C-82 TRUST-27 a mail counts for a day, and what asks an address to confirm also for five minutes', async () => {
    const [email, actor] = [address('asked'), await newMember()];
    await unwrap(asAnon().rpc('subscribe_to_mailing_list', { p_email: email }));
    await admit(email, await emitBy(actor.id, 'StartupVerified'));
    const { rows } = await sql().query(
      `select split_part(subject, ':', 1) as subject, action, extract(epoch from expires_at - hits[1])::integer as seconds
       from private.rate_limits where subject in ('mailbox:' || encode(private.mailbox_key($1), 'hex'), 'user:' || $2)
       order by subject, action`,
      [email, actor.id],
    );
    expect(rows).toEqual([
      { subject: 'mailbox', action: 'confirmation', seconds: 300 },
      { subject: 'mailbox', action: 'confirmations', seconds: 86_400 },
      { subject: 'mailbox', action: 'mail', seconds: 86_400 },
      { subject: 'mailbox', action: 'mail:StartupVerified', seconds: 86_400 },
      { subject: 'user', action: 'mail', seconds: 86_400 },
    ]);
  });

  test('SEC-04 is for the service role only', async () => {
    const member = await newMember();
    expect((await refusal(member.client.rpc('admit_mail', { p_email: member.email }))).status).toBe(403);
  });
});
