import type { Page } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';

const menu = (page: Page) => page.getByRole('dialog', { name: 'Search and go to' });
const box = (page: Page) => menu(page).getByRole('combobox');

test('BEY-12 with Ctrl+K a user opens a page, finds a quest, changes the theme and signs out, without the mouse', {
  tag: '@desktop',
}, async ({ page, context }) => {
  const { campaign } = await newQuest(await newOwner());
  await signUp(context, 'keys');
  await page.goto('/community');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Community Dashboard');
  await test.step("the header's menu opens at its first item, also by the key that loads its code", async () => {
    const button = page.getByRole('button', { name: /Your menu/ });
    for (const key of ['Enter', 'Space', 'ArrowDown', 'Enter']) {
      await button.focus();
      await page.keyboard.press(key);
      await expect(page.getByRole('menuitem').first()).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expect(button).toBeFocused();
    }
  });
  const type = async (text: string) => {
    await page.keyboard.press('Control+k');
    await expect(box(page)).toBeFocused();
    await page.keyboard.type(text);
  };

  await type('my qu');
  await expectAccessible(page);
  await expect(menu(page).getByRole('option').first()).toHaveText(/My quests/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My quests');
  await expect(menu(page)).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  await type(campaign.title);
  await expect(menu(page).getByRole('option', { name: campaign.title })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/community/quest/${campaign.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(campaign.title);
  await expect(page.getByRole('main')).toBeFocused();

  await type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await type('nothing is called that');
  await expect(menu(page)).toContainText('No page, quest or project matches.');
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);

  await test.step('over an open dialog, which may have unsent input, the key does nothing', async () => {
    await page.getByRole('button', { name: 'Share Feedback' }).click();
    const dialog = page.getByRole('dialog', { name: 'Beta Feedback' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(menu(page)).toHaveCount(0);
  });

  await type('log out');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
});

test('BEY-12 on phones the header menu opens it, and a project is found by name', { tag: '@phone' }, async ({
  page,
}) => {
  const { startup } = await newOwner();
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Search and go to' }).click();
  await box(page).fill(startup.name);
  await expect(menu(page).getByRole('option', { name: startup.name })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await menu(page).getByRole('option', { name: startup.name }).click();
  await expect(page).toHaveURL(`/community/project/${startup.id}`);
});
