import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { ledgerProblems, newAdmin, newQuest, refusal, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, type NewBrowser, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab, rowWith } from './support/admin.ts';
import { newFounder } from './support/founder.ts';
import { applyForReview } from './support/outside-beta.ts';

/** What a visitor sees on the board, in a browser with an empty cache. */
async function visitorFinds(newBrowser: NewBrowser, address: string, name: string): Promise<boolean> {
  const context = await newBrowser();
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const found = page.getByRole('main').getByRole('link', { name }).first();
  const nothing = page.getByText(/Nothing on the board matches|No project matches/);
  await expect(found.or(nothing)).toBeVisible();
  return found.isVisible();
}

test('ADMIN-03 SEC-15 a project is rejected with a reason and approved later, and its owner and visitors see it', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const ownerContext = await newBrowser();
  const { userId, email, client } = await signUp(ownerContext, 'applicant');
  await unwrap(client.rpc('switch_role', { p_role: 'startup' }));
  const name = `Kitebox ${userId.slice(-8)}`;
  const id = await applyForReview({ id: userId, email }, name);
  const board = `/browse?tab=projects&q=${encodeURIComponent(name)}`;
  const owner = await ownerContext.newPage();
  await owner.goto('/startup');
  await expect(owner.getByText('Your project is under review')).toBeVisible();
  expect(await visitorFinds(newBrowser, board, name)).toBe(false);

  await test.step('rejected: a reason is required', async () => {
    await openTab(page, 'projects', { q: name });
    await expect(rowWith(page, name)).toContainText('Pending');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await rowWith(page, name).getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog', { name: `Reject “${name}”?` });
    await dialog.getByRole('button', { name: 'Reject project' }).click();
    await expect(dialog.getByText('Please give a reason')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Reason').fill('The website does not load.');
    await dialog.getByRole('button', { name: 'Reject project' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, name)).toContainText('The website does not load.');
    await owner.reload();
    await expect(owner.getByText('Your project was not approved')).toBeVisible();
    await expect(owner.getByText('The website does not load.')).toBeVisible();
  });

  await test.step('approved', async () => {
    await rowWith(page, name).getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('alertdialog', { name: `Approve “${name}” after all?` });
    await expect(dialog.getByText(/Its owner gets 500 trial points/)).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Decisions' })).toContainText('The website does not load.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Approve project' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, name)).toContainText('Verified');
    await owner.reload();
    await expect(owner.getByText('Your project is verified.')).toBeVisible();
    expect(await visitorFinds(newBrowser, board, name)).toBe(true);
  });

  const rejected = ['Status: pending → rejected', 'The website does not load.'];
  const verified = ['Status: rejected → verified', 'Approved by admin'];
  await expectInAudit(
    page,
    admin,
    { action: 'startup.rejected', subject: id, texts: rejected },
    { action: 'startup.verified', subject: id, texts: verified },
  );
});

