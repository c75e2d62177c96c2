// @vitest-environment jsdom
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EarlyRequest, PLACEHOLDERS } from '../../src/lib/head/early-requests.ts';
import type { PageFacts } from '../../src/lib/head/page-head.ts';
import { createSite, HEAD_END, HEAD_START, type SiteOptions } from './site.ts';

const SITE = 'https://questboard.example';
const QUEST = 'aaaaaaaa-0000-4000-8000-000000000001';
const html = `<!doctype html><html><head>${HEAD_START}<title data-head>x</title>${HEAD_END}
    <script type="module" crossorigin src="/assets/vendor.js"></script>
    <script type="module" crossorigin src="/assets/index.js"></script>
  </head><body><div id="root"></div></body></html>`;

const quest: PageFacts = {
  state: 'shown',
  key: QUEST,
  title: 'Try the sign-up',
  summary: 'Tell us where you stopped.',
  project_id: QUEST,
  project_name: 'Paperkite',
  logo_url: null,
  reward_points: 50,
  reward_title: null,
  is_listed: true,
  description: '',
  task_count: 1,
  max_participants: 10,
  review_hours: 72,
  open_quests: null,
  level: null,
  preview: 'a'.repeat(32),
};

/** A project that answers every call with the same JSON, and records the calls in `asked`. */
async function project(
  answer: unknown,
  status = 200,
  headers: Record<string, string> = {},
  prerendered: SiteOptions['prerendered'] = {},
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.apikey}`);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const projectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site = createSite({
    html,
    headers: { 'X-Test': 'on' },
    siteUrl: SITE,
    prerendered,
    projectUrl,
    anonKey: 'sb_publishable_x',
  });
  const get = async (path: string, method = 'GET') => {
    const response = await site({ method, url: `http://127.0.0.1${path}` });
    const text = await response.text();
    return { response, status: response.status, text, page: new DOMParser().parseFromString(text, 'text/html') };
  };
  return { get, asked };
}

const content = (page: Document, name: string) =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content');
const structured = (page: Document) =>
  [...page.querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }) =>
    JSON.parse(textContent ?? ''),
  );

afterEach(() => void vi.restoreAllMocks());

