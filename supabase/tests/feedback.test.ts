import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
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

describe('beta feedback', () => {
  const send = (args: { p_type?: string; p_description?: string; p_rating?: number; p_email?: string } = {}) =>
    asAnon().rpc('submit_beta_feedback', { p_type: 'bug', p_description: 'It broke', ...args });
  const row = async (id: string) =>
    (await sql().query('select * from public.beta_feedback where id = $1', [id])).rows[0];

  test('DB-16 C-51 FEED-02 FEED-03 FEED-04 is stored as new and medium, titled by its type, from visitors and members', async () => {
    const titles = { bug: 'Bug Report', feature: 'Feature Request', general: 'General Feedback' };
    for (const [type, title] of Object.entries(titles)) {
      const text = "<b>x</b>'; drop table x; --";
      expect(await row(await unwrap(send({ p_type: type, p_description: ` ${text} ` })))).toMatchObject({
        type,
        title,
        description: text,
        status: 'new',
        priority: 'medium',
        rating: null,
        user_id: null,
      });
    }
    const member = await newMember();
    const id = await unwrap(
      member.client.rpc('submit_beta_feedback', { p_type: 'rating', p_description: 'Good', p_rating: 5 }),
    );
    expect(await row(id)).toMatchObject({ user_id: member.id, rating: 5, type: 'rating' });
    const other = await unwrap(send({ p_type: 'other' }));
    expect(await row(other)).toMatchObject({ type: 'other', priority: 'medium' });
  });

  test('C-51 FEED-03 the second try of somebody whose answer was lost is stored once; of others, later or with other words it is stored', async () => {
    const [member, other] = [await newMember(), await newMember()];
    const report = { p_type: 'bug', p_description: 'The button does nothing' };
    const sent = (who: Member, more = {}) => unwrap(who.client.rpc('submit_beta_feedback', { ...report, ...more }));
    const [first, second] = await Promise.all([sent(member), sent(member)]);
    expect(second).toBe(first);
    const visitor = { ...report, p_email: 'visitor@example.com' };
    expect(await unwrap(send(visitor))).toBe(await unwrap(send(visitor)));
    const others = [
      await sent(other),
      await sent(member, { p_description: 'The link does nothing' }),
      await sent(member, { p_type: 'feature' }),
      await sent(member, { p_title: 'Button' }),
      await sent(member, { p_rating: 2 }),
      await sent(member, { p_email: 'elsewhere@example.com' }),
      // Nobody knows whether two visitors without an address are one.
      await unwrap(send(report)),
      await unwrap(send(report)),
    ];
    expect(new Set([first, ...others]).size).toBe(9);
    await sql().query("update public.beta_feedback set created_at = now() - interval '10 minutes' where id = $1", [
      first,
    ]);
    expect(await sent(member)).not.toBe(first);
    // All visitors of this file have one address.
    await sql().query('delete from private.rate_limits');
  });

  test('FEED-02 refuses blank text and invalid ratings, types and addresses, and changes nothing', async () => {
    const cases = [
      [{ p_description: ' \n' }, 'FEEDBACK_TEXT_REQUIRED', 'Please enter your feedback'],
      [{ p_description: 'x'.repeat(5001) }, 'TEXT_TOO_LONG', 'This text is too long'],
      [{ p_rating: 0 }, 'RATING_RANGE', 'Rating must be between 1 and 5'],
      [{ p_rating: 6 }, 'RATING_RANGE', 'Rating must be between 1 and 5'],
      [{ p_type: 'praise' }, 'INVALID_FEEDBACK_TYPE', 'Unknown feedback type'],
      [{ p_email: 'nope' }, 'INVALID_EMAIL', 'Please enter a valid email address'],
    ] as const;
    await changesNothing(async () => {
      for (const [args, code, message] of cases)
        expect(await refusal(send(args))).toEqual({ status: 400, code, message });
    });
  });

  test('FEED-04 SEC-15 only an admin marks it reviewed or resolved, and changes nothing else', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const id = await unwrap(send());
    const mark = (who: Member, status: string, feedback = id) =>
      who.client.rpc('update_beta_feedback', { p_feedback_id: feedback, p_status: status });
    await changesNothing(async () => {
      expect(await refusal(mark(member, 'reviewed'))).toEqual(FORBIDDEN);
      for (const status of ['new', '', 'closed']) {
        expect(await refusal(mark(admin, status))).toEqual({
          status: 400,
          code: 'INVALID_STATUS',
          message: 'Unknown status',
        });
      }
      expect(await refusal(mark(admin, 'reviewed', randomUUID()))).toMatchObject({ code: 'FEEDBACK_NOT_FOUND' });
    });
    const noted = { p_feedback_id: id, p_status: 'reviewed', p_admin_notes: ' Seen it too ' };
    const admin_notes = 'Seen it too';
    const before = await row(id);
    expect(await unwrap(admin.client.rpc('update_beta_feedback', noted))).toMatchObject({ admin_notes });
    for (const status of ['reviewed', 'resolved']) {
      expect(await unwrap(mark(admin, status))).toMatchObject({ status, admin_notes });
      expect(await row(id)).toEqual({ ...before, status, admin_notes, updated_at: expect.any(Date) });
    }
  });

  test('DB-16 the figures cover all rows: the count, the count by type, and the average rating to one decimal', async () => {
    const admin = await newAdmin();
    const ratings: [type: string, rating: number | undefined][] = [
      ['bug', 5],
      ['bug', 4],
      ['feature', 2],
      ['rating', 4],
      ['general', undefined],
    ];
    for (const [p_type, p_rating] of ratings) {
      await unwrap(
        asAnon().rpc('submit_beta_feedback', { p_type, p_description: 'It counts', ...(p_rating && { p_rating }) }),
      );
    }
    const { rows } = await sql().query<{ type: string; rating: number | null }>(
      'select type, rating from public.beta_feedback',
    );
    const of = (type: string) => rows.filter((row) => row.type === type).length;
    const rated = rows.flatMap(({ rating }) => (rating === null ? [] : [rating]));
    const average = rated.reduce((total, rating) => total + rating, 0) / rated.length;
    expect(await unwrap(admin.client.rpc('get_beta_feedback_stats'))).toMatchObject({
      total: rows.length,
      average_rating: Math.round(average * 10) / 10,
      by_type: { bug: of('bug'), feature: of('feature') },
    });
  });

  test('C-108 DB-16 an admin sets one of four priorities, which is audited; members cannot', async () => {
    const [admin, member] = [await newAdmin(), await newMember()];
    const report = { p_type: 'bug', p_description: 'It broke' };
    const id = await unwrap(member.client.rpc('submit_beta_feedback', report));
    const set = (who: Member, p_priority: string, p_feedback_id = id) =>
      who.client.rpc('set_feedback_priority', { p_feedback_id, p_priority });
    await changesNothing(async () => {
      expect(await refusal(set(member, 'urgent'))).toEqual(FORBIDDEN);
      for (const word of ['', 'low', 'URGENT']) {
        expect(await refusal(set(admin, word))).toEqual({
          status: 400,
          code: 'INVALID_PRIORITY',
          message: 'Unknown priority',
        });
      }
      expect(await refusal(set(admin, 'urgent', randomUUID()))).toMatchObject({ code: 'FEEDBACK_NOT_FOUND' });
    });
    for (const word of ['high', 'urgent', 'urgent', 'medium', 'other']) {
      expect((await unwrap(set(admin, word))).priority).toBe(word);
    }
    expect(await row(id)).toMatchObject({ priority: 'other', status: 'new' });
    const { rows } = await sql().query<{ after: object }>(
      "select after from public.audit_log where subject_id = $1 and action = 'feedback.priority' order by id",
      [id],
    );
    expect(rows.map(({ after }) => after)).toEqual(
      ['high', 'urgent', 'medium', 'other'].map((priority) => ({ priority })),
    );
  });
});

