import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import { FUNCTION_ACCESS } from './access/declared-functions.ts';
import { argumentsOf, callByName } from './support/by-name.ts';
import {
  FORBIDDEN,
  type Member,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  refusal,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { makeLoadData } from './support/load-data.ts';
import { changesNothing, rawCall } from './support/raw.ts';
import { actAs, rolledBack } from './support/rolled-back.ts';
import { allRows } from './support/rows.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

let admin: Member;
beforeAll(async () => {
  admin = await makeLoadData();
}, 120_000);

type Page = { id: string | number; cursor?: string }[];
type List = {
  name: string;
  read: (cursor: string | undefined, sort: string) => PromiseLike<{ data: Page | null; error: unknown }>;
  order: string;
};

/** Pages smaller than the data, so that every list takes several. */
const p_limit = 7;

const lists: List[] = [
  {
    name: 'admin_list_startups',
    read: (p_cursor, p_sort) => admin.client.rpc('admin_list_startups', { p_limit, p_cursor, p_sort }),
    order: 'select id::text from public.startup_profiles order by created_at desc, id desc',
  },
  {
    name: 'admin_list_users',
    read: (p_cursor, p_sort) => admin.client.rpc('admin_list_users', { p_limit, p_cursor, p_sort }),
    order: 'select id::text from public.user_profiles order by created_at desc, id desc',
  },
  {
    name: 'admin_list_campaigns',
    read: (p_cursor, p_sort) => admin.client.rpc('admin_list_campaigns', { p_limit, p_cursor, p_sort }),
    order: 'select id::text from public.campaigns order by created_at desc, id desc',
  },
  {
    name: 'admin_list_submissions',
    read: (p_cursor, p_sort) => admin.client.rpc('admin_list_submissions', { p_limit: 90, p_cursor, p_sort }),
    order: 'select id::text from public.submissions order by submitted_at desc, id desc',
  },
  {
    name: 'admin_list_feedback',
    read: (p_cursor, p_sort) => admin.client.rpc('admin_list_feedback', { p_limit, p_cursor, p_sort }),
    order: 'select id::text from public.beta_feedback order by created_at desc, id desc',
  },
  {
    name: 'admin_list_subscribers',
    read: (p_cursor, p_sort) => admin.client.rpc('admin_list_subscribers', { p_limit, p_cursor, p_sort }),
    order: 'select id::text from public.mailing_list order by subscribed_at desc, id desc',
  },
];

async function walk(
  read: (cursor: string | undefined) => PromiseLike<{ data: Page | null; error: unknown }>,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await unwrap(read(cursor));
    const next = page.map(({ id }) => String(id));
    // Without this, a list that ignores its cursor would never end.
    expect(ids).not.toContain(next[0]);
    ids.push(...next);
    cursor = page.at(-1)?.cursor;
  } while (cursor);
  return ids;
}

const idsOf = async (query: string) => (await sql().query<{ id: string }>(query)).rows.map(({ id }) => id);

