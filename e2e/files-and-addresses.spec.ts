import { sql } from '../local/testing/clients.ts';
import { newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { PNG } from './support/pictures.ts';

test('C-89 C-59 BEY-10 BEY-24 a screenshot and an address are shared, seen by the project, withdrawn, and exported', async ({
  page,
  context,
  newBrowser,
}) => {
  const founder = await newFounder(context);
  const { campaign } = await newQuest(founder, {
    campaign: { collect_emails: true, email_collection_purpose: 'News once a month' },
    task: { proof_type: 'screenshot' },
  });
  const memberContext = await newBrowser();
  const account = await signUp(memberContext, 'member');
  const member = await memberContext.newPage();

  await test.step('the member agrees to share the verified address and uploads a picture', async () => {
    await member.goto(`/community/quest/${campaign.id}`);
    await member.getByRole('button', { name: 'Submit Proof' }).click();
    const dialog = member.getByRole('dialog', { name: 'Screenshot Proof' });
    const agreement = `I agree that ${founder.startup.name} gets my email address for this purpose: News once a month.`;
    await expect(dialog.getByText(agreement)).toBeVisible();
    await dialog.getByLabel(/Email/).selectOption(account.email);
    const picture = { name: 'my shot.png', mimeType: 'image/png', buffer: PNG };
    await dialog.locator('input[type=file]').first().setInputFiles(picture);
    await expect(dialog.getByText('Uploaded')).toBeVisible();
    await expectAccessible(member);
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('the bucket contains the picture as re-encoded by the browser', async () => {
    const { rows } = await sql().query(
      `select o.metadata ->> 'mimetype' as type, v.mime, v.dhash is not null as hashed from storage.objects o
       join private.verified_uploads v on v.object_id = o.id where o.bucket_id = 'proofs' and v.owner = $1`,
      [account.userId],
    );
    expect(rows).toEqual([{ type: 'image/webp', mime: 'image/webp', hashed: true }]);
  });

  await test.step('the project sees the picture and the address', async () => {
    await page.goto(`/startup/campaigns/${campaign.id}/submissions?view=table`);
    await page.getByRole('button', { name: /^View/ }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Submission Details' });
    await expect(dialog.getByText(account.email)).toBeVisible();
    const image = dialog.getByRole('button', { name: 'Enlarge screenshot' }).locator('img');
    await expect(image).toBeVisible();
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(2);
  });

  await test.step('the member withdraws the address', async () => {
    await member.goto('/settings');
    const shared = member.getByRole('region', { name: 'Shared addresses' });
    await expect(shared.getByText(founder.startup.name, { exact: true })).toBeVisible();
    await expectAccessible(member);
    await expectNoSidewaysScroll(member);
    await shared.getByRole('button', { name: /^Take back the address/ }).click();
    await member.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click();
    await expect(shared.getByText(/^Ended on/)).toBeVisible();
    const list = founder.client.from('campaign_email_collections').select('email').eq('campaign_id', campaign.id);
    expect(await unwrap(list)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: /^View/ }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Submission Details' });
    await expect(dialog.getByRole('button', { name: 'Enlarge screenshot' })).toBeVisible();
    await expect(page.getByText(account.email)).toHaveCount(0);
  });

  await test.step('and exports all of their data', async () => {
    const download = member.waitForEvent('download');
    await member.getByRole('button', { name: 'Download my data' }).click();
    expect((await download).suggestedFilename()).toMatch(/^questboard_my_data_.*\.zip$/);
  });
});
