import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { nameFailure } from '@/lib/errors';
import { poll } from '@/lib/query-client';
import { supabase, unwrap } from '@/lib/supabase';
import type { Tables } from '@/types/database';

export type Wallet = Tables<'wallets'>;

const transactionColumns =
  'id, transfer_id, type, kind, points, balance_after, description, created_at, submission_id, redemption_id, referral_id, campaign_id';

/** One line of a wallet's history. `points` is always positive; `type` says which way they went. */
export type Transaction = Pick<
  Tables<'transactions'>,
  | 'id'
  | 'transfer_id'
  | 'type'
  | 'kind'
  | 'points'
  | 'balance_after'
  | 'description'
  | 'created_at'
  | 'submission_id'
  | 'redemption_id'
  | 'referral_id'
  | 'campaign_id'
>;

/** Points of a member's wallet that can be redeemed: those that are not held (C-80, C-94). */
export const availablePoints = (wallet: Pick<Wallet, 'points' | 'held_points'>): number =>
  wallet.points - wallet.held_points;

/** Points that are not redeemable yet: why, since when, from which movement, and when time alone releases them (null: unknown). */
export type PointHold = {
  id: number;
  reason: 'referral' | 'trial';
  points: number;
  due_at: string | null;
  transfer: { kind: Transaction['kind']; description: string };
};

/** Points paid to members, as the startup's chart needs it. */
export type Payout = Pick<Tables<'transactions'>, 'points' | 'created_at'>;

/** Transactions a history page holds (DB-13: the last 50 by default). */
const pageSize = 50;
/** The API answers with at most 1000 rows; more payouts than that in the period are not drawn. */
export const payoutLimit = 1000;

function readWallet(column: 'user_id' | 'startup_id', id: string, signal: AbortSignal): Promise<Wallet | null> {
  const call = supabase().from('wallets').select('*').eq(column, id).abortSignal(signal).maybeSingle();
  return nameFailure(unwrap(call), 'WALLET_FETCH_FAILED', 'Failed to fetch wallet');
}

/** The first visit may be faster than the profile sync that makes the wallet: then ask for it here. */
async function createWallet(userId: string, signal: AbortSignal): Promise<Wallet | null> {
  const call = unwrap(supabase().rpc('sync_current_user', {}).abortSignal(signal));
  await nameFailure(call, 'WALLET_CREATE_FAILED', 'Failed to create wallet');
  return readWallet('user_id', userId, signal);
}

export const walletQueries = {
  all: () => ['wallets'] as const,

  /** The member's own wallet, made with zeros when missing (DB-13). Refreshed every 30 s (REWARD-10). */
  own: (userId: string) =>
    queryOptions({
      queryKey: [...walletQueries.all(), 'own', userId],
      queryFn: async ({ signal }) => (await readWallet('user_id', userId, signal)) ?? createWallet(userId, signal),
      ...poll(30),
    }),

  /** What is held in a wallet, newest first (TRUST-16). Refreshed every 30 s. */
  holds: (walletId: string) =>
    queryOptions({
      queryKey: [...walletQueries.all(), 'holds', walletId],
      queryFn: async ({ signal }): Promise<PointHold[]> => {
        const rows = await unwrap(
          supabase()
            .from('point_holds')
            .select('id, reason, points, due_at, transfer:transfers!inner(kind, description)')
            .eq('wallet_id', walletId)
            .is('released_at', null)
            .is('reversed_at', null)
            .order('id', { ascending: false })
            .limit(pageSize)
            .abortSignal(signal),
        );
        return rows.map((row) => ({ ...row, reason: row.reason === 'referral' ? 'referral' : 'trial' }));
      },
      ...poll(30),
    }),

  /** The project's wallet, apart from its owner's own (C-03); null when there is none yet. Refreshed every 30 s (SWAL-01). */
  project: (projectId: string) =>
    queryOptions({
      queryKey: [...walletQueries.all(), 'startup', projectId],
      queryFn: ({ signal }) => readWallet('startup_id', projectId, signal),
      ...poll(30),
    }),

  /** The latest transactions of a wallet, newest first. Refreshed every 30 s. */
  transactions: (walletId: string, limit: number = pageSize) =>
    queryOptions({
      queryKey: [...walletQueries.all(), 'transactions', walletId, limit],
      queryFn: ({ signal }): Promise<Transaction[]> =>
        unwrap(
          supabase()
            .from('transactions')
            .select(transactionColumns)
            .eq('wallet_id', walletId)
            .order('id', { ascending: false })
            .limit(limit)
            .abortSignal(signal),
        ),
      ...poll(30),
    }),

  /** The whole history of a wallet, page by page; the page parameter is the id to go on below. Refreshed every 30 s. */
  history: (walletId: string) =>
    infiniteQueryOptions({
      queryKey: [...walletQueries.all(), 'history', walletId],
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: ({ pageParam, signal }): Promise<Transaction[]> =>
        unwrap(
          supabase()
            .from('transactions')
            .select(transactionColumns)
            .eq('wallet_id', walletId)
            .lt('id', pageParam)
            .order('id', { ascending: false })
            .limit(pageSize)
            .abortSignal(signal),
        ),
      getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.id),
      ...poll(30),
    }),

  /** Points set aside for the owner's quests, one wallet per quest. */
  reserves: (ownerId: string) =>
    queryOptions({
      queryKey: [...walletQueries.all(), 'reserves', ownerId],
      queryFn: ({ signal }) =>
        unwrap(
          supabase()
            .from('wallets')
            .select('campaign_id, points')
            .eq('owner_user_id', ownerId)
            .eq('kind', 'reserve')
            .abortSignal(signal),
        ),
      ...poll(30),
    }),

  /** What the owner's project and its quests have paid to members since `since` (ISO time), newest first. */
  payouts: (ownerId: string, since: string) =>
    queryOptions({
      queryKey: [...walletQueries.all(), 'payouts', ownerId, since],
      queryFn: ({ signal }): Promise<Payout[]> =>
        unwrap(
          supabase()
            .from('transactions')
            .select('points, created_at, wallets!inner(owner_user_id, kind)')
            .eq('wallets.owner_user_id', ownerId)
            .in('wallets.kind', ['startup', 'reserve'])
            .eq('kind', 'task_completion')
            .eq('type', 'debit')
            .gte('created_at', since)
            .order('id', { ascending: false })
            .limit(payoutLimit)
            .abortSignal(signal),
        ),
      ...poll(30),
    }),
};
