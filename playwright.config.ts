import { defineConfig } from '@playwright/test';
import { findChromium } from './local/browser/find-chromium.ts';
import { readEnvFile } from './local/env.ts';
import { CHROMIUM_ARGUMENTS } from './local/testing/chromium-arguments.ts';

/**
 * Browser tests on the embedded stack. `npm test -- browser [arguments]` starts one, builds the app and runs them;
 * QUESTBOARD_TEST_ENV=.local/env uses the stack that runs already.
 *
 * A journey runs on the phone, unless it has the tag `@desktop`: only a keyboard or a wide screen has what it needs. One with `@phone` is
 * about what only a narrow screen shows.
 * QUESTBOARD_FULL=1 runs every journey at both sizes, with traces. When all others have ended, those with `@alone` run one by
 * one: they change what is one row for everybody, or hold the product to its seconds.
 */
const isFull = process.env.QUESTBOARD_FULL === '1';
const envFile = process.env.QUESTBOARD_TEST_ENV;
const stack = envFile ? readEnvFile(envFile) : undefined;
Object.assign(process.env, stack);

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1280, height: 800 } };

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Generous, for busy machines: a wait ends as soon as what it waits for is there.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  // One more than the cores of the smallest machine: a journey waits for servers a fifth of its time.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: stack?.APP_URL,
    // What a worker answers never reaches the routes that tests put up; the tests of the worker let it in.
    serviceWorkers: 'block',
    // Every press waits for what still moves. One journey and the layout shifts have the motion of most people.
    reducedMotion: 'reduce',
    // A trace costs as much again as the journey that it records.
    trace: isFull ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    // A page of a test lives for seconds: optimising its scripts takes a tenth more of the processor than it saves.
    launchOptions: { executablePath: findChromium(), args: [...CHROMIUM_ARGUMENTS, '--js-flags=--max-opt=1'] },
  },
  projects: [
    { name: 'phone', use: phone, grepInvert: /@desktop|@alone/, teardown: 'alone' },
    {
      name: 'desktop',
      use: desktop,
      grep: isFull ? undefined : /@desktop/,
      grepInvert: /@alone|@phone/,
      teardown: 'alone',
    },
    { name: 'alone', use: phone, grep: /@alone/, workers: 1 },
  ],
});
