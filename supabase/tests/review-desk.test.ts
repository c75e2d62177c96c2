import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  ledgerProblems,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Owner,
  projectPoints,
  type Quest,
  refusal,
  SUSPENDED,
  suspend,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { fillQuest } from './support/many-submissions.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();
// Several quests of one owner, outside beta.
beforeAll(() =>
  sql().query(
    'update public.app_settings set beta_mode = false, trial_quest_limit = 100, submissions_per_minute = 100',
  ),
);

type ListOptions = {
  p_campaign_id?: string;
  p_task_id?: string;
  p_status?: string;
  p_is_flagged?: boolean;
  p_search?: string;
  p_sort?: string;
  p_limit?: number;
  p_cursor?: string;
};
const list = (who: Member, options: ListOptions = {}) => who.client.rpc('list_review_submissions', options);
const counts = (who: Member) => unwrap(who.client.rpc('get_review_counts'));
const decide = (who: Member, ids: string[], decision: string, more: { p_note?: string; p_reason?: string } = {}) =>
  who.client.rpc('review_submissions', { p_submission_ids: ids, p_decision: decision, ...more });

async function submit(member: Member, quest: Quest, text = 'done'): Promise<string> {
  return (await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: text }))).id;
}

/** Two quests of one owner with two pending proofs each, and one quest of another owner with one. */
async function scene() {
  const [owner, stranger, one, other] = await Promise.all([
    newVerifiedOwner(),
    newVerifiedOwner('stranger'),
    newMember(),
    newMember(),
  ]);
  const quests = [await newQuest(owner), await newQuest(owner, { task: { title: 'Send a postcard' } })] as const;
  const foreign = await newQuest(stranger);
  const ids: string[] = [];
  for (const quest of quests)
    for (const member of [one, other]) ids.push(await submit(member, quest, `by ${member.name} ${randomUUID()}`));
  const foreignId = await submit(one, foreign);
  return { owner, stranger, one, other, quests, foreign, ids, foreignId };
}

const statusOf = async (id: string) =>
  (await sql().query('select status, reviewed_by from public.submissions where id = $1', [id])).rows[0];

const dismissFlags = (id: string | undefined) =>
  sql().query(
    "update public.submission_flags set dismissed_at = now(), dismissed_by = 'a', dismissal_reason = 'b' where submission_id = $1",
    [id],
  );

