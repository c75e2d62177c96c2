import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getEnv } from '@/lib/env';
import { cursorPages } from '@/lib/paging';
import { poll, pollPages } from '@/lib/query-client';
import { supabase, unwrap, withSignal } from '@/lib/supabase';
import type { Database, Enums } from '@/types/database';
import type { NotificationData } from './response-schemas';

export type NotificationKind = Enums<'notification_kind'>;

type NotificationRow = Database['public']['Functions']['list_notifications']['Returns'][number];

/** A notification. `waiting`: number of proofs pending now, for ProofsWaiting. */
export type Notification = Omit<NotificationRow, 'data'> & { data: NotificationData };

export type MailPreference = Database['public']['Functions']['get_notification_preferences']['Returns'][number];

/**
 * Subscribes to live updates, if the server has Realtime (C-88): the callback refetches the same queries. Until then,
 * and without Realtime, they poll. Returns the unsubscribe function.
 */
export function listenForNews(userId: string, onNews: () => void): () => void {
  if (getEnv().VITE_REALTIME !== 'on') return () => undefined;
  let isOver = false;
  let close = () => {
    isOver = true;
  };
  // Lazy-loaded for signed-in users, after the page. If that fails the page polls, so the error is ignored.
  void import('@/lib/realtime')
    .then(({ listen }) => {
      if (!isOver) close = listen(`notifications:${userId}`, 'look', onNews);
    })
    .catch(() => undefined);
  return () => close();
}

/** Number of notifications in the bell's popover. */
const latestSize = 8;
const pageSize = 20;

async function fetchNotifications(
  limit: number,
  onlyUnread: boolean,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Notification[]> {
  const args = { p_limit: limit, p_only_unread: onlyUnread, p_cursor: cursor ?? undefined };
  const [rows, { notificationData }] = await Promise.all([
    unwrap(supabase().rpc('list_notifications', args, { get: true }).abortSignal(signal)),
    import('./response-schemas'),
  ]);
  return rows.map((row) => ({ ...row, data: notificationData.parse(row.data) }));
}

const keys = {
  all: ['notifications'] as const,
  unread: (userId: string) => ['notifications', 'unread', userId] as const,
  latest: (userId: string) => ['notifications', 'latest', userId] as const,
  list: (userId: string, onlyUnread: boolean) => ['notifications', 'list', userId, onlyUnread] as const,
  preferences: (userId: string) => ['notifications', 'preferences', userId] as const,
};

/** The caller's choices for all kinds. */
export function fetchMailPreferences(signal?: AbortSignal): Promise<MailPreference[]> {
  const call = supabase().rpc('get_notification_preferences', undefined, { get: true });
  return unwrap(withSignal(call, signal));
}

/** On returning to the tab they are refetched even when fresh, because they may have been read in another one. */
const live = { ...poll(30), refetchOnWindowFocus: 'always' } as const;

export const notificationQueries = {
  keys,

  /** Unread notifications, counted up to 100. Polled every 30 s, and refetched on live updates (C-88). */
  unreadCount: (userId: string) =>
    queryOptions({
      queryKey: keys.unread(userId),
      queryFn: ({ signal }) =>
        unwrap(supabase().rpc('get_unread_notification_count', undefined, { get: true }).abortSignal(signal)),
      ...live,
    }),

  /** The latest notifications, for the bell. */
  latest: (userId: string) =>
    queryOptions({
      queryKey: keys.latest(userId),
      queryFn: ({ signal }) => fetchNotifications(latestSize, false, null, signal),
      ...live,
    }),

  /** All notifications, newest first, paged. */
  list: (userId: string, onlyUnread: boolean) =>
    infiniteQueryOptions({
      queryKey: keys.list(userId, onlyUnread),
      ...cursorPages(pageSize, (cursor, signal) => fetchNotifications(pageSize, onlyUnread, cursor, signal)),
      ...pollPages(30),
    }),

  /** The kinds that the person gets by mail. */
  preferences: (userId: string) =>
    queryOptions({
      queryKey: keys.preferences(userId),
      queryFn: ({ signal }) => fetchMailPreferences(signal),
    }),
};
