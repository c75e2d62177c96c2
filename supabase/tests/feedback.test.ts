import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { FORBIDDEN, type Member, newAdmin, newMember, refusal, unwrap } from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { changesNothing } from './support/raw.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
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
    const repeated = await unwrap(send({ ...visitor, p_email: ' Visitor@Example.com' }));
    expect(repeated).toBe(await unwrap(send(visitor)));
    const others = [
      await sent(other),
      await sent(member, { p_description: 'The link does nothing' }),
      await sent(member, { p_type: 'feature', p_title: 'Bug Report' }),
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
      [{ p_type: null as unknown as string }, 'INVALID_FEEDBACK_TYPE', 'Unknown feedback type'],
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
      for (const status of ['new', '', 'closed', null as never]) {
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

  test('DB-16 the figures begin at zero, and follow what is changed and deleted', async () => {
    const admin = await newAdmin();
    await rolledBack(async (client) => {
      await actAs(client, admin);
      const figuresAfter = async (change: string) => {
        await client.query(`reset role; ${change}; set local role authenticated`);
        return (await client.query('select public.get_beta_feedback_stats() as figures')).rows[0].figures;
      };
      const none = { bug: 0, feature: 0, rating: 0, general: 0, other: 0 };
      const figures = (total: number, average_rating: number, types = {}) => ({
        ...{ total, average_rating, by_type: { ...none, ...types } },
      });
      const add = (values: string) =>
        `insert into public.beta_feedback (type, title, description, rating) select 'bug', 'T', 'D', r from unnest(array[${values}]) r`;
      expect(await figuresAfter('delete from public.beta_feedback')).toEqual(figures(0, 0));
      expect(await figuresAfter(add('5'))).toEqual(figures(1, 5, { bug: 1 }));
      expect(await figuresAfter(add('4, 2, null'))).toEqual(figures(4, 3.7, { bug: 4 }));
      const change = "update public.beta_feedback set type = 'other', rating = case when rating < 5 then 1 end";
      expect(await figuresAfter(change)).toEqual(figures(4, 1, { other: 4 }));
      const removal =
        'delete from public.beta_feedback where ctid = (select min(ctid) from public.beta_feedback where rating = 1)';
      expect(await figuresAfter(removal)).toEqual(figures(3, 1, { other: 3 }));
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
      for (const word of ['', 'low', 'URGENT', null as never]) {
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
