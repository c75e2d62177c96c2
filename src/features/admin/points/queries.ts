import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { Reward } from '@/features/rewards';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, pageArguments, pagedList, refreshSeconds, searchArgument } from '../list/paged-list';

type Functions = Database['public']['Functions'];

export const adminRewardQueries = {
  /** Every reward, including inactive ones, in an order that edits do not change. */
  all: () =>
    queryOptions({
      queryKey: adminKeys.rewards,
      queryFn: ({ signal }): Promise<Reward[]> =>
        unwrap(supabase().from('rewards').select().order('created_at').order('id').limit(1000).abortSignal(signal)),
      ...poll(refreshSeconds),
    }),
};

/** Points of a redemption by source; `points` of all rows add up to its cost (TRUST-17). */
export type RedemptionSource = Functions['get_redemption_sources']['Returns'][number];

const addressSchema = z.object({
  name: z.string(),
  street: z.string(),
  extra: z.string(),
  postal_code: z.string(),
  city: z.string(),
  region: z.string(),
  country: z.string(),
});
/** Postal address of a redemption (C-93). */
export type RedemptionAddress = z.infer<typeof addressSchema>;

const nullableText = z.nullable(z.string());
const sourceSchema = z.object({
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
const detailsSchema = z.object({ address: z.nullable(addressSchema), sources: z.nullable(z.array(sourceSchema)) });

/** A redemption with everything needed to decide it; `sources` for pending ones only. */
export type AdminRedemption = Omit<Functions['admin_list_redemptions']['Returns'][number], 'address' | 'sources'> &
  z.infer<typeof detailsSchema>;

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
      return rows.map((row) => ({ ...row, ...detailsSchema.parse(row) }));
    }),
};

export type ReturnedPayment = Functions['admin_list_returned_payments']['Returns'][number];

export const paymentQueries = {
  /** Payments refunded or disputed after some of their points were spent, newest first (BEY-20). */
  returned: ({ status }: Pick<ListFilters, 'status'>) =>
    pagedList<ReturnedPayment>('returned-payments', { status }, (cursor, signal) => {
      const args = { p_state: status ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_returned_payments', args, { get: true }).abortSignal(signal));
    }),
};
