import { newMember, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, signUp, test } from './fixtures.ts';
import { appReady } from './support/screens.ts';

test.describe('a page that breaks', () => {
  // The browser, React and the router each log the error.
  test.use({ expectedErrors: [/./] });

  test('ERR-05 shows the fallback page; Try Again reloads it and Go Home navigates home', async ({ page }) => {
    let isBroken = true;
    // Rows that the product could never have written.
    await page.route(/rpc\/list_published_quests/, (route) =>
      isBroken ? route.fulfill({ json: [null, 7] }) : route.continue(),
    );
    await page.goto('/browse');
    const oops = page.getByRole('heading', { level: 1, name: 'Oops! Something went wrong.' });
    await expect(oops).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/TypeError|undefined|null/);
    await expectAccessible(page);

    await test.step('Try Again', async () => {
      isBroken = false;
      await page.getByRole('button', { name: 'Try Again' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Explore the board' })).toBeVisible();
      await expect(page).toHaveURL(/\/browse$/);
    });

    await test.step('Go Home', async () => {
      isBroken = true;
      await page.reload();
      await expect(oops).toBeVisible();
      isBroken = false;
      await page.getByRole('link', { name: 'Go Home' }).click();
      await expect(page).toHaveURL(/:\d+\/$/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Help new products grow/);
    });
  });
});

test.describe('ERR-06 two competing browser wallets', () => {
  test.use({ expectedErrors: [/a defect of ours/] });

  test('ERR-06 their errors reach neither the console nor other listeners, before and after the app starts; others do', async ({
    page,
  }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.addInitScript(() => {
      const inject = (name: string) =>
        Object.defineProperty(window, 'ethereum', { value: { name }, configurable: false, writable: false });
      const thrown: string[] = [];
      Object.assign(window, { thrown });
      const injectAgain = () => {
        try {
          inject('second');
        } catch (error) {
          thrown.push(document.getElementById('app-scripts') ? 'before the app' : 'after it');
          throw error;
        }
      };
      inject('first');
      // Added before the page's own listener, which starts the app.
      addEventListener('DOMContentLoaded', injectAgain);
      Object.assign(window, { injectAgain });
    });
    await page.goto('/browse');
    await appReady(page);
    const heard = await page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const messages: string[] = [];
          addEventListener('error', ({ message }) => {
            messages.push(message);
            if (message.includes('a defect of ours')) resolve(messages);
          });
          setTimeout(Reflect.get(window, 'injectAgain'));
          setTimeout(() => {
            throw new Error('a defect of ours');
          });
        }),
    );
    expect(await page.evaluate(() => Reflect.get(window, 'thrown'))).toEqual(['before the app', 'after it']);
    expect(heard).toEqual(['Uncaught Error: a defect of ours']);
    expect(errors).toEqual(['a defect of ours']);
    await expect(page.getByRole('heading', { level: 1, name: 'Explore the board' })).toBeVisible();
  });
});

test.describe('silent failures', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR/] });

  test('ERR-04 REF-04 a referral that cannot be counted or claimed blocks no page', async ({ page, context }) => {
    await page.route(/rpc\/(track_referral_click|process_referral_signup)|api\/send-email|metrics_events/, (route) =>
      route.abort(),
    );
    const { client } = await newMember('referrer');
    const { code } = await unwrap(client.from('referral_codes').select('code').single());
    await page.goto(`/?ref=${code}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Help new products grow/);
    await signUp(context);
    const claim = page.waitForRequest(/process_referral_signup/);
    await page.goto('/community');
    await claim;
    await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  });
});
