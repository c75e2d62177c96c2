import { randomUUID } from 'node:crypto';
import type { APIRequestContext, Page } from '@playwright/test';
import { asAnon } from '../local/testing/clients.ts';
import { newAdmin, newMember, newOwner, newQuest, unwrap } from '../supabase/tests/support/factories.ts';
import { expect, test } from './fixtures.ts';

const HOSTILE = `</title></script><script>globalThis.slippedIn = 1</script> "quoted" & '$&' <b>`;
const SITE = process.env.APP_URL ?? '';

/** The page as `curl` gets it: no script runs. Its head is parsed by the browser, in a document that loads nothing. */
async function curl(request: APIRequestContext, page: Page, path: string) {
  const response = await request.get(path, { maxRedirects: 0, headers: { accept: '*/*' } });
  const html = await response.text();
  const head = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'text/html');
    const content = (selector: string) =>
      [...parsed.querySelectorAll(selector)].map((tag) => tag.getAttribute('content'));
    return {
      titles: [...parsed.querySelectorAll('title')].map(({ textContent }) => textContent),
      description: content('meta[name=description]'),
      ogTitle: content('meta[property="og:title"]'),
      ogUrl: content('meta[property="og:url"]'),
      ogImage: content('meta[property="og:image"]'),
      twitter: content('meta[name="twitter:card"]'),
      robots: content('meta[name=robots]'),
      canonical: [...parsed.querySelectorAll('link[rel=canonical]')].map((link) => link.getAttribute('href')),
      data: [...parsed.querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }) =>
        JSON.parse(textContent),
      ),
      scripts: [...parsed.querySelectorAll('script:not([type="application/ld+json"])')]
        .map(({ textContent }) => textContent)
        .filter((script) => script.includes('slippedIn')).length,
    };
  }, html);
  return { status: response.status(), ...head };
}

/** A PNG of the preview size, without a redirect. */
async function expectPicture(request: APIRequestContext, address: string | null | undefined) {
  const get = () => request.get(address ?? '', { maxRedirects: 0 });
  // A crawler that comes while the function takes long to start is sent to the site's image.
  await expect.poll(async () => (await get()).status()).toBe(200);
  const response = await get();
  expect(response.headers()['content-type']).toBe('image/png');
  const bytes = await response.body();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
}

test('BEY-17 curl gets the head and preview of every kind of public page, and of no other; gone and missing pages answer with their status', async ({
  page,
  request,
}) => {
  const owner = await newOwner();
  const { campaign } = await newQuest(owner, {
    campaign: { title: HOSTILE, summary: HOSTILE },
    task: { reward_points: 40 },
  });
  const member = await newMember();
  const handle = `h-${randomUUID().slice(0, 8)}`;
  await unwrap(member.client.rpc('set_public_profile', { p_handle: handle }));
  await unwrap(member.client.rpc('update_profile', { p_username: 'kite', p_display_name: 'Kite & Flyer' }));

  const quest = [`${HOSTILE} · Questboard`, `/browse/quest/${campaign.id}`, /^Earn 40 points from /] as const;
  const kinds: [path: string, title: string, canonical: string, description: RegExp][] = [
    ['/', 'Questboard: quests that pay in points', '/', /^Complete small quests/],
    ['/browse?sort=reward', 'Explore quests · Questboard', '/browse', /^Quests of young projects/],
    ['/browse?tab=projects', 'Explore projects · Questboard', '/browse?tab=projects', /^Young projects/],
    [`/browse/quest/${campaign.id}`, ...quest],
    [`/quest/${campaign.id}`, ...quest],
    [`/community/quest/${campaign.id}`, ...quest],
    [
      `/community/project/${owner.startup.id}`,
      `${owner.startup.name} · Questboard`,
      `/community/project/${owner.startup.id}`,
      /\S/,
    ],
    [`/m/${handle}`, 'Kite & Flyer · Questboard', `/m/${handle}`, /^Kite & Flyer on Questboard/],
    ['/rewards', 'Available Rewards · Questboard', '/rewards', /redeemed/],
    ['/pricing', 'Pricing · Questboard', '/pricing', /costs/],
    ['/terms', 'Terms of use · Questboard', '/terms', /rules/],
    ['/privacy', 'Privacy policy · Questboard', '/privacy', /keeps about you/],
    ['/cookies', 'Cookie policy · Questboard', '/cookies', /stores in your browser/],
  ];
  for (const [path, title, canonical, description] of kinds) {
    await test.step(path, async () => {
      const head = await curl(request, page, path);
      expect(head).toMatchObject({
        status: 200,
        titles: [title],
        canonical: [`${SITE}${canonical}`],
        robots: [],
        scripts: 0,
      });
      expect(head.ogUrl).toEqual(head.canonical);
      expect(head.ogTitle).toEqual([title.replace(/ · Questboard$/, '')]);
      expect(head.description).toEqual([expect.stringMatching(description)]);
      expect(head.twitter).toHaveLength(1);
      expect(head.data).toHaveLength(1);
      expect(head.data[0]['@type']).toBe(canonical === '/' ? 'Organization' : 'BreadcrumbList');
      await expectPicture(request, head.ogImage[0]);
    });
  }
  const invitation = await curl(request, page, '/?ref=ANYCODE&utm_source=friend');
  expect(invitation).toMatchObject({
    status: 200,
    titles: ['You are invited · Questboard'],
    ogTitle: ['You are invited'],
    description: [expect.stringContaining('get 250 points')],
    robots: ['noindex'],
    canonical: [],
    ogUrl: [],
    data: [],
  });
  await expectPicture(request, invitation.ogImage[0]);

  await test.step('gone, missing and private pages', () => expectUnlisted(page, request));
});

