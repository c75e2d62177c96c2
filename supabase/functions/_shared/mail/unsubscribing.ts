import { z } from 'zod';
import type { DatabaseConfig, SiteConfig } from '../config.ts';
import { callProcedure } from '../database.ts';
import { log } from '../log.ts';

export interface UnsubscribeLinks {
  /** Page for people: asks once and confirms. */
  pageUrl: string | null;
  /** For mail programs: ends the mails by a bare POST (RFC 8058). */
  oneClickUrl: string | null;
}

/**
 * Links that end mails to an address. A mail about the reader's own account still goes out without them when the
 * database has no token for the address or cannot say.
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
