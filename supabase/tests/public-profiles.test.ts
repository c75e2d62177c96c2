import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { earn, rollUp } from './support/earnings.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  refusal,
  suspend,
  unwrap,
} from './support/factories.ts';
import { fillQuest } from './support/many-submissions.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('BEY-08 a public profile', () => {
  const publish = (who: Member, p_handle: string, p_is_public = true) =>
    who.client.rpc('set_public_profile', { p_handle, p_is_public });
  const read = async (p_handle: string) => await unwrap(asAnon().rpc('get_member_profile', { p_handle }));
  const newHandle = () => `m-${randomUUID().slice(0, 8)}`;

  test('does not exist before opting in, shows figures of the ledger and the submissions, and disappears when hidden', async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const handle = newHandle();
    expect(await read(handle)).toEqual([]);
    const { campaign, taskId } = await newQuest(owner, { task: { reward_points: 40, max_completions: 1 } });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: randomUUID() }));
    // Helped twice, and one project all the same.
    const tasks = await fillQuest(campaign.id, { tasks: 1, rows: 0 });
    await unwrap(member.client.rpc('submit_proof', { p_task_id: tasks[1] ?? '', p_text: randomUUID() }));
    await earn(member, 5, 1);
    await rollUp();
    // Badges are in the order in which they were earned, and the month is that in UTC.
    await sql().query("insert into public.badges (user_id, badge, week) values ($1, 'four_weeks', '2026-01-05')", [
      member.id,
    ]);
    await sql().query("update public.user_profiles set created_at = '2026-01-31 23:30+00' where user_id = $1", [
      member.id,
    ]);
    // What was taken back has helped nobody.
    const reversed = await newQuest(await newOwner());
    const proof = { p_task_id: reversed.taskId, p_text: randomUUID() };
    const { id } = await unwrap(member.client.rpc('submit_proof', proof));
    const reversal = { p_submission_id: id, p_note: 'Copied' };
    await unwrap((await newAdmin()).client.rpc('reverse_submission', reversal));
    await unwrap(member.client.rpc('update_profile', { p_username: 'kite', p_display_name: 'Kite Flyer' }));
    expect(await unwrap(publish(member, ` ${handle.toUpperCase()} `))).toMatchObject({ handle, is_public: true });
    const [profile] = await read(handle);
    expect(profile).toMatchObject({
      handle,
      display_name: 'Kite Flyer',
      member_since: '2026-01-01',
      lifetime_points: 45,
      tasks_done: 2,
      projects_helped: 1,
      streak_weeks: 2,
      best_weeks: 2,
      badges: [{ badge: 'four_weeks' }, { badge: 'first_task', week: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
    });
    const text = JSON.stringify(profile);
    for (const secret of [member.id, member.email]) expect(text).not.toContain(secret);
    await sql().query("delete from public.badges where user_id = $1 and badge = 'four_weeks'", [member.id]);
    await unwrap(publish(member, handle, false));
    expect(await read(handle)).toEqual([]);
  });

  test('PROF-05 shows the handle of a member without a display name, and no part of the mail address', async () => {
    const local = `robin-${randomUUID().slice(0, 8)}`;
    const member = await newMember('member', { email: `${local}@example.org` });
    await unwrap(member.client.rpc('update_profile', { p_username: '', p_display_name: '' }));
    const handle = newHandle();
    await unwrap(publish(member, handle));
    const profile = await read(handle);
    const facts = await unwrap(asAnon().rpc('get_page_facts', { p_kind: 'member', p_key: handle }));
    expect([profile[0]?.display_name, facts[0]?.title]).toEqual([handle, handle]);
    expect(profile).toMatchObject([{ lifetime_points: 0, tasks_done: 0 }]);
    expect(facts).toMatchObject([{ state: 'shown', is_listed: true, level: 1 }]);
    expect(JSON.stringify([profile, facts])).not.toContain(local);
  });

  test('disappears with a suspension and with the account', async () => {
    const [suspended, leaving] = [await newMember(), await newMember()];
    const [first, second] = [newHandle(), newHandle()];
    await unwrap(publish(suspended, first));
    await unwrap(publish(leaving, second));
    expect([(await read(first)).length, (await read(second)).length]).toEqual([1, 1]);
    await suspend(suspended);
    await unwrap(asService().rpc('anonymise_user', { p_user_id: leaving.id }));
    expect([await read(first), await read(second)]).toEqual([[], []]);
  });

  test('has a unique handle in plain letters that cannot impersonate anybody; the handle of a hidden profile stays taken', async () => {
    const [member, other] = [await newMember(), await newOwner()];
    const handle = newHandle();
    await unwrap(publish(member, handle, false));
    await changesNothing(async () => {
      expect(await refusal(publish(other, handle))).toEqual({
        status: 409,
        code: 'HANDLE_TAKEN',
        message: 'Somebody else has this handle. Please choose another one.',
      });
      for (const wrong of ['', 'ab', 'a--b', '-abc', 'abc-', 'añb', 'a b c', 'a/b', 'x'.repeat(31)]) {
        expect([wrong, (await refusal(publish(other, wrong))).code]).toEqual([wrong, 'INVALID_HANDLE']);
      }
    });
    for (const reserved of ['admin', 'questboard-support']) {
      expect((await refusal(publish(await newMember(), reserved))).code).toBe('RESERVED_NAME');
    }
    // Those who are what it says may say so.
    expect(await unwrap(publish(await newAdmin(), 'questboard-support'))).toMatchObject({ is_public: true });
    const answers = await Promise.all(
      (await Promise.all([newMember(), newMember(), newMember()])).map((who) => publish(who, `${handle}-x`)),
    );
    expect(answers.filter(({ error }) => !error)).toHaveLength(1);
    expect(await refusal(asAnon().rpc('set_public_profile', { p_handle: handle }))).toMatchObject({ status: 401 });
  });

  test('can get another handle, and its first one is free again', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const [first, second] = [newHandle(), newHandle()];
    await unwrap(publish(member, first));
    expect(await unwrap(publish(member, second))).toMatchObject({ handle: second, is_public: true });
    expect([(await read(first)).length, (await read(second)).length]).toEqual([0, 1]);
    expect(await unwrap(publish(other, first))).toMatchObject({ handle: first });
  });

  test('can be hidden by a screen that still has its earlier handle, and keeps its present one', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const [first, second] = [newHandle(), newHandle()];
    await unwrap(publish(member, first));
    await unwrap(publish(member, second));
    await unwrap(publish(other, first));
    expect(await unwrap(publish(member, first, false))).toMatchObject({ handle: second, is_public: false });
    expect([(await read(first)).length, (await read(second)).length]).toEqual([1, 0]);
  });

  test('TRUST-27 can be changed at most twenty times a day', async () => {
    const member = await newMember();
    const handle = newHandle();
    for (let count = 0; count < 20; count += 1) await unwrap(publish(member, handle, count % 2 === 0));
    expect(await refusal(publish(member, handle))).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  test('can be hidden all the same, and then neither shown nor renamed', async () => {
    const member = await newMember();
    const handle = newHandle();
    for (let count = 0; count < 20; count += 1) await unwrap(publish(member, handle));
    // Twice, as a second tab does.
    for (let count = 0; count < 2; count += 1) {
      expect(await unwrap(publish(member, handle, false))).toMatchObject({ handle, is_public: false });
    }
    expect(await read(handle)).toEqual([]);
    for (const shown of [handle, newHandle()])
      expect((await refusal(publish(member, shown))).code).toBe('RATE_LIMITED');
    expect(await unwrap(publish(member, newHandle(), false))).toMatchObject({ handle, is_public: false });
  });
});
