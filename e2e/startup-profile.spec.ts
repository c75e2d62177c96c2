import type { Page } from '@playwright/test';
import { newQuest, type Owner, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { newFounder } from './support/founder.ts';
import { PNG } from './support/pictures.ts';

/** An SVG with a script, as a logo from the internet may contain. */
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>document.title = "run"</script><rect width="40" height="20" fill="#c33"/></svg>',
);

const chooseLogo = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.getByLabel('Logo', { exact: true }).setInputFiles({ name, mimeType, buffer });

async function logoOf(founder: Owner): Promise<string> {
  const own = founder.client.from('startup_profiles').select('logo_url').eq('id', founder.startup.id);
  return (await unwrap(own.single())).logo_url ?? '';
}

test('SPROF-04 C-56 a logo is cropped, redrawn as PNG and stored; an SVG, a non-image or an oversized file never is', async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED .*update_startup_profile/);
  const founder = await newFounder(context);
  let former = '';

  await test.step('a file that is not an image, or too large, is refused before it is sent', async () => {
    await page.goto('/startup/profile/edit');
    await chooseLogo(page, 'notes.txt', 'text/plain', Buffer.from('hello'));
    await expect(page.getByText('Please choose a PNG, JPG, WebP or SVG image')).toBeVisible();
    await chooseLogo(page, 'huge.png', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1));
    await expect(page.getByText('Please choose an image smaller than 5MB')).toBeVisible();
    await chooseLogo(page, 'broken.png', 'image/png', Buffer.from('no picture'));
    await expect(page.getByText('We could not read this image. Please save it as PNG and try again.')).toBeVisible();
    expect(await logoOf(founder)).toBe('');
  });

  for (const [name, type, file] of [
    ['logo.png', 'image/png', PNG],
    ['logo.svg', 'image/svg+xml', SVG],
  ] as const) {
    await test.step(name, async () => {
      await page.goto('/startup/profile/edit');
      await chooseLogo(page, name, type, file);
      const crop = page.getByRole('dialog', { name: 'Crop your logo' });
      await crop.getByLabel('Zoom').fill('2');
      await crop.getByRole('button', { name: /^Picture under the crop window/ }).press('ArrowLeft');
      await expectAccessible(page);
      await crop.getByRole('button', { name: 'Use this crop' }).click();
      await expect(crop).toBeHidden();
      await expect(page.getByRole('button', { name: 'Remove', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page).toHaveURL(/\/startup$/);

      const logo = await logoOf(founder);
      expect(logo).not.toBe(former);
      expect(logo).toMatch(new RegExp(`/project-logos/${founder.id}/${founder.id}_\\d+\\.png$`));
      const stored = await fetch(logo);
      expect(stored.headers.get('content-type')).toBe('image/png');
      const bytes = Buffer.from(await stored.arrayBuffer());
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 512]);
      const shown = page.getByRole('region', { name: 'Project profile' }).locator('img');
      await expect(shown).toHaveAttribute('src', logo);
      await expect(shown).toHaveJSProperty('naturalWidth', 512);
      // The replaced logo is removed from the bucket.
      if (former) await expect.poll(async () => (await fetch(former)).ok).toBe(false);
      former = logo;
    });
  }

  await test.step('the picture follows a drag until the pointer is taken away', async () => {
    await page.goto('/startup/profile/edit');
    await chooseLogo(page, 'logo.svg', 'image/svg+xml', SVG);
    const crop = page.getByRole('dialog', { name: 'Crop your logo' });
    await crop.getByLabel('Zoom').fill('2');
    const view = crop.getByRole('button', { name: /^Picture under the crop window/ });
    const left = async () => Math.round((await view.locator('img').boundingBox())?.x ?? 0);
    const { x, y, width, height } = (await view.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // Where it stands depends on its size.
    await expect(view.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    const before = await left();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 - 20, y + height / 2);
    await expect.poll(left).toBe(before - 20);
    // What a gesture of the system does to a touch.
    await view.evaluate((element) => element.releasePointerCapture(1));
    await page.mouse.move(x + width / 2 - 60, y + height / 2, { steps: 2 });
    await page.mouse.up();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await left()).toBe(before - 20);
    await crop.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a failed save keeps the current logo and discards the new one', async () => {
    await page.goto('/startup/profile/edit');
    await chooseLogo(page, 'logo.png', 'image/png', PNG);
    await page.getByRole('dialog', { name: 'Crop your logo' }).getByRole('button', { name: 'Use this crop' }).click();
    await page.route('**/rpc/update_startup_profile**', (route) => route.abort());
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByRole('alertdialog', { name: 'Please note' })).toBeVisible();
    expect(await logoOf(founder)).toBe(former);
    expect((await fetch(former)).ok).toBe(true);
    const files = async () => (await founder.client.storage.from('project-logos').list(founder.id)).data?.length;
    await expect.poll(files).toBe(1);
  });
});

