import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { ensureChromium } from '../local/browser/install-chromium.ts';
import { withClient } from '../local/database/connection.ts';
import { DEMO_ACCOUNTS } from '../local/demo/accounts.ts';
import { startEphemeralStack } from '../local/ephemeral-stack.ts';
import { messageOf, UserError } from '../local/process/user-error.ts';
import { serveBuiltApp } from '../local/test/app-under-test.ts';
import { makeWorkDirectory } from '../local/test/work-directory.ts';
import { CHROMIUM_ARGUMENTS } from '../local/testing/chromium-arguments.ts';
import { makeCertificate, startFront } from './https-front.ts';
import { median } from './pgbench.ts';
import { writeResults } from './results.ts';
import { measureInteractions } from './web-interactions.ts';

/**
 * `npm run bench:web [-- --runs 5]`: what the browser loads, the Lighthouse scores of home, hub and a quest on a slow phone, and the delay
 * from a press to its paint. Pages and API are served as the hosts serve them (https-front.ts). Lighthouse is downloaded on demand: it is
 * large, and nothing else needs it.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
/** Runs of Lighthouse on each page, and of each interaction; the results are their medians. */
const RUNS = Number(values.runs);
const KB = 1000;
/** The certificate is self-signed. */
const BROWSER_ARGUMENTS = [...CHROMIUM_ARGUMENTS, '--ignore-certificate-errors'];
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** One page of the hub. */
const CARDS = 50;
const PROOF_BUTTON = /^Submit Proof/;

/** What npm needs behind a proxy that re-signs the registry's TLS. */
const ownAuthorities = process.env.NODE_EXTRA_CA_CERTS;

const gzipped = (file: string) => gzipSync(readFileSync(file)).length / KB;

/**
 * Kilobytes, compressed, of the app's own scripts that a page loads until `whole` is visible and the network is idle. Clerk's scripts have
 * another origin.
 */
async function scriptKilobytes(
  context: BrowserContext,
  url: string,
  whole: (page: Page) => Locator,
  directory: string,
): Promise<number> {
  const page = await context.newPage();
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/assets\/([^/]+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name) names.add(name);
  });
  await page.goto(url);
  await whole(page).waitFor();
  await page.waitForLoadState('load');
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.close();
  return [...names].reduce((sum, name) => sum + gzipped(join(directory, 'assets', name)), 0);
}

/** Kilobytes, compressed, of the largest script outside the first public route. */
function largestChunk(directory: string): { name: string; kilobytes: number } {
  const page = readFileSync(join(directory, 'index.html'), 'utf8');
  const chunks = readdirSync(join(directory, 'assets'))
    .filter((name) => name.endsWith('.js') && !page.includes(name))
    .map((name) => ({ name, kilobytes: gzipped(join(directory, 'assets', name)) }))
    .sort((a, b) => b.kilobytes - a.kilobytes);
  const [largest] = chunks;
  if (!largest) throw new Error('The build has no chunks.');
  return largest;
}

interface LighthouseReport {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number }>;
}

async function lighthouse(url: string, browser: string): Promise<LighthouseReport> {
  const flags = ['--headless=new', ...BROWSER_ARGUMENTS].join(' ');
  const categories = '--only-categories=performance,accessibility,best-practices,seo';
  const args = [
    'exec',
    '--yes',
    '--',
    LIGHTHOUSE,
    url,
    '--quiet',
    '--output=json',
    categories,
    `--chrome-flags=${flags}`,
  ];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ownAuthorities, CHROME_PATH: browser };
  const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 64e6, env }).catch((error: unknown) => {
    throw new UserError(`Lighthouse did not run: ${messageOf(error)}`);
  });
  return JSON.parse(stdout);
}

async function judge(url: string, browser: string) {
  const reports: LighthouseReport[] = [];
  for (let run = 0; run < RUNS; run += 1) reports.push(await lighthouse(url, browser));
  const score = (category: string) => median(reports.map((report) => (report.categories[category]?.score ?? 0) * 100));
  const audit = (name: string) => median(reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN));
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    firstContentfulPaintMs: audit('first-contentful-paint'),
    largestContentfulPaintMs: audit('largest-contentful-paint'),
    cumulativeLayoutShift: audit('cumulative-layout-shift'),
    totalBlockingTimeMs: audit('total-blocking-time'),
  };
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const account = DEMO_ACCOUNTS.find(({ role }) => role === 'member');
  await context.request.post(`${url}/__clerk/v1/client/sign_ins`, {
    form: { identifier: account?.email ?? '', password: account?.password ?? '' },
  });
}

async function measureScripts(browser: Browser, url: string, directory: string) {
  const visitor = await browser.newContext();
  const member = await browser.newContext({ ignoreHTTPSErrors: true });
  await signIn(member, url);
  const signInLink = (page: Page) => page.getByRole('link', { name: 'Sign In' });
  const menu = (page: Page) => page.getByRole('button', { name: /Your menu/ });
  return {
    firstPublicRouteKilobytes: await scriptKilobytes(visitor, `${url}/`, signInLink, directory),
    signedInFirstScreenKilobytes: await scriptKilobytes(member, `${url}/browse`, menu, directory),
  };
}

/** The complete hub, with a full page of cards. */
async function hubIsReady(page: Page): Promise<void> {
  await TABS.Quests(page)
    .nth(CARDS - 1)
    .waitFor();
  await page.getByRole('link', { name: 'Get Started' }).waitFor();
  await page.getByRole('contentinfo').waitFor({ state: 'attached' });
  await hasLoaded(page, 'late-parts');
}

