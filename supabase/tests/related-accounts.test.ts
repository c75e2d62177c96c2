import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import { type Member, newMember, newQuest, newVerifiedOwner, type Owner } from './support/factories.ts';
import { allowManyQuests, flagsSeenBy, kindsSeenBy, newLink, scene, submit } from './support/flags.ts';
import { fillQuest } from './support/many-submissions.ts';
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

  test.each([
    [3, [{ kind: 'related_account', evidence: { relation: 'referred_by_owner' } }]],
    [4, []],
  ])('a member whom the owner referred over %i steps: %j', async (steps, flags) => {
    const { owner, quest, one } = await scene();
    const between = Array.from({ length: steps - 1 }, () => `user_${crypto.randomUUID()}`);
    const chain = [owner.id, ...between, one.id];
    for (const [index, referred] of chain.slice(1).entries()) await refer(chain[index] ?? '', referred);
    const submission = await submit(one, quest, { p_url: newLink() });
    expect(await flagsSeenBy(owner, submission.id)).toMatchObject(flags);
  });

  test('an owner whose proof the other has rejected owes them no favour', async () => {
    const [one, other] = await Promise.all([newVerifiedOwner(), newVerifiedOwner()]);
    const first = await submit(one, await newQuest(other), { p_url: newLink() });
    const rejection = { p_submission_id: first.id, p_decision: 'reject', p_reason: 'incomplete' };
    await other.client.rpc('review_submission', rejection).throwOnError();
    const second = await submit(other, await newQuest(one), { p_url: newLink() });
    expect(await kindsSeenBy(one, second.id)).toEqual([]);
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
    expect(await kindsSeenBy(owner, first.id)).toEqual([]);
    expect(await flagsSeenBy(owner, submission.id)).toMatchObject([
      { kind: 'aliased_mailbox' },
      { kind: 'related_account', evidence: { relation: 'same_mailbox' }, twin: { id: first.id } },
    ]);
    // What has been dealt with comes last.
    await sql().query(
      `update public.submission_flags set dismissed_at = now(), dismissed_by = 'questboard', dismissal_reason = 'Seen'
       where submission_id = $1 and kind = 'aliased_mailbox'`,
      [submission.id],
    );
    expect(await kindsSeenBy(owner, submission.id)).toEqual(['related_account', 'aliased_mailbox']);
    const alias = await memberWithAddress(owner.email.replace('@', '+three@'));
    const own = await submit(alias, quest, { p_url: newLink() });
    expect(await flagsSeenBy(owner, own.id)).toMatchObject([
      { kind: 'aliased_mailbox' },
      { kind: 'related_account', evidence: { relation: 'mailbox_of_owner' } },
    ]);
  });

  test('not two accounts of one mailbox in different quests, nor a second proof of the same account', async () => {
    const { owner, quest, one } = await scene();
    const second = await memberWithAddress(one.email.replace('@', '+two@'));
    const elsewhere = await newQuest(owner);
    await submit(second, quest, { p_url: newLink() });
    const [extra = ''] = (await fillQuest(elsewhere.campaign.id, { tasks: 1, rows: 0 })).slice(-1);
    for (const taskId of [elsewhere.taskId, extra]) {
      const submission = await submit(one, { ...elsewhere, taskId }, { p_url: newLink() });
      expect(await kindsSeenBy(owner, submission.id)).toEqual([]);
    }
  });

  test.each([
    ['a', ['aliased_mailbox']],
    ['', []],
  ])('an address with a plus after "%s": %j', async (name, expected) => {
    const { owner, quest } = await scene();
    const member = await memberWithAddress(`${name}+${crypto.randomUUID()}@example.com`);
    const submission = await submit(member, quest, { p_url: newLink() });
    expect(await kindsSeenBy(owner, submission.id)).toEqual(expected);
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
