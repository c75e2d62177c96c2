import { queryOptions } from '@tanstack/react-query';
import type { Wallet } from '@/features/wallet';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';
import { adminKeys } from '../keys';
import { type ListFilters, listArguments, pagedList, refreshSeconds } from '../list';

export type AdminPerson = Database['public']['Functions']['admin_list_users']['Returns'][number];

/** One line of the audit log about somebody's admin right. */
export type AdminRightDecision = Pick<Tables<'audit_log'>, 'id' | 'action' | 'actor_id' | 'note' | 'created_at'>;

export const peopleQueries = {
  /** Members by joining; search in username and address. */
  list: (filters: ListFilters) =>
    pagedList<AdminPerson>('people', filters, (cursor, signal) => {
      const { p_status: _, ...args } = listArguments(filters, cursor);
      return unwrap(supabase().rpc('admin_list_users', args, { get: true }).abortSignal(signal));
    }),

  /** One person's profile, null when they never signed in. */
  profile: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.person(userId),
      queryFn: ({ signal }): Promise<Tables<'user_profiles'> | null> =>
        unwrap(supabase().from('user_profiles').select().eq('user_id', userId).abortSignal(signal).maybeSingle()),
      ...poll(refreshSeconds),
    }),

  /** When the admin right was taken and given back, newest first: by whom and why (TRUST-19). */
  adminRight: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.personAdminRight(userId),
      queryFn: ({ signal }): Promise<AdminRightDecision[]> =>
        unwrap(
          supabase()
            .from('audit_log')
            .select('id, action, actor_id, note, created_at')
            .eq('subject_type', 'user')
            .eq('subject_id', userId)
            .in('action', ['admin.revoke', 'admin.restore'])
            .order('id', { ascending: false })
            .limit(20)
            .abortSignal(signal),
        ),
      ...poll(refreshSeconds),
    }),

  /** The code that a person brings others in with, null before there is one. */
  referralCode: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.personReferralCode(userId),
      queryFn: ({ signal }): Promise<Tables<'referral_codes'> | null> =>
        unwrap(supabase().from('referral_codes').select().eq('user_id', userId).abortSignal(signal).maybeSingle()),
      ...poll(refreshSeconds),
    }),

  /** What a person owns: the own wallet first, then the project's. Reserves belong to quests and are left out. */
  wallets: (userId: string) =>
    queryOptions({
      queryKey: adminKeys.personWallets(userId),
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
};
