import type { BrowserContext, Page } from '@playwright/test';
import { newAdmin, newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { type Account, expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { submitForReview } from './support/outside-beta.ts';

const LINK = 'https://blog.example/first-try';

const mainBar = (page: Page) => page.locator('[data-sticky-action]');

/** A member whose proof was rejected with a reason. */
async function rejectedProof(context: BrowserContext) {
  const account = await signUp(context);
  const quest = await newQuest(await newOwner(), {
    campaign: { title: `Two pages for ${account.email.slice(0, 15)}` },
  });
  const id = await submitForReview(asPerson(account), quest.taskId, { url: LINK });
  await unwrap(
    (await newAdmin()).client.rpc('review_submission', {
      p_submission_id: id,
      p_decision: 'reject',
      p_reason: 'incomplete',
      p_note: 'Page two is missing',
    }),
  );
  return { account, ...quest };
}

const asPerson = ({ userId, email }: Account) => ({ id: userId, email });

test('BEY-21 BEY-18 C-77 C-72 a member sees why a proof was rejected, sends a better one, sees it approved and follows the project', async ({
  page,
  context,
}) => {
  const { campaign } = await rejectedProof(context);

  await test.step('the dashboard shows it first', async () => {
    await page.goto('/community');
    const step = page.getByRole('region', { name: 'Your next step' });
    await expect(step.getByRole('heading', { name: campaign.title })).toBeVisible();
    await expect(step.getByText('Incomplete: Page two is missing')).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  await test.step('my quests show the proof, the reason and the next step', async () => {
    await page.getByRole('region', { name: 'In progress' }).getByRole('link', { name: 'My quests' }).click();
    const quest = page.getByRole('listitem', { name: campaign.title });
    await expect(quest.getByText('Incomplete: Page two is missing')).toBeVisible();
    await quest.getByText('Your proof', { exact: true }).click();
    await expect(quest.getByRole('link', { name: LINK })).toBeVisible();
    await expectAccessible(page);
    await quest.getByRole('link', { name: 'Try Again' }).click();
    await expect(page.getByRole('heading', { name: campaign.title, level: 1 })).toBeVisible();
  });

  await test.step('the dialog repeats the reason and starts from the old proof', async () => {
    await page.getByRole('button', { name: 'Submit New Proof' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link Proof' });
    await expect(dialog.getByText('Incomplete: Page two is missing')).toBeVisible();
    await expect(dialog.getByLabel('Link')).toHaveValue(LINK);
    await expect(dialog.getByLabel('Link')).toBeFocused();
    await dialog.getByLabel('Link').fill('blog.example/both-pages');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('the approval is shown, the points arrive, the next quest is offered, and Back leads to the list', async () => {
    await expect(page.getByRole('heading', { name: 'Quest Complete' })).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('10 points');
    await expect(page.getByRole('listitem', { name: 'Try the product' })).toBeFocused();
    await expect(page.getByRole('link', { name: /^Next: / })).toBeVisible();
    await expectAccessible(page);
    await page.getByText('Your proof', { exact: true }).click();
    await expect(page.getByRole('link', { name: 'https://blog.example/both-pages' })).toBeVisible();
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page).toHaveURL(/\/community\/quests$/);
    await expect(page.getByRole('listitem', { name: campaign.title }).getByText('Done', { exact: true })).toBeVisible();
  });

  await test.step('the menu leads to the followed projects, and following ends there', async () => {
    await page.goto(`/community/project/${campaign.startup_id}`);
    await page.getByRole('button', { name: 'Follow' }).click();
    await expect(page.getByRole('button', { name: 'Following' })).toBeVisible();
    await page.getByRole('button', { name: /Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'My quests' }).click();
    await page.getByRole('tab', { name: 'Following' }).click();
    const button = page.getByRole('button', { name: /^Unfollow / });
    await expect(button).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await button.click();
    await expect(page.getByText('You are not following any projects yet')).toBeVisible();
    await expect(page.getByRole('tabpanel', { name: 'Following' })).toBeFocused();
  });
});

test('C-71 C-72 on phones the main action is always in reach and covers nothing at the end; raw Markdown is never visible', {
  tag: '@phone',
}, async ({ page, context }) => {
  await signUp(context);
  const { campaign } = await newQuest(await newOwner(), {
    task: { instructions_md: 'Walk **far**.\n\n'.repeat(40) },
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/markdown-renderer.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/community/quest/${campaign.id}`);
  const action = mainBar(page).getByRole('button', { name: 'Submit Proof' });
  await expect(action).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Submit Proof' })).toHaveCount(1);
  await expect(page.locator('li [aria-busy="true"]').first()).toBeVisible();
  await expect(page.getByText('**')).toHaveCount(0);
  release();
  await expect(page.getByText('far', { exact: true })).toHaveCount(40);
  // What is below the fold is asked for late, and the end moves down with it.
  await expect(async () => {
    const edges = await page.evaluate(() => {
      window.scrollTo(0, document.body.scrollHeight);
      const edgesOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON();
      return ['article section[aria-label="Project"]', '[data-sticky-action]', 'footer'].map(edgesOf);
    });
    const [lastCard, bar, footer] = edges;
    expect(footer.top, 'the footer is on the screen').toBeLessThan(page.viewportSize()?.height ?? 0);
    expect(lastCard.bottom, 'the last card ends above the bar').toBeLessThanOrEqual(bar.top);
    expect(bar.bottom, 'the bar ends above the footer').toBeLessThanOrEqual(footer.top);
  }).toPass();
});
