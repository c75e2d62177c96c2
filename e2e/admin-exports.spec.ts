import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { withinOneDay } from '../local/testing/one-day.ts';
import { newMember, newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { downloadCsv, expectInAudit, newBrowserAdmin, openTab } from './support/admin.ts';
import { submitAsNewMember } from './support/founder.ts';

const today = () => new Date().toISOString().slice(0, 10);

const count = async (query: string): Promise<number> =>
  Number((await sql().query<{ count: string }>(`select count(*) as count from ${query}`)).rows[0]?.count);

/** Downloads, and checks the number of lines against the table; other tests may add rows meanwhile. */
async function downloadAll(page: Page, button: string, table: string) {
  const before = await count(table);
  const file = await downloadCsv(page, button);
  expect(file.rows.length).toBeGreaterThanOrEqual(before);
  expect(file.rows.length).toBeLessThanOrEqual(await count(table));
  expect(file.name).toMatch(new RegExp(`^[a-z_]+_${today()}\\.csv$`));
  return file;
}

test('ADMIN-05 ADMIN-08 C-55 DATA-01 DATA-02 C-53 feedback, mailing list and each section for the chosen period are exported completely, readable and without formulas', async ({
  page,
  context,
}) => {
  await withinOneDay(90);
  const admin = await newBrowserAdmin(context);
  const addresses = await test.step('feedback and mailing list', () => exportLists(page));
  await test.step('each section of the chosen period', () => exportFigures(page));
  const exported = ['users', 'quests', 'analytics', 'activity', 'dashboard'];
  const lines = exported.map((what) => ({ action: `export.${what}`, subject: what, texts: ['Rows: — →'] }));
  await expectInAudit(
    page,
    admin,
    { action: 'export.mailing_list', subject: 'mailing_list', texts: [`Rows: — → ${addresses}`] },
    ...lines,
  );
});

async function exportLists(page: Page) {
  const mark = randomUUID();
  await sql().query(
    `insert into public.beta_feedback (type, title, description, rating, email)
     values ('bug', $1, $2, 2, 'kim@example.com')`,
    [`=HYPERLINK("https://evil.example","${mark}")`, 'one, "two"\nthree'],
  );
  await sql().query('insert into public.mailing_list (email, source) values ($1, $2)', [
    `+1-${mark}@example.com`,
    'website',
  ]);

  await openTab(page, 'feedback');
  const feedback = await downloadAll(page, 'Export Feedback', 'public.beta_feedback');
  const facts = ['id', 'user_id', 'email', 'type', 'title', 'description', 'rating', 'status', 'priority'];
  expect(feedback.header).toEqual([...facts, 'admin_notes', 'created_at', 'updated_at']);
  expect(feedback.rows.find(({ title }) => title?.includes(mark))).toMatchObject({
    title: `'=HYPERLINK("https://evil.example","${mark}")`,
    description: 'one, "two"\nthree',
    rating: '2',
    status: 'new',
    priority: 'medium',
    created_at: today(),
  });
  await expect(page.getByText(/^Exported [\d,]+ rows of feedback$/)).toBeVisible();

  await openTab(page, 'mailing-list');
  const list = await downloadAll(page, 'Export Emails', 'public.mailing_list');
  expect(list.name).toContain('mailing_list');
  const columns = [
    'id',
    'email',
    'source',
    'campaign_id',
    'user_id',
    'subscribed_at',
    'is_active',
    'status',
    'metadata',
  ];
  expect(list.header).toEqual(columns);
  expect(list.rows.find(({ email }) => email?.includes(mark))).toMatchObject({
    email: `'+1-${mark}@example.com`,
    source: 'website',
    subscribed_at: today(),
    is_active: 'false',
    metadata: '{}',
  });
  return list.rows.length;
}

async function exportFigures(page: Page) {
  const mark = randomUUID().slice(0, 8);
  const person = await newMember('exported');
  await unwrap(person.client.rpc('update_profile', { p_username: `exported-${mark}`, p_display_name: `@SUM ${mark}` }));
  const title = `-2+3 ${mark}`;
  const { campaign, taskId } = await newQuest(await newOwner('exporter'), { campaign: { title }, task: { title } });
  const { member } = await submitAsNewMember(taskId);
  await page.goto('/admin/data');
  await page.getByRole('group', { name: 'Period' }).getByText('7 days').click();
  await expect(page).toHaveURL(/days=7/);
  await expect(page.getByRole('heading', { name: 'Figures of the last 7 days' })).toBeAttached();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  const since = `>= (date_trunc('day', now() at time zone 'UTC') - interval '6 days') at time zone 'UTC'`;

  const users = await downloadAll(page, 'Users', `public.user_profiles where created_at ${since}`);
  await expect(page.getByText('Exporting users data...').first()).toBeVisible();
  const profile = ['user_id', 'username', 'display_name', 'email', 'role', 'og_badge', 'suspended_at', 'created_at'];
  expect(users.header).toEqual(profile);
  expect(users.rows.find((row) => row.user_id === person.id)).toMatchObject({
    display_name: `'@SUM ${mark}`,
    email: person.email,
    role: 'community',
    created_at: today(),
  });

  const quests = await downloadAll(page, 'Quests', `public.campaigns where created_at ${since}`);
  await expect(page.getByText('Exporting quests data...').first()).toBeVisible();
  const counters = ['total_slots', 'participants', 'submissions', 'approved', 'pending', 'created_at', 'published_at'];
  const quest = ['id', 'title', 'startup', 'status', 'budget_points', 'points_distributed'];
  expect(quests.header).toEqual([...quest, ...counters]);
  expect(quests.rows.find(({ id }) => id === campaign.id)).toMatchObject({
    title: `'${title}`,
    status: 'published',
    points_distributed: '10',
    total_slots: '5',
    approved: '1',
    pending: '0',
    published_at: today(),
  });

  const analytics = await downloadCsv(page, 'Analytics');
  await expect(page.getByText('Exporting analytics data...').first()).toBeVisible();
  const perDay = ['new_users', 'submissions', 'completions', 'points_issued', 'points_redeemed'];
  expect(analytics.header).toEqual(['day', ...perDay]);
  expect(analytics.rows).toHaveLength(7);
  expect(analytics.rows.at(-1)?.day).toBe(today());

  const activity = await downloadCsv(page, 'Activity');
  await expect(page.getByText('Exporting activity data...').first()).toBeVisible();
  expect(activity.header).toEqual(['date', 'time_utc', 'kind', 'title', 'who', 'status', 'points']);
  const mine = activity.rows.filter((row) => row.title === `'${title}`);
  expect(mine.map(({ kind, status, points }) => [kind, status, points])).toEqual([
    ['campaign', 'published', '50'],
    ['submission', 'approved', '10'],
  ]);
  expect(mine[1]).toMatchObject({ date: today(), who: member.id });

  const all = await downloadCsv(page, 'Export Data');
  await expect(page.getByText('Exporting all data...').first()).toBeVisible();
  expect(all.header).toEqual(['section', 'name', 'value']);
  expect(all.rows[0]).toEqual({ section: 'period', name: 'days', value: '7' });
  const names = all.rows.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Total Users', 'Conversion Rate', 'Engagement', 'Total Revenue']));
}