describe('BEY-01 list_review_submissions', () => {
  test('returns the pending proofs of all quests of the project, oldest first, and no others', async () => {
    const { owner, stranger, ids, foreignId } = await scene();
    await unwrap(decide(owner, [ids[1] ?? ''], 'approve'));
    const order = async (who: Member, options?: ListOptions) => (await unwrap(list(who, options))).map(({ id }) => id);
    expect(await order(owner)).toEqual([ids[0], ids[2], ids[3], ids[1]]);
    expect(await order(owner, { p_status: 'pending' })).toEqual([ids[0], ids[2], ids[3]]);
    expect(await order(owner, { p_status: 'rejected' })).toEqual([]);
    expect(await order(stranger)).toEqual([foreignId]);
  });

  test('SUBM-05 SUBM-07 SUBM-10 a row has quest, task, member, address, proof and decision', async () => {
    const [owner, member] = [await newVerifiedOwner(), await newMember()];
    const { campaign, taskId } = await newQuest(owner, { campaign: { collect_emails: true } });
    const proof = { p_url: 'https://example.com/post', p_text: 'See there', p_email: member.email };
    const { id } = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, ...proof }));
    await unwrap(decide(owner, [id], 'reject', { p_reason: 'incomplete', p_note: 'Half of it' }));
    expect(await unwrap(list(owner))).toMatchObject([
      {
        campaign_id: campaign.id,
        campaign_title: campaign.title,
        task_id: taskId,
        task_title: 'Try the product',
        task_points: 10,
        user_id: member.id,
        member_name: member.name,
        participant_email: member.email,
        proof_url: 'https://example.com/post',
        proof_text: 'See there',
        status: 'rejected',
        reward_points: 10,
        reviewed_by: 'project',
        review_note: 'Half of it',
        rejection_reason: 'incomplete',
        reviewed_at: expect.any(String),
        submitted_at: expect.any(String),
      },
    ]);
  });

  test('filters by quest, task, flag and search', async () => {
    const { owner, one, other, quests, ids } = await scene();
    const found = async (options: ListOptions) => (await unwrap(list(owner, options))).map(({ id }) => id);
    const [, second] = quests;
    expect(await found({ p_campaign_id: second.campaign.id })).toEqual([ids[2], ids[3]]);
    expect(await found({ p_task_id: quests[0].taskId })).toEqual([ids[0], ids[1]]);
    expect(await found({ p_search: 'POSTCARD' })).toEqual([ids[2], ids[3]]);
    expect(await found({ p_search: one.id })).toEqual([ids[0], ids[2]]);
    expect(await found({ p_search: ids[1] })).toEqual([ids[1]]);
    expect(await found({ p_search: '%' })).toEqual([]);
    await sql().query(
      "insert into public.submission_flags (submission_id, campaign_id, user_id, kind) values ($1, $2, $3, 'aliased_mailbox')",
      [ids[3], second.campaign.id, other.id],
    );
    expect(await found({ p_is_flagged: true })).toEqual([ids[3]]);
    expect((await unwrap(list(owner, { p_is_flagged: true })))[0]?.flags).toMatchObject([{ kind: 'aliased_mailbox' }]);
    await dismissFlags(ids[3]);
    expect(await found({ p_is_flagged: true })).toEqual([]);
  });

  test('C-92 shows the display name or the masked one, and searches only what is shown', async () => {
    const { owner, one, other } = await scene();
    await sql().query("update public.user_profiles set display_name = 'Ada Lovelace' where user_id = $1", [one.id]);
    await sql().query(
      "update public.user_profiles set username = 'hiddenname', display_name = null where user_id = $1",
      [other.id],
    );
    const rows = await unwrap(list(owner));
    const nameOf = (member: Member) => rows.find(({ user_id }) => user_id === member.id)?.member_name;
    expect(nameOf(one)).toBe('Ada Lovelace');
    expect(nameOf(other)).toMatch(/\*/);
    expect(nameOf(other)).not.toContain('hiddenname');
    expect(await unwrap(list(owner, { p_search: 'lovelace' }))).toHaveLength(2);
    expect(await unwrap(list(owner, { p_search: 'hiddenname' }))).toEqual([]);
  });

  test('a flag links to the matching submission only if the reader may read it', async () => {
    const { owner, one, quests, ids, foreignId } = await scene();
    for (const [kind, twin] of [
      ['same_link', ids[1]],
      ['similar_text', foreignId],
    ])
      await sql().query(
        `insert into public.submission_flags (submission_id, campaign_id, user_id, kind, twin_submission_id)
          values ($1, $2, $3, $4, $5)`,
        [ids[0], quests[0].campaign.id, one.id, kind, twin],
      );
    const [first] = await unwrap(list(owner));
    const flags = first?.flags as { kind: string; twin: { id: string } | null; has_twin: boolean }[];
    expect(flags.map(({ kind, twin, has_twin }) => [kind, twin?.id, has_twin])).toEqual([
      ['same_link', ids[1], true],
      ['similar_text', undefined, true],
    ]);
  });

  test("refuses another owner's quest, invalid filters, visitors and suspended owners", async () => {
    const { owner, foreign } = await scene();
    expect(await refusal(list(owner, { p_campaign_id: foreign.campaign.id }))).toEqual(FORBIDDEN);
    expect(await refusal(list(owner, { p_campaign_id: randomUUID() }))).toEqual(FORBIDDEN);
    expect(await refusal(list(owner, { p_status: 'flagged' }))).toMatchObject({ code: 'INVALID_STATUS' });
    for (const p_sort of ['-newest', 'id', '-'])
      expect(await refusal(list(owner, { p_sort }))).toMatchObject({ code: 'INVALID_SORT' });
    expect(await refusal(list(owner, { p_cursor: 'x' }))).toMatchObject({ code: 'INVALID_CURSOR' });
    const member = await newMember();
    expect(await unwrap(list(member))).toEqual([]);
    expect(await counts(member)).toEqual([]);
    expect(await refusal(asAnon().rpc('list_review_submissions', {}))).toMatchObject({ status: 401 });
    expect(await refusal(asAnon().rpc('get_review_counts'))).toMatchObject({ status: 401 });
    await suspend(owner);
    expect(await refusal(list(owner))).toEqual(SUSPENDED);
    expect(await refusal(owner.client.rpc('get_review_counts'))).toEqual(SUSPENDED);
  });
});