test('ADMIN-04 C-25 C-78 a quest that is taken down leaves the board; its owner sees the reason and publishes it again after release', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const ownerContext = await newBrowser();
  const founder = await newFounder(ownerContext, 'held');
  const title = `Send us your password ${randomUUID().slice(0, 8)}`;
  const { campaign } = await newQuest(founder, { campaign: { title } });
  const board = `/browse?q=${encodeURIComponent(title)}`;
  const owner = await ownerContext.newPage();

  await test.step('held with a reason', async () => {
    await openTab(page, 'quests', { q: title });
    await rowWith(page, title).getByRole('button', { name: 'Take down' }).click();
    const dialog = page.getByRole('dialog', { name: `Take down “${title}”?` });
    await dialog.getByLabel('Reason').fill('Never ask for passwords.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Take down' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, title)).toContainText('On hold');
    expect(await visitorFinds(newBrowser, board, title)).toBe(false);
  });

  await test.step('the owner sees the reason and cannot publish it', async () => {
    await owner.goto('/startup');
    await expect(owner.getByText('On hold by moderation')).toBeVisible();
    await expect(owner.getByText('Never ask for passwords.')).toBeVisible();
    await expect(owner.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
    const refused = await refusal(founder.client.rpc('publish_campaign', { p_campaign_id: campaign.id }));
    expect(refused.code).toBe('ON_HOLD');
  });

  await test.step('released', async () => {
    await rowWith(page, title).getByRole('button', { name: 'Lift hold' }).click();
    const dialog = page.getByRole('alertdialog', { name: `Lift the hold on “${title}”?` });
    await dialog.getByRole('button', { name: 'Lift hold' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowWith(page, title)).not.toContainText('On hold');
    await owner.reload();
    await owner.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(owner.getByText(`“${title}” is live`)).toBeVisible();
    expect(await visitorFinds(newBrowser, board, title)).toBe(true);
  });

  const subject = campaign.id;
  const held = ['Status: published → draft', 'Reason of the hold: — → Never ask for passwords.'];
  const lifted = ['Reason of the hold: Never ask for passwords. → —'];
  await expectInAudit(
    page,
    admin,
    { action: 'campaign.take_down', subject, texts: held },
    { action: 'campaign.lift_hold', subject, texts: lifted },
  );
});

/** A verified project with a quest on the board: its owner's page, and what its owner and an admin do about a revocation. */
async function newRevocation(page: Page, ownerContext: BrowserContext) {
  const founder = await newFounder(ownerContext, 'revoked');
  const { id, name } = founder.startup;
  const title = `Buy our followers ${randomUUID().slice(0, 8)}`;
  await newQuest(founder, { campaign: { title } });
  const owner = await ownerContext.newPage();

  return {
    id,
    name,
    title,
    owner,
    board: `/browse?q=${encodeURIComponent(title)}`,
    appeal: async (words: string) => {
      await owner.goto('/startup');
      await expect(owner.getByText('The verification of your project was revoked', { exact: true })).toBeVisible();
      await owner.getByRole('button', { name: 'Appeal' }).click();
      const dialog = owner.getByRole('dialog', { name: /^Appeal against/ });
      await dialog.getByLabel('Why should the decision change?').fill(words);
      await expectAccessible(owner);
      await dialog.getByRole('button', { name: 'Send appeal' }).click();
      await expect(owner.getByText(/^You appealed on/)).toBeVisible();
      await expect(owner.getByRole('button', { name: 'Appeal' })).toHaveCount(0);
    },
    decide: async (verb: 'Uphold' | 'Overturn', answer: string) => {
      await openTab(page, 'appeals');
      await rowWith(page, name).getByRole('button', { name: verb }).click();
      const dialog = page.getByRole('dialog', { name: `${verb} the revocation of ${name}?` });
      await dialog.getByLabel('Your answer').fill(answer);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await dialog.getByRole('button', { name: `${verb} the revocation` }).click();
      await expect(dialog).toBeHidden();
    },
  };
}

