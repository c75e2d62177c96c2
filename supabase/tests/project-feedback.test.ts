import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  type Member,
  newMember,
  newOwner,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { actAs } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

describe('project feedback', () => {
  const rate = (who: Member, project: string, rating = 4, text = 'Nice') =>
    who.client.rpc('submit_project_feedback', { p_project_id: project, p_rating: rating, p_feedback_text: text });
  const statsOf = async (project: string) =>
    (await unwrap(asAnon().rpc('get_project_feedback_stats', { p_project_id: project })))[0];

  test('DB-15 FEED-08 FEED-09 one rating per member, changed by resubmitting or by id; the figures follow', async () => {
    const [owner, first, second] = [await newOwner(), await newMember(), await newMember()];
    const project = owner.startup.id;
    expect(await statsOf(project)).toMatchObject({ average_rating: 0, total_reviews: 0 });
    const { id } = await unwrap(rate(first, project, 5));
    expect((await unwrap(rate(first, project, 2, 'Worse'))).id).toBe(id);
    const { startup: another } = await newOwner();
    await unwrap(rate(first, another.id, 1, 'Bad'));
    await unwrap(rate(second, project, 3));
    await unwrap(rate(await newMember(), project, 3));
    expect(await statsOf(project)).toEqual({
      average_rating: 2.7,
      total_reviews: 3,
      rating_distribution: { 1: 0, 2: 1, 3: 2, 4: 0, 5: 0 },
    });
    const change = (who: Member) =>
      who.client.rpc('update_project_feedback', { p_feedback_id: id, p_rating: 4, p_feedback_text: 'Better' });
    expect(await unwrap(change(first))).toMatchObject({ rating: 4, feedback_text: 'Better' });
    // Figures and own words belong to one project.
    expect(await statsOf(another.id)).toMatchObject({ average_rating: 1, total_reviews: 1 });
    const own = { p_project_id: project };
    expect(await unwrap(first.client.rpc('get_own_project_feedback', own))).toMatchObject([{ id, rating: 4 }]);
    expect(
      (await unwrap(second.client.rpc('list_project_feedback', own))).map(({ rating }) => rating).toSorted(),
    ).toEqual([3, 3, 4]);
    expect(await changesNothing(() => refusal(change(second)))).toMatchObject({
      status: 404,
      code: 'FEEDBACK_NOT_FOUND',
    });
  });

  test('C-81 one rating per person: that of another account of theirs is replaced, and none is for the project of the first one', async () => {
    const [owner, other, first] = [await newOwner(), await newOwner(), await newMember()];
    const again = (who: Member, n: number) => newMember(`again${n}`, { email: who.email.replace('@', `+${n}@`) });
    for (const { startup } of [owner, other]) await unwrap(rate(first, startup.id, 1));
    await unwrap(rate(await newMember(), owner.startup.id, 4));
    for (const n of [1, 2]) await unwrap(rate(await again(first, n), owner.startup.id, 1));
    expect(await statsOf(owner.startup.id)).toMatchObject({ average_rating: 2.5, total_reviews: 2 });
    expect(await statsOf(other.startup.id)).toMatchObject({ average_rating: 1, total_reviews: 1 });
    const double = await again(owner, 1);
    expect(await changesNothing(() => refusal(rate(double, owner.startup.id, 5)))).toMatchObject({
      status: 403,
      code: 'OWN_PROJECT',
    });
  });

  test('C-81 TRUST-02 of the ratings that two accounts of a person give at the same time one counts', async () => {
    const [owner, first] = [await newOwner(), await newMember()];
    const second = await newMember('second', { email: first.email.replace('@', '+2@') });
    const rating = await sql().connect();
    try {
      await rating.query('begin');
      await actAs(rating, first);
      await rating.query("select public.submit_project_feedback($1, 1, 'Slow')", [owner.startup.id]);
      const replacing = unwrap(rate(second, owner.startup.id, 2));
      await untilWaiting();
      await rating.query('commit');
      await replacing;
    } finally {
      await rating.query('rollback');
      rating.release();
    }
    expect(await statsOf(owner.startup.id)).toMatchObject({ average_rating: 2, total_reviews: 1 });
  });

  test('C-97 ratings stay with the person whose project is rated: deleting it and making another loses none', async () => {
    const [owner, first, second] = [await newOwner(), await newMember(), await newMember()];
    await unwrap(rate(first, owner.startup.id, 1, 'Never pays'));
    await unwrap(rate(second, owner.startup.id, 3, 'Fair'));
    const [other, gone] = [await newOwner(), await newOwner()];
    await unwrap(rate(first, other.startup.id, 5, 'Good'));
    await unwrap(rate(await newMember(), gone.startup.id, 4, 'Quick'));
    await unwrap(gone.client.rpc('delete_startup_profile', { p_startup_id: gone.startup.id }));
    const before = (await statsOf(owner.startup.id)) ?? {};
    const remake = async ({ client, name }: Member) =>
      unwrap(client.rpc('create_startup_profile', { p_name: `Once more, ${name}`, p_industry: 'SaaS' }));

    await unwrap(owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }));
    expect(await statsOf(owner.startup.id)).toMatchObject({ total_reviews: 0 });
    expect(await unwrap(first.client.rpc('get_own_data'))).toMatchObject({
      project_feedback: [{ rating: 1, feedback_text: 'Never pays' }, { rating: 5 }],
    });
    const again = await remake(owner);
    expect(await statsOf(again.id)).toEqual(before);
    expect(await statsOf((await remake(gone)).id)).toMatchObject({ total_reviews: 1, average_rating: 4 });
    const [mine] = await unwrap(first.client.rpc('get_own_project_feedback', { p_project_id: again.id }));
    expect(mine).toMatchObject({ rating: 1, updated_at: mine?.created_at });
    await unwrap(rate(first, again.id, 2, 'Paid in the end'));
    const stranger = await newOwner();
    await unwrap(rate(first, stranger.startup.id, 5, 'Also left'));
    await unwrap(asService().rpc('anonymise_user', { p_user_id: stranger.id }));

    expect((await asService().rpc('anonymise_user', { p_user_id: owner.id })).error).toBeNull();
    const back = await remake(await newMember('back', { email: owner.email }));
    expect(await statsOf(back.id)).toMatchObject({ total_reviews: 2, average_rating: 2.5 });
    expect(await statsOf(other.startup.id)).toMatchObject({ total_reviews: 1, average_rating: 5 });
  });

  test('C-81 C-97 of the ratings that a member gave to projects of several accounts of a person the latest one counts', async () => {
    const [former, other, kept, member] = [await newOwner(), await newOwner(), await newOwner(), await newMember()];
    for (const [n, { startup }] of [former, other, kept].entries()) await unwrap(rate(member, startup.id, n + 1));
    await unwrap(kept.client.rpc('delete_startup_profile', { p_startup_id: kept.startup.id }));
    await unwrap(rate(member, former.startup.id, 5, 'Much better now'));
    const [second, present] = [await newMember(), await newOwner()];
    for (const [n, { startup }] of [former, other].entries()) await unwrap(rate(second, startup.id, n + 3));
    await unwrap(rate(second, present.startup.id, 1));
    for (const { id } of [former, other, kept]) {
      expect((await asService().rpc('anonymise_user', { p_user_id: id })).error).toBeNull();
    }
    // A new account, with which the addresses of all of them have been verified one after the other.
    const back = await newMember('back', { email: former.email });
    for (const { email } of [other, kept, present])
      await sql().query('select private.remember_mailbox($1, $2)', [back.id, email]);
    const { id } = await unwrap(
      back.client.rpc('create_startup_profile', { p_name: `Back, ${back.name}`, p_industry: 'SaaS' }),
    );
    expect(await statsOf(id)).toMatchObject({ total_reviews: 2, average_rating: 4.5 });
    const [mine] = await unwrap(member.client.rpc('get_own_project_feedback', { p_project_id: id }));
    expect(mine).toMatchObject({ rating: 5, feedback_text: 'Much better now' });
    // A project that stands keeps its own.
    expect(await statsOf(present.startup.id)).toMatchObject({ total_reviews: 1, average_rating: 1 });
  });

  test('TRUST-02 C-97 a rating that is given while its project is being deleted is kept', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const rating = await sql().connect();
    try {
      await rating.query('begin');
      await actAs(rating, member);
      await rating.query("select public.submit_project_feedback($1, 2, 'Slow')", [owner.startup.id]);
      const deleted = unwrap(owner.client.rpc('delete_startup_profile', { p_startup_id: owner.startup.id }));
      await untilWaiting();
      await rating.query('commit');
      await deleted;
    } finally {
      await rating.query('rollback');
      rating.release();
    }
    const { rows } = await sql().query('select user_id from private.former_ratings where owner_user_id = $1', [
      owner.id,
    ]);
    expect(rows).toEqual([{ user_id: member.id }]);
  });

  test('FEED-06 a project that is being deleted cannot be rated any more', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const deletion = await sql().connect();
    try {
      await deletion.query('begin');
      await actAs(deletion, owner);
      await deletion.query('select public.delete_startup_profile($1)', [owner.startup.id]);
      const refused = refusal(rate(member, owner.startup.id));
      await untilWaiting();
      await deletion.query('commit');
      expect(await refused).toMatchObject({ status: 404, code: 'PROJECT_NOT_FOUND' });
    } finally {
      await deletion.query('rollback');
      deletion.release();
    }
  });

  test('FEED-08 a rating is changed as rarely as it may be written: ten times a minute, the first one included', async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { id } = await unwrap(rate(member, owner.startup.id));
    const change = () =>
      member.client.rpc('update_project_feedback', { p_feedback_id: id, p_rating: 4, p_feedback_text: 'Better' });
    for (let time = 2; time <= 10; time += 1) await unwrap(change());
    expect(await changesNothing(() => refusal(change()))).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  test("FEED-06 refuses missing fields, one's own project, unverified projects, visitors and suspended members", async () => {
    const [owner, member, suspended] = [await newOwner(), await newMember(), await suspend(await newMember())];
    const pending = await withSettings({ beta_mode: false }, () => newOwner());
    const notFound = { status: 404, code: 'PROJECT_NOT_FOUND', message: 'Project ID not found.' };
    await changesNothing(async () => {
      expect(await refusal(rate(member, owner.startup.id, 4, ' '))).toEqual({
        status: 400,
        code: 'FEEDBACK_INCOMPLETE',
        message: 'Please provide both a rating and feedback.',
      });
      for (const rating of [0, 6, -1])
        expect(await refusal(rate(member, owner.startup.id, rating))).toMatchObject({ code: 'RATING_RANGE' });
      expect(await refusal(rate(member, owner.startup.id, 5, 'x'.repeat(2001)))).toMatchObject({
        code: 'FEEDBACK_TOO_LONG',
      });
      for (const id of [randomUUID(), pending.startup.id]) expect(await refusal(rate(member, id))).toEqual(notFound);
      expect(await refusal(rate(owner, owner.startup.id))).toMatchObject({ status: 403, code: 'OWN_PROJECT' });
      expect(await refusal(rate(suspended, owner.startup.id))).toEqual(SUSPENDED);
      expect(
        await refusal(
          asAnon().rpc('submit_project_feedback', {
            p_project_id: owner.startup.id,
            p_rating: 5,
            p_feedback_text: 'x',
          }),
        ),
      ).toMatchObject({ status: 401 });
    });
  });
});