describe('lists', () => {
  test.each(lists.map((list) => [list.name, list] as const))(
    'ADMIN-01 %s: its pages show every row once, newest or oldest first',
    async (_, { read, order }) => {
      const newest = await idsOf(order);
      expect(newest.length).toBeGreaterThan(p_limit);
      expect(await walk((cursor) => read(cursor, 'newest'))).toEqual(newest);
      expect(await walk((cursor) => read(cursor, 'oldest'))).toEqual(newest.toReversed());
    },
  );

  test('ADMIN-01 mails: their pages show every event once, newest first', async () => {
    const events = await idsOf('select id::text from public.outbox_events o order by o.id desc');
    const half = Math.ceil(events.length / 2);
    expect(
      await walk((p_cursor) => admin.client.rpc('admin_list_outbox', { p_limit: Math.min(half, 100), p_cursor })),
    ).toEqual(events);
  });

  // Rows of one moment, which a cursor without their ids would skip or repeat.
  test.each([
    [
      'list_transactions',
      `select wallet_id as of from public.entries where wallet_id is not null group by 1 having count(*) between 5 and 50 limit 1`,
      '',
    ],
    [
      'list_collected_emails',
      'select id as of from public.campaigns limit 1',
      `insert into public.campaign_email_collections (campaign_id, user_id, email, submission_id)
         select $1::uuid, n, 'a@example.com', gen_random_uuid() from generate_series(1, 5) n`,
    ],
    [
      'list_project_feedback',
      'select id as of from public.startup_profiles limit 1',
      `insert into public.project_feedback (project_id, user_id, rating, feedback_text)
         select $1::uuid, n, 5, 'Nice' from generate_series(1, 5) n`,
    ],
    [
      'admin_list_appeals',
      null,
      `insert into public.appeals (user_id, kind, against_at, words)
         select n, 'suspension', now(), 'Please' from generate_series(1, 5) n`,
    ],
    [
      'admin_list_returned_payments',
      null,
      `insert into public.point_purchases (owner_user_id, pack_id, points, amount_cents, payment_ref, status, credited_points)
         select n, 'points_small', 1, 1, 'paging_' || n, 'refunded', 1 from generate_series(1, 5) n`,
    ],
  ])('%s: its pages show every row once', async (name, owner, insert) => {
    const [whole, paged] = await rolledBack(async (client) => {
      const of: string[] = owner === null ? [] : [(await client.query(owner)).rows[0].of];
      await client.query('set local session_replication_role = replica');
      await client.query(insert, insert.includes('$1') ? of : []);
      await actAs(client, admin);
      const page = async (limit: number, cursor: string | null = null) => {
        const call = `public.${name}(${of.map(() => '$3, ').join('')}p_limit => $1, p_cursor => $2)`;
        return (await client.query(`select id, cursor from ${call}`, [limit, cursor, ...of])).rows;
      };
      const all = (await page(100)).map(({ id }) => String(id));
      return [all, await walk(async (cursor) => ({ data: await page(2, cursor), error: null }))];
    });
    expect(whole.length).toBeGreaterThan(4);
    expect(paged).toEqual(whole);
  });

  test('C-50 redemptions: pending ones first, oldest on top, then the handled ones, newest first', async () => {
    const expected = await idsOf(`
      (select id::text from public.redemptions where status = 'pending' order by created_at, id)
      union all (select id::text from public.redemptions where status <> 'pending' order by created_at desc, id desc)`);
    expect(await walk((p_cursor) => admin.client.rpc('admin_list_redemptions', { p_limit, p_cursor }))).toEqual(
      expected,
    );
    const fulfilled = await unwrap(admin.client.rpc('admin_list_redemptions', { p_status: 'fulfilled', p_limit: 100 }));
    expect(new Set(fulfilled.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  });

  test('a search matches parts of names and treats wildcards literally', async () => {
    const owner = await newVerifiedOwner('searched');
    await newQuest(owner, { campaign: { title: `Rare ${owner.id} title` } });
    const find = async (p_search: string) => ({
      startups: (await unwrap(admin.client.rpc('admin_list_startups', { p_search }))).length,
      users: (await unwrap(admin.client.rpc('admin_list_users', { p_search }))).length,
      quests: (await unwrap(admin.client.rpc('admin_list_campaigns', { p_search }))).length,
    });
    expect(await find(owner.email.slice(0, -4))).toMatchObject({ startups: 1, users: 1 });
    expect(await find(`are ${owner.id} ti`)).toMatchObject({ quests: 1 });
    const member = await newMember();
    await unwrap(member.client.rpc('update_profile', { p_username: member.id, p_display_name: 'Marigold Fern' }));
    // Owners know members by the names that these have chosen.
    expect(await find('gold fern')).toEqual({ startups: 0, users: 1, quests: 0 });
    expect(await unwrap(admin.client.rpc('admin_search', { p_search: 'Marigold' }))).toMatchObject([{ id: member.id }]);
    const withWildcard = (text: string) => `${text.slice(0, 3)}%${text.slice(5)}`;
    for (const text of [owner.email, `Rare ${owner.id} title`])
      expect(await find(withWildcard(text))).toEqual({ startups: 0, users: 0, quests: 0 });
  });

  test('ADMIN-01 a filter lists the rows of its status or type, all of them and no others', async () => {
    const [{ startup }, drafting, closing] = [await newOwner(), await newOwner(), await newOwner()];
    await sql().query("update public.startup_profiles set status = 'rejected' where id = $1", [startup.id]);
    const [draft, closed] = [await newQuest(drafting), await newQuest(closing)];
    await unwrap(drafting.client.rpc('unpublish_campaign', { p_campaign_id: draft.campaign.id }));
    await unwrap(closing.client.rpc('close_campaign', { p_campaign_id: closed.campaign.id }));
    await sql().query(
      `insert into public.beta_feedback (type, title, description, status)
       values ('bug', 'Filtered', 'x', 'resolved'), ('other', 'Filtered', 'x', 'new')`,
    );
    const { client } = admin;
    const filters: [table: string, where: string, (p_cursor?: string) => ReturnType<List['read']>][] = [
      [
        'campaigns',
        "status = 'draft'",
        (p_cursor) => client.rpc('admin_list_campaigns', { p_status: 'draft', p_cursor }),
      ],
      [
        'campaigns',
        "status = 'closed'",
        (p_cursor) => client.rpc('admin_list_campaigns', { p_status: 'closed', p_cursor }),
      ],
      [
        'startup_profiles',
        "status = 'rejected'",
        (p_cursor) => client.rpc('admin_list_startups', { p_status: 'rejected', p_cursor }),
      ],
      [
        'beta_feedback',
        "status = 'resolved'",
        (p_cursor) => client.rpc('admin_list_feedback', { p_status: 'resolved', p_cursor }),
      ],
      ['beta_feedback', "type = 'bug'", (p_cursor) => client.rpc('admin_list_feedback', { p_type: 'bug', p_cursor })],
    ];
    for (const [table, where, read] of filters) {
      const expected = await idsOf(`select id::text from public.${table} where ${where}`);
      expect(expected.length).toBeGreaterThan(0);
      expect((await walk(read)).toSorted(), where).toEqual(expected.toSorted());
    }
  });

  test('ADMIN-01 proofs are found by their member, and feedback by its words and its address', async () => {
    const [member, word] = [await newMember(), randomUUID()];
    const { taskId } = await newQuest(await newOwner());
    const { id } = await unwrap(submitProof(member, taskId));
    const proofs = await unwrap(admin.client.rpc('admin_list_submissions', { p_search: member.email }));
    expect(proofs.map((row) => row.id)).toEqual([id]);
    expect(await unwrap(admin.client.rpc('admin_list_submissions', { p_search: word }))).toEqual([]);
    await sql().query(
      "insert into public.beta_feedback (type, title, description, email) values ('bug', 'Broken', $1, $2)",
      [`It says ${word}`, `${word.slice(0, 8)}@example.com`],
    );
    for (const p_search of [`says ${word}`, `${word.slice(0, 8)}@example`]) {
      const found = await unwrap(admin.client.rpc('admin_list_feedback', { p_search }));
      expect(found.map(({ description }) => description)).toEqual([`It says ${word}`]);
    }
  });

  test("C-91 a project, and its quests, are found by the project's id", async () => {
    const owner = await newVerifiedOwner();
    const { campaign } = await newQuest(owner);
    await newQuest(await newVerifiedOwner());
    const p_startup_id = owner.startup.id;
    const ids = (rows: Page) => rows.map(({ id }) => id);
    expect(ids(await unwrap(admin.client.rpc('admin_list_startups', { p_startup_id })))).toEqual([p_startup_id]);
    expect(ids(await unwrap(admin.client.rpc('admin_list_campaigns', { p_startup_id })))).toEqual([campaign.id]);
  });

  test('C-25 a held quest is listed as held with its reason until the hold is lifted', async () => {
    const quest = await newQuest(await newVerifiedOwner());
    const id = quest.campaign.id;
    await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: id, p_reason: 'Asks for passwords' }));
    const held = await unwrap(admin.client.rpc('admin_list_campaigns', { p_status: 'held', p_limit: 100 }));
    expect(held.find((row) => row.id === id)).toMatchObject({ status: 'draft', hold_reason: 'Asks for passwords' });
    await unwrap(admin.client.rpc('lift_campaign_hold', { p_campaign_id: id }));
    const after = await unwrap(admin.client.rpc('admin_list_campaigns', { p_status: 'held', p_limit: 100 }));
    expect(after.map((row) => row.id)).not.toContain(id);
  });

  test('refuse unknown statuses and sort orders', async () => {
    const status = { status: 400, code: 'INVALID_STATUS', message: 'Unknown status' };
    expect(await refusal(admin.client.rpc('admin_list_campaigns', { p_status: 'gone' }))).toEqual(status);
    expect(await refusal(admin.client.rpc('admin_list_submissions', { p_status: 'gone' }))).toEqual(status);
    expect(await refusal(admin.client.rpc('admin_list_outbox', { p_state: 'gone' }))).toEqual(status);
    expect(await refusal(admin.client.rpc('admin_list_feedback', { p_type: 'praise' }))).toEqual({
      status: 400,
      code: 'INVALID_FEEDBACK_TYPE',
      message: 'Unknown feedback type',
    });
    expect(await refusal(admin.client.rpc('admin_list_users', { p_sort: 'name; drop table x' }))).toEqual({
      status: 400,
      code: 'INVALID_SORT',
      message: 'Unknown sort order',
    });
  });
});

