import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import { grantPoints, type Member, newMember, newOwner, newQuest, suspend, unwrap } from './support/factories.ts';
import { answerDuring, untilWaiting } from './support/locks.ts';
import { creditPurchase, newBuyer, newPayment } from './support/purchases.ts';
import { claim, codeOf } from './support/referrals.ts';
import { newReward, redeem } from './support/rewards.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { markVerified, upload } from './support/uploads.ts';

setUpDatabase();

// The identity provider reports a deleted account while its session still acts: what such a call writes must not outlive the erasure.

const ADDRESS = { name: 'Ada Erased', street: '1 Late Street', postal_code: '1000', city: 'Here', country: 'FR' };

type Answer = { error: { hint?: string } | null };

/** Starts a call while its person is being erased, and resolves to its answer. */
const duringErasure = (userId: string, start: () => PromiseLike<Answer>) =>
  answerDuring((client) => client.query('select public.anonymise_user($1)', [userId]), start);

interface Call {
  what: string;
  start: (person: Member, taskId: string, rewardId: string) => PromiseLike<Answer>;
}

const calls: Call[] = [
  { what: 'a proof', start: ({ client }, taskId) => client.rpc('submit_proof', { p_task_id: taskId, p_text: 'late' }) },
  { what: 'a redemption', start: (person, _, rewardId) => redeem(person, rewardId, ADDRESS) },
  { what: 'a choice of interests', start: ({ client }) => client.rpc('save_interests', { p_interests: ['SaaS'] }) },
];

test.for(calls)('TRUST-28 $what that meets an erasure under way is refused, and leaves nothing', async ({ start }) => {
  const [person, { taskId }] = [await newMember(), await newQuest(await newOwner())];
  const rewardId = await newReward({ delivery: 'post' });
  await grantPoints(person, 100);
  const answer = await duringErasure(person.id, () => start(person, taskId, rewardId));
  expect(answer.error?.hint).toBe('UNAUTHENTICATED');
  const { rows } = await sql().query(
    `select p.interests, (select count(*)::int from public.submissions s where s.user_id = p.user_id) as submissions,
       (select count(*)::int from public.redemptions r where r.user_id = p.user_id) as redemptions
     from public.user_profiles p where p.user_id = $1`,
    [person.id],
  );
  expect(rows).toEqual([{ interests: [], submissions: 0, redemptions: 0 }]);
});

interface Writing {
  what: string;
  /** Resolves to the call once its person has what it needs. */
  prepare: (person: Member) => Promise<() => PromiseLike<Answer>>;
  /** Finds what the call would leave of the person $1. */
  trace: string;
  /** Null for what visitors may do, too: the call goes on as one of them. */
  code: 'UNAUTHENTICATED' | 'FILE_NOT_FOUND' | null;
}

