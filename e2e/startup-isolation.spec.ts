import type { Page } from '@playwright/test';
import { sql, type TestClient, withToken } from '../local/testing/clients.ts';
import { FUNCTION_ACCESS } from '../supabase/tests/access/declared-functions.ts';
import { argumentsOf, callByName } from '../supabase/tests/support/by-name.ts';
import { newOwner, newQuest, type Owner, type Quest } from '../supabase/tests/support/world.ts';
import { expect, signUp, test } from './fixtures.ts';
import { newFounder, submitAsNewMember } from './support/founder.ts';

interface Victim {
  owner: Owner;
  quest: Quest;
  submissionId: string;
}

/** A project with a quest and a submission, whose words appear nowhere else. */
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

/** Calls that only the owner may make, each on what belongs to somebody else. */
function ownersCalls(client: TestClient, { owner, quest, submissionId }: Victim) {
  const startup = { p_startup_id: owner.startup.id };
  const campaign = { p_campaign_id: quest.campaign.id };
  const edited = { title: 'Taken', summary: 'Taken', details_md: 'Taken', budget_points: 100 };
  return {
    update_startup_profile: client.rpc('update_startup_profile', { ...startup, p_name: 'Taken' }),
    delete_startup_profile: client.rpc('delete_startup_profile', startup),
    create_quest: client.rpc('create_quest', { ...startup, p_campaign: edited, p_task: {} }),
    update_campaign: client.rpc('update_campaign', { ...campaign, p_campaign: edited, p_tasks: [] }),
    publish_campaign: client.rpc('publish_campaign', campaign),
    unpublish_campaign: client.rpc('unpublish_campaign', campaign),
    close_campaign: client.rpc('close_campaign', campaign),
    delete_campaign: client.rpc('delete_campaign', campaign),
    review_submission: client.rpc('review_submission', { p_submission_id: submissionId, p_decision: 'reject' }),
    get_campaign_performance_stats: client.rpc('get_campaign_performance_stats', campaign),
  };
}

test('SEC-13 SEC-14 another startup gets nothing at any address and from any procedure of this one', async ({
  page,
  context,
}) => {
  test.setTimeout(180_000);
  const victim = await newVictim();
  const stranger = await newFounder(context, 'stranger');
  const before = await stateOf(victim);
  const { id } = victim.quest.campaign;

  await test.step('addresses', async () => {
    for (const path of [`/startup/campaigns/${id}/edit`, `/startup/campaigns/${id}/submissions`]) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/startup$/);
    }
    const secret = page.getByText(/Secret proof|Project of victim/);
    for (const path of ['/startup', '/startup/wallet', '/startup/profile/edit', '/startup/subscribe']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(secret).toHaveCount(0);
    }
    await page.goto(`/community/quest/${id}`);
    await expect(page.getByRole('heading', { name: victim.quest.campaign.title, level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: /Edit Campaign|View All Submissions/ })).toHaveCount(0);
    await expect(page.getByText('Quest Analytics')).toHaveCount(0);
    await page.goto(`/admin/projects/${victim.owner.startup.id}/edit`);
    await expect(page).toHaveURL(/\/startup$/);
  });

  await test.step('procedures of owners', async () => {
    for (const [name, call] of Object.entries(ownersCalls(stranger.client, victim)))
      expect.soft([name, (await call).status]).toEqual([name, 403]);
  });

  await test.step('procedures of admins and of the server', async () => {
    const names = [...FUNCTION_ACCESS.admins, ...FUNCTION_ACCESS.serviceRole];
    for (const [name, args] of await argumentsOf(names, victim.owner.startup.id))
      expect.soft([name, (await callByName(stranger.client, name, args)).status]).toEqual([name, 403]);
  });

  await test.step('tables', async () => {
    const { client } = stranger;
    const { id: startupId } = victim.owner.startup;
    expect((await client.from('submissions').select('id').eq('campaign_id', id)).data).toEqual([]);
    expect((await client.from('wallets').select('id').eq('startup_id', startupId)).data).toEqual([]);
    expect((await client.from('wallets').select('id').eq('campaign_id', id)).data).toEqual([]);
    expect((await client.from('subscriptions').select('id').eq('startup_id', startupId)).data).toEqual([]);
    expect((await client.from('campaign_email_collections').select('id').eq('campaign_id', id)).data).toEqual([]);
    const writes = [
      client.from('campaigns').update({ title: 'Taken' }).eq('id', id),
      client.from('campaigns').delete().eq('id', id),
      client.from('startup_profiles').update({ name: 'Taken' }).eq('id', startupId),
      client.from('submissions').update({ status: 'rejected' }).eq('id', victim.submissionId),
    ];
    for (const write of writes) expect((await write).status).toBe(403);
  });

  expect(await stateOf(victim)).toEqual(before);
});

