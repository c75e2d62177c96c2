import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { ensureChromium } from '../local/browser/install-chromium.ts';
import { DEMO_ACCOUNTS } from '../local/demo/accounts.ts';
import { startEphemeralStack } from '../local/ephemeral-stack.ts';
import { UserError } from '../local/process/user-error.ts';
import { serveBuiltApp } from '../local/test/app-under-test.ts';
import { makeWorkDirectory } from '../local/test/work-directory.ts';
import { CHROMIUM_ARGUMENTS } from '../local/testing/chromium-arguments.ts';
import { median } from './pgbench.ts';
import { writeResults } from './results.ts';

/**
 * `npm run bench:web`: what the browser loads, and Lighthouse's judgement of the home page on a slow phone. Lighthouse is
 * fetched for the occasion: it is large, and nothing else needs it.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const LIGHTHOUSE_RUNS = 5;
const KB = 1000;

const gzipped = (file: string) => gzipSync(readFileSync(file)).length / KB;

/**
 * Kilobytes, compressed, of the app's own scripts that a page loads until `whole` is there and nothing shown is still on its way.
 * Clerk's scripts come from elsewhere.
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

/** Kilobytes, compressed, of the largest script that is not among those of the first public route. */
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

function lighthouse(url: string, browser: string): LighthouseReport {
  const flags = ['--headless=new', ...CHROMIUM_ARGUMENTS].join(' ');
  const run = spawnSync(
    'npm',
    [
      'exec',
      '--yes',
      '--',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      '--only-categories=performance,accessibility,best-practices,seo',
      `--chrome-flags=${flags}`,
    ],
    { encoding: 'utf8', maxBuffer: 64e6, env: { ...process.env, CHROME_PATH: browser } },
  );
  if (run.status !== 0) throw new UserError(`Lighthouse did not run:\n${run.stderr}`);
  return JSON.parse(run.stdout);
}

function judgeHome(url: string, browser: string) {
  const reports = Array.from({ length: LIGHTHOUSE_RUNS }, () => lighthouse(url, browser));
  const score = (category: string) => median(reports.map((report) => (report.categories[category]?.score ?? 0) * 100));
  const audit = (name: string) => median(reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN));
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    largestContentfulPaintMs: audit('largest-contentful-paint'),
    cumulativeLayoutShift: audit('cumulative-layout-shift'),
    totalBlockingTimeMs: audit('total-blocking-time'),
  };
}

async function measureScripts(url: string, directory: string, executablePath: string) {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  try {
    const visitor = await browser.newContext();
    const member = await browser.newContext();
    const account = DEMO_ACCOUNTS.find(({ role }) => role === 'member');
    await member.request.post(`${url}/__clerk/v1/client/sign_ins`, {
      form: { identifier: account?.email ?? '', password: account?.password ?? '' },
    });
    return {
      firstPublicRouteKilobytes: await scriptKilobytes(
        visitor,
        `${url}/`,
        (page) => page.getByRole('link', { name: 'Sign In' }),
        directory,
      ),
      signedInFirstScreenKilobytes: await scriptKilobytes(
        member,
        `${url}/browse`,
        (page) => page.getByRole('button', { name: /Your menu/ }),
        directory,
      ),
    };
  } finally {
    await browser.close();
  }
}

const executablePath = ensureChromium();
const work = await makeWorkDirectory();
const stack = await startEphemeralStack();
const stopApp = await serveBuiltApp(stack.env, {
  signal: new AbortController().signal,
  directory: work.path,
  records: work.records,
  output: process.stdout,
  log: console.log,
});
try {
  const built = join(work.path, 'app');
  const results = {
    scripts: await measureScripts(stack.env.APP_URL, built, executablePath),
    largestRouteChunk: largestChunk(built),
    home: judgeHome(`${stack.env.APP_URL}/`, executablePath),
  };
  console.log(JSON.stringify(results, null, 2));
  writeResults('web', results);
} finally {
  await stopApp();
  await stack.stop();
  work.remove();
}
