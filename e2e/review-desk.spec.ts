import { sql } from '../local/testing/clients.ts';
import { ledgerProblems, newMember, newQuest, type Owner, walletOf } from '../supabase/tests/support/factories.ts';
import { fillQuest } from '../supabase/tests/support/many-submissions.ts';
import { expect, expectAccessible, expectLaidOut, expectNoSidewaysScroll, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { submitForReview } from './support/outside-beta.ts';

const [QUESTS, PROOFS] = process.env.QUESTBOARD_FULL ? [6, 500] : [3, 20];

/** Live quests of the founder with pending link proofs, spread evenly; a trial allows one, so they are inserted directly. */
async function fillDesk(founder: Owner, quests: number, proofs: number): Promise<string[]> {
  const { rows } = await sql().query<{ id: string }>(
    `insert into public.campaigns (startup_id, title, status, published_at)
      select $1, 'Quest ' || n, 'published', now() from generate_series(1, $2) n returning id`,
    [founder.startup.id, quests],
  );
  for (const [index, { id }] of rows.entries()) {
    const count = Math.floor(proofs / quests) + (index < proofs % quests ? 1 : 0);
    await fillQuest(id, {
      tasks: 1,
      rows: count,
      userId: `'pool-${index}-' || n`,
      text: 'null',
      url: `'https://posts.example/${index}/' || n`,
    });
  }
  return rows.map(({ id }) => id);
}

async function statesOf(questIds: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql().query<{ status: string; count: number }>(
    'select status, count(*)::integer as count from public.submissions where campaign_id = any ($1) group by status',
    [questIds],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

test('BEY-01 every link proof of several quests is opened and decided by keyboard, at three presses or fewer each', {
  tag: '@desktop',
}, async ({ page, context }) => {
  test.setTimeout(60_000 + PROOFS * 3_000);
  const founder = await newFounder(context);
  const quests = await fillDesk(founder, QUESTS, PROOFS);
  await context.route('https://posts.example/**', (route) =>
    route.fulfill({ body: 'A post', contentType: 'text/html' }),
  );
  await page.goto('/startup/review');
  await expect(page.getByText(new RegExp(`^${PROOFS} proofs are waiting`))).toBeVisible();
  await expect(page.getByRole('link', { name: /^Review/ })).toContainText(String(PROOFS));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const proof = page.getByRole('article', { name: 'Proof' });
  const opened = new Set<string>();
  for (let count = 1; count <= PROOFS; count += 1) {
    let presses = 0;
    const press = async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    };
    const link = await proof.getByRole('link', { name: /^https:/ }).getAttribute('href');
    const [tab] = await Promise.all([context.waitForEvent('page'), press('l')]);
    await tab.waitForLoadState();
    expect(tab.url()).toBe(link);
    opened.add(tab.url());
    // Closing the tab is a press, too.
    presses += 1;
    await tab.close();
    await press(count % 5 === 0 ? '4' : 'a');
    expect(presses).toBeLessThanOrEqual(3);
    if (count < PROOFS)
      await expect(proof.getByRole('link', { name: /^https:/ })).not.toHaveAttribute('href', link ?? '');
  }
  expect(opened.size).toBe(PROOFS);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  const rejected = Math.floor(PROOFS / 5);
  await expect.poll(() => statesOf(quests), { timeout: 30_000 }).toEqual({ approved: PROOFS - rejected, rejected });
  expect(await ledgerProblems()).toEqual([]);
});

test('BEY-01 the focused row is never covered, and the proof and its decision are beside it', {
  tag: '@desktop',
}, async ({ page, context }) => {
  const founder = await newFounder(context);
  await fillDesk(founder, 1, 40);
  await page.goto('/startup/review');
  const current = page.locator('[data-row]').filter({ has: page.locator('[aria-current="true"]') });
  const isUncovered = () =>
    current.evaluate((row) => {
      const { left, top, width, height } = row.getBoundingClientRect();
      const points = [2, height / 2, height - 2].map((y) => document.elementFromPoint(left + width / 2, top + y));
      return height <= 48 && points.every((element) => element !== null && row.contains(element));
    });
  await expect(current).toHaveCount(1);
  // Before anybody scrolls, on the screen of a small laptop too.
  await page.setViewportSize({ width: 1280, height: 600 });
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press('j');
    await expect.poll(isUncovered).toBe(true);
  }
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.poll(isUncovered).toBe(true);
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.getByRole('table', { name: 'Submissions' })).toBeVisible();
  const focused = page.locator('[data-row]:has(:focus)');
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('j');
    await expect(focused).toHaveCount(1);
    await expect
      .poll(() =>
        focused.evaluate((row) => {
          const { left, top, height } = row.getBoundingClientRect();
          const element = document.elementFromPoint(left + 200, top + height / 2);
          return height <= 50 && element !== null && row.contains(element);
        }),
      )
      .toBe(true);
  }
  await expectNoSidewaysScroll(page);
});

test('BEY-01 on phones one proof at a time is decided by thumb', { tag: '@phone' }, async ({ page, context }) => {
  const founder = await newFounder(context);
  const { taskId, campaign } = await newQuest(founder, { task: { max_completions: 3, auto_verify: false } });
  const members = [await newMember(), await newMember(), await newMember()] as const;
  await submitForReview(members[0], taskId, { url: 'https://posts.example/1' });
  await submitForReview(members[1], taskId, { text: 'I wrote about the kite on my wall.' });
  await submitForReview(members[2], taskId, { url: 'https://posts.example/3' });
  await page.goto('/startup/review');
  const proof = page.getByRole('article', { name: 'Proof' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await test.step('two buttons at the bottom, and no other choices', async () => {
    await expect(proof).toContainText('posts.example');
    await expect(page.locator('[data-row]')).toHaveCount(0);
    const height = page.viewportSize()?.height ?? 0;
    for (const name of ['Approve', 'Reject']) {
      const box = await button(name).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      expect(box?.y).toBeGreaterThan(height / 2);
    }
    await expectAccessible(page);
    await expectLaidOut(page);
  });

  await test.step('approve, undo, approve', async () => {
    await button('Approve').click();
    await expect(proof).toContainText('I wrote about the kite');
    await button('Undo').click();
    await expect(proof).toContainText('posts.example');
    await button('Approve').click();
    await expect(proof).toContainText('I wrote about the kite');
  });

  await test.step('reject with a reason, and the last one', async () => {
    await button('Reject').click();
    await page.getByRole('radio', { name: 'Does not match the task' }).check();
    await expectLaidOut(page);
    await button('Reject submission').click();
    await expect(proof).toContainText('posts.example');
    await button('Approve').click();
    await expect(page.getByText('Nothing is left to review.')).toBeVisible();
  });

  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect.poll(() => statesOf([campaign.id])).toEqual({ approved: 2, rejected: 1 });
  expect([await walletOf(members[0].id), await walletOf(members[1].id)].map(({ points }) => points)).toEqual([10, 0]);
  expect(await ledgerProblems()).toEqual([]);
});
