import type { Page } from '@playwright/test';
import { asService, sql, testEnv } from '../local/testing/clients.ts';
import { unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, newEmail, test } from './fixtures.ts';
import { stepUntil, stopClock } from './support/clock.ts';

const form = (page: Page) => page.getByRole('form', { name: 'Mailing list' });
const answer = (page: Page) => form(page).getByText('Check your email: press the link in it to confirm.');

async function subscribe(page: Page, email: string) {
  await form(page).getByRole('textbox').fill(email);
  await form(page).getByRole('button', { name: 'Subscribe' }).click();
}

/** The list's rows for an address. */
async function entries(email: string): Promise<{ source: string; status: string; page_url: string }[]> {
  const { rows } = await sql().query(
    `select source, status, metadata ->> 'page_url' as page_url from public.mailing_list where email = $1`,
    [email],
  );
  return rows;
}

/**
 * The link of this confirmation mail, counted from 1, which the outbox worker sends: in a run of its own if the mails of other tests take
 * all the time of one.
 */
async function confirmationLink(email: string, number: number): Promise<string> {
  const { SUPABASE_URL, CRON_SECRET, MAIL_URL } = testEnv();
  const headers = { authorization: `Bearer ${CRON_SECRET}` };
  const newest = async () => {
    const worked = await fetch(`${SUPABASE_URL}/functions/v1/deliver-events`, { method: 'POST', headers });
    expect(worked.status).toBe(200);
    const { data } = await (await fetch(`${MAIL_URL}/emails`)).json();
    const mails: { text: string }[] = data.filter(
      ({ to, subject }: { to: string[]; subject: string }) => to.includes(email) && /confirm/.test(subject),
    );
    return mails[number - 1]?.text ?? '';
  };
  const link = /http\S+\/confirm-subscription\?token=\w+/;
  let text = '';
  await expect.poll(async () => (text = await newest())).toMatch(link);
  return link.exec(text)?.[0] ?? '';
}

test('MAIL-01 MAIL-02 C-82 a visitor subscribes and confirms, unsubscribes through the link of a mail and resubscribes, as one entry', async ({
  page,
}) => {
  const email = newEmail('reader');
  await page.clock.install();
  await page.goto('/pricing');

  await test.step('an invalid address is refused with a sentence and not sent', async () => {
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
  await stepUntil(page, answer(page));
  await expect(form(page).getByRole('textbox')).toHaveValue('');
  await page.clock.runFor(3000);
  await expect(answer(page)).toBeHidden();
  await expect(form(page).getByText('You are on the list once you press the link that we sent.')).toBeVisible();
  await page.clock.resume();
  const entry = { source: 'website', status: 'active', page_url: `${process.env.APP_URL}/pricing` };
  expect(await entries(email)).toEqual([{ ...entry, status: 'pending' }]);

  await test.step('the link in the mail asks before it confirms', async () => {
    await page.goto(await confirmationLink(email, 1));
    await expect(page.getByRole('heading', { name: 'Get our news by email?' })).toBeVisible();
    expect(await entries(email)).toEqual([{ ...entry, status: 'pending' }]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm subscription' }).click();
    await expect(page.getByRole('heading', { name: 'You are on the list' })).toBeVisible();
    await expectAccessible(page);
    expect(await entries(email)).toEqual([entry]);
  });

  await test.step('subscribing again is no error, and reveals nothing about the list', async () => {
    await subscribe(page, email);
    await expect(answer(page)).toBeVisible();
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
    expect(await entries(email)).toEqual([{ ...entry, status: 'unsubscribed' }]);
  });

  await test.step('an incomplete link says so', async () => {
    await page.goto('/unsubscribe');
    await expect(page.getByText('This link is not complete.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Unsubscribe' })).toHaveCount(0);
  });

  await test.step('the form alone does not resubscribe the address; the link of a new mail does', async () => {
    // Skips the interval between two mails to an address.
    await sql().query("delete from private.rate_limits where action = 'confirmation'");
    await subscribe(page, email);
    await expect(answer(page)).toBeVisible();
    expect(await entries(email)).toMatchObject([{ status: 'unsubscribed' }]);
    await page.goto(await confirmationLink(email, 2));
    await page.getByRole('button', { name: 'Confirm subscription' }).click();
    await expect(page.getByRole('heading', { name: 'You are on the list' })).toBeVisible();
    expect(await entries(email)).toMatchObject([{ status: 'active' }]);
  });
});