const writings: Writing[] = [
  {
    what: 'an appeal',
    prepare: async (person) => {
      const { client } = await suspend(person);
      return () => client.rpc('submit_appeal', { p_kind: 'suspension', p_words: 'Late words' });
    },
    trace: 'select 1 from public.appeals where user_id = $1',
    code: 'UNAUTHENTICATED',
  },
  {
    what: 'a changed rating',
    prepare: async ({ client }) => {
      const rating = { p_rating: 4, p_feedback_text: 'Early words' };
      const { startup } = await newOwner();
      const { id } = await unwrap(client.rpc('submit_project_feedback', { ...rating, p_project_id: startup.id }));
      return () =>
        client.rpc('update_project_feedback', { ...rating, p_feedback_id: id, p_feedback_text: 'Late words' });
    },
    trace: "select 1 from public.project_feedback where user_id = $1 and feedback_text = 'Late words'",
    code: 'UNAUTHENTICATED',
  },
  {
    what: 'a choice of mails',
    prepare:
      async ({ client }) =>
      () =>
        client.rpc('set_notification_preference', { p_kind: 'quest_full', p_is_mailed: true }),
    trace: 'select 1 from public.notification_preferences where user_id = $1',
    code: 'UNAUTHENTICATED',
  },
  {
    what: 'an accepted invitation',
    prepare: async (person) => {
      const referrer = await newMember();
      // Whoever invites has been here for longer.
      await sql().query(
        "update public.user_profiles set created_at = created_at - interval '1 day' where user_id = $1",
        [referrer.id],
      );
      const code = await codeOf(referrer);
      return () => claim(person, code);
    },
    trace: 'select 1 from public.referrals where referred_user_id = $1',
    code: 'UNAUTHENTICATED',
  },
  {
    what: 'the check of a picture',
    prepare: async (person) => {
      const path = await upload(person, 'proofs');
      return () => markVerified('proofs', path);
    },
    trace: 'select 1 from private.verified_uploads where owner = $1',
    code: 'FILE_NOT_FOUND',
  },
  {
    what: "a project's signed call",
    prepare: async ({ client }) => {
      const owner = await newOwner();
      await unwrap(owner.client.rpc('create_signing_secret', { p_startup_id: owner.startup.id }));
      const { taskId } = await newQuest(owner, { task: { verification: 'call', link_url: 'https://shop.example/' } });
      const [started] = await unwrap(client.rpc('start_task', { p_task_id: taskId }));
      const call = { p_startup_id: owner.startup.id, p_call_id: randomUUID(), p_token: started?.token ?? '' };
      return () => asService().rpc('complete_task_by_call', call);
    },
    trace: 'select 1 from public.submissions where user_id = $1',
    // The refusal is an answer to the project.
    code: null,
  },
  {
    what: 'a subscription',
    prepare:
      async ({ client, email }) =>
      () =>
        client.rpc('subscribe_to_mailing_list', { p_email: email }),
    trace: 'select 1 from public.mailing_list where user_id = $1',
    code: null,
  },
  {
    what: 'a message',
    prepare:
      async ({ client }) =>
      () =>
        client.rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'Late words' }),
    trace: 'select 1 from public.beta_feedback where user_id = $1',
    code: null,
  },
  {
    what: 'a usage event',
    prepare:
      async ({ client }) =>
      () =>
        client.from('metrics_events').insert({ type: 'page_view', data: {} }),
    trace: 'select 1 from public.metrics_events where user_id = $1',
    code: null,
  },
];

test.for(writings)('TRUST-28 $what that meets an erasure under way leaves nothing of its person', async (writing) => {
  const person = await newMember();
  const start = await writing.prepare(person);
  const answer = await duringErasure(person.id, start);
  expect(answer.error?.hint ?? null).toBe(writing.code);
  expect((await sql().query(writing.trace, [person.id])).rowCount).toBe(0);
});

test('TRUST-28 a first sign-in that meets an erasure under way is refused, and leaves no profile', async () => {
  const persona = newPersona();
  const client = await asUser(persona);
  const answer = await duringErasure(persona.id, () => client.rpc('sync_current_user', {}));
  expect(answer.error?.hint).toBe('UNAUTHENTICATED');
  const { rowCount } = await sql().query('select 1 from public.user_profiles where user_id = $1', [persona.id]);
  expect(rowCount).toBe(0);
});

test("TRUST-28 an owner's change that meets an erasure under way is refused, and leaves no words", async () => {
  const { id, client, startup } = await newOwner();
  const change = { p_startup_id: startup.id, p_name: startup.name, p_description: 'Late words' };
  const answer = await duringErasure(id, () => client.rpc('update_startup_profile', change));
  expect(answer.error?.hint).toBe('UNAUTHENTICATED');
  const { rows } = await sql().query('select description from public.startup_profiles where id = $1', [startup.id]);
  expect(rows).toEqual([{ description: null }]);
});

test("TRUST-28 C-108 the provider's report that meets an erasure leaves no picture and no accounts", async () => {
  const { id } = await newMember();
  const report = {
    p_user_id: id,
    p_avatar_url: 'https://img.example/face.png',
    p_accounts: { github: 'ada' },
    p_changed_at: new Date().toISOString(),
  };
  expect(await duringErasure(id, () => asService().rpc('save_provider_account', report))).toMatchObject({
    data: false,
  });
  const { rows } = await sql().query(
    'select avatar_url, verified_socials from public.user_profiles where user_id = $1',
    [id],
  );
  expect(rows).toEqual([{ avatar_url: null, verified_socials: {} }]);
});

