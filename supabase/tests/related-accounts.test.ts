import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { type Member, newMember, newQuest, newVerifiedOwner, type Owner } from './support/factories.ts';
import { allowManyQuests, flagsSeenBy, kindsSeenBy, newLink, scene, submit } from './support/flags.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();
beforeAll(allowManyQuests);

describe('BEY-02 who is flagged', () => {
  test.each([
    ['referred_by_owner', (owner: Owner, member: Member) => [[owner.id, member.id]]],
    ['referred_owner', (owner: Owner, member: Member) => [[member.id, owner.id]]],
    [
      'referred_by_owner',
      (owner: Owner, member: Member) => [
        [owner.id, 'user_between'],
        ['user_between', member.id],
      ],
    ],
  ])('a member and an owner, one of whom referred the other: %s', async (relation, edges) => {
    const { owner, quest, one } = await scene();
    await sql().query("delete from public.referrals where referred_user_id = 'user_between'");
    for (const [referrer, referred] of edges(owner, one)) await refer(referrer as string, referred as string);
    const submission = await submit(one, quest, { p_url: newLink() });
    expect(await flagsSeenBy(owner, submission.id)).toMatchObject([
      { kind: 'related_account', evidence: { relation } },
    ]);
  });

  test("owners who complete each other's quests, from the second one on", async () => {
    const [one, other] = await Promise.all([newVerifiedOwner(), newVerifiedOwner()]);
    const first = await submit(one, await newQuest(other), { p_url: newLink() });
    const second = await submit(other, await newQuest(one), { p_url: newLink() });
    expect(await kindsSeenBy(other, first.id)).toEqual([]);
    expect(await flagsSeenBy(one, second.id)).toMatchObject([
      { kind: 'related_account', evidence: { relation: 'mutual_projects' } },
    ]);
    // At the moment of the first proof they were not related yet.
    const { rows } = await sql().query(
      `select private.relation_to_owner($1, $2, s.submitted_at) as at_once,
         private.relation_to_owner($1, $2, s.submitted_at + interval '1 microsecond') as later
       from public.submissions s where s.id = $3`,
      [other.id, one.id, first.id],
    );
    expect(rows).toEqual([{ at_once: null, later: 'mutual_projects' }]);
    // What one does for others is no favour to an owner for whom they did nothing.
    const third = await newVerifiedOwner();
    await newQuest(third);
    const fourth = await submit(third, await newQuest(one), { p_url: newLink() });
    expect(await kindsSeenBy(one, fourth.id)).toEqual([]);
  });

  test('two accounts of one mailbox in one quest, and a second account of its owner', async () => {
    const { owner, quest, one } = await scene();
    const second = await memberWithAddress(one.email.replace('@', '+two@'));
    const first = await submit(one, quest, { p_url: newLink() });
    const submission = await submit(second, quest, { p_url: newLink() });
    expect(await flagsSeenBy(owner, submission.id)).toMatchObject([
      { kind: 'aliased_mailbox' },
      { kind: 'related_account', evidence: { relation: 'same_mailbox' }, twin: { id: first.id } },
    ]);
    const alias = await memberWithAddress(owner.email.replace('@', '+three@'));
    const own = await submit(alias, quest, { p_url: newLink() });
    expect(await flagsSeenBy(owner, own.id)).toMatchObject([
      { kind: 'aliased_mailbox' },
      { kind: 'related_account', evidence: { relation: 'mailbox_of_owner' } },
    ]);
  });

  test.each([
    ['mailinator.com', ['disposable_mailbox']],
    ['eu.yopmail.com', ['disposable_mailbox']],
    ['duck.com', ['aliased_mailbox']],
    ['privaterelay.appleid.com', []],
    ['example.com', []],
  ])('an address at %s: %j', async (domain, expected) => {
    const { owner, quest } = await scene();
    const member = await memberWithAddress(`m${crypto.randomUUID()}@${domain}`);
    const submission = await submit(member, quest, { p_url: newLink() });
    expect(await kindsSeenBy(owner, submission.id)).toEqual(expected);
  });

  test("not members who referred each other and complete somebody else's quests", async () => {
    const { owner, quest, one, other } = await scene();
    await refer(one.id, other.id);
    for (const member of [one, other]) {
      const submission = await submit(member, quest, { p_url: newLink() });
      expect(await kindsSeenBy(owner, submission.id)).toEqual([]);
    }
  });
});

const refer = (referrer: string, referred: string) =>
  sql().query(
    "insert into public.referrals (referrer_user_id, referred_user_id, referral_code) values ($1, $2, 'FLAGS')",
    [referrer, referred],
  );

const memberWithAddress = (email: string) => newMember('member', { email });
