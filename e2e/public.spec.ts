import type { Locator, Page } from '@playwright/test';
import { newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { rateProject, submitAsNewMember } from './support/founder.ts';
import { appReady } from './support/screens.ts';
import { signUpByForm } from './support/sign-up.ts';

const questTitle = (mark: string) => `Draw the harbour ${mark}`;

/** A published quest of a new project, identified by its mark alone. */
async function pinUpQuest() {
  const owner = await newOwner('harbour');
  const mark = owner.startup.id.slice(0, 8);
  const quest = await newQuest(owner, { campaign: { title: questTitle(mark) } });
  return { owner, mark, title: questTitle(mark), ...quest };
}

/** Other tests publish quests at the same time, with titles of any length: home shows the latest with this word. */
const showOnHome = (page: Page, word: string) =>
  page.route(/list_published_quests\?.*p_limit=3/, (route) =>
    route.continue({ url: `${route.request().url()}&p_search=${word}` }),
  );

test('HOME-03 HOME-04 HOME-06 C-111 a visitor finds a live quest without scrolling, plans and entry points on the home page, which is short', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (let quests = 0; quests < 4; quests += 1) await pinUpQuest();
  await showOnHome(page, 'harbour');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const card = page.getByRole('region', { name: 'Live Quests' }).getByRole('listitem').first();
  await expect(card.getByRole('link', { name: 'View Details' })).toBeVisible();
  const box = await card.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0), 'lower edge of the first quest').toBeLessThanOrEqual(844);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height, 'of the whole page').toBeLessThanOrEqual(2880);

  await test.step('nothing moves under prefers-reduced-motion', async () => {
    const times = () =>
      page
        .getByRole('button', { name: 'Subscribe' })
        .evaluate((button) => getComputedStyle(button).transitionDuration.split(',').map(Number.parseFloat));
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(Math.max(...(await times()))).toBeGreaterThan(0.05);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(Math.max(...(await times()))).toBeLessThan(0.001);
  });

  const live = page.getByRole('region', { name: 'Live Quests' });
  const details = live.getByRole('link', { name: 'View Details' });
  await expect(details.first()).toHaveAttribute('href', /^\/browse\/quest\//);
  await expect(details).toHaveCount(3);
  await expect(page.getByRole('link', { name: 'Join Community' }).first()).toHaveAttribute(
    'href',
    '/auth/signup?redirect=/community/referrals',
  );
  await expect(page.getByText('1 free quest with 500 points')).toBeVisible();
  await live.getByRole('link', { name: 'Explore All Quests' }).click();
  await expect(page).toHaveURL(/\/browse$/);
});

