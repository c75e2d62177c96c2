import type { Page } from '@playwright/test';
import { asService, sql } from '../local/testing/clients.ts';
import { must } from '../supabase/tests/support/world.ts';
import { expect, expectAccessible, newEmail, test } from './fixtures.ts';

const form = (page: Page) => page.getByRole('form', { name: 'Mailing list' });
const confirmation = (page: Page) => form(page).getByText('Subscribed. Welcome to the list.');

async function subscribe(page: Page, email: string) {
  await form(page).getByRole('textbox').fill(email);
  await form(page).getByRole('button', { name: 'Subscribe' }).click();
}

/** The list's entries of an address, by what the table holds. */
async function entries(email: string): Promise<{ source: string; is_active: boolean; page_url: string }[]> {
  const { rows } = await sql().query(
    `select source, is_active, metadata ->> 'page_url' as page_url from public.mailing_list where email = $1`,
    [email],
  );
  return rows;
}

test('MAIL-01 MAIL-02 a visitor subscribes, leaves by the link of a mail and comes back, as one entry', async ({
  page,
}) => {
  const email = newEmail('reader');
  await page.goto('/pricing');
  await subscribe(page, email);
  await expect(confirmation(page)).toBeVisible();
  await expect(form(page).getByRole('textbox')).toHaveValue('');
  // It stays for 3 seconds.
  await expect(confirmation(page)).toBeHidden();
  const entry = { source: 'website', is_active: true, page_url: `${process.env.APP_URL}/pricing` };
  expect(await entries(email)).toEqual([entry]);

  await test.step('subscribing again is no failure', async () => {
    await subscribe(page, email);
    await expect(confirmation(page)).toBeVisible();
    expect(await entries(email)).toEqual([entry]);
  });

  await test.step('the link asks before it unsubscribes', async () => {
    const token = await must(asService().rpc('get_unsubscribe_token', { p_email: email }));
    await page.goto(`/unsubscribe?token=${token}`);
    await expect(page.getByRole('heading', { name: 'Stop our mails?' })).toBeVisible();
    expect(await entries(email)).toEqual([entry]);
    await page.getByRole('main').getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
    await expectAccessible(page);
    expect(await entries(email)).toEqual([{ ...entry, is_active: false }]);
  });

  await test.step('the form puts the address back', async () => {
    await subscribe(page, email);
    await expect(confirmation(page)).toBeVisible();
    expect(await entries(email)).toMatchObject([{ is_active: true }]);
  });
});

test('MAIL-01 what is no address is refused in words and sent nowhere', async ({ page }) => {
  let calls = 0;
  await page.route(/rpc\/subscribe_to_mailing_list/, (route) => {
    calls += 1;
    return route.continue();
  });
  await page.goto('/pricing');
  await form(page).getByRole('button', { name: 'Subscribe' }).click();
  await expect(form(page).getByText('Please enter your email')).toBeVisible();
  await subscribe(page, 'nobody at nowhere');
  await expect(form(page).getByText('Please enter a valid email address')).toBeVisible();
  await expect(form(page).getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  expect(calls).toBe(0);
});

test.describe('failures', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR/] });

  test('MAIL-01 a failure says so, keeps the address, and one press sends once', async ({ page }) => {
    const email = newEmail('patient');
    let calls = 0;
    let answer = () => {};
    const isAllowed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/rpc\/subscribe_to_mailing_list/, async (route) => {
      calls += 1;
      await isAllowed;
      await route.abort();
    });
    await page.goto('/pricing');
    await subscribe(page, email);
    await form(page).getByRole('textbox').press('Enter');
    await form(page).getByRole('textbox').press('Enter');
    answer();
    await expect(form(page).getByText('Failed to subscribe. Please try again.')).toBeVisible();
    await expect(form(page).getByRole('textbox')).toHaveValue(email);
    expect(calls).toBe(1);
    expect(await entries(email)).toEqual([]);
  });

  test('MAIL-02 an unsubscribe link that is broken says so', async ({ page }) => {
    await page.goto('/unsubscribe');
    await expect(page.getByText('This link is not complete.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Unsubscribe' })).toHaveCount(0);
  });
});
