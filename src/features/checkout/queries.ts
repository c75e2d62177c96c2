import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { cursorPages } from '@/lib/paging';
import { poll, pollPages } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database } from '@/types/database';

/** A payment for the plan or a pack of points. */
export type Payment = Omit<Database['public']['Functions']['list_own_payments']['Returns'][number], 'cursor'>;

/** Page size of the payments list. */
const pageSize = 20;

/** Slots of the OG Lifetime plan: total and free. */
export type OgSlots = { total: number; remaining: number };

const keys = {
  all: ['checkout'] as const,
  slots: ['checkout', 'slots'] as const,
  payments: (userId: string) => ['checkout', 'payments', userId] as const,
};

export const checkoutQueries = {
  keys,

  /** Free slots, refreshed every 30 s. A hint: the checkout decides who gets one (C-21). */
  slots: () =>
    queryOptions({
      queryKey: keys.slots,
      queryFn: async ({ signal }): Promise<OgSlots | null> => {
        const [row] = await unwrap(supabase().rpc('get_og_slots', undefined, { get: true }).abortSignal(signal));
        return row ? { total: row.total_slots, remaining: row.remaining_slots } : null;
      },
      ...poll(30),
    }),

  /** The signed-in user's payments, newest first (C-110). `isAwaited`: a payment is expected, so poll quickly. */
  payments: (userId: string, isAwaited = false) =>
    infiniteQueryOptions({
      queryKey: keys.payments(userId),
      ...cursorPages(pageSize, (cursor, signal) => {
        const args = { p_limit: pageSize, p_cursor: cursor ?? undefined };
        return unwrap(supabase().rpc('list_own_payments', args, { get: true }).abortSignal(signal));
      }),
      ...pollPages(isAwaited ? 3 : 30),
    }),
};