test('BEY-04 of two admins at once, the later one replaces what the earlier one has set, also in the audit log', async () => {
  const [admin, member] = [await newAdmin(), await newMember()];
  const report = { p_type: 'bug', p_description: 'It broke' };
  const p_feedback_id = await unwrap(member.client.rpc('submit_beta_feedback', report));
  const earlier = await sql().connect();
  try {
    await earlier.query('begin');
    await earlier.query("update public.beta_feedback set status = 'reviewed', priority = 'high' where id = $1", [
      p_feedback_id,
    ]);
    const later = Promise.all([
      unwrap(admin.client.rpc('update_beta_feedback', { p_feedback_id, p_status: 'resolved' })),
      unwrap(admin.client.rpc('set_feedback_priority', { p_feedback_id, p_priority: 'urgent' })),
    ]);
    await untilWaiting(2);
    await earlier.query('commit');
    await later;
  } finally {
    await earlier.query('rollback');
    earlier.release();
  }
  const { rows } = await sql().query('select before from public.audit_log where subject_id = $1 order by action', [
    p_feedback_id,
  ]);
  expect(rows).toEqual([{ before: { priority: 'high' } }, { before: { status: 'reviewed' } }]);
});

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
    const [owner, first] = [await newOwner(), await newMember()];
    const again = (who: Member, n: number) => newMember(`again${n}`, { email: who.email.replace('@', `+${n}@`) });
    await unwrap(rate(first, owner.startup.id, 1));
    await unwrap(rate(await newMember(), owner.startup.id, 4));
    for (const n of [1, 2]) await unwrap(rate(await again(first, n), owner.startup.id, 1));
    expect(await statsOf(owner.startup.id)).toMatchObject({ average_rating: 2.5, total_reviews: 2 });
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
    const second = await newMember();
    for (const [n, { startup }] of [former, other].entries()) await unwrap(rate(second, startup.id, n + 3));
    for (const { id } of [former, other, kept]) {
      expect((await asService().rpc('anonymise_user', { p_user_id: id })).error).toBeNull();
    }
    // A new account, with which the addresses of all three have been verified one after the other.
    const back = await newMember('back', { email: former.email });
    for (const { email } of [other, kept])
      await sql().query('select private.remember_mailbox($1, $2)', [back.id, email]);
    const { id } = await unwrap(
      back.client.rpc('create_startup_profile', { p_name: `Back, ${back.name}`, p_industry: 'SaaS' }),
    );
    expect(await statsOf(id)).toMatchObject({ total_reviews: 2, average_rating: 4.5 });
    const [mine] = await unwrap(member.client.rpc('get_own_project_feedback', { p_project_id: id }));
    expect(mine).toMatchObject({ rating: 5, feedback_text: 'Much better now' });
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

describe('usage events', () => {
  test('ANA-04 anyone adds one, always as themselves; only admins read; nobody changes them', async () => {
    const [member, other, admin] = [await newMember(), await newMember(), await newAdmin()];
    const data = { action: 'a', category: 'c', label: randomUUID(), page_url: '/', session_id: 's' };
    expect(
      (await member.client.from('metrics_events').insert({ type: 'click', user_id: other.id, data })).error,
    ).toBeNull();
    expect((await asAnon().from('metrics_events').insert({ type: 'click', data })).error).toBeNull();
    const rows = await unwrap(
      admin.client.from('metrics_events').select('user_id, type').eq('data->>label', data.label).order('id'),
    );
    expect(rows).toEqual([
      { user_id: member.id, type: 'click' },
      { user_id: null, type: 'click' },
    ]);
    expect(await unwrap(member.client.from('metrics_events').select('id'))).toEqual([]);
    expect((await refusal(asAnon().from('metrics_events').insert({ type: "x'; --", data }))).status).toBe(400);
    expect((await refusal(admin.client.from('metrics_events').delete().eq('type', 'click'))).status).toBe(403);
  });
});