describe('the audit log', () => {
  test('BEY-04 records the actor and the values before and after, and is searchable by actor', async () => {
    const member = await newMember('troublesome');
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: member.id, p_reason: 'Spam' }));
    await unwrap(admin.client.rpc('lift_suspension', { p_user_id: member.id, p_note: 'Sorry' }));
    for (const what of ['', 'Mailing list', '_list', 'x'.repeat(51)]) {
      expect(await refusal(admin.client.rpc('record_admin_export', { p_what: what, p_rows: 3 })), what).toEqual({
        status: 400,
        code: 'INVALID_EXPORT',
        message: 'Unknown kind of export',
      });
    }
    await unwrap(admin.client.rpc('record_admin_export', { p_what: 'mailing_list', p_rows: 3 }));
    const entries = await unwrap(admin.client.rpc('admin_list_audit', { p_search: admin.email, p_limit: 3 }));
    expect(entries).toMatchObject([
      { actor_id: admin.id, action: 'export.mailing_list', after: { rows: 3 } },
      { action: 'user.lift_suspension', subject_id: member.id, before: { reason: 'Spam' }, note: 'Sorry' },
      { action: 'user.suspend', subject_id: member.id, note: 'Spam' },
    ]);
    const [first] = entries;
    const below = await unwrap(
      admin.client.rpc('admin_list_audit', { p_cursor: first?.cursor, p_subject_type: 'user', p_limit: 1 }),
    );
    expect(below).toMatchObject([{ action: 'user.lift_suspension' }]);
  });
});

