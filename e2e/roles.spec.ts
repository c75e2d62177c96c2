import { expect, test } from './fixtures.ts';
import {
  admin,
  everyonesRoutes,
  follow,
  founderWithoutProfile,
  founderWithQuest,
  member,
  membersRoutes,
  open,
  subscribeRoute,
} from './support/screens.ts';

/** The four signed-in roles (community, startup_unverified, startup_verified, admin), with what each is led away from. */
const signedIn = [
  { role: member, shut: ['/startup/wallet', '/admin?tab=people'] },
  { role: founderWithoutProfile, shut: ['/admin'] },
  { role: founderWithQuest, shut: ['/admin/data'] },
  { role: admin, shut: ['/startup'] },
];

for (const { role, shut } of signedIn) {
  test(`ROUTE-01 ROUTE-03 ROUTE-04 ROUTE-07 ROUTE-08 ROUTE-12 ROUTE-13 ROUTE-16 the open and the members' routes render for ${role.name}, others lead home`, async ({
    page,
    context,
  }) => {
    await role.enter(context);
    const home = new RegExp(`${role.home}$`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const path of shut) {
      await page.goto(path);
      await expect(page).toHaveURL(home);
    }
    const isAdmins = (url: string) => /rpc\/(admin_|get_admin_|get_platform_)/.test(url);
    if (role !== admin) expect(asked.filter(isAdmins)).toEqual([]);

    await page.goto('/app-dashboard');
    await expect(page).toHaveURL(home);
    for (const route of [...(await everyonesRoutes()), ...(await membersRoutes())]) {
      await test.step(route[0], () => follow(page, route));
    }
    await open(page, subscribeRoute);
    await page.goto('/startup/subscribe?success=subscription');
    await expect(page).toHaveURL(/\/startup\?success=subscription$/);
  });
}
