import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { expect, test } from './fixtures.ts';
import { newBrowserAdmin, openTab } from './support/admin.ts';

async function addFeedback(mark: string, number: number) {
  await sql().query(
    "insert into public.beta_feedback (type, title, description, created_at) values ('general', $1, 'Nice', clock_timestamp())",
    [`Idea ${number} ${mark}`],
  );
}

/** Advances the page's clock by half a minute and waits for the refetched data. */
async function waitForRefresh(page: Page, procedure: string) {
  const [answer] = await Promise.all([
    page.waitForResponse((received) => received.url().includes(`/rpc/${procedure}`)),
    page.clock.fastForward(35_000),
  ]);
  await answer.finished();
}

test('ADMIN-01 the refetch every 30 s moves nothing: scroll position, dialog, input and selection remain', async ({
  page,
  context,
}) => {
  await page.clock.install();
  await newBrowserAdmin(context);
  const mark = randomUUID().slice(0, 8);
  for (let number = 1; number <= 20; number += 1) await addFeedback(mark, number);
  const panel = await openTab(page, 'feedback', { q: mark });
  const titles = panel.getByRole('button', { name: /^Idea \d+/ });
  await expect(titles).toHaveCount(20);
  const before = await titles.allTextContents();
  expect(before[0]).toContain('Idea 20 ');

  const reading = titles.filter({ hasText: 'Idea 7 ' });
  await reading.scrollIntoViewIfNeeded();
  const selected = await reading.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return getSelection()?.toString();
  });
  const place = async () => ({ scroll: await page.evaluate(() => scrollY), row: (await reading.boundingBox())?.y });
  const placed = await place();
  expect(placed.scroll).toBeGreaterThan(0);

  await test.step('a new row waits until it is requested', async () => {
    await addFeedback(mark, 21);
    await sql().query("update public.beta_feedback set priority = 'urgent' where title = $1", [`Idea 7 ${mark}`]);
    await waitForRefresh(page, 'admin_list_feedback');
    // The new value is there, in the old place.
    await expect(panel.getByText('Urgent')).toHaveCount(1);
    expect(await titles.allTextContents()).toEqual(before);
    const button = panel.getByRole('button', { name: 'Show 1 new feedback message' });
    await expect(button).toBeAttached();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(selected);
    expect((await place()).row).toBeCloseTo(placed.row ?? 0, 0);
  });

  await test.step('a dialog stays open with its input', async () => {
    await reading.click();
    const dialog = page.getByRole('dialog', { name: 'Feedback details' });
    await dialog.getByLabel('Notes').fill('Half a sentence');
    await addFeedback(mark, 22);
    await waitForRefresh(page, 'admin_list_feedback');
    await expect(dialog.getByLabel('Notes')).toHaveValue('Half a sentence');
    await expect(dialog.getByLabel('Notes')).toBeFocused();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    expect(await titles.allTextContents()).toEqual(before);
  });

  await test.step('the new ones appear on request', async () => {
    await panel.getByRole('button', { name: 'Show 2 new feedback messages' }).click();
    await expect(titles.first()).toContainText('Idea 22 ');
  });
});