describe('SUBM-05 beyond the first page', () => {
  // Times, members and states often tie, so that a cursor without tie-breakers would skip or repeat rows.
  const ROWS = 260;
  let owner: Owner;
  let taskIds: string[];
  let many: string;

  beforeAll(async () => {
    owner = await newVerifiedOwner();
    const quests = [await newQuest(owner), await newQuest(owner)] as const;
    taskIds = [];
    many = quests[1].campaign.id;
    for (const { campaign } of quests)
      taskIds.push(
        ...(await fillQuest(campaign.id, {
          tasks: 4,
          rows: ROWS / 2,
          userId: `'member ' || n / 4 || ', "quoted"'`,
          status: "(array['pending', 'approved', 'pending', 'rejected'])[1 + n % 4]",
          submittedAt: "now() - n / 7 * interval '1 minute'",
        })),
      );
    // Two tasks at the same position: their ids decide.
    await sql().query('update public.tasks set order_index = 1 where id = any ($1)', [taskIds.slice(1, 3)]);
  });

  async function readAll(p_sort: string, more: ListOptions = {}) {
    const rows: Awaited<ReturnType<typeof readPage>> = [];
    const readPage = (p_cursor?: string) => unwrap(list(owner, { p_sort, p_limit: 100, p_cursor, ...more }));
    for (let page = await readPage(); ; page = await readPage(page.at(-1)?.cursor)) {
      rows.push(...page);
      if (page.length < 100) return rows;
    }
  }

  const states = ['pending', 'approved', 'rejected'];
  const keys: Record<string, (row: Awaited<ReturnType<typeof readAll>>[number]) => string | number> = {
    status: ({ status }) => states.indexOf(status),
    task: ({ task_id }) => task_id,
    member: ({ user_id }) => user_id,
    newest: ({ submitted_at }) => -Date.parse(submitted_at),
    oldest: ({ submitted_at }) => Date.parse(submitted_at),
  };

  test.each(Object.keys(keys))(
    'sorted by %s, every row appears once and in order, in both directions',
    async (sort) => {
      const rows = await readAll(sort);
      expect(rows).toHaveLength(ROWS);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(ROWS);
      const values = rows.map((row) => keys[sort]?.(row));
      if (typeof values[0] === 'number') expect(values).toEqual(values.toSorted((a, b) => Number(a) - Number(b)));
      // Ties are adjacent; the collation is the database's concern.
      const groups = values.filter((value, index) => value !== values[index - 1]);
      expect(new Set(groups).size).toBe(groups.length);
      const times = rows.map(({ submitted_at }) => Date.parse(submitted_at));
      const inOrder = rows.every(
        (_, index) => values[index] !== values[index - 1] || (times[index] ?? 0) >= (times[index - 1] ?? 0),
      );
      expect(inOrder).toBe(true);
      const backwards = { newest: 'oldest', oldest: 'newest' }[sort] ?? `-${sort}`;
      expect((await readAll(backwards)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
    },
  );

  test('the pages of one quest contain only that quest', async () => {
    const rows = await readAll('status', { p_campaign_id: many });
    expect(rows).toHaveLength(ROWS / 2);
    expect(new Set(rows.map(({ campaign_id }) => campaign_id))).toEqual(new Set([many]));
  });

  test('a row decided between two pages moves no other row', async () => {
    const first = await unwrap(list(owner, { p_limit: 20 }));
    const last = first.at(-1);
    await unwrap(decide(owner, [last?.id ?? ''], 'approve'));
    const second = await unwrap(list(owner, { p_limit: 20, p_cursor: last?.cursor }));
    const seen = new Set(first.map(({ id }) => id));
    expect(second).toHaveLength(20);
    expect(second.filter(({ id }) => seen.has(id))).toEqual([]);
  });
});

describe('get_review_counts', () => {
  test('BEY-01 has the proofs in each state, the pending ones with a flag and the first due date of every quest with proofs', async () => {
    const { owner, stranger, ids } = await scene();
    await newQuest(owner);
    await sql().query(
      `insert into public.submission_flags (submission_id, campaign_id, user_id, kind) select s.id, s.campaign_id, s.user_id, k
       from public.submissions s, unnest(array['aliased_mailbox', 'too_fast']) k where s.id = any ($1)`,
      [[ids[0], ids[1], ids[3]]],
    );
    await dismissFlags(ids[3]);
    const due = (await unwrap(list(owner, { p_sort: 'oldest' }))).map(({ review_due_at }) => review_due_at);
    /** Pending, approved, rejected, flagged and the first due date; the newest quest first. */
    const answer = async (who: Member) => (await counts(who)).map((row) => Object.values(row).slice(3));
    expect(await answer(stranger)).toEqual([[1, 0, 0, 0, expect.any(String)]]);
    expect(await answer(owner)).toEqual([
      [2, 0, 0, 0, due[2]],
      [2, 0, 0, 2, due[0]],
    ]);
    await unwrap(decide(owner, [ids[0] ?? ''], 'approve'));
    await unwrap(decide(owner, ids.slice(2), 'reject', { p_reason: 'incomplete' }));
    expect(await answer(owner)).toEqual([
      [0, 0, 2, 0, null],
      [1, 1, 0, 1, due[1]],
    ]);
  });
});

describe('review_submissions', () => {
  test('BEY-01 RULE-07 decides each row independently: one result per row, and every approval is paid once', async () => {
    const { owner, one, other, quests, ids, foreignId } = await scene();
    await unwrap(decide(owner, [ids[3] ?? ''], 'reject', { p_reason: 'incomplete' }));
    const missing = randomUUID();
    const results = await unwrap(decide(owner, [...ids, foreignId, missing, ids[0] ?? ''], 'approve'));
    expect(results.map((row) => [row.submission_id, row.status, row.error_code])).toEqual([
      [ids[0], 'approved', null],
      [ids[1], 'approved', null],
      [ids[2], 'approved', null],
      [ids[3], null, 'ALREADY_REVIEWED'],
      [foreignId, null, 'FORBIDDEN'],
      [missing, null, 'FORBIDDEN'],
    ]);
    expect(results[0]).toMatchObject({ reviewed_by: 'project', review_note: 'Approved by project owner' });
    expect(results[3]).toMatchObject({ error_message: 'This submission has already been reviewed' });
    expect(await statusOf(foreignId)).toEqual({ status: 'pending', reviewed_by: null });
    expect([await walletOf(one.id), await walletOf(other.id)]).toEqual([
      { points: 20, lifetime: 20 },
      { points: 10, lifetime: 10 },
    ]);
    expect(await projectPoints(owner.startup.id, quests[0].campaign.id)).toEqual({ free: 400, reserved: 30 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-21 repeating the call returns the same results and changes nothing', async () => {
    const { owner, one, ids } = await scene();
    const because = { p_reason: 'other', p_note: 'Please show the whole page.' };
    const first = await unwrap(decide(owner, ids.slice(0, 2), 'approve'));
    const rejected = await unwrap(decide(owner, ids.slice(2), 'reject', because));
    const history = async () =>
      (await sql().query('select id from public.submission_history where submission_id = any ($1)', [ids])).rowCount;
    const before = await history();
    expect(await unwrap(decide(owner, ids.slice(0, 2), 'approve'))).toEqual(first);
    expect(await unwrap(decide(owner, ids.slice(2), 'reject', because))).toEqual(rejected);
    expect(await history()).toBe(before);
    expect(await walletOf(one.id)).toEqual({ points: 10, lifetime: 10 });
    // A different decision about the same rows is refused.
    for (const other of [
      { p_reason: 'incomplete' },
      { ...because, p_reason: 'incomplete' },
      { ...because, p_note: 'No' },
    ]) {
      const again = await unwrap(decide(owner, ids, 'reject', other));
      expect(again.map(({ error_code }) => error_code)).toEqual(Array(4).fill('ALREADY_REVIEWED'));
    }
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-04 approves as many as the points cover, and names the others', async () => {
    const { owner, quests, ids } = await scene();
    // Everything that the project has, except 10 points of the first quest's reserve, is gone: a defect, repaired at
    // the end.
    const { rows: taken } = await sql().query(
      `select w.id, private.transfer(w.id, null, x.points, 'adjustment', 'test'), x.points from public.wallets w
        cross join lateral (select w.points - case when w.campaign_id = $2 then 10 else 0 end as points) x
        where w.owner_user_id = $1 and w.kind <> 'user'`,
      [owner.id, quests[0].campaign.id],
    );
    const results = await unwrap(decide(owner, ids, 'approve'));
    expect(results.map(({ status, error_code }) => status ?? error_code)).toEqual([
      'approved',
      ...Array(3).fill('STARTUP_INSUFFICIENT_POINTS'),
    ]);
    expect(results[1]?.error_message).toBe(
      'Cannot approve submission: Startup has insufficient points. Current balance: 0, Required: 10',
    );
    for (const id of ids.slice(1)) expect(await statusOf(id)).toEqual({ status: 'pending', reviewed_by: null });
    for (const { id, points } of taken)
      await sql().query("select private.transfer(null, $1, $2, 'adjustment', 'test')", [id, points]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-77 TRUST-08 refuses the whole call without a decision, without a reason, or with more than a hundred rows', async () => {
    const { owner, ids } = await scene();
    const refused = async (...args: Parameters<typeof decide>) => (await refusal(decide(...args))).code;
    expect(await refused(owner, ids, 'maybe')).toBe('INVALID_DECISION');
    expect(await refused(owner, ids, 'reject')).toBe('REASON_REQUIRED');
    expect(await refused(owner, ids, 'reject', { p_reason: 'ugly' })).toBe('INVALID_REASON');
    expect(await refused(owner, ids, 'reject', { p_reason: 'other' })).toBe('REASON_WORDS_REQUIRED');
    expect(await refused(owner, Array.from({ length: 101 }, randomUUID), 'approve')).toBe('TOO_MANY_DECISIONS');
    for (const id of ids) expect(await statusOf(id)).toEqual({ status: 'pending', reviewed_by: null });
    expect(await unwrap(decide(owner, [], 'approve'))).toEqual([]);
    await suspend(owner);
    expect(await refusal(decide(owner, ids, 'approve'))).toEqual(SUSPENDED);
  });

  test('TRUST-06 C-102 members neither decide nor learn what was decided; an admin decides as Questboard and appears in the audit log', async () => {
    const [{ owner, one, ids }, admin] = [await scene(), await newAdmin()];
    await unwrap(decide(owner, ids.slice(2), 'approve'));
    const byMember = await unwrap(decide(one, ids, 'approve'));
    expect(byMember.map(({ error_code }) => error_code)).toEqual(Array(4).fill('FORBIDDEN'));
    const byAdmin = await unwrap(decide(admin, ids.slice(0, 2), 'approve'));
    expect(byAdmin.map(({ reviewed_by }) => reviewed_by)).toEqual(['questboard', 'questboard']);
    const { rows } = await sql().query(
      "select action, subject_id from public.audit_log where actor_id = $1 and action = 'submission.approve' order by id",
      [admin.id],
    );
    expect(rows.map(({ subject_id }) => subject_id)).toEqual(ids.slice(0, 2));
  });
});