test('C-91 BEY-04 a revoked project leaves the board; its founder sees the reason and appeals; upheld is final', async ({
  page,
  context,
  newBrowser,
}) => {
  const [ownerContext, judgeContext] = [await newBrowser(), await newBrowser()];
  const admin = await newBrowserAdmin(context);
  await newBrowserAdmin(judgeContext);
  const { id, name, title, owner, board, appeal, decide } = await newRevocation(
    await judgeContext.newPage(),
    ownerContext,
  );

  await test.step('revoked: quest and project leave the board; the owner sees the reason wherever a quest could be created', async () => {
    expect(await visitorFinds(newBrowser, board, title)).toBe(true);
    await openTab(page, 'projects', { q: name });
    await rowWith(page, name)
      .getByRole('button', { name: `View ${name}` })
      .click();
    await page.getByRole('dialog', { name }).getByRole('button', { name: 'Revoke verification' }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke the verification of “${name}”?` });
    await dialog.getByLabel('Reason').fill('You sell followers.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Revoke verification' }).click();
    await expect(dialog).toBeHidden();
    expect(await visitorFinds(newBrowser, board, title)).toBe(false);
    await owner.goto('/startup/campaigns/new');
    await expect(owner.getByText('The verification of your project was revoked', { exact: true })).toBeVisible();
    await expect(owner.getByText('You sell followers.')).toBeVisible();
    await expect(owner.getByRole('button', { name: 'Create Quest' })).toHaveCount(0);
  });

  await test.step('the appeal is upheld, which is final', async () => {
    await appeal('We only count them.');
    await expectAccessible(owner);
    await expectNoSidewaysScroll(owner);
    await decide('Uphold', 'The price list is still there.');
    await owner.reload();
    await expect(owner.getByText('The decision stands:')).toBeVisible();
    await expect(owner.getByText('The price list is still there.')).toBeVisible();
    await expect(owner.getByRole('button', { name: 'Appeal' })).toHaveCount(0);
  });

  await test.step('approved again, without a second gift', async () => {
    await openTab(page, 'projects', { q: name });
    await rowWith(page, name).getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('alertdialog', { name: `Approve “${name}” after all?` });
    await expect(dialog.getByText(/no trial points are given a second time/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Approve project' }).click();
    await expect(dialog).toBeHidden();
    await owner.reload();
    await expect(owner.getByText('Your project is verified.')).toBeVisible();
  });

  expect(await ledgerProblems()).toEqual([]);
  await expectInAudit(page, admin, {
    action: 'startup.revoke',
    subject: id,
    texts: ['Status: verified → rejected', 'You sell followers.'],
  });
});

test('C-91 an appeal against a revocation is overturned, which restores project and quest', async ({
  page,
  context,
  newBrowser,
}) => {
  const judge = await newBrowserAdmin(context);
  const ownerContext = await newBrowser();
  const { id, title, owner, board, appeal, decide } = await newRevocation(page, ownerContext);
  const revoked = { p_startup_id: id, p_reason: 'Somebody has reported you.' };
  await unwrap((await newAdmin()).client.rpc('revoke_verification', revoked));

  expect(await visitorFinds(newBrowser, board, title)).toBe(false);
  await appeal('The list is gone.');
  await decide('Overturn', 'It is. Sorry.');
  await owner.reload();
  await expect(owner.getByText('Your project is verified.')).toBeVisible();
  expect(await visitorFinds(newBrowser, board, title)).toBe(true);

  expect(await ledgerProblems()).toEqual([]);
  await expectInAudit(page, judge, {
    action: 'startup.verified',
    subject: id,
    texts: ['Status: rejected → verified', 'It is. Sorry.'],
  });
});

test('ADMIN-05 ADMIN-06 feedback is found by search and filters in the address, reviewed and resolved', async ({
  page,
  context,
}) => {
  const admin = await newBrowserAdmin(context);
  const mark = randomUUID().slice(0, 8);
  const add = async (type: string, title: string) =>
    (
      await sql().query<{ id: string }>(
        `insert into public.beta_feedback (type, title, description, rating, email)
         values ($1, $2, 'It happens on my phone.', 4, 'kim@example.com') returning id`,
        [type, `${title} ${mark}`],
      )
    ).rows[0]?.id ?? '';
  const id = await add('bug', 'The map is upside down');
  await add('feature', 'A bigger map');
  const bug = rowWith(page, `The map is upside down ${mark}`);
  const wish = rowWith(page, `A bigger map ${mark}`);

  await test.step('search and filters restrict the list and are kept in the address', async () => {
    const panel = await openTab(page, 'feedback');
    await panel.getByRole('searchbox').fill(mark);
    await expect(bug).toBeVisible();
    await expect(wish).toBeVisible();
    await panel.getByLabel('Type').selectOption('Bug');
    await expect(wish).toHaveCount(0);
    await panel.getByLabel('Status').selectOption('New');
    await expect(page).toHaveURL(new RegExp(`tab=feedback.*q=${mark}`));
    await page.reload();
    await expect(bug).toBeVisible();
    await expect(wish).toHaveCount(0);
    await expectNoSidewaysScroll(page);
  });

  await test.step('reviewed with a note, then resolved', async () => {
    await bug.getByRole('button', { name: /^View/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Feedback details' });
    for (const words of ['Bug', 'New', 'Medium', 'It happens on my phone.', '4 out of 5', 'kim@example.com'])
      await expect(dialog).toContainText(words);
    await expectAccessible(page);
    await dialog.getByLabel('Notes').fill('Seen on Android');
    await dialog.getByRole('button', { name: 'Mark as Reviewed' }).click();
    await expect(page.getByText('Marked as reviewed')).toBeVisible();
    await openTab(page, 'feedback', { q: mark });
    await expect(bug).toContainText('Reviewed');
    await bug.getByRole('button', { name: /^View/ }).click();
    await expect(dialog.getByLabel('Notes')).toHaveValue('Seen on Android');
    await dialog.getByRole('button', { name: 'Mark as Resolved' }).click();
    await expect(dialog.getByText('Resolved', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await expect(bug).toContainText('Resolved');
    await openTab(page, 'feedback', { q: mark, status: 'new' });
    await expect(wish).toBeVisible();
    await expect(bug).toHaveCount(0);
  });

  const reviewed = ['Status: new → reviewed', 'Seen on Android'];
  const resolved = ['Status: reviewed → resolved'];
  await expectInAudit(
    page,
    admin,
    { action: 'feedback.reviewed', subject: id, texts: reviewed },
    { action: 'feedback.resolved', subject: id, texts: resolved },
  );
});

test('C-43 TRUST-08 a reversed approval takes its points back with opposite entries, and the member sees the reason', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser();
  const account = await signUp(memberContext, 'copycat');
  const { campaign, taskId } = await newQuest(await newFounder(await newBrowser(), 'owner'));
  const proof = { p_task_id: taskId, p_url: 'https://blog.example/copied' };
  const submission = await unwrap(account.client.rpc('submit_proof', proof));
  expect(await walletOf(account.userId)).toMatchObject({ points: 10 });

  await openTab(page, 'submissions', { q: account.email });
  await rowWith(page, campaign.title).getByRole('button', { name: /^View/ }).click();
  const details = page.getByRole('dialog', { name: 'Try the product' });
  await expect(details.getByRole('link', { name: 'https://blog.example/copied' })).toBeVisible();
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Reverse approval' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse this approval?' });
  await expect(dialog).toContainText('10 points go back');
  await dialog.getByLabel('Reason').fill('The article is somebody else’s.');
  await dialog.getByRole('button', { name: 'Reverse approval' }).click();
  await expect(dialog).toBeHidden();
  await expect(rowWith(page, campaign.title)).toContainText('Rejected');

  const member = await memberContext.newPage();
  await member.goto('/rewards?view=history');
  const entries = member.getByRole('list', { name: 'All transactions' }).getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.nth(0)).toContainText(/Reversed: Try the product[\s\S]*[−-]10/);
  await expect(entries.nth(1)).toContainText(/Try the product[\s\S]*\+10/);
  await expect(member.getByRole('banner')).toContainText(/\D0 points/);
  await member.goto(`/community/quest/${campaign.id}`);
  await expect(member.getByText('The article is somebody else’s.')).toBeVisible();
  expect(await walletOf(account.userId)).toMatchObject({ points: 0 });
  expect(await ledgerProblems()).toEqual([]);

  await expectInAudit(page, admin, {
    action: 'submission.reverse',
    subject: submission.id,
    texts: ['Status: approved → rejected', 'The article is somebody else’s.'],
  });
});
