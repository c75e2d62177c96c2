import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import { asService, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  type Member,
  newMember,
  newOwner,
  outsideBeta,
  projectPoints,
  refusal,
  unwrap,
  walletOf,
  withSettings,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { claim, codeOf } from './support/referrals.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const erase = async (who: Member) => {
  expect((await asService().rpc('anonymise_user', { p_user_id: who.id })).error).toBeNull();
};
const NOT_NEW = { status: 409, code: 'NOT_A_NEW_ACCOUNT', message: 'Only new accounts can use a referral code' };

/** A Gmail name that nobody else uses. */
const newName = () => `anna${randomUUID().replaceAll('-', '').slice(0, 12)}`;

/** The n-th spelling of one Gmail mailbox: plus parts, dots, capitals, both domains of the provider. */
function spelling(name: string, n: number): string {
  const at = 1 + (n % (name.length - 1));
  const dotted = n % 2 ? `${name.slice(0, at)}.${name.slice(at)}` : name;
  const tagged = n % 3 ? `${dotted}+t${n}` : dotted;
  return `${n % 5 ? tagged : tagged.toUpperCase()}@${n % 4 ? 'gmail.com' : 'googlemail.com'}`;
}

describe('the mailbox behind an address', () => {
  test.each([
    ['Anna.Berg+news@GoogleMail.com', 'annaberg@gmail.com'],
    ['a.n.n.a@gmail.com.', null],
    ['anna.berg+x+y@example.com', 'anna.berg@example.com'],
    ['anna.berg@example.com', 'anna.berg@example.com'],
    ['+tag@example.com', '+tag@example.com'],
    ['an_na-berg@pm.me', 'annaberg@proton.me'],
    ['anna@me.com', 'anna@icloud.com'],
    ['anna-berg@ya.ru', 'anna.berg@yandex.ru'],
    ['anna-berg@yandex.com', 'anna.berg@yandex.ru'],
    ['anna-shopping@yahoo.co.uk', 'anna@yahoo.co.uk'],
    ['anna-berg@outlook.com', 'anna-berg@outlook.com'],
    ['ａnna@example.com', 'anna@example.com'],
    ['shopping@anna.fastmail.com', 'anna@fastmail.com'],
    ['anna+shopping@fastmail.com', 'anna@fastmail.com'],
    ['shopping@anna.runbox.com', 'anna@runbox.com'],
    ['anna@mail.fastmail.example', 'anna@mail.fastmail.example'],
    ['anna@xn--mller-kva.example', 'anna@müller.example'],
    ['Anna@MÜLLER.example', 'anna@müller.example'],
    ['anna@mail.XN--Mller-KVA.example', 'anna@mail.müller.example'],
    ['anna@xn--fiqs8s.xn--0zwm56d', 'anna@中国.测试'],
    ['anna@中国。example.com', 'anna@中国.example.com'],
    ['anna@ex\u00adam\u200bple.com', 'anna@example.com'],
    // What the registries give to nobody is left alone, above all when it would read like somebody else's domain.
    ['anna@xn--gmail-.com', 'anna@xn--gmail-.com'],
    ['anna@xn--99999999999.example', 'anna@xn--99999999999.example'],
    ['anna@xn--tda.example', 'anna@ü.example'],
    ['anna@xn--!.example', 'anna@xn--!.example'],
    ['anna@xn--z.example', 'anna@xn--z.example'],
    ['anna@xn--wca.example', 'anna@xn--wca.example'],
    ['no address', null],
    [null, null],
  ])('C-81 %s is %s', async (email, mailbox) => {
    const { rows } = await sql().query('select private.normalize_mailbox($1) as mailbox', [email]);
    expect(rows).toEqual([{ mailbox }]);
  });

  test.each([
    'bücherei-café-straße2026',
    'правительство-московской-области',
    'ελληνικά',
    '日本語の郵便局',
    '이메일서비스',
    'नमस्ते',
    'ไปรษณีย์',
    'דואר',
    'ab😀cd💩ef',
    'zéézéézéézéézéé',
    '中a文b中c文d中e文f',
  ])('C-81 a domain in letters (%s) and its Punycode are one', async (name) => {
    const punycode = domainToASCII(`${name}.example`);
    expect(punycode).toMatch(/^xn--/);
    const { rows } = await sql().query('select private.normalize_mailbox($1) as mailbox', [`anna@${punycode}`]);
    expect(rows).toEqual([{ mailbox: `anna@${name}.example` }]);
  });

  test('C-81 only a keyed hash is stored, so addresses cannot be tried without the key', async () => {
    const member = await newMember();
    const { rows } = await sql().query<{ mailbox: Buffer }>(
      'select mailbox from private.known_mailboxes where user_id = $1',
      [member.id],
    );
    expect(rows).toHaveLength(1);
    const plain = await sql().query('select sha256($1::bytea) = $2 as equal', [member.email, rows[0]?.mailbox]);
    expect(plain.rows).toEqual([{ equal: false }]);
    const keyed = `select private.mailbox_key($1) = $2 as equal`;
    expect((await sql().query(keyed, [member.email.toUpperCase(), rows[0]?.mailbox])).rows).toEqual([{ equal: true }]);
    const before = await sql().query<{ value: Buffer }>("select value from private.secrets where name = 'mailbox'");
    expect(before.rows[0]?.value.length).toBe(32);
    const client = await sql().connect();
    try {
      await client.query('begin');
      await client.query("update private.secrets set value = '\\x00' where name = 'mailbox'");
      expect((await client.query(keyed, [member.email, rows[0]?.mailbox])).rows).toEqual([{ equal: false }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('one mailbox, one referral', () => {
  test.each(['"an.na"@gmail.com', 'anna(one)@gmail.com', 'an＠na@example.com', `${'a'.repeat(250)}@gmail.com`])(
    'TRUST-15 C-81 an address in a spelling that hides its mailbox (%s) counts as none, and signs in all the same',
    async (email) => {
      const referrer = await newMember();
      const hidden = await newMember('hidden', { email });
      expect(await unwrap(hidden.client.rpc('sync_current_user', {}))).toMatchObject({ email: null });
      expect(await refusal(claim(hidden, await codeOf(referrer)))).toMatchObject({ code: 'EMAIL_NOT_VERIFIED' });
    },
  );

  test('TRUST-15 TRUST-09 C-81 five deletions and sign-ups with one mailbox pay once', async () => {
    const [referrer, name] = [await newMember(), newName()];
    const code = await codeOf(referrer);
    const answers = [];
    for (let n = 0; n < 5; n += 1) {
      const again = await newMember('again', { email: spelling(name, n) });
      const { error } = await claim(again, code);
      answers.push(error?.hint ?? 'paid');
      await erase(again);
    }
    expect(answers).toEqual(['paid', ...Array(4).fill('NOT_A_NEW_ACCOUNT')]);
    expect((await walletOf(referrer.id)).points).toBe(500);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-15 C-81 every address that an account ever had verified counts', async () => {
    const [referrer, name] = [await newMember(), newName()];
    const code = await codeOf(referrer);
    const first = await newMember('first');
    await unwrap(claim(first, code));
    // The same account, as the provider's token says after a change of address.
    await newMember('moved', { sub: first.id, email: `${name}@gmail.com` });
    await erase(first);
    for (const email of [first.email, spelling(name, 1)]) {
      const back = await newMember('back', { email });
      expect(await refusal(claim(back, code)), email).toEqual(NOT_NEW);
    }
  });

  test('TRUST-15 C-81 the address in the token of the claim counts, though the profile has another one', async () => {
    const [referrer, name] = [await newMember(), newName()];
    const code = await codeOf(referrer);
    await unwrap(claim(await newMember('first', { email: spelling(name, 0) }), code));
    const late = await newMember('late');
    const client = await asUser(late.id, { email: spelling(name, 1), email_verified: true });
    expect(await refusal(claim({ ...late, client }, code))).toEqual(NOT_NEW);
  });

  test('TRUST-15 TRUST-02 two concurrent claims by new accounts of one mailbox are paid once', async () => {
    const [referrer, name] = [await newMember(), newName()];
    const code = await codeOf(referrer);
    const accounts = [];
    for (let n = 0; n < 8; n += 1) accounts.push(await newMember('twin', { email: spelling(name, n) }));
    const results = await Promise.all(accounts.map((account) => claim(account, code)));
    expect(results.filter(({ error }) => !error)).toHaveLength(1);
    expect((await walletOf(referrer.id)).points).toBe(500);
  });

  test('TRUST-15 TRUST-02 so are two whose common mailbox shows only in the tokens of their claims', async () => {
    const [referrer, name] = [await newMember(), newName()];
    const code = await codeOf(referrer);
    const claims = (n: number) => ({ email: spelling(name, n), email_verified: true });
    const [first, second] = [await newMember('first'), await newMember('second')];
    const claiming = await sql().connect();
    try {
      await claiming.query('begin');
      await actAs(claiming, { ...first, claims: claims(0) });
      await claiming.query('select public.process_referral_signup($1, $2)', [first.id, code]);
      const refused = refusal(claim({ ...second, client: await asUser(second.id, claims(1)) }, code));
      await untilWaiting();
      await claiming.query('commit');
      expect(await refused).toEqual(NOT_NEW);
    } finally {
      await claiming.query('rollback');
      claiming.release();
    }
    expect((await walletOf(referrer.id)).points).toBe(500);
  });

  test('TRUST-15 C-80 nobody can be referred by a newer account: a ring of three pays nothing back', async () => {
    const [a, b, c] = [await newMember('a'), await newMember('b'), await newMember('c')];
    await unwrap(claim(b, await codeOf(a)));
    await unwrap(claim(c, await codeOf(b)));
    expect(await refusal(claim(a, await codeOf(c)))).toEqual({
      status: 400,
      code: 'INVALID_REFERRAL_CODE',
      message: 'Invalid referral code',
    });
    expect((await walletOf(a.id)).points).toBe(500);
  });
});

describe('one mailbox, one trial budget and one plan', () => {
  /** What the mail about the person's verified project says of the trial points. */
  const mailedPoints = async ({ id }: Pick<Member, 'id'>) => {
    const { rows } = await sql().query<{ points: string | null }>(
      "select payload ->> 'trial_points' as points from public.outbox_events where type = 'StartupVerified' and user_id = $1",
      [id],
    );
    return rows.map(({ points }) => points);
  };

  const newProject = async (email: string) => {
    const member = await newMember('founder', { email });
    const startup = await unwrap(
      member.client.rpc('create_startup_profile', { p_name: `Project ${randomUUID()}`, p_industry: 'SaaS' }),
    );
    const eligibility = await unwrap(
      member.client.rpc('validate_campaign_creation_eligibility', { p_user_id: member.id }),
    );
    return { member, startup, message: (eligibility as { trial_message: string | null }).trial_message };
  };

  test('TRUST-15 TRUST-02 C-81 two projects that accounts of one mailbox create at the same time get one trial budget', async () => {
    const name = newName();
    const [first, second] = [
      await newMember('first', { email: spelling(name, 0) }),
      await newMember('second', { email: spelling(name, 1) }),
    ];
    const creating = await sql().connect();
    try {
      await creating.query('begin');
      await actAs(creating, first);
      const project = "select id from public.create_startup_profile($1, p_industry => 'SaaS')";
      const { rows } = await creating.query<{ id: string }>(project, [`Project ${name}`]);
      const later = unwrap(
        second.client.rpc('create_startup_profile', { p_name: `Project ${randomUUID()}`, p_industry: 'SaaS' }),
      );
      await untilWaiting();
      await creating.query('commit');
      const points = [await projectPoints(rows[0]?.id ?? ''), await projectPoints((await later).id)];
      expect(points.map(({ free }) => free)).toEqual([500, 0]);
    } finally {
      await creating.query('rollback');
      creating.release();
    }
  });

  test('TRUST-15 C-81 C-02 whoever comes back is verified, starts with 0 points, and is told why', async () => {
    const name = newName();
    const first = await newProject(spelling(name, 0));
    expect([first.message, await projectPoints(first.startup.id)]).toEqual([null, { free: 500, reserved: 0 }]);
    for (let n = 1; n < 4; n += 1) {
      await erase(first.member);
      const again = await newProject(spelling(name, n));
      expect(again.startup.status).toBe('verified');
      expect(await projectPoints(again.startup.id)).toEqual({ free: 0, reserved: 0 });
      expect(again.message).toBe(
        'Your email address has already received its trial points, so your project starts with 0 points.',
      );
      expect(await mailedPoints(again.member)).toEqual(['0']);
    }
  });

  test('C-81 the mail about a verified project names its points, and blames no earlier grant when there was none', async () => {
    for (const [trial_budget_points, mailed] of [
      [0, null],
      [1, '1'],
    ] as const)
      await withSettings({ trial_budget_points }, async () => {
        const { member, startup } = await newProject(spelling(newName(), 0));
        expect([startup.status, await mailedPoints(member)]).toEqual(['verified', [mailed]]);
      });
    // The points come with the verified address.
    const early = await newMember('unverified', { email_verified: false });
    await unwrap(early.client.rpc('create_startup_profile', { p_name: `Early ${randomUUID()}`, p_industry: 'SaaS' }));
    expect(await mailedPoints(early)).toEqual([null]);
  });

  test('TRUST-15 C-81 a project without a verified address gets its budget once the address is verified', async () => {
    const owner = await newOwner();
    expect((await projectPoints(owner.startup.id)).free).toBe(500);
    const unverified = await newMember('unverified', { email_verified: false });
    const startup = await unwrap(
      unverified.client.rpc('create_startup_profile', { p_name: 'Unverified', p_industry: 'SaaS' }),
    );
    expect((await projectPoints(startup.id)).free).toBe(0);
    await newMember('verified', { sub: unverified.id, email: unverified.email });
    expect((await projectPoints(startup.id)).free).toBe(500);
    await newMember('verified', { sub: unverified.id, email: newPersona().email });
    expect((await projectPoints(startup.id)).free).toBe(500);
    // Not before the project is verified as well.
    const pending = await newMember('pending', { email_verified: false });
    const waiting = await outsideBeta(() =>
      unwrap(pending.client.rpc('create_startup_profile', { p_name: 'Pending', p_industry: 'SaaS' })),
    );
    await newMember('verified', { sub: pending.id, email: pending.email });
    expect((await projectPoints(waiting.id)).free).toBe(0);
  });

  test('TRUST-15 C-81 a plan belongs to the person: it returns with them, and a second one is refused', async () => {
    const name = newName();
    const [first, twin] = [await newProject(spelling(name, 0)), await newProject(spelling(name, 1))];
    const activate = (startupId: string) =>
      asService().rpc('activate_subscription', {
        p_startup_id: startupId,
        p_plan_id: 'og_lifetime',
        p_event_id: `evt_${randomUUID()}`,
        p_payment_ref: `pi_${randomUUID()}`,
        p_amount_cents: 9900,
      });
    expect((await activate(first.startup.id)).data).toMatchObject({ activated: true });
    expect((await activate(twin.startup.id)).data).toEqual({ activated: false, reason: 'already_subscribed' });
    expect(
      await refusal(
        asService().rpc('reserve_checkout_slot', {
          p_user_id: twin.member.id,
          p_startup_id: twin.startup.id,
          p_plan_id: 'og_lifetime',
        }),
      ),
    ).toMatchObject({ status: 409, code: 'ALREADY_SUBSCRIBED' });

    await erase(first.member);
    const back = await newProject(spelling(name, 2));
    const { rows } = await sql().query(
      'select s.startup_id, s.status, p.og_badge from public.subscriptions s join public.user_profiles p on p.user_id = s.owner_user_id where p.user_id = $1',
      [back.member.id],
    );
    expect(rows).toEqual([{ startup_id: back.startup.id, status: 'active', og_badge: true }]);
  });

  test.each(['paid', 'disputed'])(
    'C-81 a %s plan passes to a project that the person has under another account, which could buy none',
    async (state) => {
      const name = newName();
      const [first, twin] = [await newProject(spelling(name, 0)), await newProject(spelling(name, 1))];
      const payment = { p_payment_ref: `pi_${randomUUID()}` };
      const dispute = { p_dispute_ref: `dp_${randomUUID()}` };
      const event = () => ({ p_event_id: `evt_${randomUUID()}`, ...payment });
      const plan = { p_startup_id: first.startup.id, p_plan_id: 'og_lifetime', p_amount_cents: 9900 };
      await unwrap(asService().rpc('activate_subscription', { ...event(), ...plan }));
      const isDisputed = state === 'disputed';
      if (isDisputed) await unwrap(asService().rpc('end_payment', { ...event(), ...dispute, p_status: 'disputed' }));
      await erase(first.member);
      if (isDisputed) await unwrap(asService().rpc('reinstate_payment', { ...event(), ...dispute }));
      await unwrap(twin.member.client.rpc('sync_current_user', {}));
      expect(await unwrap(twin.member.client.from('subscriptions').select('startup_id, status'))).toEqual([
        { startup_id: twin.startup.id, status: 'active' },
      ]);
      const badges = await unwrap(twin.member.client.from('user_profiles').select('og_badge'));
      expect(badges).toEqual([{ og_badge: true }]);
    },
  );

  test('C-81 two plans that turn out to be one person’s do not keep them from making a project', async () => {
    const address = `${newName()}@gmail.com`;
    const [left, stays] = [await newProject(address), await newProject(`${newName()}@gmail.com`)];
    const plans = [];
    for (const { startup } of [left, stays]) {
      plans.push(
        await unwrap(
          asService().rpc('activate_subscription', {
            p_startup_id: startup.id,
            p_plan_id: 'og_lifetime',
            p_event_id: `evt_${randomUUID()}`,
            p_payment_ref: `pi_${randomUUID()}`,
            p_amount_cents: 9900,
          }),
        ),
      );
    }
    expect(plans).toMatchObject([{ activated: true }, { activated: true }]);
    await erase(left.member);
    const { client } = stays.member;
    await sql().query('select private.remember_mailbox($1, $2)', [stays.member.id, address]);
    await client.rpc('delete_startup_profile', { p_startup_id: stays.startup.id }).throwOnError();
    // Until its owner has a project again, it belongs to no other one.
    await newOwner();
    const again = { p_name: `Again ${stays.member.name}`, p_industry: 'SaaS' };
    const unattached = await unwrap(client.from('subscriptions').select('startup_id, status'));
    expect(unattached).toEqual([{ startup_id: null, status: 'active' }]);
    const { id } = await unwrap(client.rpc('create_startup_profile', again));
    const own = await unwrap(client.from('subscriptions').select('startup_id, status'));
    expect(own).toEqual([{ startup_id: id, status: 'active' }]);
  });
});
