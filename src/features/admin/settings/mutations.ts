import { storage, supabase, unwrap } from '@/lib/supabase';
import type { Database, Json } from '@/types/database';
import { useAdminMutation } from '../use-admin-mutation';

/** Saves the settings that changed, all or none. Errors: see update_app_settings. */
export function useSaveSettings() {
  return useAdminMutation('update_app_settings', async (settings: Record<string, Json>) => {
    await unwrap(supabase().rpc('update_app_settings', { p_settings: settings }));
  });
}

/** Counts the site's figures anew and gives them (C-54). Errors: see rebuild_site_stats_cache. */
export async function clearCache() {
  const [figures] = await unwrap(supabase().rpc('rebuild_site_stats_cache'));
  return figures;
}

export type Finding = Database['public']['Functions']['run_security_scan']['Returns'][number];

/** What is wrong with the database's own protection; nothing when all is well. Errors: see run_security_scan. */
export async function runSecurityScan(): Promise<Finding[]> {
  return unwrap(supabase().rpc('run_security_scan', {}, { get: true }));
}

export type LedgerProblem = Database['public']['Functions']['reconcile_ledger']['Returns'][number];

/** Counts every kept figure again; what differs, at most 1,000 rows (TRUST-01). Errors: see reconcile_ledger. */
export async function reconcileLedger(): Promise<LedgerProblem[]> {
  return unwrap(supabase().rpc('reconcile_ledger', {}, { get: true }));
}

const sitemapFile = 'sitemap.xml';

/** Puts the sitemap where visitors' crawlers find it, and gives its address (C-54). */
export async function uploadSitemap(xml: string): Promise<string> {
  const files = (await storage()).from('site');
  const file = new Blob([xml], { type: 'application/xml' });
  await unwrap(files.upload(sitemapFile, file, { contentType: 'application/xml', cacheControl: '3600', upsert: true }));
  return files.getPublicUrl(sitemapFile).data.publicUrl;
}

/** All rows of all public tables as they are at one moment; goes into the audit log. Errors: see export_data. */
export async function exportData(): Promise<Json> {
  return unwrap(supabase().rpc('export_data'));
}
