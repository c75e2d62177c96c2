import { readFile } from 'node:fs/promises';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { sql } from '../../local/testing/clients.ts';
import { formatAction } from '../../src/features/admin/audit/audit-format.ts';
import { unwrap } from '../../supabase/tests/support/factories.ts';
import { type Account, expect, signUp } from '../fixtures.ts';
import { readQuotedCsv } from './csv.ts';
import { followTo } from './screens.ts';

/** A new user with the server-held admin flag, signed in in the given browser context. */
export async function newBrowserAdmin(context: BrowserContext): Promise<Account> {
  const account = await signUp(context, 'admin');
  await sql().query("insert into private.admins (user_id, reason) values ($1, 'browser test')", [account.userId]);
  await unwrap(account.client.rpc('sync_current_user', {}));
  return account;
}

const tabAddress = (tab: string, filters: Record<string, string>) =>
  `/admin?${new URLSearchParams({ tab, ...filters })}`;

/** Opens a tab of the dashboard by its address, with its filters. */
export async function openTab(page: Page, tab: string, filters: Record<string, string> = {}): Promise<Locator> {
  await page.goto(tabAddress(tab, filters));
  const panel = page.getByRole('tabpanel');
  await expect(panel).toBeVisible();
  return panel;
}

/** The row of a list with this text: of a table, or a card on phones. */
export const rowWith = (page: Page, text: string | RegExp): Locator => {
  const panel = page.getByRole('tabpanel');
  return panel.locator('tbody').getByRole('row').or(panel.getByRole('listitem')).filter({ hasText: text });
};

interface AuditLine {
  /** As it is stored: 'campaign.take_down'. */
  action: string;
  /** Id of the subject. */
  subject: string;
  /** Further text of the entry: the note, 'status: draft → published'. */
  texts?: readonly string[];
}

/**
 * Checks that the audit tab, opened from the current page, shows the actor, the action, and the values before and after
 * (BEY-04).
 */
export async function expectInAudit(page: Page, admin: Account, ...lines: AuditLine[]): Promise<void> {
  await followTo(page, tabAddress('audit', { q: admin.email }));
  const own = admin.client.from('user_profiles').select('username').eq('user_id', admin.userId);
  const { username } = await unwrap(own.single());
  for (const { action, subject, texts = [] } of lines) {
    const line = rowWith(page, formatAction(action))
      .filter({ hasText: subject.slice(0, 13) })
      .first();
    await expect(line).toBeVisible();
    await expect(line).toContainText(username);
    const changes = line.locator('summary');
    if (await changes.isVisible()) await changes.click();
    for (const text of texts) await expect(line).toContainText(text);
  }
}

/** Presses a button that downloads a CSV file; returns the file's name and its rows by column. */
export async function downloadCsv(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const [header = [], ...cells] = readQuotedCsv(text.replace(/^\uFEFF/, ''));
  const rows = cells.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
  return { name: download.suggestedFilename(), header, rows };
}
