import type { Page } from '@playwright/test';
import { adminTabs } from '../src/features/admin/tabs.ts';
import { expect, expectAccessible, expectLaidOut, expectNoSidewaysScroll, expectReadable, test } from './fixtures.ts';
import {
  admin,
  expectRedirects,
  follow,
  founderWithoutProfile,
  founderWithQuest,
  member,
  membersRoutes,
  open,
  publicRoutes,
  type Route,
  visitor,
} from './support/screens.ts';

const NARROWEST = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

/** Checks the current page: every rule at this size, plus what dark colours, the narrowest phone and a desktop can break. */
async function expectSound(page: Page) {
  const size = page.viewportSize() ?? DESKTOP;
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectReadable(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(NARROWEST);
  await expectNoSidewaysScroll(page);
  if (size.width < DESKTOP.width) {
    await page.setViewportSize(DESKTOP);
    await expectLaidOut(page);
  }
  await page.setViewportSize(size);
}

async function walk(page: Page, [first, ...others]: Route[]) {
  if (first) await open(page, first);
  await expectSound(page);
  for (const route of others) {
    await test.step(route[0], async () => {
      await follow(page, route);
      if (!route[2]) await expectSound(page);
    });
  }
}

test.beforeEach(async ({ page }) => {
  test.setTimeout(600_000);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
});

test('ROUTE-01 ROUTE-02 ROUTE-05 ROUTE-06 ROUTE-19 a visitor finds every public screen accessible and without overflow, in light and dark colours', async ({
  page,
  context,
}) => {
  await walk(page, [...(await visitor.enter(context)), ...(await publicRoutes())]);
});

test('ROUTE-03 ROUTE-04 ROUTE-07 ROUTE-12 ROUTE-13 ROUTE-16 a member finds every member screen accessible and without overflow, in light and dark colours; other routes redirect home', async ({
  page,
  context,
}) => {
  await member.enter(context);
  await expectRedirects(page, member, ['/startup/wallet', '/admin?tab=people']);
  await walk(page, await membersRoutes());
});

for (const role of [founderWithoutProfile, founderWithQuest]) {
  test(`ROUTE-08 ROUTE-09 ROUTE-12 ROUTE-13 the startup routes show ${role.name} their screens, accessible in light and dark colours; other routes redirect home`, async ({
    page,
    context,
  }) => {
    const routes = await role.enter(context);
    await expectRedirects(page, role, ['/admin']);
    await walk(page, routes);
  });
}

test('ADMIN-01 ROUTE-13 ROUTE-14 an admin finds the dashboard in the menu, every tab by name, and every screen accessible', async ({
  page,
  context,
}) => {
  const routes = await admin.enter(context);
  await page.goto('/browse');
  await page.getByRole('button', { name: /Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Admin' }).click();
  await expect(page.getByRole('heading', { name: 'Admin dashboard', level: 1 })).toBeVisible();
  for (const { value, label } of adminTabs) {
    await test.step(label, async () => {
      await page.getByRole('tab', { name: new RegExp(`^${label}\\s*(,|$)`) }).click();
      await expect(page).toHaveURL(value === 'overview' ? /\/admin$/ : new RegExp(`\\?tab=${value}$`));
      const panel = page.getByRole('tabpanel', { name: new RegExp(`^${label}`) });
      await expect(panel).toBeVisible();
      await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
      await expect(panel.getByRole('alert')).toHaveCount(0);
      await expectSound(page);
    });
  }
  await page.goBack();
  await expect(page).toHaveURL(/\?tab=audit$/);
  await walk(page, routes);
});
