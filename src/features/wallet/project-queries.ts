import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { cursorPages, fetchAllByCursor, keepPreviousRows, maxPageSize } from '@/lib/paging';
import { poll, pollPages } from '@/lib/query-client';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Database } from '@/types/database';

type Functions = Database['public']['Functions'];
type TransactionRow = Functions['list_project_transactions']['Returns'][number];

/**
 * A movement of a project's points, with free and reserved points as one account: `change` is their sum, with its
 * quest, proof and decision if any. All changes add up to the balance.
 */
export type ProjectTransaction = Omit<TransactionRow, 'cursor'>;

/** Totals of a project's points: free + reserved + paid = bought + granted + other. */
export type ProjectPoints = Functions['get_project_points']['Returns'][number];

/** Points that a project has paid for proofs on one UTC day. */
export type PayoutDay = Functions['get_project_payouts']['Returns'][number];

/** Groups of movements by their name in the URL; the first shows everything. */
export const projectViews = ['all', 'payouts', 'reserves', 'received'] as const;
export type ProjectTransactionFilters = { view: (typeof projectViews)[number]; questId: string | null };

/** Page size (SWAL-01: the last 50 by default). */
const pageSize = 50;

const keys = {
  points: ['wallets', 'project-points'] as const,
  payouts: ['wallets', 'project-payouts'] as const,
  transactionPages: (filters: ProjectTransactionFilters) => ['wallets', 'project-transactions', filters] as const,
};

function fetchPage(
  { view, questId }: ProjectTransactionFilters,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<TransactionRow[]> {
  const args = {
    p_view: view === 'all' ? undefined : view,
    p_campaign_id: questId ?? undefined,
    p_limit: limit,
    p_cursor: cursor ?? undefined,
  };
  const call = supabase().rpc('list_project_transactions', args, { get: true });
  return unwrap(withSignal(call, signal));
}

/** Queries of the points of the caller's project (BEY-06). */
export const projectWalletQueries = {
  /** Refreshed every 30 s. */
  points: () =>
    queryOptions({
      queryKey: keys.points,
      queryFn: ({ signal }): Promise<ProjectPoints> =>
        unwrap(supabase().rpc('get_project_points', {}, { get: true }).abortSignal(signal).single()),
      ...poll(30),
    }),

  /** The last 30 days, today last. Refreshed every 30 s. */
  payouts: () =>
    queryOptions({
      queryKey: keys.payouts,
      queryFn: ({ signal }): Promise<PayoutDay[]> =>
        unwrap(supabase().rpc('get_project_payouts', {}, { get: true }).abortSignal(signal)),
      ...poll(30),
    }),

  /** Newest first, paged. Polled every 30 s. */
  transactionPages: (filters: ProjectTransactionFilters) =>
    infiniteQueryOptions({
      queryKey: keys.transactionPages(filters),
      ...cursorPages(pageSize, (cursor, signal) => fetchPage(filters, pageSize, cursor, signal)),
      placeholderData: keepPreviousRows,
      ...pollPages(30),
    }),
};

/** Every movement that matches the filters, newest first. */
export const fetchProjectTransactions = (filters: ProjectTransactionFilters): Promise<ProjectTransaction[]> =>
  fetchAllByCursor((cursor) => fetchPage(filters, maxPageSize, cursor), maxPageSize);
