import { sql } from '../local/testing/clients.ts';
import { ledgerProblems, newQuest, newVerifiedOwner, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectLaidOut, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab, rowWith } from './support/admin.ts';
import { submitForReview } from './support/outside-beta.ts';
import { follow } from './support/screens.ts';

const TEXT = 'Both pages are in the second link, https://blog.example/second';

test('BEY-05 BEY-22 BEY-23 a quest shows its review promise; a rejected member appeals, an admin overturns, and the points arrive', async ({
  page,
  context,
  newBrowser,
}) => {
  const { userId, email } = await signUp(context);
  const owner = await newVerifiedOwner();
  const title = `Two pages for ${email.slice(0, 15)}`;
  const { campaign, taskId } = await newQuest(owner, { campaign: { title, review_hours: 48 } });

  await test.step('card and project show what becomes of a proof, which is the same as on the page', async () => {
    await page.goto(`/community?q=${encodeURIComponent(title)}`);
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
    await expect(card.getByText('Approved at once')).toBeVisible();
    await expect(card.getByText('50 points reserved')).toBeVisible();
    await follow(page, [`/community/project/${owner.startup.id}`, owner.startup.name]);
    await expect(page.getByRole('heading', { name: 'Promises kept' })).toBeVisible();
    await expect(page.getByText('Review statistics appear after 10 decisions.')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  const id = await submitForReview({ id: userId, email }, taskId, { text: TEXT });
  await test.step('a pending proof shows its due time', async () => {
    await page.goto(`/community/quest/${campaign.id}`);
    await expect(
      page.getByText(/The project will review it by .*; after that it is approved automatically, unless we/),
    ).toBeVisible();
    await expectAccessible(page);
  });

  const decision = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete', p_note: 'Page two is missing' };
  await unwrap(owner.client.rpc('review_submission', decision));

  await test.step('the quest shows the reason and until when the slot is kept, and accepts one appeal', async () => {
    await page.goto(`/community/quest/${campaign.id}`);
    await expect(page.getByText('Incomplete: Page two is missing')).toBeVisible();
    await expect(page.getByText(/^Your spot is reserved until/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Appeal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Appeal against the rejection of your proof' });
    await dialog.getByRole('button', { name: 'Send appeal' }).click();
    await expect(dialog.getByText('Please say why the decision should change')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel(/Why should the decision change/).fill('Page two is behind the second link.');
    await dialog.getByRole('button', { name: 'Send appeal' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/^You appealed on/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Appeal' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Submit New Proof' })).toBeHidden();
    await expectNoSidewaysScroll(page);
    const phone = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectLaidOut(page);
    if (phone) await page.setViewportSize(phone);
  });

  await test.step('an admin sees both sides, the proof and the due time, and overturns', async () => {
    const adminContext = await newBrowser();
    const admin = await newBrowserAdmin(adminContext);
    const desk = await adminContext.newPage();
    await openTab(desk, 'appeals');
    const row = rowWith(desk, campaign.title);
    await expect(row).toContainText('Page two is behind the second link.');
    await expect(row).toContainText(/in 2 days|in 47 hours|in 1 day|tomorrow/);
    await expectAccessible(desk);
    await row.getByRole('button', { name: 'Overturn' }).click();
    const dialog = desk.getByRole('dialog', { name: /^Overturn the rejection of/ });
    await expect(dialog.getByText(TEXT)).toBeVisible();
    await expectAccessible(desk);
    await dialog.getByLabel(/Your answer/).fill('The second page is there.');
    await dialog.getByRole('button', { name: 'Overturn the rejection' }).click();
    await expect(dialog).toBeHidden();
    const { rows } = await sql().query<{ id: string }>('select id from public.appeals where submission_id = $1', [id]);
    await expectInAudit(desk, admin, { action: 'appeal.overturn', subject: rows[0]?.id ?? '' });
  });

  await test.step('the member is notified, the task is completed, the points are there', async () => {
    await page.goto('/notifications');
    await page.getByRole('link', { name: /Your appeal was granted/ }).click();
    await expect(page.getByRole('heading', { name: campaign.title, level: 1 })).toBeVisible();
    await expect(page.getByText('Completed').first()).toBeVisible();
    expect((await walletOf(userId)).points).toBe(10);
    expect(await ledgerProblems()).toEqual([]);
  });
});
