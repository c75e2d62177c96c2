import type { Page } from '@playwright/test';
import { sql } from '../local/testing/clients.ts';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, signUp, test } from './fixtures.ts';
import { followTo } from './support/screens.ts';

interface Row {
  type: string;
  user_id: string | null;
  data: Record<string, unknown>;
}

/** The rows of this tab's visit, oldest first. */
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

test('ANA-02 ANA-04 a visit is recorded with its campaign and clicks until the user opts out of statistics; no script is loaded', async ({
  page,
  context,
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
  // Before hydration a link works, but nobody hears its click.
  await expect.poll(async () => (await types(page)).filter((type) => type === 'page_view')).toHaveLength(3);
  await page
    .getByRole('link', { name: 'OG Lifetime' })
    .or(page.getByRole('link', { name: /lifetime/i }))
    .first()
    .click();
  await expect.poll(() => types(page)).toContain('plan_click');

  await expect(script(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Statistics' })).toHaveCount(0);

  await test.step('after opting out nothing more is recorded', async () => {
    // Another visit, whose first event already exists.
    const tab = await context.newPage();
    await tab.goto('/pricing');
    await expect.poll(() => types(tab)).toEqual(['page_view']);
    await tab.getByRole('button', { name: 'Statistics: on' }).click();
    await tab.goto('/browse');
    // Events are sent in order, a moment later: the next one that is recorded comes after every one of before.
    await tab.getByRole('button', { name: 'Statistics: off' }).click();
    await followTo(tab, '/rewards');
    await expect.poll(async () => (await rows(tab)).map(({ data }) => data.label)).toEqual(['/pricing', '/rewards']);
  });
});

test('ANA-03 ANA-04 a proof and a feedback each record their event, as the member who sent them', async ({
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
