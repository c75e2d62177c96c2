import { describe, expect, test } from 'vitest';
import { asAnon, asUser, newPersona, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  refusal,
  unwrap,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const rename = ({ client, startup }: Owner, name: string, website?: string) =>
  client.rpc('update_startup_profile', { p_startup_id: startup.id, p_name: name, p_website: website });
const create = (who: Member, name: string) =>
  who.client.rpc('create_startup_profile', { p_name: name, p_industry: 'SaaS' });

const HIDDEN = [
  'a\u202Eb',
  'a\u200Bb',
  'a\u0007b',
  'a\u2066b',
  '\uFEFFab',
  'a\u00ADb',
  'a\nb',
  'a\u{E0041}b',
  '\u3164',
  'Quest\u{1D173}board',
  'Quest\u{1BCA0}board',
  'Quest\u{16FE4}board',
  'Quest\u{13430}board',
  'a\u{1D159}b',
  'a\uFFFCb',
  'a\u200Db',
  'a\u200Cb',
  '👩\u200Db',
  'ا\u200C',
  'क\u200Dष',
  'क्\u200Da',
  'a\u094D\u200D',
  'क्\u200C',
  'क्\u200D\u200Dष',
  'র\u200Dয',
  'അ\u200Dന',
  'ab\u0D4D\u200D',
  '\u0301\u0301\u0301',
  ' \u0308a',
];
const RESERVED = [
  'Questboard',
  'QUESTBOARD team',
  'Anna Support',
  'admin',
  'The Official Anna',
  'Quеstbоard',
  'adm1n',
  'Ｓupport',
  'Questboard™',
  'QuestboardTeam',
  'Quest\ufe0fboard',
  'Quest\u200aboard',
  'Admin\u2120',
  'Qᴜᴇꜱᴛʙᴏᴀʀᴅ',
  'ꓢꓴꓑꓑꓳꓣꓔ',
  'ᎪᎠᎷᎥn',
  'Mօderatօr',
  // Cyrillic ve and soft sign, Greek sigma and eta, the estimated sign, Latin fish-hook r and epsilon, Greek digamma and mu.
  'Questвoard',
  'QuestЬoard',
  'Questьoard',
  'Questbσard',
  'Admiη',
  'Qu℮stboard',
  'Questboaɾd',
  'Quɛstboard',
  'Quєstboard',
  'oϜϜicial',
  'oғғicial',
  'Qμestboard',
  'AԀMIN',
  // What erased accounts are called.
  'Deleted Member',
];
const HONEST = [
  'Արամ Խաչատրյան',
  'ᏣᎳᎩ',
  'Anna',
  'Lilly O’Neill',
  'Administrative Studies',
  '李小龍',
  'Łukasz',
  'Ångström ❤️',
  'A\u030angstro\u0308m',
  '👩‍💻 Zoë 🏳️‍🌈 👨‍👩‍👧',
  'علی\u200cرضا',
  // Devanagari, Sinhala, Malayalam and Bengali.
  'राज\u094d\u200dय शर\u094d\u200cमा',
  'ශ\u0dca\u200dරී',
  'അന\u0d3fല\u0d4d\u200d കുമാര\u0d4d\u200d',
  'র\u200d\u09cd\u09afাচেল',
  'supportive',
  'Quest Board Games',
];

describe('C-96 a name', () => {
  test.each(HIDDEN)(
    'with a character that is not seen (%j) is refused for people, projects and quests',
    async (name) => {
      const owner = await newOwner();
      const refused = { status: 400, code: 'HIDDEN_CHARACTERS', message: 'Please use visible characters only' };
      await changesNothing(async () => {
        expect(await refusal(owner.client.rpc('update_profile', { p_username: name, p_display_name: 'A' }))).toEqual(
          refused,
        );
        expect(await refusal(owner.client.rpc('update_profile', { p_username: 'a', p_display_name: name }))).toEqual(
          refused,
        );
        expect(await refusal(rename(owner, name))).toEqual(refused);
        const quest = { p_startup_id: owner.startup.id, p_campaign: { title: name }, p_task: {} };
        expect(await refusal(owner.client.rpc('create_quest', quest))).toEqual(refused);
      });
    },
  );

  test.each(RESERVED)(
    'that sounds like Questboard itself (%s) is refused for people and projects, but not for admins',
    async (name) => {
      const [owner, admin] = [await newOwner(), await newAdmin()];
      const refused = {
        status: 400,
        code: 'RESERVED_NAME',
        message: 'This name is reserved. Please choose another one.',
      };
      for (const names of [
        { p_username: name, p_display_name: 'A' },
        { p_username: 'a', p_display_name: name },
      ])
        expect(await refusal(owner.client.rpc('update_profile', names))).toEqual(refused);
      expect(await refusal(rename(owner, name))).toEqual(refused);
      const own = await unwrap(admin.client.rpc('update_profile', { p_username: name, p_display_name: 'A' }));
      expect(own.username).toBe(name);
    },
  );

  test.each(HONEST)('an honest name (%s) is accepted', async (name) => {
    const member = await newMember();
    const profile = await unwrap(member.client.rpc('update_profile', { p_username: name, p_display_name: name }));
    expect(profile.username).toBe(name);
  });

  test('of a quest may mention support, but not as Questboard', async () => {
    const owner = await newOwner();
    const create = (title: string) =>
      owner.client.rpc('create_quest', {
        p_startup_id: owner.startup.id,
        p_campaign: { title },
        p_task: { title: 'T', instructions_md: 'I', reward_points: 1, max_completions: 1 },
      });
    for (const title of ['Questboard bonus', 'Official Support', 'Quеstboard giveaway', 'Quest\u200aboard™ gift']) {
      expect(await refusal(create(title)), title).toMatchObject({ code: 'RESERVED_NAME' });
    }
    const quest = await unwrap(create('Write to our support'));
    expect(quest.title).toBe('Write to our support');
    // The product's own quests, by an admin who has a project.
    const admin = await asUser(owner, { public_metadata: { role: 'admin' } });
    const tasks = await unwrap(owner.client.from('tasks').select().eq('campaign_id', quest.id));
    const renamed = admin.rpc('update_campaign', {
      p_campaign_id: quest.id,
      p_campaign: { title: 'Questboard bonus', summary: 'Try it', budget_points: 500 },
      p_tasks: tasks,
    });
    expect((await unwrap(renamed)).title).toBe('Questboard bonus');
  });

  test('that the identity provider reports never prevents sign-in: an invalid one is replaced', async () => {
    const persona = newPersona('named');
    const client = await asUser(
      { ...persona, id: `${persona.id}ABC`, email: `support@${persona.id.slice(-8)}.example` },
      { name: 'Questboard\u202E' },
    );
    const profile = await unwrap(client.rpc('sync_current_user', {}));
    expect(profile).toMatchObject({ display_name: null, username: `member-${persona.id.slice(-3)}abc` });
  });
});

describe('C-96 a project’s name', () => {
  test("that looks like another verified project's is refused, whatever the letters, also when two projects take it at once", async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const base = `Paypal ${owner.id.slice(-8)}`;
    await unwrap(rename(owner, base));
    const taken = {
      status: 409,
      code: 'NAME_TAKEN',
      message: 'This name looks like that of another project. Please choose another one.',
    };
    const suffix = base.slice('Paypal '.length);
    for (const alike of [
      base,
      `PAYPAI ${suffix}`,
      `Раураl-${suffix}`,
      `pay pal${suffix}`,
      `Ｐaypal ${suffix}`,
      `Páypal ${suffix}`,
      `Paypal™ ${suffix}`,
      `ꓑᴀypᴀꓡ ${suffix}`,
    ]) {
      expect(await refusal(rename(other, alike)), alike).toEqual(taken);
      expect(await refusal(create(await newMember(), alike)), alike).toEqual(taken);
    }
    // A project's own name does not conflict with itself.
    expect((await unwrap(rename(owner, base.toUpperCase()))).status).toBe('verified');

    const owners = await Promise.all(Array.from({ length: 5 }, () => newOwner()));
    const answers = await Promise.all(owners.map((one) => rename(one, `Race ${suffix}`)));
    expect(answers.filter(({ error }) => !error)).toHaveLength(1);
  });

  test('that a verified project has taken meanwhile is not verified a second time, also after a revocation', () =>
    outsideBeta(async () => {
      const [admin, revoked] = [await newAdmin(), await newVerifiedOwner()];
      const name = `Taken ${revoked.id.slice(-8)}`;
      const decide = (id: string, p_status: string) =>
        admin.client.rpc('set_startup_status', { p_startup_id: id, p_status, p_note: 'Looked at' });
      const [pending, other] = [
        await unwrap(create(await newMember(), name)),
        await unwrap(create(await newMember(), name.toUpperCase())),
      ];
      await unwrap(decide(pending.id, 'verified'));
      expect(await refusal(decide(other.id, 'verified'))).toMatchObject({ status: 409, code: 'NAME_TAKEN' });
      await unwrap(decide(other.id, 'rejected'));

      await unwrap(admin.client.rpc('revoke_verification', { p_startup_id: pending.id, p_reason: 'Not a company' }));
      await unwrap(rename(revoked, name));
      expect(await refusal(decide(pending.id, 'verified'))).toMatchObject({ status: 409, code: 'NAME_TAKEN' });
      const renamed = { p_startup_id: pending.id, p_name: `${name} two` };
      await unwrap(admin.client.rpc('update_startup_profile', renamed));
      expect(await unwrap(decide(pending.id, 'verified'))).toMatchObject({ status: 'verified' });
    }));

  test('of a verified project may change: the project stays verified, waits for an admin and shows its former name for 30 days', async () => {
    const [owner, admin] = [await newOwner(), await newAdmin()];
    const first = owner.startup.name;
    const seen = async () =>
      (await unwrap(asAnon().from('startup_profiles').select('status, former_name').eq('id', owner.startup.id)))[0];
    const renamedAt = async () =>
      (await sql().query('select renamed_at from public.startup_profiles where id = $1', [owner.startup.id])).rows[0];
    const waiting = async () =>
      (await unwrap(admin.client.rpc('admin_list_startups', { p_status: 'changed', p_limit: 100 }))).find(
        ({ id }) => id === owner.startup.id,
      );
    expect(await waiting()).toBeUndefined();
    await unwrap(rename(owner, `${first} two`, 'https://two.example'));
    expect(await seen()).toEqual({ status: 'verified', former_name: first });
    expect(await waiting()).toMatchObject({ changed_from: { name: first, website: null }, former_name: first });
    // The first name remains visible, however often it changes, and so does the last one that an admin saw.
    await unwrap(rename(owner, `${first} three`, 'https://two.example'));
    expect(await seen()).toMatchObject({ former_name: first });
    expect(await waiting()).toMatchObject({ changed_from: { name: first, website: null } });

    // The second time, there is nothing to confirm any more.
    for (let time = 0; time < 2; time += 1)
      await unwrap(admin.client.rpc('confirm_startup_change', { p_startup_id: owner.startup.id }).select('id'));
    const { rowCount: confirmed } = await sql().query(
      "select 1 from public.audit_log where action = 'startup.confirm_change' and subject_id = $1",
      [owner.startup.id],
    );
    expect(confirmed).toBe(1);
    expect(await waiting()).toBeUndefined();
    expect(await seen()).toMatchObject({ former_name: first });
    // A change of the website alone is reviewed too, but is no new name.
    const renamed = await renamedAt();
    await unwrap(rename(owner, `${first} three`, 'https://three.example'));
    expect(await waiting()).toMatchObject({ changed_from: { website: 'https://two.example' }, former_name: first });
    expect(await renamedAt()).toEqual(renamed);
    // After 30 days the next former name is shown; after changing back, none.
    const putBack = (age: string) =>
      sql().query('update public.startup_profiles set renamed_at = now() - $2::interval where id = $1', [
        owner.startup.id,
        age,
      ]);
    await putBack('29 days 23 hours');
    await unwrap(rename(owner, `${first} three and a half`, 'https://three.example'));
    expect(await seen()).toMatchObject({ former_name: first });
    await unwrap(rename(owner, `${first} three`, 'https://three.example'));
    await putBack('30 days 1 hour');
    await unwrap(rename(owner, `${first} four`, 'https://three.example'));
    expect(await seen()).toMatchObject({ former_name: `${first} three` });
    await unwrap(rename(owner, `${first} three`, 'https://three.example'));
    expect(await seen()).toMatchObject({ former_name: null });
    // What an admin writes waits for nobody, and leaves waiting what the owner wrote.
    const write = (p_name: string) =>
      unwrap(admin.client.rpc('update_startup_profile', { p_startup_id: owner.startup.id, p_name }).select('id'));
    await write(`${first} five`);
    expect(await waiting()).toMatchObject({ changed_from: { website: 'https://two.example' } });
    await unwrap(admin.client.rpc('confirm_startup_change', { p_startup_id: owner.startup.id }).select('id'));
    await write(`${first} six`);
    expect(await waiting()).toBeUndefined();
  });
});
