import * as z from 'zod/mini';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { type ListFilters, pageArguments, pagedList, searchArgument } from '../list/paged-list';

type Functions = Database['public']['Functions'];
/** Points of a redemption by source; `points` of all rows add up to its cost (TRUST-17). */
export type RedemptionSource = Functions['get_redemption_sources']['Returns'][number];

const address = z.object({
  name: z.string(),
  street: z.string(),
  extra: z.string(),
  postal_code: z.string(),
  city: z.string(),
  region: z.string(),
  country: z.string(),
});
/** Postal address of a redemption (C-93). */
export type RedemptionAddress = z.infer<typeof address>;

const nullableText = z.nullable(z.string());
const source = z.object({
  kind: z.custom<RedemptionSource['kind']>((kind) => typeof kind === 'string'),
  campaign_id: nullableText,
  campaign_title: nullableText,
  startup_id: nullableText,
  startup_name: nullableText,
  points: z.number(),
  trial_points: z.number(),
  flagged_points: z.number(),
  related_points: z.number(),
  flags: z.array(z.string()),
});
const details = z.object({ address: z.nullable(address), sources: z.nullable(z.array(source)) });

/** A redemption with everything needed to decide it; `sources` for pending ones only. */
export type AdminRedemption = Omit<Functions['admin_list_redemptions']['Returns'][number], 'address' | 'sources'> &
  z.infer<typeof details>;

/** Delivery kinds as labelled in the filter. */
export const deliveryLabels: Record<AdminRedemption['delivery'], string> = {
  code: 'Code',
  mail: 'Mail',
  post: 'Post',
  other: 'Other',
};

export const adminRedemptionQueries = {
  /** Pending ones first, oldest on top, then handled ones, newest first (C-50). */
  list: (filters: ListFilters & { delivery?: AdminRedemption['delivery'] | null }) =>
    pagedList<AdminRedemption>('redemptions', filters, async (cursor, signal) => {
      const args = {
        p_search: searchArgument(filters.search),
        p_status: filters.status ?? undefined,
        p_delivery: filters.delivery ?? undefined,
        ...pageArguments(cursor),
      };
      const rows = await unwrap(supabase().rpc('admin_list_redemptions', args, { get: true }).abortSignal(signal));
      return rows.map((row) => ({ ...row, ...details.parse(row) }));
    }),
};
