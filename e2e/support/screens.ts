import type { BrowserContext, Page } from '@playwright/test';
import { newMember, newOwner, newQuest, unwrap } from '../../supabase/tests/support/factories.ts';
import { expect, signIn, signUp } from '../fixtures.ts';
import { newFounder, submitAsNewMember } from './founder.ts';

/** A route and the heading of its screen; an alias shows the screen of an earlier route, a redirect leads to its address. */
export type Route = readonly [path: string, heading: string | RegExp, kind?: 'alias' | 'redirect'];

/** A kind of user. `enter` signs them in and returns the routes that only they have. */
export interface Role {
  name: string;
  enter: (context: BrowserContext) => Promise<Route[]>;
  /** Where /app-dashboard redirects; undefined for visitors. */
  home?: string;
}

/** Routes for everybody (ROUTE-01, 02, 05, 19). */
export async function publicRoutes(): Promise<Route[]> {
  const { startup, ...owner } = await newOwner();
  const { campaign, taskId } = await newQuest({ ...owner, startup });
  await submitAsNewMember(taskId);
  const member = await newMember();
  const handle = `m-${member.id
    .slice(-8)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, 'x')}`;
  await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
  await unwrap(member.client.rpc('update_profile', { p_username: 'kite', p_display_name: 'Kite Flyer' }));
  // One entry of a list is enough: fifty would all have to be checked.
  const found = new URLSearchParams({ q: startup.name });
  return [
    ['/', /Help new products grow/],
    ['/browse', 'Explore the board'],
    [`/browse?view=completed&${found}`, 'Explore the board'],
    [`/browse?tab=projects&${found}`, 'Explore the board'],
    ['/browse?q=nothing-is-called-that', 'Explore the board'],
    [`/browse/quest/${campaign.id}`, campaign.title],
    [`/quest/${campaign.id}`, campaign.title, 'alias'],
    [`/community/project/${startup.id}`, startup.name],
    [`/m/${handle}`, 'Kite Flyer'],
    ['/rewards', /Available Rewards|My Rewards/],
    ['/pricing', 'Pricing - Coming Soon'],
    ['/terms', 'Terms of use'],
    ['/privacy', 'Privacy policy'],
    ['/cookies', 'Cookie policy'],
    ['/confirm-subscription', 'Get our news by email?'],
    ['/unsubscribe', 'Stop our mails?'],
    ['/nowhere', 'Page Not Found'],
  ];
}

/** Routes for all signed-in roles (ROUTE-03, 04, 07), except `subscribeRoute`. */
export async function membersRoutes(): Promise<Route[]> {
  const { campaign } = await newQuest(await newOwner());
  return [
    ['/rewards?view=history', 'Your history'],
    ['/community', 'Community Dashboard'],
    [`/community/quest/${campaign.id}`, campaign.title],
    ['/community/profile', 'Edit Profile'],
    ['/profile', 'Edit Profile', 'alias'],
    ['/community/settings', 'Account settings'],
    ['/settings', 'Account settings', 'alias'],
    ['/community/quests', 'My quests'],
    ['/notifications', 'Notifications'],
    ['/notifications?show=unread', 'Notifications'],
    ['/community/referrals', 'Referrals'],
    ['/onboarding', 'Welcome to Questboard'],
  ];
}

/** Always opened last: it makes its visitor a startup (SUBS-04). */
export const subscribeRoute: Route = ['/startup/subscribe?plan=og_lifetime', 'OG Lifetime Access'];

export const visitor: Role = {
  name: 'a visitor',
  enter: async () => [
    ['/auth/signin', 'Welcome back'],
    ['/auth/signup', 'Join the Community'],
  ],
};

export const member: Role = {
  name: 'a member',
  home: '/community',
  enter: async (context) => {
    await signUp(context);
    return [];
  },
};

