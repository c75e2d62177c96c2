import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { fetchAllById, maxPageSize, sortByTime } from '@/lib/paging';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, listArguments, pageArguments, pagedList, refreshSeconds } from '../list/paged-list';

export type OutboxEvent = Database['public']['Functions']['admin_list_outbox']['Returns'][number];

export const mailQueries = {
  /** Outbox events, newest first; state failed (given up), waiting, done, or null for all. */
  list: (state: string | null) =>
    pagedList<OutboxEvent>('mail', { state }, (cursor, signal) => {
      const args = { p_state: state ?? undefined, ...pageArguments(cursor) };
      return unwrap(supabase().rpc('admin_list_outbox', args, { get: true }).abortSignal(signal));
    }),
};

export type Subscriber = Database['public']['Functions']['admin_list_subscribers']['Returns'][number];

const mailingListStatsSchema = z.object({
  total_subscribers: z.number(),
  recent_subscribers: z.number(),
  campaign_subscribers: z.number(),
  subscribers_by_source: z.record(z.string(), z.number()),
});

export type MailingListStats = z.infer<typeof mailingListStatsSchema>;

export const adminMailingQueries = {
  /** Subscribers by time; search in addresses; status active, pending or unsubscribed (ADMIN-07). */
  list: (filters: ListFilters) =>
    pagedList<Subscriber>('mailing-list', filters, (cursor, signal) =>
      unwrap(
        supabase().rpc('admin_list_subscribers', listArguments(filters, cursor), { get: true }).abortSignal(signal),
      ),
    ),

  /** Active subscribers: all, of the last 7 days, from quests, by source (DB-17). */
  stats: () =>
    queryOptions({
      queryKey: adminKeys.stats('mailing-list'),
      queryFn: async ({ signal }) =>
        mailingListStatsSchema.parse(
          await unwrap(supabase().rpc('get_mailing_list_stats', {}, { get: true }).abortSignal(signal)),
        ),
      ...poll(refreshSeconds),
    }),
};

/** The whole list, newest first, for the export. */
export async function fetchAllSubscribers(onRows: (count: number) => void): Promise<Tables<'mailing_list'>[]> {
  const rows = await fetchAllById<Tables<'mailing_list'>>((last) => {
    const page = supabase().from('mailing_list').select();
    return unwrap((last ? page.gt('id', last.id) : page).order('id').limit(maxPageSize));
  }, onRows);
  return sortByTime(rows, (row) => row.subscribed_at, 'newest');
}
