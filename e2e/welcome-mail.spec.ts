import { testEnv } from '../local/testing/clients.ts';
import { expect, signUp, test } from './fixtures.ts';

const subjectsTo = async (address: string): Promise<string[]> => {
  const { data } = await (await fetch(`${testEnv().MAIL_URL}/emails`)).json();
  return data
    .filter(({ to }: { to: string[] }) => to.includes(address))
    .map(({ subject }: { subject: string }) => subject);
};

test.use({ expectedErrors: [/status of 502 .*send-email/] });

test('MAIL-03 MAIL-05 a failed welcome mail shows no error, is retried on the next visit, and sent once', async ({
  page,
  context,
}) => {
  const { email } = await signUp(context);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/send-email')) asked += 1;
  });
  const failure = { status: 502, json: { ok: false, code: 'MAIL_NOT_SENT', message: 'The email could not be sent.' } };
  await page.route('**/api/send-email', (route) => route.fulfill(failure));
  await page.goto('/community');
  await expect.poll(() => asked).toBe(1);
  await expect(page.getByRole('heading', { level: 1, name: 'Community Dashboard' })).toBeVisible();
  await expect(page.getByText('could not be sent')).toHaveCount(0);

  await page.unroute('**/api/send-email');
  await page.reload();
  await expect.poll(() => subjectsTo(email)).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole('button', { name: /Your menu/ })).toBeVisible();
  expect(asked).toBe(2);
  expect(await subjectsTo(email)).toHaveLength(1);
});