describe('BEY-17 page metadata before any script runs', () => {
  it('a quest: task, project and reward, under one canonical address', async () => {
    const { get, asked } = await project([quest]);
    const { page, response, status } = await get(`/quest/${QUEST}?utm_source=letter`);
    expect(asked).toEqual([`/rest/v1/rpc/get_page_facts?p_kind=quest&p_key=${QUEST} sb_publishable_x`]);
    expect(status).toBe(200);
    expect(response.headers.get('x-test')).toBe('on');
    expect(response.headers.get('cdn-cache-control')).toBe('public, max-age=60');
    expect(page.title).toBe('Try the sign-up · Questboard');
    const description = 'Earn 50 points from Paperkite. Tell us where you stopped.';
    expect(content(page, 'description')).toBe(description);
    expect(content(page, 'og:description')).toBe(description);
    expect(content(page, 'og:title')).toBe('Try the sign-up');
    expect(content(page, 'twitter:card')).toBe('summary_large_image');
    const image = `${SITE}/previews/quest/${QUEST}/${quest.preview}.png`;
    expect([content(page, 'og:image'), content(page, 'twitter:image')]).toEqual([image, image]);
    expect([content(page, 'og:image:width'), content(page, 'og:image:height')]).toEqual(['1200', '630']);
    expect(content(page, 'og:image:alt')).toBe(`Try the sign-up: ${description}`);
    expect(content(page, 'robots')).toBeUndefined();
    const canonical = `${SITE}/browse/quest/${QUEST}`;
    expect(page.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(canonical);
    expect(content(page, 'og:url')).toBe(canonical);
    expect(structured(page)).toMatchObject([
      {
        '@type': 'BreadcrumbList',
        itemListElement: [{ item: `${SITE}/` }, { item: `${SITE}/browse` }, { item: canonical }],
      },
    ]);
  });

  it.each([
    ['markup', '</title><script>alert(1)</script>"\'<!--', '</title><script>alert(1)</script>"\'<!--'],
    ['patterns of String.replace', "$& $' $` $1 $$", "$& $' $` $1 $$"],
    ['entities', '&lt;b&gt; &amp;', '&lt;b&gt; &amp;'],
    ['line breaks and control characters', 'a\nb\r\n\u0007c\u2028d', 'a b c d'],
    ['bidirectional control characters', '\u202Eevil\u202C \u2067x\u2069', 'evil x'],
    ['a lone surrogate', 'x \uD83D', 'x \uFFFD'],
    ['our own markers', `${HEAD_START}x${HEAD_END}`, `${HEAD_START}x${HEAD_END}`],
  ])('a hostile title is plain text: %s', async (_, title, shown) => {
    const { get } = await project([{ ...quest, title, summary: title, project_name: title }]);
    const { page } = await get(`/quest/${QUEST}`);
    expect(page.querySelector('title')?.textContent).toBe(`${shown} · Questboard`);
    expect(content(page, 'og:title')).toBe(shown);
    expect(content(page, 'description')).toContain(shown);
    expect(structured(page)[0].itemListElement.at(-1).name).toBe(shown);
    expect(page.querySelectorAll('script:not([type="application/ld+json"])')).toHaveLength(0);
    expect(page.querySelectorAll('title, link[rel=canonical], #root')).toHaveLength(3);
    const root = page.querySelector('#root');
    expect([...page.body.children].map(({ id }) => id)).toEqual(['root', 'app-scripts']);
    expect(scriptsOf(page)).toEqual(['/assets/vendor.js', '/assets/index.js']);
    expect(root?.querySelector('h1')?.textContent).toBe(shown);
    expect(root?.querySelectorAll('script, img, style, iframe, form, b')).toHaveLength(0);
    expect(root?.querySelectorAll('svg')).toHaveLength(1);
    for (const element of root?.querySelectorAll('*:not(svg, svg *)') ?? []) {
      expect(element.getAttributeNames().filter((name) => !/^(class|href|data-first-\w+)$/.test(name))).toEqual([]);
    }
  });

  it('a long description is truncated at a word', async () => {
    const { get } = await project([{ ...quest, summary: 'word '.repeat(100) }]);
    const description = content((await get(`/quest/${QUEST}`)).page, 'description') ?? '';
    expect(description).toMatch(/ word…$/);
    expect(description.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['gone', 410],
    ['missing', 404],
  ])('a quest that is %s answers %i, without its former content', async (state, expected) => {
    const { get } = await project([{ ...quest, state, key: null, title: null }]);
    const { status, page } = await get(`/quest/${QUEST}`);
    expect(status).toBe(expected);
    expect(content(page, 'robots')).toBe('noindex');
    expect(page.querySelector('link[rel=canonical], meta[property="og:title"], script:not([src])')).toBeNull();
    // Participants can still see it on the member side.
    expect((await get(`/community/quest/${QUEST}`)).status).toBe(200);
  });

  it('a quest that is not listed yet can be shared, but not indexed', async () => {
    const { get } = await project([{ ...quest, is_listed: false }]);
    const { status, page } = await get(`/quest/${QUEST}`);
    expect([status, content(page, 'robots'), content(page, 'og:title')]).toEqual([200, 'noindex', quest.title]);
  });

  it('an invitation names its points, has an image, is not indexed and has no canonical address', async () => {
    const { get, asked } = await project([{ ...quest, key: null, reward_points: 250 }]);
    const { page, status } = await get('/?ref=ABC&utm_source=friend');
    expect(asked[0]).not.toContain('ABC');
    expect(status).toBe(200);
    expect(content(page, 'og:title')).toBe('You are invited');
    expect(content(page, 'description')).toContain('get 250 points');
    expect(content(page, 'og:image')).toBe(`${SITE}/previews/invitation/all/${quest.preview}.png`);
    expect(content(page, 'robots')).toBe('noindex');
    expect(page.querySelector('link[rel=canonical], meta[property="og:url"], script:not([src])')).toBeNull();
  });

  it('without the database a page is still served, claims nothing wrong and is not cached', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { get } = await project({ message: 'down' }, 503);
    const { status, page, response } = await get(`/quest/${QUEST}`);
    expect(status).toBe(200);
    expect(page.title).toBe('Questboard: quests that pay in points');
    expect(response.headers.get('cdn-cache-control')).toBe('no-store');
    expect(content(page, 'robots')).toBeUndefined();
    expect((await get('/sitemap.xml')).status).toBe(503);
    expect(logged).toHaveBeenCalledTimes(2);
  });

  it('private pages make no requests and are not indexed; unknown ones answer 404; POST is refused', async () => {
    const { get, asked } = await project([]);
    const { status, page } = await get('/startup/wallet');
    expect([status, content(page, 'robots')]).toEqual([200, 'noindex']);
    for (const missing of ['/nowhere', '/sitemaps/members-1.xml', '/sitemaps/../x'])
      expect((await get(missing)).status, missing).toBe(404);
    expect((await get('/', 'POST')).status).toBe(405);
    expect(asked).toEqual([]);
  });

  it('robots.txt and the sitemap are sent as what they are', async () => {
    const { get } = await project([]);
    const typeOf = async (path: string) => (await get(path)).response.headers.get('content-type');
    expect(await typeOf('/robots.txt')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('/sitemaps/pages.xml')).toBe('application/xml; charset=utf-8');
  });
});

describe('BEY-17 page content before any script runs', () => {
  const texts = (page: Document, selector: string) =>
    [...page.querySelectorAll(`#root ${selector}`)].map(({ textContent }) => textContent);

  it('a quest: title, project, reward, terms, and its description without markup', async () => {
    const description = `# Hello\n\nSome **bold** [words](javascript:alert(1)).\n\n- one\n- two\n\n<img src=x onerror=alert(1)>\n\n![alt](https://evil.example/x.png)`;
    const { get } = await project([{ ...quest, description, reward_title: 'A <b>mug</b>' }]);
    const { page } = await get(`/quest/${QUEST}`);
    expect(texts(page, 'h1')).toEqual(['Try the sign-up']);
    expect(texts(page, 'h1 + p')).toEqual(['Tell us where you stopped.']);
    expect(texts(page, 'dl > div')).toEqual([
      'Reward per person50 points + A <b>mug</b> 1 task',
      'DistributionFirst come, first served',
      'Max participants10 people',
      'ReviewReviewed within 3 days, or approved and paid automatically',
    ]);
    expect(texts(page, 'section p, section li')).toEqual(['Hello', 'Some bold words.', 'one', 'two', 'alt']);
    expect(page.querySelector('#root article > div > p a')?.getAttribute('href')).toBe(`/community/project/${QUEST}`);
    expect(page.querySelectorAll('#root img, #root [href^="javascript"], #root [href*="evil"]')).toHaveLength(0);
  });

  it('a quest whose text nests deeper than the parser can go', async () => {
    const { get } = await project([{ ...quest, description: `${'>'.repeat(9_990)}Try it` }]);
    const { page } = await get(`/quest/${QUEST}`);
    expect(texts(page, 'section p')).toEqual(['Try it']);
  });

  it('a quest with immediate approval says so, and repeats no sentence', async () => {
    const { get } = await project([{ ...quest, review_hours: null, description: `${quest.summary} And more.` }]);
    const { page } = await get(`/quest/${QUEST}`);
    expect(texts(page, 'dl > div').at(-1)).toBe('ReviewApproved and paid at once');
    expect(texts(page, 'h1 + p')).toEqual([]);
  });

  it('a quest whose description equals its summary shows it where the page will, with its line breaks', async () => {
    const { get } = await project([{ ...quest, description: `${quest.summary}\n` }]);
    const { page } = await get(`/quest/${QUEST}`);
    expect(texts(page, 'h1 + p')).toEqual(['Tell us where you stopped.']);
    expect(texts(page, 'section')).toEqual([]);
    const { get: getLines } = await project([{ ...quest, description: 'One line\n  and another' }]);
    const inLines = (await getLines(`/quest/${QUEST}`)).page;
    expect(texts(inLines, 'section p.whitespace-pre-line')).toEqual(['One line\nand another']);
  });

  it('a project and a member', async () => {
    const { get } = await project([
      { ...quest, title: 'Paperkite', description: 'We <fold> paper.\nYou fly it.', open_quests: 2 },
    ]);
    const { page } = await get(`/community/project/${QUEST}`);
    expect(texts(page, 'h1')).toEqual(['Paperkite']);
    expect(texts(page, '[data-first-content] p')).toEqual(['We <fold> paper.\nYou fly it.', '2 open quests']);
    const { get: member } = await project([{ ...quest, key: 'ada', title: 'Ada', level: 3 }]);
    const profile = (await member('/m/ada')).page;
    expect(texts(profile, 'h1, [data-first-content] p')).toEqual(['Ada', '@ada', 'Level 3']);
  });

  it.each(['gone', 'missing'])('no content of a page that is %s, nor of other pages', async (state) => {
    const { get } = await project([{ ...quest, state }]);
    const paths = [`/quest/${QUEST}`, `/community/project/${QUEST}`, '/m/ada', '/pricing', '/settings', '/nowhere'];
    for (const path of paths) expect((await get(path)).page.querySelector('#root')?.innerHTML, path).toBe('');
  });
});

describe('BEY-17 preview images', () => {
  const path = `/previews/quest/${QUEST}/${quest.preview}.png`;

  it('are fetched from the drawing function, and cached for as long as it says', async () => {
    const { get, asked } = await project({ drawn: true }, 200, { 'cache-control': 'public, max-age=60' });
    const { response, text } = await get(path);
    expect(asked).toEqual([
      `/functions/v1/preview-image?kind=quest&key=${QUEST}&preview=${quest.preview} sb_publishable_x`,
    ]);
    expect(text).toBe('{"drawn":true}');
    expect(['content-type', 'cache-control', 'cdn-cache-control'].map((name) => response.headers.get(name))).toEqual([
      'image/png',
      'public, max-age=60',
      'public, max-age=60',
    ]);
  });

  it.each([
    ['the function fails', path, 500, 1],
    ['it redirects elsewhere', path, 302, 1],
    ["the address is not an image's", `${path}x`, 200, 0],
    ['the kind is unknown', path.replace('quest', 'wallet'), 200, 0],
  ])("are the site's image when %s", async (_, address, status, calls) => {
    const { get, asked } = await project({}, status);
    const { response } = await get(address);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/preview.png']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
    expect(asked).toHaveLength(calls);
  });

  it("of other pages are the site's image", async () => {
    const { get } = await project([]);
    expect(content((await get('/pricing')).page, 'og:image')).toBe(`${SITE}/preview.png`);
  });
});

describe('BEY-17 prerendered pages', () => {
  const site = createSite({
    html,
    headers: {},
    siteUrl: SITE,
    prerendered: {
      '/pricing': {
        head: '<link rel="modulepreload" href="/assets/p.js">',
        body: '<h1>Costs $& nothing</h1>',
        requests: [['https://project.example/rest/v1/list', { apikey: 'k' }]],
      },
    },
  });
  const get = async (path: string) => (await site({ method: 'GET', url: `${SITE}${path}` })).text();

  it('are served complete, also for links with only tracking parameters', async () => {
    for (const path of ['/pricing', '/pricing?utm_source=mail&utm_campaign=x']) {
      const page = await get(path);
      expect(page).toContain('<div id="root" data-prerendered><h1>Costs $& nothing</h1></div>');
      expect(page).toContain('<title data-head>Pricing');
      expect(requestsIn(page)).toEqual([['https://project.example/rest/v1/list', { apikey: 'k' }]]);
    }
  });

  it('contain their scripts and those of the app in a template, for after the first paint', async () => {
    const page = new DOMParser().parseFromString(await get('/pricing'), 'text/html');
    expect(scriptsOf(page)).toEqual(['/assets/vendor.js', '/assets/index.js', '/assets/p.js']);
    expect(page.querySelectorAll('head [src], head [rel="modulepreload"]')).toHaveLength(0);
  });

  it('are empty for addresses with other parameters, and everywhere else', async () => {
    for (const path of ['/pricing?ref=QUEST-ABC', '/pricing?utm_source=mail&tab=x', '/pricing/', '/nowhere']) {
      const page = await get(path);
      expect(page, path).toContain('<div id="root"></div>');
      expect(page, path).not.toContain('<template');
      expect(page, path).toContain('src="/assets/index.js"');
      expect(requestsIn(page), path).toEqual([]);
    }
  });
});

/** Scripts and preloads that index.html inserts after the first paint. */
function scriptsOf(page: Document): (string | null)[] {
  const template = page.querySelector<HTMLTemplateElement>('#app-scripts');
  const elements = [...(template?.content.children ?? [])];
  return elements.map((element) => element.getAttribute('src') ?? element.getAttribute('href'));
}

/** The data that index.html's first script reads. */
function requestsIn(page: string): unknown[] {
  const block = new DOMParser().parseFromString(page, 'text/html').querySelector('#early-requests');
  return JSON.parse(block?.textContent ?? '[]');
}

describe("a page with an id in its address announces the app's first requests", () => {
  const { key, projectId } = PLACEHOLDERS;
  const noted = (...urls: string[]): EarlyRequest[] => urls.map((url) => [`https://p.example/${url}`, { accept: 'a' }]);
  const built = (requests: EarlyRequest[]) => ({ head: '<link rel="modulepreload" href="/assets/q.js">', requests });
  const prerendered = {
    quest: built(noted(`quests?id=${key}`, `projects?id=${projectId}`, 'settings')),
    project: built(noted(`projects?id=${key}`)),
    member: built(noted(`members?handle=${key}`)),
  };
  const urls = async (path: string, facts: Partial<PageFacts> = {}, status = 200) => {
    const { get } = await project([{ ...quest, ...facts }], status, {}, prerendered);
    const { text } = await get(path);
    return {
      urls: requestsIn(text).map((request) => (request as EarlyRequest)[0].slice('https://p.example/'.length)),
      hasCode: text.includes('/assets/q.js'),
    };
  };

  it('with the id of the address', async () => {
    const upper = QUEST.toUpperCase();
    expect(await urls(`/quest/${upper}`)).toEqual({
      urls: [`quests?id=${upper}`, `projects?id=${QUEST}`, 'settings'],
      hasCode: true,
    });
    expect((await urls(`/community/project/${QUEST}`)).urls).toEqual([`projects?id=${QUEST}`]);
    expect((await urls('/m/Ada', { key: 'ada' })).urls).toEqual(['members?handle=ada']);
    expect((await urls(`/quest/${QUEST}`, { project_id: null })).urls).toEqual([`quests?id=${QUEST}`, 'settings']);
  });

  it('the member side of a quest preloads its code, but requests nothing before the identity is known', async () => {
    expect(await urls(`/community/quest/${QUEST}`)).toEqual({ urls: [], hasCode: true });
  });

  it('nothing if visitors see nothing, or if the database did not answer', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await urls(`/quest/${QUEST}`, { state: 'missing' })).toEqual({ urls: [], hasCode: false });
    expect(await urls(`/quest/${QUEST}`, {}, 503)).toEqual({ urls: [], hasCode: false });
  });

  it('a hostile address remains data', async () => {
    const page = await urls(`/m/${encodeURIComponent('</script><script>alert(1)//&handle=x')}`, { key: 'x' });
    expect(page.urls).toEqual([`members?handle=${encodeURIComponent('</script><script>alert(1)//&handle=x')}`]);
  });
});