test('SEC-13 nobody pays for the startup of somebody else', async ({ page, context }) => {
  const victim = await newOwner('victim');
  await newFounder(context, 'stranger');
  await page.goto('/startup/subscribe');
  await expect(page.getByRole('button', { name: /Get OG Lifetime Access/ })).toBeVisible();
  const token = await sessionToken(page);
  const here = `${new URL(page.url()).origin}/startup`;
  const order = { priceId: 'og_lifetime', planId: 'og_lifetime', successUrl: here, cancelUrl: here };
  const reply = await context.request.post(`${new URL(page.url()).origin}/api/stripe/create-checkout-session`, {
    headers: { authorization: `Bearer ${token}` },
    data: { ...order, startupId: victim.startup.id },
  });
  expect(reply.status()).toBe(403);
  expect(await reply.json()).toMatchObject({ code: 'FORBIDDEN' });
});

test('ROUTE-08 members are led away from every startup page', async ({ page, context }) => {
  test.setTimeout(240_000);
  const { quest } = await newVictim();
  await signUp(context);
  const pages = ['', '/create', '/profile', '/profile/edit', '/wallet', '/campaigns/new', '/campaigns/create'];
  const ofQuest = ['edit', 'submissions'].map((screen) => `/campaigns/${quest.campaign.id}/${screen}`);
  for (const path of [...pages, '/create-quest', ...ofQuest]) {
    await page.goto(`/startup${path}`);
    await expect(page).toHaveURL(/\/community$/);
  }
});

test('C-09 an admin role written into the browser opens an empty door', async ({ page, context, expectedErrors }) => {
  test.setTimeout(240_000);
  expectedErrors.push(/status of 403 .*get_admin_todo/);
  const victim = await newVictim();
  const { userId } = await signUp(context, 'intruder');
  const becomeAdmin = (owner: string) => {
    localStorage.setItem('selectedRole', 'admin');
    localStorage.setItem('questboard.role-owner', owner);
    window.dispatchEvent(new StorageEvent('storage', { key: 'selectedRole' }));
  };
  const adminPages = ['/admin', '/admin/data', `/admin/projects/${victim.owner.startup.id}/edit`];

  await test.step('written before the page is opened, the saved role puts it right', async () => {
    await page.goto('/community');
    await expect(page.getByRole('heading', { name: 'Community Dashboard' })).toBeVisible();
    for (const path of adminPages) {
      await page.evaluate(becomeAdmin, userId);
      await page.goto(path);
      await expect(page).toHaveURL(/\/community$/);
    }
  });

  await test.step('written later, the database has nothing for it', async () => {
    for (const path of adminPages) {
      await page.goto('/community');
      await expect(page.getByRole('banner')).toContainText('0 points');
      await page.evaluate(becomeAdmin, userId);
      await page.evaluate((address) => {
        window.history.pushState(null, '', address);
        window.dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await expect(page.getByText('This area is for admins')).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      const main = page.getByRole('main');
      await expect(main.getByRole('tab').or(main.getByRole('table')).or(main.getByRole('textbox'))).toHaveCount(0);
      await expect(page.getByText(victim.owner.name)).toHaveCount(0);
    }
  });

  const client = withToken(await sessionToken(page));
  for (const [name, args] of await argumentsOf(FUNCTION_ACCESS.admins, victim.owner.startup.id))
    expect.soft([name, (await callByName(client, name, args)).status]).toEqual([name, 403]);
  const { data: profile } = await client.from('user_profiles').select('role').eq('user_id', userId).single();
  expect(profile?.role).not.toBe('admin');
});

/** The token with which this page calls the API. */
async function sessionToken(page: Page): Promise<string> {
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().includes('/rest/v1/') && sent.headers().authorization !== undefined),
    page.reload(),
  ]);
  return (request.headers().authorization ?? '').replace(/^Bearer /, '');
}
