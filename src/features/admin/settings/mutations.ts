import { storage, supabase, unwrap } from '@/lib/supabase';
import type { Json } from '@/types/database';
import { useAdminMutation } from '../mutations';

/** Saves the settings that changed, all or none. Errors: see update_app_settings. */
export function useSaveSettings() {
  return useAdminMutation('update_app_settings', async (settings: Record<string, Json>) => {
    await unwrap(supabase().rpc('update_app_settings', { p_settings: settings }));
  });
}

/** Recounts the site's figures and resolves to them (C-54). Errors: see rebuild_site_stats_cache. */
export async function clearCache() {
  const [figures] = await unwrap(supabase().rpc('rebuild_site_stats_cache'));
  return figures;
}

const sitemapFile = 'sitemap.xml';

/** Uploads the sitemap to its public place and resolves to its URL (C-54). */
export async function uploadSitemap(xml: string): Promise<string> {
  const files = (await storage()).from('site');
  const file = new Blob([xml], { type: 'application/xml' });
  await unwrap(files.upload(sitemapFile, file, { contentType: 'application/xml', cacheControl: '3600', upsert: true }));
  return files.getPublicUrl(sitemapFile).data.publicUrl;
}

/** A consistent snapshot of all public tables; recorded in the audit log. Errors: see export_data. */
export async function exportData(): Promise<Json> {
  return unwrap(supabase().rpc('export_data'));
}
