import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import type axe from 'axe-core';
import type { RunOnly } from 'axe-core';
import { asUser, type TestClient } from '../local/testing/clients.ts';
import { forgetPeople, trackPerson } from '../supabase/tests/support/ledger.ts';

/** A user with an account at the identity emulator, signed in in the given browser context. */
export interface Account {
  userId: string;
  email: string;
  password: string;
  /** Calls the API as this person, for set-up outside the journey under test. */
  client: TestClient;
}

export const PASSWORD = 'questboard-e2e';
/** Addresses with this tag accept the fixed code, as in Clerk's own test mode. */
export const TEST_CODE = '424242';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Another person's browser, at the same size as the first. It is closed after the test. */
export type NewBrowser = () => Promise<BrowserContext>;

interface Fixtures {
  /** Console errors that this test expects; every other one, in any of its browsers, fails it. */
  expectedErrors: RegExp[];
  failOnConsoleErrors: (context: BrowserContext) => void;
  newBrowser: NewBrowser;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern.
  expectedErrors: async ({}, use) => use([]),
  failOnConsoleErrors: [
    async ({ expectedErrors }, use) => {
      const unexpected: string[] = [];
      const isMissingPage = (message: ConsoleMessage) => {
        const { origin, pathname } = new URL(message.location().url || 'about:blank');
        const isPage = origin === process.env.APP_URL && !/^\/(?:assets|api|__clerk)\//.test(pathname);
        return isPage && /status of (?:404|410) /.test(message.text());
      };
      const note = (text: string) => {
        if (!expectedErrors.some((pattern) => pattern.test(text))) unexpected.push(text);
      };
      await use((context) => {
        context.on('console', (message: ConsoleMessage) => {
          // A missing page answers 404 (BEY-17), which the browser logs.
          if (message.type() === 'error' && !isMissingPage(message) && !isIcon(message)) note(describeMessage(message));
        });
        context.on('weberror', (error) => note(String(error.error())));
      });
      forgetPeople();
      expect(unexpected, 'unexpected errors in the browser console').toEqual([]);
    },
    { auto: true },
  ],
  context: async ({ context, failOnConsoleErrors }, use) => {
    failOnConsoleErrors(context);
    await use(context);
  },
  newBrowser: async ({ browser, failOnConsoleErrors }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      failOnConsoleErrors(context);
      opened.push(context);
      return context;
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});

export { expect };

/** The pages of payments and mails are not ours and have no icon; our own name theirs. */
const isIcon = (message: ConsoleMessage) => message.location().url.endsWith('/favicon.ico');

const describeMessage = (message: ConsoleMessage) => `${message.text()} (${message.location().url})`;

/** A new address that accepts the fixed code. */
export const newEmail = (label = 'person') => `${label}-${randomUUID().slice(0, 8)}+clerk_test@example.com`;

/** Signs up a new user over the identity emulator's HTTP API; the context's cookies are then those of a signed-in browser. */
export async function signUp(context: BrowserContext, label = 'person'): Promise<Account> {
  const email = newEmail(label);
  const post = frontendApi(context);
  const attempt = await post('/v1/client/sign_ups', { email_address: email, password: PASSWORD });
  await post(`/v1/client/sign_ups/${attempt.response.id}/prepare_verification`, { strategy: 'email_code' });
  const done = await post(`/v1/client/sign_ups/${attempt.response.id}/attempt_verification`, {
    strategy: 'email_code',
    code: TEST_CODE,
  });
  const userId = String(done.response.created_user_id);
  trackPerson(userId);
  const client = await asUser({ id: userId, email, name: label });
  await client.rpc('sync_current_user', {}).throwOnError();
  return { userId, email, password: PASSWORD, client };
}

/** Signs in an existing account, by password. */
export async function signIn(context: BrowserContext, email: string, password = PASSWORD): Promise<void> {
  await frontendApi(context)('/v1/client/sign_ins', { identifier: email, password });
}

interface FrontendApiReply {
  response: Record<string, unknown>;
}

function frontendApi(context: BrowserContext) {
  return async (path: string, form: Record<string, string>): Promise<FrontendApiReply> => {
    const reply = await context.request.post(`${process.env.APP_URL}/__clerk${path}`, { form });
    if (!reply.ok()) throw new Error(`${path} answered ${reply.status()}: ${await reply.text()}`);
    return reply.json();
  };
}

/** The WCAG 2.2 AA rules find no violation on the current page. */
export async function expectAccessible(page: Page): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  await expectNoViolations(page, { type: 'tag', values: tags });
}

/** All text has sufficient contrast: the only rule that other colours can break. */
export async function expectReadable(page: Page): Promise<void> {
  await expectNoViolations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
}

/**
 * The rules that another viewport size can break: contrast over another background, and the size and spacing of
 * targets.
 */
export async function expectLaidOut(page: Page): Promise<void> {
  await expectNoViolations(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block', 'target-size'] });
  await expectNoSidewaysScroll(page);
}

/** Less than half of the package's own `source`, and each page parses it again. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function expectNoViolations(page: Page, runOnly: RunOnly): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (rules) => {
    // A toast covers the page for a few seconds; what is under it is then not too small, only covered. A style sheet also hides a toast
    // that appears during the check, and one added by a script passes the content policy.
    const noToasts = new CSSStyleSheet();
    noToasts.replaceSync('[data-sonner-toaster] { display: none !important; }');
    document.adoptedStyleSheets.push(noToasts);
    // The identity provider's form is outside our control. There are no frames.
    const { violations } = await window.axe.run(
      { exclude: ['.cl-rootBox'] },
      { runOnly: rules, resultTypes: ['violations'], iframes: false },
    );
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== noToasts);
    return violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html.slice(0, 200)) }));
  }, runOnly);
  expect(violations).toEqual([]);
}

/** The page does not scroll sideways (from 360 px on). */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, 'pixels beyond the right edge').toBeLessThanOrEqual(0);
}

/** Expects that nothing, such as a bar at the bottom, lies over the start of a text. */
export async function expectUncovered(text: Locator): Promise<void> {
  await expect(text).toBeVisible();
  const isCovered = await text.evaluate((element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint(left + 4, top + height / 2));
  });
  expect(isCovered).toBe(false);
}

/**
 * Presses the button of a bar at the bottom while the field stands right above the bar: a browser that focuses the field, because it is
 * wrong, does not scroll.
 */
export async function pressUnder(field: Locator, button: Locator): Promise<void> {
  const bar = await button.boundingBox();
  if (!bar) throw new Error('there is no button');
  await field.evaluate((element, top) => {
    window.scrollBy({ top: element.getBoundingClientRect().bottom - top + 16, behavior: 'instant' });
  }, bar.y);
  // Nor may the press, as click() would.
  await field.page().touchscreen.tap(bar.x + 20, bar.y + 20);
  await expect(field).toBeFocused();
}
