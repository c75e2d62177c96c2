import { z } from 'zod';
import type { DatabaseConfig, SiteConfig } from '../config.ts';
import { callProcedure, hasRow } from '../database.ts';
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

/** True when the reader of this address has ended our mails (MAIL-02). */
export function hasUnsubscribed(config: DatabaseConfig, email: string): Promise<boolean> {
  return hasRow(config, 'mailing_list', { email: `eq.${email.toLowerCase()}`, is_active: 'is.false' });
}
