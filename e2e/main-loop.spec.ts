import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { ledgerProblems } from '../supabase/tests/support/factories.ts';
import { trackPerson } from '../supabase/tests/support/ledger.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, newEmail, test } from './fixtures.ts';
import { PNG } from './support/pictures.ts';
import { signUpByForm } from './support/sign-up.ts';

test.use({ reducedMotion: 'no-preference' });

/** Chooses the side and signs up like a new user; ends on that side's home. */
async function signUpAs(page: Page, role: 'Community Member' | 'Startup', email: string) {
  await page.getByRole('radio', { name: role }).check();
  await signUpByForm(page, email);
  await expect(page).toHaveURL(role === 'Startup' ? /\/startup$/ : /\/community$/);
  const { rows } = await sql().query('select user_id from public.user_profiles where email = $1', [email]);
  trackPerson(rows[0].user_id);
}

/** The steps of the pitch are in one row on wider screens, however many lines their texts have. */
async function expectHeadingsOnOneLine(page: Page): Promise<void> {
  const phone = page.viewportSize();
  for (const width of [700, 820, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const headings = page.getByRole('listitem').getByRole('heading', { level: 2 });
    await expect(headings).toHaveCount(3);
    const tops = await headings.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    expect(new Set(tops).size, `tops at ${width} px: ${tops}`).toBe(1);
  }
  if (phone) await page.setViewportSize(phone);
}

test('a project publishes a quest; a member proves it three ways, earns points and redeems them', async ({
  page: founder,
  newBrowser,
}) => {
  const mark = randomUUID().slice(0, 8);
  const title = `Write about Kitebox ${mark}`;

  await test.step('a founder signs up and creates the project', async () => {
    await founder.goto('/');
    await founder.getByRole('link', { name: 'Start Your Project' }).first().click();
    await expect(founder.getByRole('heading', { name: 'Join the Community' })).toBeVisible();
    await signUpAs(founder, 'Startup', newEmail('founder'));
    await expect(founder.getByText('Get Your First 10 Users This Week')).toBeVisible();
    await expectAccessible(founder);
    await expectHeadingsOnOneLine(founder);
    await founder.getByRole('link', { name: 'Create Your Project Profile' }).first().click();
    await founder.getByLabel('Project name').fill(`Kitebox ${mark}`);
    await founder.getByLabel('Industry').selectOption('SaaS');
    await founder.getByLabel('Website').fill('kitebox.example');
    await founder.getByLabel('Description').fill('Boxes that fly.');
    await founder.getByRole('button', { name: 'Create Profile' }).click();
    await expect(founder.getByRole('heading', { name: `Kitebox ${mark} is on the board` })).toBeVisible();
    await founder.getByRole('link', { name: 'Go to Dashboard' }).click();
  });

  await test.step('and a quest from a template, live at once', async () => {
    await founder
      .getByRole('link', { name: /create.*quest/i })
      .first()
      .click();
    await founder.getByRole('button', { name: 'Skip for now' }).click();
    await founder.getByRole('radio', { name: /Write a product review/ }).check();
    await founder.getByLabel('Quest title').fill(title);
    await founder.getByLabel(/Product URL/i).fill('https://www.kitebox.example/try');
    await founder.getByLabel('Points per person').fill('50');
    await founder.getByLabel('Max participants').fill('5');
    await expectNoSidewaysScroll(founder);
    await founder.getByRole('button', { name: 'Create Quest' }).click();
    await expect(founder.getByRole('heading', { name: 'Project dashboard' })).toBeVisible();
    await expect(founder.getByRole('heading', { name: title, exact: true })).toBeVisible();
  });

  const context = await newBrowser();
  const member = await context.newPage();
  await test.step('a member signs up and finds the quest on the board', async () => {
    await member.goto('/auth/signup');
    await signUpAs(member, 'Community Member', newEmail('member'));
    await member.goto('/browse');
    await member.getByRole('searchbox').fill(mark);
    await member.getByRole('link', { name: title }).first().click();
    await expect(member.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  });

  await test.step('proves it by link', async () => {
    await member.getByRole('button', { name: 'Submit Proof' }).click();
    const dialog = member.getByRole('dialog', { name: 'Link Proof' });
    await expect(dialog.getByRole('button', { name: 'Submit' })).toBeDisabled();
    await dialog
      .getByLabel(/URL|link/i)
      .first()
      .fill('https://blog.example/kitebox');
    await expectAccessible(member);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
    await expect(member.getByText('Quest Complete').first()).toBeVisible();
    await expect(member.getByText('Completed').first()).toBeVisible();
  });

  await test.step('another by text', async () => {
    await openQuest(member, 'Rate three croissants');
    await member.getByRole('button', { name: 'Submit Proof' }).click();
    const dialog = member.getByRole('dialog', { name: 'Text Proof' });
    await dialog
      .getByLabel(/description|text|tell/i)
      .first()
      .fill('Buttery, flaky, gone.');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('and one by screenshot, with the e-mail that the quest collects', async () => {
    await openQuest(member, 'Find what is still warm');
    await member.getByRole('button', { name: 'Submit Proof' }).click();
    const dialog = member.getByRole('dialog', { name: 'Screenshot Proof' });
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'crèpe & slip.png', mimeType: 'image/png', buffer: PNG });
    await dialog.getByLabel(/email/i).selectOption({ index: 1 });
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('sees the points in the header and in the wallet, and redeems a reward', async () => {
    await expect(member.getByRole('banner')).toContainText('170 points');
    await member.goto('/rewards');
    await expect(member.getByRole('heading', { name: 'My Rewards' })).toBeVisible();
    await expect(member.getByText('Task completion: Rate three croissants')).toBeVisible();
    await member
      .getByRole('listitem')
      .filter({ hasText: 'Sticker sheet' })
      .getByRole('button', { name: 'Redeem' })
      .click();
    const dialog = member.getByRole('dialog', { name: 'Redeem Reward' });
    await expect(dialog.getByText('Balance after')).toBeVisible();
    // It is delivered by post.
    await dialog.getByLabel('Name').fill('Robin Reed');
    await dialog.getByLabel('Street and number').fill('1 Lantern Street');
    await dialog.getByLabel('Town or city').fill('Brookhaven');
    await dialog.getByLabel('Country').selectOption('IE');
    await dialog.getByRole('button', { name: 'Redeem', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(member.getByText('Redeemed: Sticker sheet')).toBeVisible();
    await expect(member.getByRole('banner')).toContainText(/\D70 points/);
    await expectAccessible(member);
    await expectNoSidewaysScroll(member);
  });

  await test.step('the owner sees the submission', async () => {
    await founder.reload();
    await founder.getByRole('link', { name: 'View Submissions' }).click();
    await expect(founder.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect(founder.getByText('Auto-approved (Beta)').first()).toBeVisible();
    await expectAccessible(founder);
    await expectNoSidewaysScroll(founder);
  });

  expect(await ledgerProblems()).toEqual([]);
});

async function openQuest(page: Page, title: string) {
  await page.goto(`/browse?q=${encodeURIComponent(title)}`);
  await page.getByRole('link', { name: title }).first().click();
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
}
