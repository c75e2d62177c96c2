import { queryOptions } from '@tanstack/react-query';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';

/** Slots of the OG Lifetime plan, all and free ones. */
export type OgSlots = { total: number; remaining: number };

const keys = {
  all: ['checkout'] as const,
  slots: ['checkout', 'slots'] as const,
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
};
