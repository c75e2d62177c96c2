import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { getToken } from './auth/token';
import { getEnv } from './env';

/** Session tokens live for a minute, so every heartbeat sends a fresh one before the server ends the channel. */
const heartbeatMs = 10_000;
const retryMs = 10_000;

let client: RealtimeClient | undefined;

function realtime(): RealtimeClient {
  const { VITE_SUPABASE_URL, VITE_SUPABASE_ANON_KEY } = getEnv();
  client ??= new RealtimeClient(`${VITE_SUPABASE_URL.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: VITE_SUPABASE_ANON_KEY },
    accessToken: getToken,
    heartbeatIntervalMs: heartbeatMs,
  });
  return client;
}

/**
 * Subscribes to one event of a private channel. Also calls back after a reconnect, because events may have been missed.
 * Returns the unsubscribe function.
 */
export function listen(topic: string, event: string, onEvent: () => void): () => void {
  let channel: RealtimeChannel | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let wasLost = false;

  const join = async () => {
    // The library does not wait for the token; a failure to get one shows in the channel's status.
    await realtime().setAuth();
    if (isOver) return;
    channel = realtime().channel(topic, { config: { private: true } });
    channel.on('broadcast', { event }, onEvent).subscribe((status) => {
      if (isOver) return;
      if (status === 'SUBSCRIBED' && wasLost) onEvent();
      wasLost = status !== 'SUBSCRIBED';
      // The library retries after errors, but not when the server has closed the channel because its token expired.
      if (status === 'CLOSED') retry = setTimeout(() => void join(), retryMs);
    });
  };
  void join();

  return () => {
    isOver = true;
    clearTimeout(retry);
    if (channel) void realtime().removeChannel(channel);
  };
}