test('SPROF-02 SPROF-06 SPROF-07 SPROF-08 ROUTE-10 a profile is edited, the create page redirects to it once it exists, and it can be deleted only after its quests', async ({
  page,
  context,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409 .*delete_startup_profile/);
  const founder = await newFounder(context);
  await page.goto('/startup/create');
  await expect(page).toHaveURL(/\/startup$/);
  await page.goto('/startup/profile');
  await expect(page).toHaveURL(/\/startup\/profile\/edit$/);

  await page.getByLabel('Company name').fill(' ');
  await page.getByLabel('Website').fill('not an address');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Company name is required')).toBeVisible();
  await expect(page.getByText('Please enter a valid URL')).toBeVisible();
  await page.getByLabel('Company name').fill(`Renamed ${founder.startup.name}`);
  await page.getByLabel('Website').fill('kite.example');
  await page.getByLabel('Description').fill('Boxes that fly.');
  await expect(page.getByLabel('Website')).toHaveValue('https://kite.example');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: `Renamed ${founder.startup.name}` })).toBeVisible();
  const own = founder.client.from('startup_profiles').select('name, website, description').eq('id', founder.startup.id);
  expect(await unwrap(own.single())).toEqual({
    name: `Renamed ${founder.startup.name}`,
    website: 'https://kite.example',
    description: 'Boxes that fly.',
  });

  const { campaign } = await newQuest(founder);
  await page.goto('/startup');
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  const question = page.getByRole('alertdialog', { name: /^Delete/ });

  await remove.click();
  await question.getByRole('button', { name: 'Delete profile' }).click();
  await expect(question).toContainText(
    'Cannot delete startup profile: You have 1 active quest(s). Please delete all quests first before deleting your profile.',
  );
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();

  await unwrap(founder.client.rpc('delete_campaign', { p_campaign_id: campaign.id }));
  await remove.click();
  await question.getByRole('button', { name: 'Delete profile' }).click();
  await expect(page).toHaveURL(/\/startup\/create$/);
  await expect(page.getByLabel('Project name')).toHaveValue('');
  const left = await founder.client.from('startup_profiles').select('id').eq('id', founder.startup.id);
  expect(left.data).toEqual([]);
});

test('SWAL-01 the wallet shows figures and history with a running balance, and updates itself', async ({
  page,
  context,
}) => {
  const founder = await newFounder(context);
  await page.clock.install();
  await page.goto('/startup');
  await page.getByRole('link', { name: 'Open wallet' }).click();
  const figures = page.getByRole('main').locator('dl').first();
  const history = page.getByRole('region', { name: 'Transactions' });
  await expect(figures).toContainText(/Current balance500 points.*Lifetime points500 points.*Cash\$0/);
  await expect(history).toContainText(/Trial budget.*\+500 points.*500/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  const { campaign } = await newQuest(founder, { task: { reward_points: 20, max_completions: 10 } });
  await page.clock.fastForward(35_000);
  await expect(figures).toContainText(/Current balance300 points.*Reserved200 points.*Lifetime points500 points/);
  await expect(history).toContainText(campaign.title);
  await expect(history).toContainText(/200 reserved.*300/);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL(/\/startup$/);
});