async function questIsReady(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Your menu/ }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  // It loads two seconds after the page, and few press sooner.
  await hasLoaded(page, 'proof-dialog-content');
}

/** Waits until the script of this name, which the page loads after itself, has arrived. */
async function hasLoaded(page: Page, script: string): Promise<void> {
  await page.waitForFunction(
    (start) => performance.getEntriesByType('resource').some(({ name }) => name.includes(start)),
    `/assets/${script}-`,
  );
}

/** Taps its middle. `locator.tap()` runs its own checks in the page between the tap and the handlers, and they would count. */
async function tap(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to tap.');
  await target.page().touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

async function openAndClose(page: Page, button: Locator): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    await tap(button);
    await page.getByRole('dialog').waitFor();
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Close' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

/** What each tab of the hub shows and the others do not. */
const TABS = {
  Quests: (page: Page) => page.getByRole('link', { name: 'View Details' }),
  'Active Quests': (page: Page) => page.getByRole('link', { name: 'View Details' }),
  Completed: (page: Page) => page.getByRole('button', { name: 'Quest Full' }),
  Projects: (page: Page) => page.getByRole('heading', { name: /Verified$/ }),
};

async function switchTo(page: Page, names: readonly (keyof typeof TABS)[]): Promise<void> {
  for (const name of names) {
    await tap(page.getByRole('tab', { name, exact: true }));
    await page.getByRole('tab', { name, exact: true, selected: true }).waitFor();
    await TABS[name](page).first().waitFor();
  }
}

function measurePresses(browser: Browser, url: string, questId: string) {
  const visitor = () => browser.newContext({ ...PHONE, ignoreHTTPSErrors: true });
  const member = async () => {
    const context = await visitor();
    await signIn(context, url);
    return context;
  };
  const hub = { path: '/browse', newContext: visitor, ready: hubIsReady };
  return measureInteractions(url, RUNS, {
    openMenuOverCards: {
      ...hub,
      act: (page) => openAndClose(page, page.getByRole('button', { name: 'Menu', exact: true })),
    },
    openProofDialog: {
      path: `/community/quest/${questId}`,
      newContext: member,
      ready: questIsReady,
      act: (page) => openAndClose(page, page.getByRole('button', { name: PROOF_BUTTON }).first()),
    },
    typeIntoSearchOverCards: {
      ...hub,
      act: async (page) => {
        await tap(page.getByRole('searchbox', { name: 'Search quests' }));
        // Slow enough for results to arrive between key presses.
        await page.keyboard.type('bench quest', { delay: 350 });
      },
    },
    switchTabsOverCards: {
      ...hub,
      act: (page) => switchTo(page, ['Completed', 'Active Quests', 'Projects', 'Quests', 'Completed', 'Active Quests']),
    },
  });
}

/** Enough quests for a full page of the hub, inserted directly: only speed is measured on them. */
const QUESTS = `
  with projects as (select id from public.startup_profiles where status = 'verified' order by id limit 3)
  insert into public.campaigns (startup_id, title, summary, status, budget_points, published_at, task_count, open_reward_points, total_slots)
  select projects.id, 'Bench quest ' || i, 'A summary that says in a line or two what there is to do, and for whom.', 'published', 1000,
    now() - make_interval(mins => i), 2, 50, 20
  from projects, generate_series(1, 20) i`;

/** A quest of the demo data whose first task expects a link from the demo member. */
const DEMO_QUEST = `
  select c.id from public.campaigns c join public.tasks t on t.campaign_id = c.id and t.proof_type = 'link'
  where c.status = 'published' and not c.is_full and not exists (
    select from public.submissions s join public.tasks o on o.id = s.task_id
    where o.campaign_id = c.id and s.user_id = 'user_demo_member')
  order by c.task_count desc, c.id limit 1`;

const executablePath = ensureChromium();
const work = await makeWorkDirectory();
const certificate = makeCertificate(work.path);
// For the programs started from here on: the site asks the API about a quest.
process.env.NODE_EXTRA_CA_CERTS = certificate.certFile;
const [stack, site, api] = await Promise.all([startEphemeralStack(), startFront(certificate), startFront(certificate)]);
const pages = { front: site.url, behind: stack.env.APP_URL };
site.forwardTo(stack.env.APP_URL, pages);
api.forwardTo(stack.env.SUPABASE_URL, pages);
const stopApp = await serveBuiltApp(
  { ...stack.env, SUPABASE_URL: api.url },
  {
    signal: new AbortController().signal,
    directory: work.path,
    records: work.records,
    output: process.stdout,
    log: console.log,
  },
);
const browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS });
try {
  const built = join(work.path, 'app');
  const questId = await withClient(stack.env.ADMIN_DATABASE_URL, async (client) => {
    const { rows } = await client.query<{ id: string }>(DEMO_QUEST);
    await client.query(QUESTS);
    return rows[0]?.id ?? '';
  });
  const scripts = await measureScripts(browser, site.url, built);
  const presses = await measurePresses(browser, site.url, questId);
  console.log(JSON.stringify({ scripts, presses }, null, 2));
  await browser.close();
  const results = {
    scripts,
    largestRouteChunk: largestChunk(built),
    lighthouse: {
      home: await judge(`${site.url}/`, executablePath),
      hub: await judge(`${site.url}/browse`, executablePath),
      quest: await judge(`${site.url}/browse/quest/${questId}`, executablePath),
    },
    presses,
  };
  console.log(JSON.stringify(results, null, 2));
  writeResults('web', results);
} finally {
  await browser.close();
  await stopApp();
  await Promise.all([site.stop(), api.stop(), stack.stop()]);
  work.remove();
}