test('HUB-07 search, sort and view are kept in the address and survive reloading and going back', async ({ page }) => {
  const { mark, title } = await pinUpQuest();
  await page.goto('/browse');
  const search = page.getByRole('searchbox', { name: 'Search quests' });
  await search.fill(mark);
  await expect(page).toHaveURL(new RegExp(`q=${mark}`));
  const card = page.getByRole('heading', { name: title, level: 2 });
  await expect(card).toBeVisible();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(1);

  await page.getByRole('combobox', { name: 'Sort quests' }).selectOption('Highest Reward');
  await expect(page).toHaveURL(/sort=reward/);
  await page.reload();
  await expect(search).toHaveValue(mark);
  await expect(page.getByRole('combobox', { name: 'Sort quests' })).toHaveValue('reward');
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await page.goBack();
  await expect(search).toHaveValue(mark);
  await expect(card).toBeVisible();

  await search.fill(`${mark}-and-nothing-else`);
  await expect(page.getByText('No active quests available')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expect(search).toHaveValue('');
  await page.getByRole('tab', { name: 'Completed' }).click();
  await expect(page).toHaveURL(/view=completed/);
});

test('HUB-02 HUB-05 PROJ-01 PROJ-02 PROJ-03 a visitor filters projects and opens one with its quests and figures', async ({
  page,
}) => {
  const { owner, title, campaign } = await pinUpQuest();
  await rateProject(owner.startup.id, 4);
  await rateProject(owner.startup.id, 5);
  await page.goto('/browse?tab=projects');
  const card = page.getByRole('link', { name: owner.startup.name });
  await page.getByRole('searchbox', { name: 'Search projects' }).fill(owner.startup.name);
  await page.getByRole('combobox', { name: 'Industry' }).selectOption('Energy');
  await expect(page.getByText('No projects found')).toBeVisible();
  await page.getByRole('combobox', { name: 'Industry' }).selectOption('SaaS');
  await card.click();

  await expect(page).toHaveURL(new RegExp(`/community/project/${owner.startup.id}$`));
  await expect(page.getByRole('heading', { name: owner.startup.name, level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByText('Verified', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: title })).toHaveAttribute('href', /^\/community\/quest\//);
  await expect(page.getByRole('img', { name: '4.5 out of 5 stars' }).first()).toBeVisible();
  const figure = (label: string) =>
    page
      .getByRole('main')
      .locator('dt', { hasText: new RegExp(`^${label}$`) })
      .locator('xpath=..');
  await expect(figure('Active quests')).toContainText('1');
  await expect(figure('Average rating')).toContainText('4.5');
  await expect(figure('Average rating')).toContainText('2 reviews');
  await expect(figure('Total points')).toContainText(`${campaign.budget_points} points`);
  await expect(figure('Joined')).toContainText(String(new Date().getFullYear()));
  await expect(page.getByRole('heading', { name: 'Feedback', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Projects' }).click();
  await expect(page).toHaveURL(/\/browse\?tab=projects$/);
});

test('HUB-05 BEY-18 on a card of the hub, which is one link, the project and Save are pressed on their own', async ({
  page,
}) => {
  const { owner, mark, title } = await pinUpQuest();
  await page.goto(`/browse?q=${mark}`);
  await page.getByRole('main').getByRole('link', { name: owner.startup.name }).click();
  await expect(page).toHaveURL(new RegExp(`/community/project/${owner.startup.id}$`));
  await page.goBack();
  // The stub with the reward belongs to the link, with its focus ring.
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
  const { x, y } = (await card.getByText(/^\d+ tasks?/).boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.click(x + 2, y + 2);
  await expect(page).toHaveURL(/\/quest\//);
  await page.goBack();
  // A visitor is asked to sign in first.
  await page.getByRole('button', { name: `Save ${title}` }).click();
  await expect(page).toHaveURL(/\/auth\/signin/);
});

test('HUB-01 HUB-08 the hub has tabs, a search and two sorts; a full quest is under Completed; going back restores the position', async ({
  page,
}) => {
  const owner = await newOwner('lighthouse');
  const mark = owner.startup.id.slice(0, 8);
  const { taskId } = await newQuest(owner, {
    campaign: { title: questTitle(mark) },
    task: { max_completions: 1, reward_points: 40 },
  });
  await submitAsNewMember(taskId);
  await page.goto('/browse');
  await expect(page.getByRole('tab')).toHaveText(['Quests', 'Projects', 'Active Quests', 'Completed']);
  await expect(page.getByRole('combobox', { name: 'Sort quests' }).getByRole('option')).toHaveText([
    'Newest',
    'Highest Reward',
  ]);

  await test.step('going back restores the scroll position, and so does a reload', async () => {
    const cards = page.getByRole('main').getByRole('heading', { level: 2 });
    await expect(cards.first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await cards.last().scrollIntoViewIfNeeded();
    const place = () => page.evaluate(() => Math.round(scrollY));
    const before = await place();
    expect(before).toBeGreaterThan(100);
    const title = (await cards.last().textContent()) ?? '';
    await cards.last().getByRole('link').click();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect.poll(place).toBe(0);
    await page.goBack();
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(20);
    await page.reload();
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(20);
  });

  await page.getByRole('searchbox', { name: 'Search quests' }).fill(mark);
  await expect(page.getByText('No active quests available')).toBeVisible();
  await page.getByRole('tab', { name: 'Completed' }).press('Enter');
  await expect(page.getByRole('heading', { name: questTitle(mark), level: 2 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Quest Full' })).toBeDisabled();
});

test('ROUTE-02 QUEST-02 QUEST-10 a visitor reads a quest, is asked to join and returns to it after signing up: four presses from home to the first points, five to a first proof', async ({
  page,
}) => {
  const { owner, mark, campaign, title, tasks } = await pinUpQuest();
  const quick = { ...tasks[0], id: undefined, title: 'Say hello', requires_proof: false };
  await unwrap(
    owner.client.rpc('update_campaign', {
      p_campaign_id: campaign.id,
      p_campaign: { title, summary: campaign.summary, details_md: '', budget_points: 500 },
      p_tasks: JSON.parse(JSON.stringify([quick, { ...tasks[0], proof_type: 'text' }])),
    }),
  );
  await page.goto(`/quest/${campaign.id}`);
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back', exact: true })).toHaveAttribute('href', '/browse');
  await expect(page.getByRole('button', { name: 'Submit Proof' })).toHaveCount(0);
  const banner = page.getByRole('region', { name: 'Join to take part' });
  await expect(banner.getByRole('link', { name: 'See Rewards' })).toHaveAttribute('href', '/rewards');
  await expectAccessible(page);

  let presses = 0;
  const press = async (target: Locator) => {
    await target.click();
    presses += 1;
  };
  await showOnHome(page, mark);
  await page.goto('/');
  await press(page.getByRole('link', { name: title }));
  // On phones it is in the bar at the bottom.
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  await press(page.getByRole('main').getByRole('link', { name: 'Join Community' }));
  await signUpByForm(page);
  presses += 1; // its Continue; the code is submitted as it is typed
  await expect(page).toHaveURL(new RegExp(`/community/quest/${campaign.id}$`));
  const pressesToJoin = presses;

  await press(page.getByRole('button', { name: 'Quick Verify' }));
  await expect(page.getByRole('banner')).toContainText('10 points');
  expect(presses, 'to the first points').toBeLessThanOrEqual(4);

  presses = pressesToJoin;
  await press(page.getByRole('button', { name: 'Submit Proof' }));
  await page.getByRole('dialog').getByLabel('Description').fill('I drew it from the pier');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Submit' }));
  await expect(page.getByRole('heading', { name: 'Quest Complete' })).toBeVisible();
  expect(presses, 'to a first proof').toBeLessThanOrEqual(5);
});

test('on paper a legal text stands alone, in dark ink, and no heading stands alone at the end of a page', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/terms');
  await appReady(page);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of use' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Share Feedback' })).toBeHidden();
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(28, 26, 22)');
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveCSS('break-after', 'avoid');
});

test('in high contrast, which has no backgrounds, filled buttons, meters, skeletons and what is chosen have an edge', async ({
  page,
}) => {
  const { mark } = await pinUpQuest();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.route('**/rest/v1/rpc/**', () => {});
  await page.goto('/browse');
  await expect(page.locator('main .animate-pulse').first()).toHaveCSS('border-top-width', '1px');
  await page.unrouteAll();
  await page.goto(`/browse?q=${mark}`);
  const borderOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).borderTopWidth);
  expect(await borderOf(page.getByRole('link', { name: 'View Details' }))).toBe('1px');
  expect(await borderOf(page.getByRole('tab', { selected: true }).first())).toBe('3px');
  const bar = page.getByRole('meter', { name: 'Spots left' }).locator('xpath=following-sibling::*');
  expect(await borderOf(bar)).toBe('1px');
  const [track, fill] = await Promise.all(
    [bar, bar.locator('> *')].map((part) => part.evaluate((node) => getComputedStyle(node).backgroundColor)),
  );
  expect(fill).not.toBe(track);
});
