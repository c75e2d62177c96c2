import type { Page } from '@playwright/test';
import { adminTabs } from '../src/features/admin/tabs.ts';
import { newOwner } from '../supabase/tests/support/world.ts';
import { expect, signUp, test } from './fixtures.ts';
import { newBrowserAdmin } from './support/admin.ts';
import { newFounder } from './support/founder.ts';

const tabAddresses = adminTabs.map(({ value }) => `/admin?tab=${value}`);

/** Opens every address of the admin side; the person is led away each time, and nothing of an admin is asked for. */
async function expectShutDoors(page: Page, home: RegExp) {
  const { startup } = await newOwner();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/rpc\/(admin_|get_admin_|get_platform_)/.test(request.url())) asked.push(request.url());
  });
  for (const address of [...tabAddresses, '/admin/data', `/admin/projects/${startup.id}/edit`]) {
    await page.goto(address);
    await expect(page).toHaveURL(home);
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/Admin|Data dashboard|Edit project/);
  }
  expect(asked).toEqual([]);
}

test('SEC-15 ROUTE-13 ROUTE-14 a member finds every admin address shut', async ({ page, context }) => {
  test.setTimeout(240_000);
  await signUp(context);
  await expectShutDoors(page, /\/community$/);
});

test('SEC-15 ROUTE-13 ROUTE-14 a project owner finds every admin address shut', async ({ page, context }) => {
  test.setTimeout(240_000);
  await newFounder(context);
  await expectShutDoors(page, /\/startup$/);
});

test('ADMIN-01 an admin finds the dashboard in the menu, and every tab by its name', async ({ page, context }) => {
  test.setTimeout(180_000);
  await newBrowserAdmin(context);
  await page.goto('/browse');
  await page.getByRole('button', { name: /Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Admin' }).click();
  await expect(page.getByRole('heading', { name: 'Admin dashboard', level: 1 })).toBeVisible();
  for (const { value, label } of adminTabs) {
    await page.getByRole('tab', { name: new RegExp(`^${label}\\s*(,|$)`) }).click();
    await expect(page).toHaveURL(value === 'overview' ? /\/admin$/ : new RegExp(`\\?tab=${value}$`));
    await expect(page.getByRole('tabpanel', { name: new RegExp(`^${label}`) })).toBeVisible();
    await expect(page.getByRole('tabpanel').locator('[aria-busy="true"]')).toHaveCount(0);
    await expect(page.getByRole('tabpanel').getByRole('alert')).toHaveCount(0);
  }
  await page.goBack();
  await expect(page).toHaveURL(/\?tab=audit$/);
});
