import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGUMENTS, findChromium } from './local/browser/find-chromium.ts';
import { readEnvFile } from './local/env.ts';

/**
 * Browser tests on the embedded stack. `npm test -- browser [arguments]` starts one, builds the app and runs them;
 * QUESTBOARD_TEST_ENV=.local/env uses the stack that runs already.
 */
const envFile = process.env.QUESTBOARD_TEST_ENV;
const stack = envFile ? readEnvFile(envFile) : undefined;
Object.assign(process.env, stack);

/** Who may go where, what is sent and answered, how long recovery takes: once is enough. */
const SAME_AT_ANY_SIZE = [
  ...['admin-doors', 'startup-isolation', 'roles', 'backend-down', 'errors', 'not-configured'],
  ...['analytics', 'hosting', 'budget', 'welcome-mail', 'untrusted-text'],
];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Generous, for busy machines: a wait ends as soon as what it waits for is there.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    baseURL: stack?.APP_URL,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findChromium(), args: CHROMIUM_ARGUMENTS },
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
    {
      name: 'desktop',
      testIgnore: SAME_AT_ANY_SIZE.map((name) => `**/e2e/${name}.spec.ts`),
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});