/** Gone and missing pages answer with their status, and are noindex. */
async function expectUnlisted(page: Page, request: APIRequestContext) {
  const owner = await newOwner();
  const [held, deleted] = [await newQuest(owner), await newQuest(await newOwner())];
  const { client: admin } = await newAdmin();
  await unwrap(admin.rpc('unpublish_campaign', { p_campaign_id: held.campaign.id, p_reason: 'It is unlawful.' }));
  await unwrap(admin.rpc('unpublish_campaign', { p_campaign_id: deleted.campaign.id, p_reason: 'Twice.' }));
  for (const [path, status] of [
    [`/quest/${held.campaign.id}`, 410],
    [`/browse/quest/${randomUUID()}`, 404],
    ['/quest/nonsense', 404],
    [`/community/project/${randomUUID()}`, 404],
    ['/m/nobody-has-this', 404],
    ['/nowhere/at/all', 404],
    ['/settings', 200],
    ['/startup/wallet', 200],
    ['/admin', 200],
  ] as const) {
    const head = await curl(request, page, path);
    expect(head, path).toMatchObject({ status, robots: ['noindex'], canonical: [], ogTitle: [], data: [] });
    expect(JSON.stringify(head.titles), path).not.toContain(held.campaign.title);
  }
}

test('BEY-17 the sitemap lists a quest as soon as it is published, and robots.txt names the sitemap', async ({
  request,
}) => {
  const text = async (path: string) => (await request.get(path)).text();
  const addresses = async (path: string) =>
    [...(await text(path)).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  expect(await text('/robots.txt')).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  const owner = await newOwner();
  const { campaign } = await newQuest(owner);
  const files = await addresses('/sitemap.xml');
  expect(files).toContain(`${SITE}/sitemaps/pages.xml`);
  const quests = files.findLast((address) => address?.includes('quests')) ?? '';
  expect(await addresses(quests)).toContain(`${SITE}/browse/quest/${campaign.id}`);
  const { data: counts } = await asAnon().rpc('count_public_pages').single();
  expect(counts?.projects).toBeGreaterThan(0);
  expect(await addresses(files.find((address) => address?.includes('projects')) ?? '')).toContain(
    `${SITE}/community/project/${owner.startup.id}`,
  );
  await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: campaign.id }));
  expect(await addresses(quests)).not.toContain(`${SITE}/browse/quest/${campaign.id}`);
});

test('BEY-17 the app keeps the server-rendered head, and updates it on navigation', async ({ page, request }) => {
  const { campaign } = await newQuest(await newOwner(), { campaign: { title: HOSTILE } });
  const inPage = () =>
    page.evaluate(() =>
      [...document.head.querySelectorAll('[data-head]')].map(({ outerHTML }) => outerHTML).toSorted(),
    );
  const inHtml = async (path: string) => {
    const html = await (await request.get(path)).text();
    return page.evaluate(
      (text) =>
        [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('[data-head]')]
          .map(({ outerHTML }) => outerHTML)
          .toSorted(),
      html,
    );
  };
  const path = `/quest/${campaign.id}`;
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE);
  expect(await inPage()).toEqual(await inHtml(path));
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveTitle('Explore quests · Questboard');
  expect(await inPage()).toEqual(await inHtml('/browse'));
  expect(await page.evaluate(() => 'slippedIn' in globalThis)).toBe(false);
});
