import { readFile } from 'node:fs/promises';
import { sql } from '../local/testing/clients.ts';
import { newMember, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { fillQuest } from '../supabase/tests/support/many-submissions.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { readQuotedCsv } from './support/csv.ts';
import { expectAlert, newFounder } from './support/founder.ts';

const ROWS = process.env.QUESTBOARD_FULL ? 10_000 : 3000;
const TASKS = 20;
/** Prefixes that a spreadsheet would execute, and what the file must contain instead. */
const FORMULAS = ['=1+1', '+1', '-1', '@sum(1)', '\t=1', ' plain', 'plain'];

async function readDownload(download: { path: () => Promise<string> }) {
  const [header = [], ...rows] = readQuotedCsv((await readFile(await download.path(), 'utf8')).replace(/^\uFEFF/, ''));
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

test('SUBM-10 three thousand submissions are exported as one file, with progress and without formulas', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  const { campaign } = await newQuest(founder, { campaign: { title: 'Big: one' } });
  await fillQuest(campaign.id, {
    tasks: TASKS,
    rows: ROWS,
    status: "'rejected'",
    text: `(array['${FORMULAS.join("', '").replace('\t', "' || chr(9) || '")}'])[1 + n % ${FORMULAS.length}] || ' "' || n || '", line' || chr(10) || 'two'`,
  });
  await page.goto(`/startup/campaigns/${campaign.id}/submissions?sort=status`);
  const button = page.getByRole('button', { name: 'Download CSV' });

  // The second thousand comes only once the first has been counted on the screen.
  const counted = Promise.withResolvers<void>();
  await page.route(/rpc\/list_review_submissions/, async (route) => {
    if (new URL(route.request().url()).searchParams.has('p_cursor')) await counted.promise;
    await route.continue();
  });
  const downloading = page.waitForEvent('download');
  await button.click();
  await expect(page.getByRole('button', { name: '1,000 rows' })).toBeVisible();
  counted.resolve();
  const download = await downloading;
  await expect(button).toBeVisible();
  expect(download.suggestedFilename()).toMatch(/^quest_submissions_Big__one_\d{4}-\d{2}-\d{2}\.csv$/);

  const records = await readDownload(download);
  expect(records).toHaveLength(ROWS);
  expect(new Set(records.map((record) => record['Submission ID'])).size).toBe(ROWS);
  // Newest first, however the screen is sorted.
  for (const [n, record] of records.entries()) {
    const start = FORMULAS[n % FORMULAS.length] ?? '';
    const safe = /^[=+\-@\t]/.test(start) ? `'${start}` : start;
    if (record['Proof Content'] !== `${safe} "${n}", line\ntwo` || record['User ID'] !== `pool-${n}`)
      expect(record, `row ${n}`).toMatchObject({
        'Proof Content': `${safe} "${n}", line\ntwo`,
        'User ID': `pool-${n}`,
      });
  }
  expect(records[0]).toMatchObject({ 'Task Title': 'Extra task 1', 'Task Points': '0', 'Proof Type': 'Text' });

  const bar = page.getByRole('group', { name: 'Filter by Task' });
  await bar.getByRole('button', { name: `Extra task 2 (${ROWS / TASKS})` }).click();
  await expect(page).toHaveURL(/task=/);
  const [filtered] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const some = await readDownload(filtered);
  expect(some).toHaveLength(ROWS / TASKS);
  expect(new Set(some.map((record) => record['Task Title']))).toEqual(new Set(['Extra task 2']));
});

test('SDASH-07 SDASH-08 SDASH-09 a published quest shows its figures and exports its e-mails', async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d .*publish_campaign/);
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder, {
    campaign: { title: 'Kites & “more”!', collect_emails: true },
  });
  await unwrap(founder.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
  await page.goto('/startup');
  const card = page.getByRole('listitem', { name: campaign.title });
  const emails = page.getByRole('button', { name: 'Download Emails' });
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await expect(publish).toBeVisible();
  const setStatus = (status: string) =>
    sql().query('update public.startup_profiles set status = $2 where id = $1', [founder.startup.id, status]);
  await setStatus('rejected');
  await publish.click();
  await expectAlert(page, 'Failed to publish quest: ');
  await setStatus('verified');
  await publish.click();
  await expect(page.getByRole('link', { name: 'View Submissions' })).toBeVisible();
  await expect(emails).toHaveCount(0);

  const members = [await newMember('first'), await newMember('second')];
  for (const { client, email } of members)
    await unwrap(client.rpc('submit_proof', { p_task_id: taskId, p_text: 'done', p_email: email }));
  await page.reload();
  await expect(emails).toBeVisible();
  const figure = (label: string) => card.locator('dt', { hasText: label }).locator('..').locator('dd');
  for (const [label, count] of [
    ['Participants', 2],
    ['Submissions', 2],
    ['Approved', 2],
    ['Pending', 0],
  ] as const)
    await expect(figure(label)).toHaveText(String(count));
  await expectAccessible(page);

  const [download] = await Promise.all([page.waitForEvent('download'), emails.click()]);
  expect(download.suggestedFilename()).toBe('kites____more___emails.csv');
  const records = await readDownload(download);
  expect(Object.keys(records[0] ?? {})).toEqual(['Email Address', 'Quest', 'Collected Date']);
  expect(new Set(records.map((record) => record['Email Address']))).toEqual(
    new Set(members.map(({ email }) => email.toLowerCase())),
  );
  expect(records[0]?.Quest).toBe(campaign.title);
});