describe('the export', () => {
  type Export = { taken_at: string; tables: Record<string, Json[]> };

  test('ADMIN-12 C-54 contains every row of every table', async () => {
    const { tables } = (await unwrap(admin.client.rpc('export_data'))) as Export;
    expect(Object.keys(tables).sort()).toEqual(
      await idsOf(
        "select relname::text as id from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
      ),
    );
    const text = (row: Json) => JSON.stringify(row);
    // The export is read before its own audit entry is written.
    for (const name of Object.keys(tables).filter((name) => name !== 'audit_log')) {
      const { rows } = await sql().query<{ row: Json }>(`select to_jsonb(t) as row from public.${name} t`);
      expect(tables[name]?.map(text).toSorted(), name).toEqual(rows.map(({ row }) => text(row)).toSorted());
    }
    const [entry] = await unwrap(admin.client.rpc('admin_list_audit', { p_subject_type: 'export', p_limit: 1 }));
    expect(entry).toMatchObject({ action: 'export.data', actor_id: admin.id });
  });

  test('ADMIN-12 cannot be taken without a record: the error of a cast would contain it, and roll the record back', async () => {
    const answer = await rawCall(admin, 'export_data?select=pgrst_scalar:pgrst_scalar->>tables::int4', {});
    expect([answer.hint, answer.message]).toEqual([
      'PLAIN_CALL_REQUIRED',
      'Please call this without filters and casts',
    ]);
  });

  test('C-105 is a consistent snapshot: while points move, each wallet equals its entries', async () => {
    const member = await newMember();
    let isStopped = false;
    let moved = 0;
    const moving = (async () => {
      for (; !isStopped; moved += 1)
        await sql().query("select public.credit_points_safe($1, 1, 'Moving')", [member.id]);
    })();
    try {
      for (let round = 0; round < 3; round += 1) {
        await expect.poll(() => moved).toBeGreaterThan(round);
        const { tables } = (await unwrap(admin.client.rpc('export_data'))) as unknown as {
          tables: {
            wallets: { id: string; user_id: string; points: number }[];
            entries: { id: number; wallet_id: string; balance_after: number }[];
          };
        };
        const wallet = tables.wallets.find(({ user_id }) => user_id === member.id);
        const entries = tables.entries.filter(({ wallet_id }) => wallet_id === wallet?.id);
        expect(entries.toSorted((a, b) => a.id - b.id).at(-1)?.balance_after).toBe(wallet?.points);
        expect(entries.length).toBeGreaterThan(round);
      }
    } finally {
      isStopped = true;
      await moving;
    }
  });
});

describe('access', () => {
  test('SEC-15 SEC-10 ROUTE-13 every admin procedure refuses members, owners and self-declared admins', async () => {
    const owner = await newOwner();
    const tampered = await newMember('tampered', {
      user_metadata: { role: 'admin' },
      unsafe_metadata: { role: 'admin' },
      user_role: 'admin',
    });
    await tampered.client.rpc('switch_role', { p_role: 'admin' });
    const people = [await newMember(), owner, tampered];
    expect((await allRows('campaigns')).length).toBeGreaterThan(0);
    const calls = await argumentsOf(FUNCTION_ACCESS.admins, owner.startup.id);
    expect(calls.length).toBeGreaterThan(30);
    await changesNothing(async () => {
      for (const { client } of people) {
        for (const [name, args] of calls) {
          expect([name, await callByName(client, name, args)]).toEqual([name, FORBIDDEN]);
        }
      }
    });
  });
});
