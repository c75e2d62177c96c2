import { readFile } from 'node:fs/promises';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, expectUncovered, pressUnder, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab } from './support/admin.ts';

test('ADMIN-12 C-54 TRUST-01 every part of the system is measured, and each quick action does its work and shows the result', async ({
  page,
  context,
}) => {
  const admin = await newBrowserAdmin(context);
  const { campaign } = await newQuest(await newOwner());
  await openTab(page, 'settings');
  const parts = ['Database', 'Storage', 'Authentication', 'Email Service', 'Analytics'];
  const lines = page.getByRole('listitem').filter({ hasText: /Working|Failing/ });
  const measured = async () => {
    await expect(lines).toHaveCount(parts.length);
    for (const part of parts)
      await expect(lines.filter({ hasText: new RegExp(`^${part}`) })).toContainText(/· [\d,]+ ms\s*Working/);
  };
  await measured();
  await expect(lines.first()).toContainText(/PostgreSQL 17/);
  const again = page.getByRole('button', { name: 'Measure again' });
  const [roundTrip] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().includes('/object/site/health/')),
    again.click(),
  ]);
  expect((await roundTrip.response())?.ok()).toBe(true);
  await measured();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const result = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name }) });
  const run = (name: string) => page.getByRole('button', { name, exact: true }).click();

  await run('Clear Cache');
  await expect(result('Clear Cache')).toContainText(/The figures are recounted.*\d+ members, \d+ active quests/s);
  await run('Security Scan');
  await expect(result('Security Scan')).toContainText('Nothing found');
  await run('Reconcile ledger');
  await expect(result('Reconcile ledger')).toContainText('The books balance');

  await run('Update Sitemap');
  await expect(result('Update Sitemap')).toContainText(/Sitemap written with \d+ quest and project pages/);
  const address = await page.getByRole('link', { name: 'Open the sitemap' }).getAttribute('href');
  const sitemap = await (await context.request.get(address ?? '')).text();
  expect(sitemap).toContain(`/quest/${campaign.id}</loc>`);

  const [download] = await Promise.all([page.waitForEvent('download'), run('Export data')]);
  expect(download.suggestedFilename()).toMatch(/^questboard_data_\d{4}-\d{2}-\d{2}\.json$/);
  const exported: { tables: Record<string, { id: string }[]> } = JSON.parse(
    await readFile(await download.path(), 'utf8'),
  );
  expect(exported.tables.campaigns?.map(({ id }) => id)).toContain(campaign.id);
  expect(Object.keys(exported.tables)).toEqual(
    expect.arrayContaining(['user_profiles', 'transfers', 'entries', 'audit_log']),
  );
  await expect(result('Export data')).toContainText('Data exported');

  await expectInAudit(
    page,
    admin,
    { action: 'export.data', subject: 'data' },
    { action: 'site_stats.rebuild', subject: 'cache' },
  );
});

test('C-113 on phones the sentence about a wrong setting is not under the bar with the buttons', {
  tag: '@phone',
}, async ({ page, context }) => {
  await newBrowserAdmin(context);
  await openTab(page, 'settings');
  // It has a hint, which stands between it and its message.
  const field = page.getByLabel('Trial budget');
  await field.fill('-5');
  await pressUnder(field, page.getByRole('button', { name: 'Save settings' }));
  await expectUncovered(page.getByText('Please enter a whole number'));
});

test('BEY-12 a tab whose code could not be fetched is fetched again with Retry, and when it is opened again', async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|Failed to fetch dynamically imported module/);
  await newBrowserAdmin(context);
  await page.goto('/admin');
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const fetchedAgain = [
    ['Settings', page.getByRole('form', { name: 'Product settings' }), ['Retry']],
    ['Rewards', page.getByRole('button', { name: 'New reward' }), ['Overview', 'Rewards']],
  ] as const;
  for (const [name, content, presses] of fetchedAgain) {
    await page.route(/assets\/(settings|rewards)-tab-.*\.js/, (route) => route.abort());
    await tab(name).click();
    const failure = page.getByText('This could not be loaded. Please try again, or reload the page.');
    await expect(failure).toBeVisible();
    await page.unrouteAll();
    for (const press of presses)
      await tab(press)
        .or(page.getByRole('button', { name: press, exact: true }))
        .click();
    await expect(content).toBeVisible();
  }
});
