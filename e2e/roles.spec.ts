import { expect, test } from './fixtures.ts';
import {
  admin,
  expectRedirects,
  follow,
  founderWithQuest,
  membersRoutes,
  open,
  publicRoutes,
  subscribeRoute,
} from './support/screens.ts';

/** The roles whose header, menu and home differ most from a member's, and the routes that redirect them; every-screen covers the others. */
const signedIn = [
  { role: founderWithQuest, shut: ['/admin/data'] },
  { role: admin, shut: ['/startup'] },
];

for (const { role, shut } of signedIn) {
  test(`ROUTE-01 ROUTE-03 ROUTE-04 ROUTE-07 ROUTE-08 ROUTE-12 ROUTE-13 ROUTE-16 the public and the members' routes render for ${role.name}, others redirect home`, async ({
    page,
    context,
  }) => {
    await role.enter(context);
    await expectRedirects(page, role, shut);
    for (const route of [...(await publicRoutes()), ...(await membersRoutes())]) {
      await test.step(route[0], () => follow(page, route));
    }
    await open(page, subscribeRoute);
    await page.goto('/startup/subscribe?success=subscription');
    await expect(page).toHaveURL(/\/startup\?success=subscription$/);
  });
}
