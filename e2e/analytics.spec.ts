import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { newOwner, newQuest } from '../supabase/tests/support/world.ts';
import { expect, signUp, test } from './fixtures.ts';
import { buildSite, type Site } from './support/site.ts';

interface Row {
  type: string;
  user_id: string | null;
  data: Record<string, unknown>;
}

/** The rows of this tab's visit, the oldest first. */
async function rows(page: Page): Promise<Row[]> {
  const session = await page.evaluate(() => sessionStorage.getItem('questboard.session-id'));
  const found = await sql().query<Row>(
    `select type, user_id, data from public.metrics_events where data ->> 'session_id' = $1 order by id`,
    [session],
  );
  return found.rows;
}

const types = async (page: Page) => (await rows(page)).map(({ type }) => type);
const script = (page: Page) => page.locator('script[data-analytics]');

test('ANA-02 ANA-04 a visit is written with its campaign, and with what was pressed; no script is loaded', async ({
  page,
}) => {
  await page.goto('/?utm_source=letter&utm_medium=mail&utm_campaign=spring&token=secret');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => types(page)).toContain('page_view');
  const [view] = await rows(page);
  expect(view).toMatchObject({
    type: 'page_view',
    user_id: null,
    data: {
      action: 'page_view',
      category: 'navigation',
      label: '/',
      page_url: `${process.env.APP_URL}/`,
      user_agent: await page.evaluate(() => navigator.userAgent),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      extras: { utm_source: 'letter', utm_medium: 'mail', utm_campaign: 'spring' },
    },
  });
  expect(JSON.stringify(await rows(page))).not.toContain('secret');

  await page.getByRole('link', { name: 'Join Community' }).first().click();
  await expect(page).toHaveURL(/\/auth\/signup/);
  await expect.poll(() => types(page)).toContain('cta_click');
  await page.goto('/');
  await page
    .getByRole('link', { name: 'OG Lifetime' })
    .or(page.getByRole('link', { name: /lifetime/i }))
    .first()
    .click();
  await expect.poll(() => types(page)).toContain('plan_click');

  await expect(script(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Statistics' })).toHaveCount(0);
});

test('ANA-03 ANA-04 a proof and a feedback each write their event, as the member who sent them', async ({
  page,
  context,
}) => {
  const { userId } = await signUp(context);
  const { campaign, taskId } = await newQuest(await newOwner(), { task: { requires_proof: false } });
  await page.goto(`/community/quest/${campaign.id}`);
  await page.getByRole('button', { name: 'Quick Verify' }).click();
  await expect.poll(() => types(page)).toContain('quest_submission');
  await page.getByRole('button', { name: 'Share Feedback' }).click();
  const dialog = page.getByRole('dialog', { name: 'Beta Feedback' });
  await dialog.getByLabel('Your feedback').fill('Counted.');
  await dialog.getByRole('button', { name: 'Send feedback' }).click();
  await expect.poll(() => types(page)).toContain('beta_feedback');
  const all = await rows(page);
  const event = (type: string) => all.find((row) => row.type === type);
  expect(event('quest_submission')).toMatchObject({
    user_id: userId,
    data: { category: 'quest', extras: { task_id: taskId, campaign_id: campaign.id } },
  });
  expect(event('beta_feedback')).toMatchObject({ user_id: userId, data: { label: 'general' } });
});

test('ANA-04 who turned statistics off is not counted', async ({ page }) => {
  await page.goto('/pricing');
  await expect.poll(() => types(page)).toEqual(['page_view']);
  await page.getByRole('button', { name: 'Statistics: on' }).click();
  const sent: string[] = [];
  page.on('request', (request) => void (/metrics_events/.test(request.url()) && sent.push(request.url())));
  await page.goto('/browse');
  await page.goto('/rewards');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(sent).toEqual([]);
  expect(await types(page)).toEqual(['page_view']);
});

test.describe('where a script is configured', () => {
  test.describe.configure({ mode: 'default' });
  const src = 'https://statistics.example/script.js';
  let site: Site;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    // Without sign-in: what is asked here is the same for everybody.
    site = await buildSite({ VITE_ANALYTICS_SRC: src, VITE_CLERK_PUBLISHABLE_KEY: '', VITE_CLERK_PROXY_URL: '' });
  });
  test.afterAll(() => site?.stop());

  test('ANA-01 it is loaded after a yes only, then at every start, and hears the events', async ({ page }) => {
    let loads = 0;
    await page.route(src, (route) => {
      loads += 1;
      return route.fulfill({ contentType: 'text/javascript', body: 'window.statisticsRan = true;' });
    });
    await page.goto(`${site.url}/pricing`);
    const question = page.getByRole('region', { name: 'Statistics' });
    await expect(question).toBeVisible();
    await expect(script(page)).toHaveCount(0);
    expect(loads).toBe(0);
    await question.getByRole('button', { name: 'Allow' }).click();
    await expect.poll(() => page.evaluate(() => 'statisticsRan' in window)).toBe(true);
    await expect(question).toBeHidden();

    await page.reload();
    await expect.poll(() => loads).toBe(2);
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(Reflect.get(window, 'dataLayer') ?? [])))
      .toContain('page_view');
  });

  test('ANA-01 a no keeps it away, also after reloading', async ({ page }) => {
    let loads = 0;
    await page.route(src, (route) => {
      loads += 1;
      return route.abort();
    });
    await page.goto(`${site.url}/pricing`);
    await page.getByRole('region', { name: 'Statistics' }).getByRole('button', { name: 'No thanks' }).click();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Statistics' })).toHaveCount(0);
    await expect(script(page)).toHaveCount(0);
    expect(loads).toBe(0);
  });
});
