import { randomUUID } from 'node:crypto';
import { newMember, newQuest } from '../supabase/tests/support/factories.ts';
import { tick } from '../supabase/tests/support/periodic-jobs.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab, rowWith } from './support/admin.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';

test('BEY-02 a copied link is flagged for its owner, compared with the first, and dismissed by an admin', async ({
  page,
  context,
  newBrowser,
}) => {
  const founder = await newFounder(context);
  const { campaign, taskId } = await newQuest(founder, { task: { auto_verify: false } });
  const [first, copier] = [await newMember('first'), await newMember('copier')];
  const post = randomUUID();
  await submitForReview(first, taskId, { url: `https://posts.example/${post}`, text: 'Written on the tram' });
  const copy = await submitForReview(copier, taskId, { url: `http://www.posts.example/${post}/?utm_source=feed` });
  await tick();
  const sentence = `Another member submitted the same link: posts.example/${post}`;
  const address = `/startup/campaigns/${campaign.id}/submissions?view=table`;
  const rows = page.locator('[data-row]');
  const rowOf = (member: { id: string }) => rows.filter({ has: page.getByTitle(member.id) });

  await test.step('the owner sees it on the row, reads the details and opens the first submission', async () => {
    await page.goto(address);
    await expect(rows).toHaveCount(2);
    await expect(rowOf(copier)).toContainText('Repeated link');
    await expect(rowOf(first)).not.toContainText('Repeated link');
    await rowOf(copier).getByRole('button', { name: 'View' }).click();
    await expect(page.getByRole('dialog')).toContainText(sentence);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Open the other submission' }).click();
    const twin = page.getByRole('dialog', { name: 'The other submission' });
    await expect(twin).toContainText('Written on the tram');
    await expect(twin).toContainText(first.id);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  await test.step('and filters the list for flagged ones', async () => {
    await page.getByRole('button', { name: 'Flagged only' }).click();
    await expect(rows).toHaveCount(1);
    await expect(rowOf(copier)).toHaveCount(1);
  });

  await test.step('an admin finds it and dismisses it with a reason', async () => {
    const adminContext = await newBrowser();
    const account = await newBrowserAdmin(adminContext);
    const admin = await adminContext.newPage();
    await openTab(admin, 'submissions', { q: copier.email, status: 'flagged' });
    const row = rowWith(admin, sentence).first();
    await expect(row).toBeVisible();
    await expectNoSidewaysScroll(admin);
    await row.getByRole('button', { name: `View Try the product by` }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Dismiss this flag?' });
    await dialog.getByLabel('Reason').fill('Both belong to one choir.');
    await expectAccessible(admin);
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await expect(dialog).toBeHidden();
    await expectInAudit(admin, account, {
      action: 'flag.dismiss',
      subject: copy,
      texts: ['Both belong to one choir.'],
    });
  });

  await test.step('the owner finds no flags any more, and sees the reason in the details', async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'No flagged submissions' })).toBeVisible();
    await page.getByRole('button', { name: 'Reset Filters' }).click();
    await expect(page.getByText('Repeated link')).toHaveCount(0);
    await rowOf(copier).getByRole('button', { name: 'View' }).click();
    await expect(page.getByRole('dialog')).toContainText('Dismissed: Both belong to one choir.');
  });
});
