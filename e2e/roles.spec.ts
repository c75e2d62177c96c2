import { expect, test } from './fixtures.ts';
import {
  admin,
  everyonesRoutes,
  founderWithoutProfile,
  founderWithQuest,
  member,
  membersRoutes,
  open,
  subscribeRoute,
  visitor,
} from './support/screens.ts';

/** The four signed-in roles: community, startup_unverified, startup_verified, admin. */
const signedIn = [member, founderWithoutProfile, founderWithQuest, admin];

test('ROUTE-01 ROUTE-02 ROUTE-05 ROUTE-06 ROUTE-19 the public routes render for a visitor', async ({
  page,
  context,
}) => {
  for (const route of [...(await visitor.enter(context)), ...(await everyonesRoutes())]) await open(page, route);
});

for (const role of signedIn) {
  test(`ROUTE-01 ROUTE-03 ROUTE-04 ROUTE-07 ROUTE-12 the open and the members' routes render for ${role.name}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(240_000);
    await role.enter(context);
    for (const route of [...(await everyonesRoutes()), ...(await membersRoutes())]) {
      await test.step(route[0], () => open(page, route));
    }
    await page.goto('/app-dashboard');
    await expect(page).toHaveURL(new RegExp(`${role.home}$`));

    await open(page, subscribeRoute);
    await page.goto('/startup/subscribe?success=subscription');
    await expect(page).toHaveURL(/\/startup\?success=subscription$/);
  });
}

for (const role of [founderWithoutProfile, founderWithQuest]) {
  test(`ROUTE-09 the startup routes lead ${role.name} to their screens`, async ({ page, context }) => {
    for (const route of await role.enter(context)) await test.step(route[0], () => open(page, route));
  });
}
