import type { Page } from '@playwright/test';
import { sql, withToken } from '../local/testing/clients.ts';
import { newOwner, newQuest, type Owner, type Quest } from '../supabase/tests/support/factories.ts';
import { expect, signUp, test } from './fixtures.ts';
import { newFounder, submitAsNewMember } from './support/founder.ts';
import { followTo } from './support/screens.ts';

interface Victim {
  owner: Owner;
  quest: Quest;
  submissionId: string;
}

/** A project with a quest and a submission, whose words occur nowhere else. */
async function newVictim(): Promise<Victim> {
  const owner = await newOwner('victim');
  const quest = await newQuest(owner);
  const { submission } = await submitAsNewMember(quest.taskId, { p_text: `Secret proof for ${owner.name}` });
  return { owner, quest, submissionId: submission.id };
}

/** Everything stored about the victim, to compare before and after. */
async function stateOf({ owner, quest }: Victim): Promise<unknown> {
  const { rows } = await sql().query(
    `select
      (select to_jsonb(s) from public.startup_profiles s where s.id = $1) as startup,
      (select jsonb_agg(c order by c.id) from public.campaigns c where c.startup_id = $1) as campaigns,
      (select jsonb_agg(t order by t.id) from public.tasks t where t.campaign_id = $2) as tasks,
      (select jsonb_agg(s order by s.id) from public.submissions s where s.campaign_id = $2) as submissions,
      (select jsonb_agg(w order by w.id) from public.wallets w where w.startup_id = $1 or w.campaign_id = $2) as wallets`,
    [owner.startup.id, quest.campaign.id],
  );
  return rows[0];
}

test("SEC-13 SEC-14 another startup gets nothing at this one's addresses, nor from any kind of procedure", async ({
  page,
  context,
}) => {
  const victim = await newVictim();
  await newFounder(context, 'stranger');
  const before = await stateOf(victim);
  const { id } = victim.quest.campaign;

  await test.step('addresses', async () => {
    for (const path of [`/startup/campaigns/${id}/edit`, `/startup/campaigns/${id}/submissions`]) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/startup$/);
    }
    await expect(page.getByRole('heading', { name: 'Project dashboard' })).toBeVisible();
    await expect(page.getByText(/Secret proof|Project of victim/)).toHaveCount(0);
    await page.goto(`/community/quest/${id}`);
    await expect(page.getByRole('heading', { name: victim.quest.campaign.title, level: 1 })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Submit Proof' })).toBeVisible();
    await expect(page.getByRole('link', { name: /Edit Quest|View All Submissions/ })).toHaveCount(0);
    await expect(page.getByText('Quest Analytics')).toHaveCount(0);
  });

  const token = await sessionToken(page);
  await test.step('calls with the token of the page', async () => {
    const client = withToken(token);
    const calls = {
      profile: client.rpc('update_startup_profile', { p_startup_id: victim.owner.startup.id, p_name: 'Taken' }),
      quest: client.rpc('close_campaign', { p_campaign_id: id }),
      review: client.rpc('review_submission', { p_submission_id: victim.submissionId, p_decision: 'approve' }),
      admins: client.rpc('admin_list_users'),
      table: client.from('campaigns').update({ title: 'Taken' }).eq('id', id),
    };
    for (const [name, call] of Object.entries(calls)) expect.soft([name, (await call).status]).toEqual([name, 403]);
    expect((await client.from('submissions').select('id').eq('campaign_id', id)).data).toEqual([]);
    expect((await client.from('wallets').select('id').eq('campaign_id', id)).data).toEqual([]);
  });

  await test.step('paying for it', async () => {
    const here = `${new URL(page.url()).origin}/startup`;
    const order = { priceId: 'og_lifetime', planId: 'og_lifetime', successUrl: here, cancelUrl: here };
    const reply = await context.request.post('/api/stripe/create-checkout-session', {
      headers: { authorization: `Bearer ${token}` },
      data: { ...order, startupId: victim.owner.startup.id },
    });
    expect(reply.status()).toBe(403);
    expect(await reply.json()).toMatchObject({ code: 'FORBIDDEN' });
  });

  expect(await stateOf(victim)).toEqual(before);
});

test('C-09 an admin role forged in the browser gives no access', async ({ page, context, expectedErrors }) => {
  expectedErrors.push(/status of 403 .*get_admin_todo/);
  const { userId } = await signUp(context, 'intruder');
  const becomeAdmin = (owner: string) => {
    localStorage.setItem('selectedRole', 'admin');
    localStorage.setItem('questboard.role-owner', owner);
    window.dispatchEvent(new StorageEvent('storage', { key: 'selectedRole' }));
  };
  await page.goto('/community');
  // Until the profile is synced, its role would replace the forged one.
  await page.waitForFunction((owner) => localStorage.getItem('questboard.role-owner') === owner, userId);

  await test.step('set while the page is open, it gets nothing from the database', async () => {
    await page.evaluate(becomeAdmin, userId);
    await followTo(page, '/admin');
    await expect(page.getByText('This area is for admins')).toBeVisible();
    await expect(page).toHaveURL(/\/admin$/);
    const main = page.getByRole('main');
    await expect(main.getByRole('tab').or(main.getByRole('table')).or(main.getByRole('textbox'))).toHaveCount(0);
  });

  await test.step('set before the page is opened, it is replaced by the saved role', async () => {
    await page.goto('/admin/data');
    await expect(page).toHaveURL(/\/community$/);
  });

  const client = withToken(await sessionToken(page));
  expect((await client.rpc('get_admin_todo')).status).toBe(403);
  const { data: profile } = await client.from('user_profiles').select('role').eq('user_id', userId).single();
  expect(profile).toEqual({ role: 'community' });
});

/** The token with which this page calls the API. */
async function sessionToken(page: Page): Promise<string> {
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().includes('/rest/v1/') && sent.headers().authorization !== undefined),
    page.reload(),
  ]);
  return (request.headers().authorization ?? '').replace(/^Bearer /, '');
}
