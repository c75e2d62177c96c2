import type { Locator } from '@playwright/test';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, test } from './fixtures.ts';
import { appReady } from './support/screens.ts';

const TITLE = 'جرّب التطبيق الجديد (v2)';
const SUMMARY = 'أخبرنا أين توقفت.';
const STEPS = 'افتح https://app.example وأخبرنا:\n\n- أين توقفت\n- ما الذي ينقص';

/** Pixels between an element's right edge and its first letter, which has its place there in a right-to-left script. */
const fromRight = (locator: Locator) =>
  locator.evaluate((element) => {
    const [first] = [document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()];
    const range = document.createRange();
    range.setStart(first as Text, 0);
    range.setEnd(first as Text, 1);
    return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });

test('text in a right-to-left script runs from the right, our own from the left', async ({ page }) => {
  const owner = await newOwner();
  const { campaign } = await newQuest(owner, {
    campaign: { title: TITLE, summary: SUMMARY },
    task: { title: 'Try it', instructions_md: STEPS },
  });
  await page.goto(`/browse/quest/${campaign.id}`);
  await appReady(page);
  const task = page.getByRole('listitem', { name: 'Try it' });
  const written = [
    page.getByRole('heading', { level: 1, name: TITLE }),
    page.getByText(SUMMARY).first(),
    task.getByText('افتح'),
    task.getByText('أين توقفت'),
  ];
  for (const text of written) expect(await fromRight(text), (await text.textContent()) ?? '').toBeLessThan(3);
  const ours = task.getByRole('heading', { name: 'Try it' });
  expect(await ours.evaluate((heading) => getComputedStyle(heading).direction)).toBe('ltr');
  expect(await fromRight(page.getByRole('heading', { name: 'Tasks' }))).toBeGreaterThan(100);

  await page.goto(`/browse?q=${encodeURIComponent(TITLE)}`);
  const search = page.getByRole('searchbox', { name: 'Search quests' });
  await expect(search).toHaveValue(TITLE);
  await expect(search).toHaveCSS('unicode-bidi', 'plaintext');
  const card = page.getByRole('heading', { level: 2, name: TITLE }).first();
  expect(await card.evaluate((heading) => getComputedStyle(heading).unicodeBidi)).toBe('plaintext');
  expect(await fromRight(card)).toBeLessThan(3);
});