test('TRUST-28 C-110 no receipt is stored for an erased account, however late it comes', async () => {
  const { owner, payment } = await newBuyer();
  const receive = () =>
    asService().rpc('record_payment_receipt', { p_payment_ref: payment, p_receipt_url: 'https://pay.example/receipt' });
  expect((await duringErasure(owner.id, receive)).error).toBeNull();
  // The provider may deliver the event of the payment again.
  await unwrap(receive());
  const { rows } = await sql().query('select receipt_url from public.point_purchases where owner_user_id = $1', [
    owner.id,
  ]);
  expect(rows).toEqual([{ receipt_url: null }]);
});

const payments = [
  {
    what: 'the plan',
    pay: (p_startup_id: string) =>
      asService().rpc('activate_subscription', {
        p_startup_id,
        p_plan_id: 'og_lifetime',
        p_event_id: `evt_${randomUUID()}`,
        p_payment_ref: `pi_${randomUUID()}`,
        p_amount_cents: 9900,
      }),
  },
  { what: 'points', pay: (id: string) => creditPurchase({ startup: { id } }, newPayment()) },
];

test.for(payments)(
  'BEY-20 C-20 a payment for $what that meets the erasure of its owner is given back',
  async ({ pay }) => {
    const { id, startup } = await newOwner();
    const answer = await duringErasure(id, () => pay(startup.id));
    expect(answer).toMatchObject({ data: { reason: 'startup_not_found' } });
  },
);

test('TRUST-28 an erasure waits for the calls of its person, and takes along what they wrote', async () => {
  const [person, { taskId }] = [await newMember(), await newQuest(await newOwner())];
  const blocker = await sql().connect();
  try {
    await blocker.query('begin');
    await blocker.query('select 1 from public.tasks where id = $1 for update', [taskId]);
    const proof = unwrap(person.client.rpc('submit_proof', { p_task_id: taskId, p_text: `late ${randomUUID()}` }));
    await untilWaiting();
    const erasure = unwrap(asService().rpc('anonymise_user', { p_user_id: person.id }));
    await untilWaiting(2);
    await blocker.query('commit');
    await Promise.all([proof, erasure]);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  const { rows } = await sql().query('select proof_text from public.submissions where user_id = $1', [person.id]);
  expect(rows).toEqual([{ proof_text: 'Removed with the account' }]);
});

test.each(['was', 'is being'])(
  'TRUST-28 a mail that a worker has claimed is not sent if its reader %s erased',
  async (when) => {
    const { id, email } = await newMember();
    const event = "select private.enqueue_event('RedemptionFulfilled', $1, $2) as id";
    const { rows } = await sql().query(event, [id, { title: 'Mug', note: null }]);
    const p_event_id = Number(rows[0].id);
    const claimed = await unwrap(asService().rpc('claim_outbox_events', { p_event_id }));
    expect(claimed).toMatchObject([{ email }]);
    const admit = () => asService().rpc('admit_mail', { p_email: email, p_event_id });
    if (when === 'was') await unwrap(asService().rpc('anonymise_user', { p_user_id: id }));
    const answer = when === 'was' ? await admit() : await duringErasure(id, admit);
    expect(answer).toMatchObject({ data: 'settled' });
  },
);

test('TRUST-28 a new member whose claim meets the erasure of the member who invited them is refused, and nobody is paid', async () => {
  const [referrer, newcomer] = [await newMember(), await newMember()];
  const code = await codeOf(referrer);
  const answer = await duringErasure(referrer.id, () => claim(newcomer, code));
  expect(answer.error?.hint).toBe('INVALID_REFERRAL_CODE');
  const paid =
    'select 1 from public.transfers t join public.entries e on e.transfer_id = t.id join public.wallets w on w.id = e.wallet_id';
  expect((await sql().query(`${paid} where w.user_id = any ($1)`, [[referrer.id, newcomer.id]])).rows).toEqual([]);
});
