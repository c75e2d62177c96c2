import { sql } from '../local/testing/clients.ts';
import { newOwner, newQuest } from '../supabase/tests/support/factories.ts';
import { expect, signUp, test } from './fixtures.ts';
import { PNG } from './support/pictures.ts';

/** What Chrome's translation does to a page: each text becomes two elements. */
function translate() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (!text.data.trim()) continue;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  }
}

test.use({ expectedErrors: [/Failed to load resource|net::ERR/] });

test('what has been typed into a page that the browser has translated survives a failed upload', async ({
  page,
  context,
}) => {
  await signUp(context);
  const { campaign } = await newQuest(await newOwner(), { task: { proof_type: 'screenshot' } });
  await page.goto(`/community/quest/${campaign.id}`);
  await page.getByRole('button', { name: 'Submit Proof' }).click();
  const dialog = page.getByRole('dialog', { name: 'Screenshot Proof' });
  const uploads = /storage\/v1\/object\/proofs/;
  await page.route(uploads, (route) => route.abort());
  const picture = { name: 'shot.png', mimeType: 'image/png', buffer: PNG };
  await dialog.locator('input[type=file]').first().setInputFiles(picture);
  await expect(dialog.getByText('Not uploaded')).toBeVisible();
  await dialog.getByText('Add another kind of proof').click();
  await dialog.getByLabel('Description').fill('Typed before the translation');
  await page.evaluate(translate);
  await page.unroute(uploads);
  await dialog.getByRole('button', { name: 'Retry upload' }).click();
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Quest Complete' })).toBeVisible();
  const { rows } = await sql().query('select proof_text from public.submissions where campaign_id = $1', [campaign.id]);
  expect(rows).toEqual([{ proof_text: 'Typed before the translation' }]);
});
