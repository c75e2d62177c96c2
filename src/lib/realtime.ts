import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { getToken } from './auth/token';
import { getEnv } from './env';

/** Session tokens live for a minute: a fresh one goes out with every heartbeat, before the server ends the channel. */
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
 * Listens to one event of a private channel. Calls back too when the connection is there again after it was lost: nobody knows
 * what was missed. The returned function ends it.
 */
export function listen(topic: string, event: string, onEvent: () => void): () => void {
  let channel: RealtimeChannel | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let wasLost = false;

  const join = async () => {
    // The library does not wait for the token by itself; a failure to get one shows in the channel's status.
    await realtime().setAuth();
    if (isOver) return;
    channel = realtime().channel(topic, { config: { private: true } });
    channel.on('broadcast', { event }, onEvent).subscribe((status) => {
      if (isOver) return;
      if (status === 'SUBSCRIBED' && wasLost) onEvent();
      wasLost = status !== 'SUBSCRIBED';
      // Errors are retried by the library; a channel that the server has closed, because its token ran out, is not.
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
