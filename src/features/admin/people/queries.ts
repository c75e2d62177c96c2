import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Transaction, Wallet } from '@/features/wallet';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKey } from '../keys';
import { type ListFilters, listArguments, pagedList, pageSize, refreshSeconds } from '../list';

export type AdminPerson = Database['public']['Functions']['admin_list_users']['Returns'][number];

const ledgerColumns =
  'id, transfer_id, type, kind, points, balance_after, description, created_at, submission_id, redemption_id, referral_id, campaign_id';

export const peopleQueries = {
  /** Members by joining; search in username and address. */
  list: (filters: ListFilters) =>
    pagedList<AdminPerson>(
      'people',
      filters,
      (cursor, signal) => {
        const { p_status: _, ...args } = listArguments(filters, cursor);
        return unwrap(supabase().rpc('admin_list_users', args, { get: true }).abortSignal(signal));
      },
      ({ cursor }) => cursor,
    ),

  /** One person's profile, null when they never signed in. */
  profile: (userId: string) =>
    queryOptions({
      queryKey: adminKey('people', 'profile', userId),
      queryFn: ({ signal }): Promise<Tables<'user_profiles'> | null> =>
        unwrap(supabase().from('user_profiles').select().eq('user_id', userId).abortSignal(signal).maybeSingle()),
      ...poll(refreshSeconds),
    }),

  /** What a person owns: the own wallet first, then the project's. Reserves belong to quests and are left out. */
  wallets: (userId: string) =>
    queryOptions({
      queryKey: adminKey('people', 'wallets', userId),
      queryFn: ({ signal }): Promise<Wallet[]> =>
        unwrap(
          supabase()
            .from('wallets')
            .select()
            .eq('owner_user_id', userId)
            .in('kind', ['user', 'startup'])
            .order('kind')
            .abortSignal(signal),
        ),
      ...poll(refreshSeconds),
    }),

  /** A wallet's ledger, newest first, page by page. */
  ledger: (walletId: string) =>
    infiniteQueryOptions({
      queryKey: adminKey('people', 'ledger', walletId),
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: ({ pageParam, signal }): Promise<Transaction[]> =>
        unwrap(
          supabase()
            .from('transactions')
            .select(ledgerColumns)
            .eq('wallet_id', walletId)
            .lt('id', pageParam)
            .order('id', { ascending: false })
            .limit(pageSize)
            .abortSignal(signal),
        ),
      getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.id),
    }),
};
