import type { Page } from '@playwright/test';
import { asService, sql } from '../local/testing/clients.ts';
import { unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, newEmail, test } from './fixtures.ts';
import { stepUntil, stopClock } from './support/clock.ts';

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
  await page.clock.install();
  await page.goto('/pricing');

  await test.step('what is no address is refused in words and sent nowhere', async () => {
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().includes('rpc/subscribe_to_mailing_list')) calls += 1;
    });
    await form(page).getByRole('button', { name: 'Subscribe' }).click();
    await expect(form(page).getByText('Please enter your email')).toBeVisible();
    await subscribe(page, 'nobody at nowhere');
    await expect(form(page).getByText('Please enter a valid email address')).toBeVisible();
    await expect(form(page).getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page);
    expect(calls).toBe(0);
  });

  await stopClock(page);
  await subscribe(page, email);
  await stepUntil(page, confirmation(page));
  await expect(form(page).getByRole('textbox')).toHaveValue('');
  await page.clock.runFor(3000);
  await expect(confirmation(page)).toBeHidden();
  await page.clock.resume();
  const entry = { source: 'website', is_active: true, page_url: `${process.env.APP_URL}/pricing` };
  expect(await entries(email)).toEqual([entry]);

  await test.step('subscribing again is no failure', async () => {
    await subscribe(page, email);
    await expect(confirmation(page)).toBeVisible();
    expect(await entries(email)).toEqual([entry]);
  });

  await test.step('the link asks before it unsubscribes', async () => {
    const token = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: email }));
    await page.goto(`/unsubscribe?token=${token}`);
    await expect(page.getByRole('heading', { name: 'Stop our mails?' })).toBeVisible();
    expect(await entries(email)).toEqual([entry]);
    await page.getByRole('main').getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
    await expectAccessible(page);
    expect(await entries(email)).toEqual([{ ...entry, is_active: false }]);
  });

  await test.step('a link that is not complete says so', async () => {
    await page.goto('/unsubscribe');
    await expect(page.getByText('This link is not complete.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Unsubscribe' })).toHaveCount(0);
  });

  await test.step('the form puts the address back', async () => {
    await subscribe(page, email);
    await expect(confirmation(page)).toBeVisible();
    expect(await entries(email)).toMatchObject([{ is_active: true }]);
  });
});
