import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { rethrow } from '@/lib/errors';
import { cursorPages, fetchAllByCursor, maxPageSize } from '@/lib/paging';
import { poll, pollPages } from '@/lib/query-client';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Database, Tables } from '@/types/database';

export type Wallet = Tables<'wallets'>;

type TransactionRow = Database['public']['Functions']['list_transactions']['Returns'][number];

/** One transaction of a wallet. `points` is always positive; `type` is the direction. */
export type Transaction = Omit<TransactionRow, 'cursor'>;

/** Views of the member's own history. */
export const ownHistoryViews = ['all', 'quests', 'bonuses', 'rewards', 'other'] as const;
export type OwnHistoryView = (typeof ownHistoryViews)[number];
/** One movement of the member's own points, with its cause (BEY-06). `change` is negative for debits. */
export type OwnTransaction = Database['public']['Functions']['list_own_transactions']['Returns'][number];

/** Points of a member's wallet that can be redeemed: those that are not held (C-80, C-94). */
export const availablePoints = (wallet: Pick<Wallet, 'points' | 'held_points'>): number =>
  wallet.points - wallet.held_points;

/** Points that are not redeemable yet. `due_at`: when time alone releases them, null when it depends on something else. */
export type PointHold = {
  id: number;
  reason: 'referral' | 'trial';
  points: number;
  due_at: string | null;
  kind: Transaction['kind'];
  description: string;
};

/** Transactions a history page holds (DB-13: the last 50 by default). */
const pageSize = 50;

function readWallet(column: 'user_id' | 'startup_id', id: string, signal: AbortSignal): Promise<Wallet | null> {
  const call = supabase().from('wallets').select('*').eq(column, id).abortSignal(signal).maybeSingle();
  return unwrap(call).catch(rethrow({ code: 'WALLET_FETCH_FAILED', fallback: 'Failed to fetch wallet' }));
}

/** The first visit may be faster than the profile sync that creates the wallet, so it is created here if missing. */
async function createWallet(userId: string, signal: AbortSignal): Promise<Wallet | null> {
  const call = supabase().rpc('sync_current_user', {}).abortSignal(signal);
  await unwrap(call).catch(rethrow({ code: 'WALLET_CREATE_FAILED', fallback: 'Failed to create wallet' }));
  return readWallet('user_id', userId, signal);
}

function fetchTransactions(walletId: string, cursor: string | null, signal: AbortSignal): Promise<TransactionRow[]> {
  const args = { p_wallet_id: walletId, p_limit: pageSize, p_cursor: cursor ?? undefined };
  return unwrap(supabase().rpc('list_transactions', args, { get: true }).abortSignal(signal));
}

function fetchOwnTransactions(
  view: OwnHistoryView,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<OwnTransaction[]> {
  const args = { p_view: view === 'all' ? undefined : view, p_limit: limit, p_cursor: cursor ?? undefined };
  const call = supabase().rpc('list_own_transactions', args, { get: true });
  return unwrap(withSignal(call, signal));
}

/** Every movement of the member's own points, newest first, for the export. */
export function fetchWholeHistory(): Promise<OwnTransaction[]> {
  return fetchAllByCursor((cursor) => fetchOwnTransactions('all', maxPageSize, cursor), maxPageSize);
}

const keys = {
  all: ['wallets'] as const,
  own: (userId: string) => ['wallets', 'own', userId] as const,
  project: (projectId: string) => ['wallets', 'startup', projectId] as const,
  latestTransactions: (walletId: string) => ['wallets', 'transactions', walletId] as const,
  transactionPages: (walletId: string) => ['wallets', 'history', walletId] as const,
  ownTransactionPages: (userId: string, view: OwnHistoryView) => ['wallets', 'own-history', userId, view] as const,
  holds: (walletId: string) => ['wallets', 'holds', walletId] as const,
};

export const walletQueries = {
  keys,

  /** The member's own wallet, created when missing (DB-13). Polled every 30 s (REWARD-10). */
  own: (userId: string) =>
    queryOptions({
      queryKey: keys.own(userId),
      queryFn: async ({ signal }) => (await readWallet('user_id', userId, signal)) ?? createWallet(userId, signal),
      ...poll(30),
    }),

  /** Open holds of a wallet, newest first (TRUST-16). Polled every 30 s. */
  holds: (walletId: string) =>
    queryOptions({
      queryKey: keys.holds(walletId),
      queryFn: async ({ signal }): Promise<PointHold[]> => {
        const rows = await unwrap(
          supabase()
            .from('point_holds')
            .select('id, reason, points, due_at, transfers!inner(kind, description)')
            .eq('wallet_id', walletId)
            .is('released_at', null)
            .is('reversed_at', null)
            .order('id', { ascending: false })
            .limit(pageSize)
            .abortSignal(signal),
        );
        return rows.map(({ transfers, reason, ...row }) => ({
          ...row,
          ...transfers,
          reason: reason === 'referral' ? 'referral' : 'trial',
        }));
      },
      ...poll(30),
    }),

  /**
   * The project's wallet, separate from its owner's personal one (C-03); null when there is none yet. Polled every 30 s
   * (SWAL-01).
   */
  project: (projectId: string) =>
    queryOptions({
      queryKey: keys.project(projectId),
      queryFn: ({ signal }) => readWallet('startup_id', projectId, signal),
      ...poll(30),
    }),

  /** The latest transactions of a wallet, newest first. Polled every 30 s. */
  latestTransactions: (walletId: string) =>
    queryOptions({
      queryKey: keys.latestTransactions(walletId),
      queryFn: ({ signal }) => fetchTransactions(walletId, null, signal),
      ...poll(30),
    }),

  /** The whole history of a wallet, newest first, paged. Polled every 30 s. */
  transactionPages: (walletId: string) =>
    infiniteQueryOptions({
      queryKey: keys.transactionPages(walletId),
      ...cursorPages(pageSize, (cursor, signal) => fetchTransactions(walletId, cursor, signal)),
      ...pollPages(30),
    }),

  /** The member's own history with the cause of each movement, paged (BEY-06). Polled every 30 s. */
  ownTransactionPages: (userId: string, view: OwnHistoryView) =>
    infiniteQueryOptions({
      queryKey: keys.ownTransactionPages(userId, view),
      ...cursorPages(pageSize, (cursor, signal) => fetchOwnTransactions(view, pageSize, cursor, signal)),
      ...pollPages(30),
    }),
};
