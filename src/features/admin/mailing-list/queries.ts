import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { collectPages, exportPageSize } from '../export';
import { adminKey } from '../keys';
import { type ListFilters, listArguments, pagedList, refreshSeconds } from '../list';

export type Subscriber = Database['public']['Functions']['admin_list_subscribers']['Returns'][number];

const statsSchema = z.object({
  total_subscribers: z.number(),
  recent_subscribers: z.number(),
  campaign_subscribers: z.number(),
  subscribers_by_source: z.record(z.string(), z.number()),
});

export const adminMailingQueries = {
  /** Subscribers by time; search in addresses; status active, pending or unsubscribed (ADMIN-07). */
  list: (filters: ListFilters) =>
    pagedList<Subscriber>(
      'mailing-list',
      filters,
      (cursor, signal) =>
        unwrap(
          supabase().rpc('admin_list_subscribers', listArguments(filters, cursor), { get: true }).abortSignal(signal),
        ),
      ({ cursor }) => cursor,
    ),

  /** Active subscribers: all, of the last 7 days, from quests, by source (DB-17). */
  stats: () =>
    queryOptions({
      queryKey: adminKey('mailing-list', 'stats'),
      queryFn: async ({ signal }) =>
        statsSchema.parse(
          await unwrap(supabase().rpc('get_mailing_list_stats', {}, { get: true }).abortSignal(signal)),
        ),
      ...poll(refreshSeconds),
    }),
};

/** The whole list, newest first, for the export. */
export function fetchAllSubscribers(onRows: (count: number) => void): Promise<Tables<'mailing_list'>[]> {
  return collectPages<Tables<'mailing_list'>>((last) => {
    const page = supabase().from('mailing_list').select();
    const after = last
      ? page.or(
          `subscribed_at.lt."${last.subscribed_at}",and(subscribed_at.eq."${last.subscribed_at}",id.lt.${last.id})`,
        )
      : page;
    return unwrap(
      after.order('subscribed_at', { ascending: false }).order('id', { ascending: false }).limit(exportPageSize),
    );
  }, onRows);
}
