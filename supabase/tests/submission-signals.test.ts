import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { type Member, newMember, newQuest, newVerifiedOwner, type Quest } from './support/factories.ts';
import { allowManyQuests, flagsSeenBy, kindsSeenBy, newLink, scene, submit } from './support/flags.ts';
import { fillQuest } from './support/many-submissions.ts';
import { setUpDatabase } from './support/set-up-database.ts';
import { markVerified, upload, uploadVerified } from './support/uploads.ts';

setUpDatabase();
beforeAll(allowManyQuests);

const OPINION =
  'The harvest calendar saved our allotment this year, although printing the seed labels took me four attempts.';

describe('BEY-02 what is flagged', () => {
  test.each([
    ['as it is', (link: string) => link],
    [
      'with tracking and www',
      (link: string) => `${link.replace('https://', 'http://WWW.')}/?utm_source=a&fbclid=b#top`,
    ],
    ['in the text', (link: string) => link],
  ])('a link that another member has submitted, %s', async (where, disguise) => {
    const { owner, quest, one, other } = await scene();
    const link = newLink();
    const first = await submit(one, quest, { p_url: link });
    const proof = where === 'in the text' ? { p_text: `Here it is: ${link}.` } : { p_url: disguise(link) };
    const second = await submit(other, quest, proof);

    expect(await flagsSeenBy(owner, first.id)).toEqual([]);
    expect(await flagsSeenBy(owner, second.id)).toMatchObject([
      {
        kind: 'same_link',
        evidence: { link: link.replace('https://', '') },
        twin: { id: first.id, campaign_id: quest.campaign.id },
      },
    ]);
  });

  test('beside the earliest other proof with the link, preferably of the same quest', async () => {
    const { owner, quest, one, other } = await scene();
    const link = newLink();
    await submit(one, await newQuest(owner), { p_url: link });
    const first = await submit(one, quest, { p_url: link });
    const second = await submit(other, quest, { p_url: link });
    const third = await submit(await newMember(), quest, { p_url: link });
    for (const { id } of [second, third])
      expect(await flagsSeenBy(owner, id)).toMatchObject([{ kind: 'same_link', twin: { id: first.id } }]);
  });

  test.each([
    ['https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3'],
    ['https://twitter.com/ann/status/7/photo/1?s=20', 'https://x.com/ann/status/7'],
    ['http://m.shop.example:80/a/?b=2&a=1', 'https://shop.example/a?a=1&b=2#top'],
    ['https://shop.example/a?&b=2&', 'https://shop.example/a?b=2'],
  ])('%s as the same link as %s', async (link, same) => {
    const { rows } = await sql().query('select private.normalize_link($1) as a, private.normalize_link($2) as b', [
      link,
      same,
    ]);
    expect(rows[0].a).toBe(rows[0].b);
  });

  test('a normal form, kept in keys, that no update of the collations changes: parameters by code point', async () => {
    const { rows } = await sql().query(
      "select private.normalize_link('https://shop.example/?b=1&B=2&a=3&_=4#/cart') as link",
    );
    expect(rows).toEqual([{ link: 'shop.example?B=2&_=4&a=3&b=1#/cart' }]);
  });

  test('the link of a proof and the first five in its text', async () => {
    const texts = Array.from({ length: 6 }, (_, n) => `https://posts.example/${n + 1}`).join(' ');
    const { rows } = await sql().query('select private.links_of($1, $2) as links', ['https://posts.example/0', texts]);
    expect(rows[0].links).toEqual(Array.from({ length: 6 }, (_, n) => `posts.example/${n}`));
  });

  test('a link as asked for only where it ends in the instructions, also behind letters that grow in lower case', async () => {
    const isAskedFor = async (link: string, instructions = 'İzmir: open https://shop.example/offers.') => {
      const { rows } = await sql().query('select private.is_asked_for($1, $2, $3) as is_asked', [
        link,
        instructions,
        'https://project.example',
      ]);
      return rows[0].is_asked;
    };
    expect(await isAskedFor('shop.example/offers')).toBe(true);
    expect(await isAskedFor('shop.example/offer')).toBe(false);
    expect(await isAskedFor('shop.example/offers', 'shop.example/offers\nThen tell us.')).toBe(true);
    // Pages of the project's own site are.
    expect(await isAskedFor('project.example?invited=7')).toBe(true);
    expect(await isAskedFor('project.example/welcome')).toBe(true);
    expect(await isAskedFor('project.example.shop.example')).toBe(false);
  });

  test("not the link in the instructions, the project's own site or the member's own earlier link", async () => {
    const { owner, quest, one, other } = await scene();
    await sql().query("update public.startup_profiles set website = 'https://www.site.example' where id = $1", [
      owner.startup.id,
    ]);
    const asked = await newQuest(owner, { task: { instructions_md: 'Open [this](https://shop.example/offer) page.' } });
    const shared = await newQuest(owner);
    const own = newLink();
    const submissions = [
      await submit(one, asked, { p_url: 'https://shop.example/offer/?utm_campaign=a' }),
      await submit(other, asked, { p_url: 'http://www.shop.example/offer' }),
      await submit(one, quest, { p_url: 'https://app.site.example/thanks' }),
      await submit(other, quest, { p_url: 'https://app.site.example/thanks' }),
      await submit(one, await newQuest(owner), { p_url: 'https://site.example' }),
      await submit(other, await newQuest(owner), { p_url: 'http://www.site.example/' }),
      await submit(one, shared, { p_url: own }),
    ];
    for (const { id } of submissions) expect(await kindsSeenBy(owner, id)).toEqual([]);
    const again = await submit(one, await newQuest(owner), { p_url: own });
    expect(await kindsSeenBy(owner, again.id)).toEqual([]);
  });

  test('of fifteen members who submit one link at once, in three quests, all but the first', async () => {
    const owner = await newVerifiedOwner();
    const quests = await Promise.all([0, 1, 2].map(() => newQuest(owner, { task: { max_completions: 5 } })));
    const members = await Promise.all(Array.from({ length: 15 }, () => newMember()));
    const link = newLink();
    const submissions = await Promise.all(
      members.map((member, index) => submit(member, quests[index % 3] as Quest, { p_url: link })),
    );
    const kinds = await Promise.all(submissions.map(({ id }) => kindsSeenBy(owner, id)));
    expect(kinds.filter((of) => of.includes('same_link'))).toHaveLength(14);
  });

  test("another account's file, and a picture that looks like it", async () => {
    const { owner, quest, one, other } = await scene();
    const third = await newMember();
    const hash = 'f0e1d2c3b4a59687';
    const first = await submit(one, quest, { p_url: await picture(one, 'a', hash) });
    // A logo of the same name is another file.
    await uploadVerified(other, 'project-logos', 'same.png');
    const copy = await submit(other, quest, { p_url: await picture(other, 'a', hash, 'same.png') });
    const alike = await submit(third, quest, { p_url: await picture(third, 'b', 'f0e1d2c3b4a59697') });
    const fourth = await newMember();
    const far = await submit(fourth, quest, { p_url: await picture(fourth, 'c', '0f1e2d3c4b5a6978') });

    expect(await kindsSeenBy(owner, first.id)).toEqual([]);
    expect(await flagsSeenBy(owner, copy.id)).toMatchObject([{ kind: 'same_picture', twin: { id: first.id } }]);
    expect(await flagsSeenBy(owner, alike.id)).toMatchObject([
      { kind: 'similar_picture', evidence: { distance: 1 }, twin: { id: first.id } },
    ]);
    expect(await kindsSeenBy(owner, far.id)).toEqual([]);
  });

  test.each([
    [6, ['similar_picture']],
    [7, []],
  ])('a picture that differs in %i of 64 bits: %j', async (bits, expected) => {
    const { owner, quest, one, other } = await scene();
    // No quarter is the same: the hardest case to find.
    const changes = [0, 17, 33, 63, 15, 22, 9].slice(0, bits);
    const base = BigInt(`0x${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`) | 0xff00ff00n;
    const changed = changes.reduce((hash, bit) => hash ^ (1n << BigInt(bit)), base);
    await submit(one, quest, { p_url: await picture(one, `one of ${bits}`, hex(base)) });
    const second = await submit(other, quest, { p_url: await picture(other, `other of ${bits}`, hex(changed)) });
    expect(await kindsSeenBy(owner, second.id)).toEqual(expected);
  });

  test('a picture is found by any quarter of its hash of which at most one bit differs', async () => {
    const { rows } = await sql().query(
      `select array_agg(bit order by bit) filter (where not private.picture_keys(hash, true) && private.picture_keys(other, false)) as missed,
         bool_or(private.picture_keys(hash, true) && private.picture_keys(~hash, false)) as finds_all,
         max(cardinality(private.picture_keys(hash, true))) as keys, max(cardinality(private.picture_keys(hash, false))) as kept
       from (select x'0123456789abcdef'::bit(64)) h (hash) cross join generate_series(0, 63) bit cross join lateral (
         select ~hash # (((65535::bigint << (bit / 16 * 16)) # (1::bigint << bit))::bit(64))) o (other)`,
    );
    expect(rows).toEqual([{ missed: null, finds_all: false, keys: 4 * 17, kept: 4 }]);
  });

  test.each([
    [7, []],
    [8, ['similar_picture']],
    [56, ['similar_picture']],
    [57, []],
  ])(
    'a look-alike of a picture with %i of 64 bits set: %j; blank ones all look alike, but a copied file is flagged',
    async (bits, expected) => {
      const { owner, quest, one, other } = await scene();
      const [third, hash] = [await newMember(), hex((1n << BigInt(bits)) - 1n)];
      await submit(one, quest, { p_url: await picture(one, `${bits} of one`, hash) });
      const alike = await submit(other, quest, { p_url: await picture(other, `${bits} of other`, hash) });
      const copy = await submit(third, quest, { p_url: await picture(third, `${bits} of one`, hash) });
      expect(await kindsSeenBy(owner, alike.id)).toEqual(expected);
      expect(await kindsSeenBy(owner, copy.id)).toEqual(['same_picture']);
    },
  );

  test("the closest of others' pictures is shown, and a member's own one is none", async () => {
    const { owner, quest, one, other } = await scene();
    const third = await newMember();
    await submit(one, quest, { p_url: await picture(one, 'far', '0123456789abcdd8') });
    const near = await submit(other, quest, { p_url: await picture(other, 'near', '0123456789abcdee') });
    const own = await submit(third, quest, { p_url: await picture(third, 'own', '0123456789abcdef') });
    expect(await flagsSeenBy(owner, own.id)).toMatchObject([{ evidence: { distance: 1 }, twin: { id: near.id } }]);
    const fourth = await newMember();
    for (const [label, hash] of Object.entries({ first: 'ffeeddccbbaa9988', second: 'ffeeddccbbaa9989' })) {
      const proof = await submit(fourth, await newQuest(owner), { p_url: await picture(fourth, label, hash) });
      expect(await kindsSeenBy(owner, proof.id)).toEqual([]);
    }
  });

  test('a screen that most members of a task photograph is no evidence, and earlier flags for it are withdrawn', async () => {
    const owner = await newVerifiedOwner();
    const quest = await newQuest(owner, { task: { max_completions: 10 } });
    const elsewhere = await newQuest(owner);
    const send = async (where: Quest, label: string, hash: string) => {
      const member = await newMember();
      const { id } = await submit(member, where, { p_url: await picture(member, label, hash) });
      return { id, kinds: await kindsSeenBy(owner, id) };
    };
    // Two other pictures that are alike remain flagged, as does the same screen in another quest.
    const alike = [await send(quest, 'o1', 'aa55aa55aa55aa55'), await send(quest, 'o2', 'aa55aa55aa55aa55')];
    const kinds: string[][] = [];
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      if (index === 4) await dismissOneAndCopyAnother(ids);
      if (index === 3) alike.push(await send(elsewhere, 'e3', '33cc33cc33cc33cc'));
      const sent = await send(quest, `s${index}`, '33cc33cc33cc33cc');
      ids.push(sent.id);
      kinds.push(sent.kinds);
    }
    alike.push(await send(elsewhere, 'e7', '33cc33cc33cc33cc'));
    expect(kinds).toEqual([[], ...Array(4).fill(['similar_picture']), [], []]);
    const { rows } = await sql().query(
      'select distinct kind, dismissed_by from public.submission_flags where submission_id = any ($1) order by 1, 2',
      [ids],
    );
    expect(rows).toEqual([
      { kind: 'same_picture', dismissed_by: null },
      { kind: 'similar_picture', dismissed_by: 'questboard' },
      { kind: 'similar_picture', dismissed_by: 'system' },
    ]);
    const seen = await Promise.all(alike.map(({ id }) => flagsSeenBy(owner, id)));
    expect(seen.flat()).toMatchObject(Array(3).fill({ kind: 'similar_picture', dismissed_at: null }));
    expect(seen[0]).toEqual([]);
  });

  test.each([
    ['half of the others: no evidence', 5, 0, 0, '5a5a3c3c5a5a3c3c', []],
    ['fewer than half of them: evidence', 6, 0, 0, 'a5a5c3c3a5a5c3c3', ['similar_picture']],
    ['half of those who were not rejected: no evidence', 6, 1, 0, '5a5ac3c35a5ac3c3', []],
    ['half of those before: no evidence', 5, 0, 1, 'a5a53c3ca5a53c3c', []],
  ])('a screen that five other members photographed, %s', async (_, unlike, rejected, later, hash, kinds) => {
    const owner = await newVerifiedOwner();
    const quest = await newQuest(owner, { task: { max_completions: 12 } });
    const unlikeOnes = async (count: number, areRejected = false) => {
      for (let index = 0; index < count; index += 1) {
        const { id } = await submit(await newMember(), quest, { p_text: 'Done' });
        const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
        if (areRejected) await owner.client.rpc('review_submission', rejection).throwOnError();
      }
    };
    await unlikeOnes(rejected, true);
    await unlikeOnes(unlike - rejected);
    const screens: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const member = await newMember();
      const proof = { p_url: await picture(member, `${hash}-${index}`, hash) };
      screens.push((await submit(member, quest, proof)).id);
    }
    await unlikeOnes(later);
    expect(await kindsSeenBy(owner, screens[5] ?? '')).toEqual(kinds);
  });

  test('a screen that most members of a task photograph stays evidence of what was sent to another quest before', async () => {
    const owner = await newVerifiedOwner();
    const quest = await newQuest(owner, { task: { max_completions: 10 } });
    const send = async (where: Quest, label: string) => {
      const member = await newMember();
      return (await submit(member, where, { p_url: await picture(member, label, '3c3c3c3c55aa55aa') })).id;
    };
    const earlier = await send(await newQuest(owner), 'earlier');
    const first = await send(quest, 'm0');
    expect(await flagsSeenBy(owner, first)).toMatchObject([{ kind: 'similar_picture', twin: { id: earlier } }]);
    for (let index = 1; index < 7; index += 1) {
      const { length } = await kindsSeenBy(owner, await send(quest, `m${index}`));
      expect(length).toBe(index < 5 ? 1 : 0);
    }
    const { rows } = await sql().query('select dismissed_by from public.submission_flags where submission_id = $1', [
      first,
    ]);
    expect(rows).toEqual([{ dismissed_by: null }]);
  });

  test("a nearly identical text within a quest, but not in another quest, one of which a part is the same, or the member's own", async () => {
    const { owner, quest, one, other } = await scene();
    const first = await submit(one, quest, { p_text: OPINION });
    const elsewhere = await submit(other, await newQuest(owner), { p_text: OPINION });
    const again = await submit(other, quest, { p_text: `${OPINION.toUpperCase().replace('FOUR', 'three')}!!` });

    expect(await kindsSeenBy(owner, elsewhere.id)).toEqual([]);
    expect(await flagsSeenBy(owner, again.id)).toMatchObject([
      { kind: 'similar_text', evidence: { similarity: 0.93 }, twin: { id: first.id } },
    ]);
    const changed = OPINION.replace('harvest', 'spring').replace('allotment', 'garden').replace('printing', 'cutting');
    const [third, [extra = '']] = [
      await newMember(),
      (await fillQuest(quest.campaign.id, { tasks: 1, rows: 0 })).slice(-1),
    ];
    // The second time it is like the member's own.
    for (const taskId of [quest.taskId, extra]) {
      const partly = await submit(third, { ...quest, taskId }, { p_text: changed });
      expect(await kindsSeenBy(owner, partly.id)).toEqual([]);
    }
  });

  test('neither short texts nor text copied from the instructions', async () => {
    const { owner, one, other } = await scene();
    const quest = await newQuest(owner, { task: { instructions_md: `Write: "${OPINION}"` } });
    const short = await newQuest(owner);
    for (const member of [one, other]) {
      const ids = [
        (await submit(member, quest, { p_text: `${OPINION} ${member.name}` })).id,
        (await submit(member, short, { p_text: 'Signed up, it works great!' })).id,
      ];
      for (const id of ids) expect(await kindsSeenBy(owner, id)).toEqual([]);
    }
  });

  const [A, B] = ['a'.repeat(9), 'b'.repeat(9)];
  test.each([
    ['29 characters of words', `${A} ${B} ${'c'.repeat(9)} ${A}`, []],
    ['30 characters of words', `${A} ${B} ${'c'.repeat(10)} ${A}`, ['similar_text']],
    ['30 characters', `${A} ${B} ${'c'.repeat(10)}`, ['similar_text']],
    ['29 characters, which contain more as words', `shop.example/${'c'.repeat(16)}`, []],
  ])('texts that share %s of their own, without repetitions: "%s": %j', async (_, text, kinds) => {
    const { owner, quest, one, other } = await scene();
    await submit(one, quest, { p_text: text });
    expect(await kindsSeenBy(owner, (await submit(other, quest, { p_text: text })).id)).toEqual(kinds);
  });
});

/** An admin has dismissed the flag of the second proof, and the third one is an exact copy, too. */
async function dismissOneAndCopyAnother([, dismissed, copied]: string[]): Promise<void> {
  await sql().query(
    "update public.submission_flags set dismissed_at = now(), dismissed_by = 'questboard', dismissal_reason = 'Seen' where submission_id = $1",
    [dismissed],
  );
  await sql().query(
    `insert into public.submission_flags (submission_id, campaign_id, user_id, kind, twin_submission_id)
     select submission_id, campaign_id, user_id, 'same_picture', twin_submission_id from public.submission_flags where submission_id = $1`,
    [copied],
  );
}

const hex = (bits: bigint): string => bits.toString(16).padStart(16, '0');

/** A checked screenshot with this content hash and this perceptual hash. */
async function picture(member: Member, content: string, dhash: string, name?: string): Promise<string> {
  const path = await upload(member, 'proofs', { name });
  await markVerified('proofs', path, { bytes: new TextEncoder().encode(content) });
  await sql().query("update private.verified_uploads set dhash = ('x' || $2)::bit(64) where path = $1", [path, dhash]);
  return `proofs/${path}`;
}
