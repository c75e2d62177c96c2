import { fetchSettings } from '@/features/settings';
import { AppError } from '@/lib/errors';
import { findOut, notApplied, untilAnswered } from '@/lib/send-once';
import { storage, supabase, unwrap } from '@/lib/supabase';
import type { Json } from '@/types/database';
import { useAdminMutation } from '../mutations';
import { settingFields } from './setting-fields';

/** Settings to save, by key, and the form's stored values of them, which they replace. */
type SettingsToSave = { settings: Record<string, Json>; shown: Record<string, Json> };

/**
 * Saves the settings that changed, all or none. After a lost answer, what is stored says whether they are saved (C-99). Errors:
 * SETTINGS_CHANGED when another admin has changed one of them meanwhile; see update_app_settings and findOut.
 */
export function useSaveSettings() {
  return useAdminMutation('update_app_settings', async ({ settings, shown }: SettingsToSave) => {
    const before: Record<string, Json> = await fetchSettings().catch((error: unknown) => {
      throw notApplied(error);
    });
    // What is stored as it is wanted may come from an earlier press whose answer was lost.
    const isOvertaken = (key: string) => key in settings && ![shown[key], settings[key]].includes(before[key]);
    const overtaken = settingFields.filter(({ key }) => isOvertaken(key));
    if (overtaken.length > 0) {
      const labels = overtaken.map(({ label }) => `“${label}”`).join(', ');
      throw new AppError(
        'SETTINGS_CHANGED',
        `Another admin has changed ${labels} meanwhile. Please look at your changes again.`,
        409,
      );
    }
    const findSaved = async () => {
      const stored: Record<string, Json> = await fetchSettings();
      return Object.entries(settings).every(([key, value]) => stored[key] === value) ? stored : null;
    };
    await unwrap(supabase().rpc('update_app_settings', { p_settings: settings })).catch((error: unknown) =>
      findOut(findSaved, error),
    );
  });
}

/** Recounts the site's figures and resolves to them (C-54), after a lost answer once more (C-99). Errors: see rebuild_site_stats_cache. */
export async function clearCache() {
  const [figures] = await untilAnswered(() => unwrap(supabase().rpc('rebuild_site_stats_cache')));
  return figures;
}

const sitemapFile = 'sitemap.xml';

/** Uploads the sitemap to its public place and resolves to its URL (C-54); after a lost answer once more (C-99). */
export async function uploadSitemap(xml: string): Promise<string> {
  const files = (await storage()).from('site');
  const file = new Blob([xml], { type: 'application/xml' });
  const options = { contentType: 'application/xml', cacheControl: '3600', upsert: true };
  await untilAnswered(() => unwrap(files.upload(sitemapFile, file, options)));
  return files.getPublicUrl(sitemapFile).data.publicUrl;
}

/** A consistent snapshot of all public tables; recorded in the audit log. Errors: see export_data. */
export async function exportData(): Promise<Json> {
  return unwrap(supabase().rpc('export_data'));
}
