import type { Page } from '@playwright/test';
import { expect, signUp, test } from './fixtures.ts';
import { appReady } from './support/screens.ts';

declare global {
  interface Window {
    requestClose?: () => void;
    /** Number of close watchers. */
    openWatchers?: () => number;
  }
}

/** What a phone's Back key does while something is open: the browser tells the newest close watcher. */
async function pressBackKey(page: Page): Promise<void> {
  await page.evaluate(() => window.requestClose?.());
}

/** What has opened waits for the key, which it does a moment after it has become visible. */
const expectWatched = (page: Page) => expect.poll(() => page.evaluate(() => window.openWatchers?.())).toBe(1);

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const Native = window.CloseWatcher as unknown as new () => EventTarget & { requestClose(): void; destroy(): void };
    const open: InstanceType<typeof Native>[] = [];
    const remove = (watcher: InstanceType<typeof Native>) => open.splice(open.indexOf(watcher), 1);
    window.requestClose = () => open.at(-1)?.requestClose();
    window.openWatchers = () => open.length;
    Object.assign(window, {
      CloseWatcher: class extends Native {
        constructor() {
          super();
          open.push(this);
          this.addEventListener('close', () => remove(this));
        }
        override destroy() {
          if (open.includes(this)) remove(this);
          super.destroy();
        }
      },
    });
  });
});

test('@phone the Back key of a phone closes what is open, and leaves the page alone', async ({ page, context }) => {
  await signUp(context, 'back');
  await page.goto('/browse');
  await appReady(page);
  const main = page.getByRole('main');

  for (const opener of ['Menu', 'Notifications', /Your menu/, 'Share Feedback']) {
    await test.step(String(opener), async () => {
      const button = page.getByRole('button', { name: opener }).last();
      await button.click();
      const panel = page.getByRole('dialog').or(page.getByRole('menu'));
      await expect(panel).toBeVisible();
      await expectWatched(page);
      await pressBackKey(page);
      await expect(panel).toHaveCount(0);
      await expect(button).toBeFocused();
    });
  }
  await pressBackKey(page);
  await expect(page).toHaveURL(/\/browse$/);
  await expect(main).toBeVisible();
});

test('@phone the Back key answers the question about unsaved changes with Keep editing', async ({ page, context }) => {
  await signUp(context, 'back');
  await page.goto('/settings');
  await appReady(page);
  await page.getByLabel('Display name').fill('Half typed');
  await page.getByRole('link', { name: 'View rewards' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect(question).toBeVisible();
  await expectWatched(page);
  await pressBackKey(page);
  await expect(question).toHaveCount(0);
  await expect(page.getByLabel('Display name')).toHaveValue('Half typed');
  await expect(page).toHaveURL(/\/settings$/);
});
