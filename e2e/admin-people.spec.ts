import { newOwner, newQuest, unwrap, walletOf } from '../supabase/tests/support/factories.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, signUp, test } from './fixtures.ts';
import { expectInAudit, newBrowserAdmin, openTab, rowWith } from './support/admin.ts';

const LINK = 'https://blog.example/tried-it';

// The browser logs what a suspended member is refused.
test.use({ expectedErrors: [/status of 403 .*(?:submit_proof|record_quest_view)/] });

test('BEY-04 a person is found with wallet and ledger, suspended with a reason, refused, and reinstated', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser();
  const account = await signUp(memberContext, 'spammer');
  const first = await newQuest(await newOwner());
  const second = await newQuest(await newOwner());
  await unwrap(account.client.rpc('submit_proof', { p_task_id: first.taskId, p_url: LINK }));
  const member = await memberContext.newPage();
  const openProof = async () => {
    await member.goto(`/community/quest/${second.campaign.id}`);
    await member.getByRole('button', { name: 'Submit Proof' }).click();
    const dialog = member.getByRole('dialog', { name: 'Link Proof' });
    await dialog.getByLabel('Link').fill(LINK);
    return dialog;
  };

  await test.step('found by address; the dialog shows wallet and ledger', async () => {
    const panel = await openTab(page, 'people');
    await panel.getByRole('searchbox').fill(account.email);
    // Until the answer is there the former list stays, which is dimmed.
    await expect(rowWith(page, admin.email)).toHaveCount(0);
    await expect(rowWith(page, account.email)).toContainText('10 points');
    await expectNoSidewaysScroll(page);
    await rowWith(page, account.email).getByRole('button', { name: /^View/ }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: /Personal wallet/ })).toContainText('10 points');
    const entries = dialog.getByRole('list', { name: 'Ledger' }).getByRole('listitem');
    await expect(entries).toHaveCount(1);
    await expect(entries).toContainText(/Try the product[\s\S]*\+10/);
    await expectAccessible(page);
  });

  await test.step('suspended with a reason', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('dialog', { name: /^Suspend / });
    await dialog.getByRole('button', { name: 'Suspend person' }).click();
    await expect(dialog.getByText('Please give a reason')).toBeVisible();
    await dialog.getByLabel('Reason').fill('Copied proofs.');
    await dialog.getByRole('button', { name: 'Suspend person' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('dialog').getByText(/^Suspended since/)).toBeVisible();
  });

  await test.step('the member is refused with a sentence, keeps the points and sees the reason', async () => {
    const dialog = await openProof();
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await expect(dialog.getByText('Your account is suspended. Please contact support.')).toBeVisible();
    expect(await walletOf(account.userId)).toMatchObject({ points: 10 });
    await member.goto('/settings');
    const status = member.getByRole('region', { name: 'Account Status' });
    await expect(status).toContainText('Suspended');
    await expect(status).toContainText('Copied proofs.');
  });

  await test.step('lifted: the same proof is accepted', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click();
    const dialog = page.getByRole('dialog', { name: /^Lift the suspension/ });
    await dialog.getByLabel('Note').fill('They were their own.');
    await dialog.getByRole('button', { name: 'Lift suspension' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/^Suspended since/)).toHaveCount(0);
    const proof = await openProof();
    await proof.getByRole('button', { name: 'Submit' }).click();
    await expect(proof).toBeHidden();
    await expect(member.getByText('Quest Complete').first()).toBeVisible();
    await openTab(page, 'people', { q: account.email });
    await expect(rowWith(page, account.email)).toContainText('20 points');
    await expect(rowWith(page, account.email)).not.toContainText('Suspended');
  });

  const subject = account.userId;
  const lifted = ['Reason: Copied proofs. → —', 'They were their own.'];
  await expectInAudit(
    page,
    admin,
    { action: 'user.suspend', subject, texts: ['Reason: — → Copied proofs.'] },
    { action: 'user.lift_suspension', subject, texts: lifted },
  );
});

test('TRUST-23 a person’s dialog ends with its last button, however long the ledger in it is', async ({
  page,
  context,
  newBrowser,
}) => {
  const admin = await newBrowserAdmin(context);
  const memberContext = await newBrowser();
  const { userId, client } = await signUp(memberContext, 'saver');
  const { id } = await unwrap(client.from('wallets').select('id').eq('kind', 'user').single());
  for (const points of [1, 2, 3, 4, 5, 6, 7, 8]) {
    await unwrap(
      admin.client.rpc('adjust_points', {
        p_wallet_id: id,
        p_points: points,
        p_reason: 'For the long ledger',
        p_idempotency_key: `${id}-${points}`,
      }),
    );
  }
  await page.goto(`/admin?tab=people&person=${userId}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('list', { name: 'Ledger' }).getByRole('listitem')).toHaveCount(8);
  await expect(dialog.getByRole('button', { name: 'Suspend', exact: true })).toBeAttached();
  const below = await dialog.evaluate((element) => {
    element.scrollTo(0, element.scrollHeight);
    const last = [...element.querySelectorAll('button')].find((button) => button.textContent === 'Suspend');
    return element.getBoundingClientRect().bottom - (last?.getBoundingClientRect().bottom ?? 0);
  });
  expect(below, 'pixels below the last button').toBeLessThan(40);
});