export const founderWithoutProfile: Role = {
  name: 'a founder without a project',
  home: '/startup',
  enter: async (context) => {
    const { client } = await signUp(context, 'founder');
    await unwrap(client.rpc('switch_role', { p_role: 'startup' }));
    return [
      ['/startup', 'Get Your First 10 Users This Week'],
      ['/startup/profile', 'Create your project profile'],
      ['/startup/create', 'Create your project profile', 'alias'],
      ['/startup/review', 'Review'],
      ['/startup/wallet', 'Project wallet'],
    ];
  },
};

export const founderWithQuest: Role = {
  name: 'a founder with a quest',
  home: '/startup',
  enter: async (context) => {
    const founder = await newFounder(context);
    const { campaign, taskId } = await newQuest(founder, { campaign: { collect_emails: false } });
    await submitAsNewMember(taskId);
    return [
      ['/startup', 'Project dashboard'],
      ['/startup/create', 'Project dashboard', 'redirect'],
      ['/startup/profile/edit', 'Edit project profile'],
      ['/startup/review', 'Review'],
      ['/startup/wallet', 'Project wallet'],
      ['/startup/billing', 'Points and billing'],
      ['/startup/developers', 'For developers'],
      ['/startup/campaigns/new', 'Create a quest'],
      ['/startup/campaigns/create', 'Create a quest', 'alias'],
      ['/startup/create-quest', 'Create a quest', 'alias'],
      [`/startup/campaigns/${campaign.id}/edit`, 'Edit quest'],
      [`/startup/campaigns/${campaign.id}/submissions`, campaign.title],
      [`/community/quest/${campaign.id}`, campaign.title],
    ];
  },
};

export const admin: Role = {
  name: 'an admin',
  home: '/admin',
  enter: async (context) => {
    await signIn(context, 'admin@questboard.local', 'questboard-demo');
    const { startup } = await newOwner();
    return [
      ['/admin', 'Admin dashboard'],
      ['/admin/data', 'Data dashboard'],
      [`/admin/projects/${startup.id}/edit`, 'Edit project'],
    ];
  },
};

/** Opens a route by its address, on the site that the page shows if any, and waits until the page has loaded. */
export async function open(page: Page, route: Route): Promise<void> {
  const here = page.url();
  await page.goto(here.startsWith('http') ? new URL(route[0], here).href : route[0]);
  await expectArrived(page, route);
}

/** Resolves when the app has taken over the page, which shows its content before. */
export const appReady = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => !('earlyPresses' in window));
};

/** Follows a link to an address inside the same document, without a reload. */
export async function followTo(page: Page, address: string): Promise<void> {
  await appReady(page);
  await page.evaluate(async (to) => {
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
    // The previous content is gone with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, address);
}

/** Follows a link to a route, and waits until the page has loaded. */
export async function follow(page: Page, route: Route): Promise<void> {
  const here = new URL(page.url());
  // The same page may show its previous list until the new one has loaded, and a heading that was there before proves nothing about the
  // next page.
  const isSamePage = new URL(route[0], here).pathname === here.pathname;
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  if (isSamePage || heading === route[1]) return open(page, route);
  await followTo(page, route[0]);
  await expectArrived(page, route);
}

/** The heading is there, alone, and nothing on the page is loading. */
async function expectArrived(page: Page, [address, heading, kind]: Route) {
  // It may lead to the screen being left, whose heading is visible all the time.
  if (kind === 'redirect') await expect(page).not.toHaveURL(address);
  const level1 = page.getByRole('heading', { level: 1 });
  await expect(level1).toHaveText(heading);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await expect(level1).toHaveCount(1);
}

/** Addresses not allowed for this role redirect home and make no admin requests; /app-dashboard redirects home as well. */
export async function expectRedirects(page: Page, role: Role, shut: readonly string[]): Promise<void> {
  const home = new RegExp(`${role.home}$`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  for (const path of [...shut, '/app-dashboard']) {
    await page.goto(path);
    await expect(page).toHaveURL(home);
  }
  const isAdmins = (url: string) => /rpc\/(admin_|get_admin_|get_platform_)/.test(url);
  if (role !== admin) expect(asked.filter(isAdmins)).toEqual([]);
}
