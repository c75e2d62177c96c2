import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import {
  belowCursor,
  type SubmissionCursor,
  type SubmissionSort,
  sortColumns,
  submissionSorts,
} from '../../src/features/submissions/submission-order.ts';
import { ledgerProblems, newOwner, newQuest, type Owner, unwrap } from './support/factories.ts';
import { fillQuest } from './support/many-submissions.ts';
import { setUpDatabase } from './support/set-up-database.ts';

// The review list's pages as the app asks for them. 260 rows whose times, members and states are often equal, so that a
// cursor which forgets the ties would skip or repeat some.
const ROWS = 260;
const PAGE = 100;

let owner: Owner;
let campaignId: string;
let taskIds: string[];

beforeAll(async () => {
  owner = await newOwner();
  const { campaign } = await newQuest(owner);
  campaignId = campaign.id;
  taskIds = await fillQuest(campaignId, {
    tasks: 4,
    rows: ROWS,
    userId: `'member ' || n / 4 || ', "quoted"'`,
    status: "(array['pending', 'approved', 'pending', 'rejected'])[1 + n % 4]",
    submittedAt: "now() - n / 7 * interval '1 minute'",
  });
  // Two tasks in the same place: their ids decide.
  await sql().query('update public.tasks set order_index = 1 where id = any ($1)', [taskIds.slice(1, 3)]);
  const tasks = owner.client.from('tasks').select('id').eq('campaign_id', campaignId).order('order_index').order('id');
  taskIds = (await unwrap(tasks)).map(({ id }) => id);
});

setUpDatabase();

async function readPage(sort: SubmissionSort, cursor: SubmissionCursor | undefined) {
  let query = owner.client.from('submissions').select('*, tasks(order_index)').eq('campaign_id', campaignId);
  if (cursor) query = query.or(belowCursor(sort, cursor, taskIds));
  for (const { column, ascending } of sortColumns(sort)) query = query.order(column, { ascending });
  return unwrap(query.limit(PAGE));
}

async function readAll(sort: SubmissionSort) {
  const pages = [await readPage(sort, undefined)];
  while (pages.at(-1)?.length === PAGE) pages.push(await readPage(sort, pages.at(-1)?.at(-1)));
  return pages.flat();
}

const keys: Record<string, (row: Awaited<ReturnType<typeof readAll>>[number]) => string | number> = {
  newest: (row) => -Date.parse(row.submitted_at),
  oldest: (row) => Date.parse(row.submitted_at),
  task: (row) => taskIds.indexOf(row.task_id),
  member: (row) => row.user_id,
  status: (row) => ['pending', 'approved', 'rejected'].indexOf(row.status),
};

describe('SUBM-05 the review list past its first 100 rows', () => {
  test.each(submissionSorts)('sorted by %s, every row comes once and in order', async (sort) => {
    const rows = await readAll(sort);
    expect(rows).toHaveLength(ROWS);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(ROWS);

    const key = keys[sort.replace('-', '')];
    const values = rows.map((row) => key?.(row));
    const groups = values.filter((value, index) => value !== values[index - 1]);
    if (typeof values[0] === 'number') {
      const turn = sort.startsWith('-') ? -1 : 1;
      expect(values).toEqual(values.toSorted((a, b) => turn * (Number(a) - Number(b))));
    }
    // Equal ones stand together; how text is ordered is the database's matter.
    expect(new Set(groups).size).toBe(groups.length);
  });

  test('the other way round is the same order of members backwards', async () => {
    const members = async (sort: SubmissionSort) => [...new Set((await readAll(sort)).map((row) => row.user_id))];
    expect(await members('-member')).toEqual((await members('member')).toReversed());
  });

  test('a row that is reviewed while the next page is read moves no other', async () => {
    const first = await readPage('status', undefined);
    const last = first.at(-1);
    await unwrap(owner.client.rpc('review_submission', { p_submission_id: last?.id ?? '', p_decision: 'approve' }));
    const second = await readPage('status', last);
    const seen = new Set(first.map(({ id }) => id));
    expect(second).toHaveLength(PAGE);
    expect(second.filter(({ id }) => seen.has(id) && id !== last?.id)).toEqual([]);
    expect(await ledgerProblems()).toEqual([]);
  });
});
