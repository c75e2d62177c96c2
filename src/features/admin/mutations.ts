import { supabase, unwrap } from '@/lib/supabase';

/** Records an export of personal data in the audit log (BEY-04). Errors: see record_admin_export. */
export async function recordExport(what: string, rows: number): Promise<void> {
  await unwrap(supabase().rpc('record_admin_export', { p_what: what, p_rows: rows }));
}
