import type { BrowserContext } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectReadable, test } from './fixtures.ts';
import {
  admin,
  everyonesRoutes,
  founderWithoutProfile,
  founderWithQuest,
  member,
  membersRoutes,
  open,
  type Role,
  type Route,
  subscribeRoute,
  visitor,
} from './support/screens.ts';

interface Walk {
  role: Role;
  /** The routes that this role walks for all the others. */
  shared?: () => Promise<Route[]>;
}

const walks: Walk[] = [
  { role: visitor, shared: everyonesRoutes },
  { role: member, shared: async () => [...(await everyonesRoutes()), ...(await membersRoutes()), subscribeRoute] },
  { role: founderWithoutProfile },
  { role: founderWithQuest },
  { role: admin },
];

const routesOf = async ({ role, shared }: Walk, context: BrowserContext) => {
  const own = await role.enter(context);
  return [...((await shared?.()) ?? []), ...own];
};

for (const walk of walks) {
  test(`${walk.role.name} finds every screen sound, in light and in dark colours`, async ({
    page,
    context,
    isMobile,
  }) => {
    test.setTimeout(600_000);
    for (const route of await routesOf(walk, context)) {
      await test.step(route[0], async () => {
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await open(page, route);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        await expectReadable(page);
        const size = page.viewportSize();
        if (!size || !isMobile) return;
        await page.setViewportSize({ width: 360, height: 740 });
        await expectNoSidewaysScroll(page);
        await page.setViewportSize(size);
      });
    }
  });
}
