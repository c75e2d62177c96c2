import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { newMember, newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, signUp, test } from './fixtures.ts';

interface FirstView {
  path: string;
  /** Database reads of its first view. */
  reads: string[];
}

async function firstViews(): Promise<FirstView[]> {
  const owner = await newOwner();
  const { campaign } = await newQuest(owner);
  const member = await newMember();
  const handle = `h-${randomUUID().slice(0, 8)}`;
  await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
  return [
    { path: '/', reads: ['rpc/list_published_quests', 'rpc/get_site_stats', 'app_settings'] },
    { path: '/browse', reads: ['rpc/list_published_quests'] },
    { path: `/browse/quest/${campaign.id}`, reads: ['campaigns', 'tasks', 'startup_profiles', 'app_settings'] },
    {
      path: `/community/project/${owner.startup.id}`,
      reads: [
        'startup_profiles',
        'rpc/list_published_quests',
        'rpc/get_project_feedback_stats',
        'rpc/get_project_promises',
      ],
    },
    { path: `/m/${handle}`, reads: ['rpc/get_member_profile'] },
  ];
}

/** Database requests of the page, in order. */
function watchReads(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/rest/v1/')) reads.push(request.url());
  });
  return reads;
}

const nameOf = (address: string) => new URL(address).pathname.replace('/rest/v1/', '');
const count = (addresses: string[], address: string) => addresses.filter((each) => each === address).length;

async function expectWhole(page: Page) {
  const corner = page.getByRole('banner');
  await expect(corner.getByText('Get Started').or(corner.getByRole('button', { name: /Your menu/ }))).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

for (const who of ['a visitor', 'a member'] as const) {
  test(`for ${who} the page's first data is requested with the page, once, and its scripts only after the first paint`, async ({
    context,
  }) => {
    if (who === 'a member') await signUp(context, 'reader');
    for (const { path, reads } of await firstViews()) {
      await test.step(path, async () => {
        const page = await context.newPage();
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        // Nothing is painted without its style.
        await page.route(/\/assets\/.*\.css$/, async (route) => {
          await released;
          await route.continue();
        });
        const scripts: string[] = [];
        page.on('request', (request) => {
          if (request.resourceType() === 'script') scripts.push(request.url());
        });
        const asked = watchReads(page);
        await page.goto(path, { waitUntil: 'commit' });
        await expect.poll(() => asked.map(nameOf).toSorted()).toEqual(reads.toSorted());
        const early = [...asked];
        expect(scripts).toEqual([]);
        release();
        await expectWhole(page);
        expect(early.filter((address) => count(asked, address) > 1)).toEqual([]);
        await page.close();
      });
    }
  });
}

test.describe('without an answer', () => {
  test.use({ expectedErrors: [/Failed to load resource|CORS policy/] });

  const refused = { status: 503 };
  /** A quest that visitors cannot see, but its owner can. */
  const empty = { json: [], headers: { 'access-control-allow-origin': '*' } };

  test('data that the page was refused or did not find is requested again by the app, and shown', async ({
    context,
  }) => {
    for (const { path, reads } of await firstViews()) {
      await test.step(path, async () => {
        const page = await context.newPage();
        const asked = watchReads(page);
        await page.route(/\/rest\/v1\//, async (route) => {
          const isFirst = count(asked, route.request().url()) === 1 && reads.includes(nameOf(route.request().url()));
          await (isFirst ? route.fulfill(path.startsWith('/browse/quest/') ? empty : refused) : route.continue());
        });
        await page.goto(path);
        await expectWhole(page);
        await expect(page.getByRole('alert')).toHaveCount(0);
        const early = asked.filter(
          (address, index) => asked.indexOf(address) === index && reads.includes(nameOf(address)),
        );
        expect(early.map(nameOf).toSorted()).toEqual(reads.toSorted());
        // What is below the fold is asked for when the page is already whole.
        await expect.poll(() => early.map((address) => count(asked, address))).toEqual(early.map(() => 2));
        await page.close();
      });
    }
  });
});
