import { z } from 'zod';
import type { DatabaseConfig, SiteConfig } from '../config.ts';
import { callProcedure } from '../database.ts';
import { log } from '../log.ts';

export interface UnsubscribeLinks {
  /** Page for people, which asks for confirmation. */
  pageUrl: string | null;
  /** For mail programs: one-click unsubscribe by POST (RFC 8058). */
  oneClickUrl: string | null;
}

/**
 * Unsubscribe links of an address. A mail about the recipient's own account is sent without them when the database has
 * no token or cannot be reached.
 */
export async function unsubscribeLinks(config: DatabaseConfig & SiteConfig, email: string): Promise<UnsubscribeLinks> {
  const token = await callProcedure(config, 'get_unsubscribe_token', { p_email: email }, z.string().nullable()).catch(
    () => {
      log('warn', 'unsubscribe_token_missing');
      return null;
    },
  );
  if (!token) return { pageUrl: null, oneClickUrl: null };
  const query = `token=${encodeURIComponent(token)}`;
  return {
    pageUrl: `${config.SITE_URL}/unsubscribe?${query}`,
    oneClickUrl: `${config.SUPABASE_URL}/functions/v1/unsubscribe?${query}`,
  };
}
