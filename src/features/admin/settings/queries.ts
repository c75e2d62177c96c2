import * as z from 'zod/mini';
import { authorizedFetch } from '@/lib/authorized-fetch';
import { AppError } from '@/lib/errors';
import { isoDay } from '@/lib/format';
import { fetchAllById, maxPageSize } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { storage, supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';

const healthSchema = z.object({
  server_version: z.string(),
  database_bytes: z.number(),
  last_event_at: z.nullable(z.string()),
  outbox: z.object({ waiting: z.number(), failed: z.number() }),
  csp_reports: z.array(
    z.object({
      directive: z.string(),
      blocked: z.string(),
      page: z.string(),
      reports: z.number(),
      last_at: z.string(),
    }),
  ),
});

/** Any answer means that the database works. Errors: see get_system_health. */
export async function readSystemHealth() {
  return healthSchema.parse(await unwrap(supabase().rpc('get_system_health', {}, { get: true })));
}

export type SecurityFinding = Database['public']['Functions']['run_security_scan']['Returns'][number];

/** Gaps in the database's own protection; empty when there are none. Errors: see run_security_scan. */
export async function runSecurityScan(): Promise<SecurityFinding[]> {
  return unwrap(supabase().rpc('run_security_scan', {}, { get: true }));
}

export type LedgerProblem = Database['public']['Functions']['reconcile_ledger']['Returns'][number];

/**
 * Recomputes every maintained figure; resolves to the differences, at most 1,000 rows (TRUST-01). Errors: see
 * reconcile_ledger.
 */
export async function reconcileLedger(): Promise<LedgerProblem[]> {
  return unwrap(supabase().rpc('reconcile_ledger', {}, { get: true }));
}

/** Writes a small file, reads it back and removes it. Throws when any of the three fails. */
export async function storageRoundTrip(): Promise<void> {
  const files = (await storage()).from('site');
  const name = `health/${crypto.randomUUID()}.txt`;
  const text = `questboard ${Date.now()}`;
  await unwrap(files.upload(name, new Blob([text], { type: 'text/plain' }), { contentType: 'text/plain' }));
  let isSame: boolean;
  try {
    const file = await unwrap(files.download(name));
    isSame = (await file.text()) === text;
  } finally {
    await unwrap(files.remove([name]));
  }
  if (!isSame) throw new AppError('STORAGE_CHANGED_FILE', 'The file came back changed');
}

/** Health check of the mail function, which answers a GET with its status. */
export async function readMailHealth(): Promise<void> {
  const response = await authorizedFetch('/api/send-email');
  const answer: unknown = response.ok ? await response.json().catch(() => null) : null;
  if (typeof answer !== 'object' || answer === null || !('ok' in answer) || answer.ok !== true) {
    throw new AppError('MAIL_FUNCTION_DOWN', `The function answered with status ${response.status}`, response.status);
  }
}

/** Published quests and verified projects, for the sitemap. */
export async function fetchPublicPages(onRows: (count: number) => void): Promise<PublicPage[]> {
  type Row = { id: string; updated_at: string };
  const quests = await fetchAllById<Row>((last) => {
    const page = supabase().from('campaigns').select('id, updated_at').eq('status', 'published').order('id');
    return unwrap((last ? page.gt('id', last.id) : page).limit(maxPageSize));
  }, onRows);
  const projects = await fetchAllById<Row>(
    (last) => {
      const page = supabase().from('startup_profiles').select('id, updated_at').eq('is_public', true).order('id');
      return unwrap((last ? page.gt('id', last.id) : page).limit(maxPageSize));
    },
    (count) => onRows(quests.length + count),
  );
  return [
    ...quests.map(({ id, updated_at }) => ({ path: paths.publicQuest(id), updatedAt: updated_at })),
    ...projects.map(({ id, updated_at }) => ({ path: paths.project(id), updatedAt: updated_at })),
  ];
}

/** A page that search engines may index. `updatedAt` ISO, null where it is not known. */
export type PublicPage = { path: string; updatedAt: string | null };

/** Maximum number of URLs in a sitemap (sitemaps.org). */
const maxUrls = 50_000;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/**
 * The sitemap of quests and projects, truncated at the maximum. For hosts without the edge function, whose sitemap
 * (vite/hosting/crawling.ts) is always current.
 */
export function sitemapXml(siteUrl: string, pages: readonly PublicPage[]): string {
  const lines = pages.slice(0, maxUrls).map(({ path, updatedAt }) => {
    const changed = updatedAt ? `<lastmod>${isoDay(updatedAt)}</lastmod>` : '';
    return `  <url><loc>${escapeXml(new URL(path, siteUrl).href)}</loc>${changed}</url>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...lines,
    '</urlset>',
    '',
  ].join('\n');
}
